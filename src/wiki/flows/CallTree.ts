/** The calls from a symbol on, in the order of their lines, as far as references are resolved. */

import * as Effect from "effect/Effect"
import { escapePattern } from "../../base/Text.ts"
import * as Language from "../../code/Language.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import { type Callee, callerKey, type Index } from "../../index/IndexStore.ts"
import type { FileGraph } from "../FileGraph.ts"
import type { Citation } from "../Page.ts"
import { isHelper, MAX_DEPTH } from "./Candidates.ts"
import * as Closures from "./Closures.ts"
import type * as IndirectTargets from "./IndirectTargets.ts"
import { familyOf, mask } from "./MaskedText.ts"
import * as TypeUse from "./TypeUse.ts"

/** A symbol on a flow. */
export interface Call {
  readonly entry: IndexEntry
  /** Which of the symbols of that name in the file is meant, from 0, in order of their start. */
  readonly ordinal: number
  /** How many calls lead to it from the start; the start has 0. */
  readonly depth: number
  /** The position of its caller among the calls; undefined for the start. */
  readonly caller: number | undefined
  /** The lines of the calls in the file of the caller, in order; none for the start. */
  readonly lines: ReadonlyArray<number>
  /**
   * True if all these calls stand in a function within the caller, so that they happen when that one runs. False says
   * little in languages whose functions without a name are not read (`MaskedText`), and if the source is not known.
   */
  readonly isInClosure: boolean
  /** How its caller has it, if it calls it through a variable, a property or a table. Others may give it something else. */
  readonly given?: Given | undefined
  /** True if its caller only names it, such as to register it: it runs when something else calls it. */
  readonly isPassed: boolean
  /** The parameters that it calls, if nothing is known of what its callers pass: `$handler`. */
  readonly unknown: ReadonlyArray<string>
  /** True if its own calls stand at another place of the tree, and not below this one. */
  readonly isRepeated: boolean
}

export interface Given {
  /** The text that holds it in the caller, as the code writes it: `$handler`, `self.app`. */
  readonly holder: string
  /** The symbol that gives it: the one that registers, passes or assigns it. Undefined outside of all symbols. */
  readonly by: IndexEntry | undefined
  /** True if the call leads to it in two steps or more, by way of what is returned (`IndirectTargets.Target`). */
  readonly isLater: boolean
}

export interface CallTree {
  /** The calls in the order of a walk from the start, each after its caller, those of one caller by their first line. */
  readonly calls: ReadonlyArray<Call>
  /** False if calls are missing because a limit was reached. Calls of helpers and of tests are always left out. */
  readonly isComplete: boolean
}

export interface Limits {
  /** The most steps from the start. */
  readonly depth: number
  /** The most calls in the tree. */
  readonly calls: number
  /** The most symbols whose callees are read. */
  readonly read: number
}

export const defaultLimits: Limits = { depth: MAX_DEPTH, calls: 150, read: 80 }

/** Returns the citation of a symbol on a flow. */
export const citationOf = ({ entry, ordinal }: Pick<Call, "entry" | "ordinal">): Citation => ({
  path: entry.path,
  symbol: entry.qualifiedName,
  ...(ordinal > 0 && { ordinal }),
  hash: entry.hash,
  ...(entry.tokens !== undefined && { tokens: entry.tokens }),
})

/**
 * Follows the calls from a symbol, nearer ones first, so that limits cut off what is far. Every symbol is followed once:
 * cycles end, and a symbol that is called again is marked as repeated. The result depends on the index alone.
 */
