/** The calls from a symbol on, in the order of their lines, as far as references are resolved. */

import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import type { FileGraph } from "../FileGraph.ts"
import type { Citation } from "../Page.ts"
import * as Calls from "./Calls.ts"
import { isHelper, MAX_DEPTH } from "./Candidates.ts"

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
  /**
   * How its caller has it, if it calls it through a variable, a property or a table. Others may give it something else.
   */
  readonly given?: Calls.Given | undefined
  /** True if its caller only names it, such as to register it: it runs when something else calls it. */
  readonly isPassed: boolean
  /**
   * Definitions of the same name in other files that the same call may mean, since each build has one of them, such as
   * for another platform. They are not followed.
   */
  readonly variants: ReadonlyArray<Pick<Call, "entry" | "ordinal">>
  /** The parameters that it calls, if nothing is known of what its callers pass: `$handler`. */
  readonly unknown: ReadonlyArray<string>
  /** True if its own calls stand at another place of the tree, and not below this one. */
  readonly isRepeated: boolean
}

export interface CallTree {
  /**
   * The calls in the order of a walk from the start, each after its caller, those of one caller by their first line.
   */
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
 * Follows the calls from a symbol, nearer ones first, so that limits cut off what is far. Every symbol is followed
 * once: cycles end, and a symbol that is called again is marked as repeated. The result depends on the index alone.
 */
export const follow: (
  index: Pick<Index, "callees" | "symbolsIn">,
  graph: Pick<FileGraph, "files" | "hubs">,
  start: IndexEntry,
  options?: {
    readonly limits?: Limits
    /** Both are those of `Calls.Reader`; without them no source is read, and no call is indirect. */
    readonly sourceOf?: Calls.Reader["sourceOf"]
    readonly indirect?: Calls.Reader["indirect"]
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
  const reader: Calls.Reader = { index: { callees: index.callees, symbolsIn }, sourceOf, indirect }
  const followed = new Set([Calls.keyOf(start)])
  const nodes: Array<Node> = [
    {
      entry: start,
      depth: 0,
      callee: undefined,
      isInClosure: false,
      isPassed: false,
      isRepeated: false,
      variants: [],
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
    if (!isCallable(node.entry) && hasMembersElsewhere(node.entry, yield* symbolsIn(node.entry.path))) continue
    const ownKey = Calls.keyOf(node.entry)
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
    const { calls, unknown } = yield* Calls.read(
      reader,
      node.entry,
      (used) => code.has(used.path) && !isCut(used, node.entry),
    )
    node.unknown = unknown
    for (const [callee, ...variants] of byMeaning(calls)) {
      if (nodes.length > limits.calls) {
        isComplete = false
        break
      }
      const key = Calls.keyOf(callee.entry)
      const { isPassed } = callee
      node.below.push(nodes.length)
      ;(isPassed ? named : queue).push(nodes.length)
      nodes.push({
        entry: callee.entry,
        depth: node.depth + 1,
        callee,
        isInClosure: callee.isInClosure,
        isPassed,
        isRepeated: followed.has(key),
        variants: variants.map(({ entry }) => entry),
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
    const { callee, depth, entry, isInClosure, isPassed, isRepeated, unknown, variants } = node
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
      variants: variants.map((variant) => ({ entry: variant, ordinal: ordinalOf(variant) })),
      unknown,
      isRepeated,
    })
    for (const below of node.below) walk(below, position, ordinalOf)
  }
  const paths = new Set(nodes.flatMap(({ entry, variants }) => [entry, ...variants].map(({ path }) => path)))
  yield* Effect.forEach(paths, symbolsIn, { discard: true })
  walk(0, undefined, (entry) => ordinalIn(entry, files.get(entry.path) ?? []))
  return { calls, isComplete }
})

interface Node {
  readonly entry: IndexEntry
  readonly depth: number
  readonly callee: Calls.Called | undefined
  readonly isInClosure: boolean
  readonly isPassed: boolean
  isRepeated: boolean
  readonly variants: ReadonlyArray<IndexEntry>
  unknown: ReadonlyArray<string>
  /** The positions of what it uses. */
  readonly below: Array<number>
}

/** Joins the callees that a call may mean: those of one name on the same lines, each in another file. */
const byMeaning = (
  calls: ReadonlyArray<Calls.Called>,
): ReadonlyArray<readonly [Calls.Called, ...ReadonlyArray<Calls.Called>]> => {
  const joined: Array<[Calls.Called, ...Array<Calls.Called>]> = []
  for (const call of calls) {
    const others = joined.find(([first, ...more]) => [first, ...more].every((other) => isVariant(call, other)))
    if (others === undefined) joined.push([call])
    else others.push(call)
  }
  return joined
}

/** A call through a variable means any of what that holds, whatever is built, and so has no variants. */
const isVariant = (one: Calls.Called, other: Calls.Called): boolean =>
  one.given === undefined &&
  other.given === undefined &&
  one.entry.qualifiedName === other.entry.qualifiedName &&
  one.entry.kind === other.entry.kind &&
  one.entry.path !== other.entry.path &&
  one.lines.length === other.lines.length &&
  one.lines.every((line, at) => line === other.lines[at])

const isCallable = ({ kind }: IndexEntry): boolean => kind === "function" || kind === "method" || kind === "class"

/** The use of a class runs its constructor, and that of a module nothing: not everything that its functions call. */
const canFollow = ({ kind }: IndexEntry, isStart: boolean): boolean =>
  isStart || (kind !== "class" && kind !== "module")

/** An object whose methods are declared outside of it runs none of them where it is used, as a class does not. */
const hasMembersElsewhere = ({ endLine, qualifiedName }: IndexEntry, symbols: ReadonlyArray<IndexEntry>): boolean =>
  symbols.some(({ container, startLine }) => container === qualifiedName && startLine > endLine)

const ordinalIn = (entry: IndexEntry, symbols: ReadonlyArray<IndexEntry>): number =>
  Math.max(
    0,
    symbols
      .filter(({ qualifiedName }) => qualifiedName === entry.qualifiedName)
      .findIndex(({ startLine }) => startLine === entry.startLine),
  )