export const follow: (
  index: Pick<Index, "callees" | "symbolsIn">,
  graph: Pick<FileGraph, "files" | "hubs">,
  start: IndexEntry,
  options?: {
    readonly limits?: Limits
    /**
     * Returns the source of a symbol, if it can be read. It shows whether a class is made there or only named as a type,
     * and what stands in a function within it.
     */
    readonly sourceOf?: (entry: IndexEntry) => Effect.Effect<string | undefined>
    /** Finds what a function calls through what it is given; nothing by default. */
    readonly indirect?: IndirectTargets.Find
  },
) => Effect.Effect<CallTree, IndexError> = Effect.fn("CallTree.follow")(function* (
  index,
  graph,
  start,
  { indirect = () => Effect.succeed([]), limits = defaultLimits, sourceOf = () => Effect.succeed(undefined) } = {},
) {
  const isCut = isHelper(graph)
  const code = new Set(graph.files)
  const files = new Map<string, ReadonlyArray<IndexEntry>>()
  const symbolsIn = Effect.fnUntraced(function* (path: string) {
    const known = files.get(path) ?? (yield* index.symbolsIn(path))
    files.set(path, known)
    return known
  })
  const keyOf = (entry: IndexEntry) => `${entry.path} ${callerKey(entry)}`
  const followed = new Set([keyOf(start)])
  const nodes: Array<Node> = [
    {
      entry: start,
      depth: 0,
      callee: undefined,
      isInClosure: false,
      isPassed: false,
      isRepeated: false,
      unknown: [],
      below: [],
    },
  ]
  let isComplete = true
  let read = 0
  // A function that is only named is followed last, and at the place where it is called if that is known.
  const queue = [0]
  const named: Array<number> = []
  for (let at = queue.shift(); at !== undefined; at = queue.shift() ?? named.shift()) {
    const node = nodes[at]
    if (node === undefined || node.isRepeated || !canFollow(node.entry, at === 0)) continue
    const ownKey = keyOf(node.entry)
    if (node.isPassed && followed.has(ownKey)) {
      node.isRepeated = true
      continue
    }
    followed.add(ownKey)
    if (node.depth >= limits.depth || read >= limits.read) {
      isComplete = false
      continue
    }
    read++
    const used = (yield* index.callees(node.entry)).filter(
      ({ entry, lines }) =>
        code.has(entry.path) &&
        !isCut(entry, node.entry) &&
        !isType(entry) &&
        !TypeUse.isInDeclaration(node.entry, entry, lines),
    )
    const source = yield* sourceOf(node.entry)
    const direct =
      source === undefined
        ? used
        : used.filter(({ entry, lines }) => !TypeUse.isInTypes(node.entry, source, entry, lines))
    const joints = yield* indirect(node.entry)
    node.unknown = joints.filter(({ targets }) => targets.length === 0).map(({ holder }) => holder)
    const callees = withGiven(direct, joints, keyOf)
    const inner = callees.length === 0 ? [] : innerFunctions(node.entry, yield* symbolsIn(node.entry.path))
    const inClosures =
      source === undefined || node.entry.kind === "class"
        ? undefined
        : Closures.within(node.entry, source, Language.of(node.entry.path)?.id)
    for (const callee of callees) {
      if (nodes.length > limits.calls) {
        isComplete = false
        break
      }
      const key = keyOf(callee.entry)
      const name = callee.given === undefined ? callee.entry.name : nameIn(callee.given.holder)
      const isPassed =
        callee.given === undefined &&
        source !== undefined &&
        isNamedOnly(node.entry, source, callee.entry, callee.lines)
      node.below.push(nodes.length)
      ;(isPassed ? named : queue).push(nodes.length)
      nodes.push({
        entry: callee.entry,
        depth: node.depth + 1,
        callee,
        isInClosure:
          callee.lines.length > 0 &&
          (callee.lines.every((line) => inner.some(contains(line))) || inClosures?.(name, callee.lines) === true),
        isPassed,
        isRepeated: followed.has(key),
        unknown: [],
        below: [],
      })
      if (!isPassed) followed.add(key)
    }
  }
  const calls: Array<Call> = []
  // A field or value is on the way if a function in it calls something. The class that is only its type runs nothing.
  const isCall = ({ below, entry }: Node): boolean =>
    isCallable(entry) ||
    below.some((position) => {
      const node = nodes[position]
      return node !== undefined && node.entry.kind !== "class" && isCall(node)
    })
  const walk = (at: number, caller: number | undefined, ordinalOf: (entry: IndexEntry) => number): void => {
    const node = nodes[at]
    if (node === undefined || (at > 0 && !isCall(node))) return
    const { callee, depth, entry, isInClosure, isPassed, isRepeated, unknown } = node
    const position = calls.length
    calls.push({
      entry,
      ordinal: ordinalOf(entry),
      depth,
      caller,
      lines: callee?.lines ?? [],
      isInClosure,
      given: callee?.given,
      isPassed,
      unknown,
      isRepeated,
    })
    for (const below of node.below) walk(below, position, ordinalOf)
  }
  yield* Effect.forEach(new Set(nodes.map(({ entry }) => entry.path)), symbolsIn, { discard: true })
  walk(0, undefined, (entry) => ordinalIn(entry, files.get(entry.path) ?? []))
  return { calls, isComplete }
})

interface Node {
  readonly entry: IndexEntry
  readonly depth: number
  readonly callee: (Callee & { readonly given?: Given | undefined }) | undefined
  readonly isInClosure: boolean
  readonly isPassed: boolean
  isRepeated: boolean
  unknown: ReadonlyArray<string>
  /** The positions of what it uses. */
  readonly below: Array<number>
}

/**
 * Returns whether a function is named on some lines of another and never called there, as in `stack.use(log)`. A method
 * may be computed like a property, so it counts only in languages that mark those.
 */
const isNamedOnly = (
  { path, startLine }: IndexEntry,
  source: string,
  { kind, name, signature }: IndexEntry,
  lines: ReadonlyArray<number>,
): boolean => {
  const family = familyOf(Language.of(path)?.id)
  if (family !== "ecma" && family !== "python") return false
  if (kind !== "function" && (kind !== "method" || family === "python" || /\bget\s/.test(signature))) return false
  const text = mask(source, family).split("\n")
  const word = new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$])(.?)`, "g")
  const ends = lines.map((line) => Array.from((text[line - startLine] ?? "").matchAll(word), ([, end = ""]) => end))
  return ends.every((all) => all.length > 0 && all.every((end) => /^[\s,;)\]}]?$/.test(end)))
}

/** Adds what is called through what a function is given to what it calls by name, in the order of the lines. */
const withGiven = (
  direct: ReadonlyArray<Callee>,
  joints: ReadonlyArray<IndirectTargets.Joint>,
  keyOf: (entry: IndexEntry) => string,
): ReadonlyArray<Callee & { readonly given?: Given | undefined }> => {
  const known = new Set(direct.map(({ entry }) => keyOf(entry)))
  const given = joints.flatMap(({ holder, line, targets }) =>
    targets.flatMap(({ by, entry, isLater }) => {
      if (known.has(keyOf(entry))) return []
      known.add(keyOf(entry))
      return [{ entry, lines: [line], given: { holder, by, isLater } }]
    }),
  )
  return given.length === 0
    ? direct
    : [...direct, ...given].toSorted(({ lines: [one = 0] }, { lines: [other = 0] }) => one - other)
}

/** Returns the name at the end of what holds a function, without the key of a table. */
const nameIn = (holder: string): string => /(\w+)(?:\[.*)?$/.exec(holder)?.[1] ?? holder

const isType = ({ kind }: IndexEntry): boolean => kind === "interface" || kind === "type" || kind === "enum"

const isCallable = ({ kind }: IndexEntry): boolean => kind === "function" || kind === "method" || kind === "class"

/** The use of a class runs its constructor, and not everything that its methods call. */
const canFollow = ({ kind }: IndexEntry, isStart: boolean): boolean => isStart || kind !== "class"

/** Returns the named functions within a function or value. The methods of a class are no closures. */
const innerFunctions = (entry: IndexEntry, symbols: ReadonlyArray<IndexEntry>): ReadonlyArray<IndexEntry> =>
  entry.kind === "class"
    ? []
    : symbols.filter(
        ({ endLine, kind, qualifiedName, startLine }) =>
          (kind === "function" || kind === "method") &&
          qualifiedName !== entry.qualifiedName &&
          startLine >= entry.startLine &&
          endLine <= entry.endLine,
      )

const contains =
  (line: number) =>
  ({ endLine, startLine }: IndexEntry): boolean =>
    line > startLine && line <= endLine

const ordinalIn = (entry: IndexEntry, symbols: ReadonlyArray<IndexEntry>): number =>
  Math.max(
    0,
    symbols
      .filter(({ qualifiedName }) => qualifiedName === entry.qualifiedName)
      .findIndex(({ startLine }) => startLine === entry.startLine),
  )
