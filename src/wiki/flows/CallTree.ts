/** The calls from a symbol on, in the order of their lines, as far as references are resolved. */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import { type Callee, callerKey, type Index } from "../../index/IndexStore.ts"
import type { FileGraph } from "../FileGraph.ts"
import type { Citation } from "../Page.ts"
import { isHelper, MAX_DEPTH } from "./Candidates.ts"
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
   * True if all these lines stand in a named function within the caller, so that the call happens when that one runs.
   * False says little: callbacks without a name are no symbols of the
   * index, nor are local functions in TypeScript and JavaScript.
   */
  readonly isInClosure: boolean
  /** True if its own calls stand at another place of the tree, and not below this one. */
  readonly isRepeated: boolean
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
    /** Returns the source of a symbol, if it can be read. It shows whether a class is made there or only named as a type. */
    readonly sourceOf?: (entry: IndexEntry) => Effect.Effect<string | undefined>
  },
) => Effect.Effect<CallTree, IndexError> = Effect.fn("CallTree.follow")(function* (
  index,
  graph,
  start,
  { limits = defaultLimits, sourceOf = () => Effect.succeed(undefined) } = {},
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
    { entry: start, depth: 0, callee: undefined, isInClosure: false, isRepeated: false, below: [] },
  ]
  let isComplete = true
  let read = 0
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]
    if (node === undefined || node.isRepeated || !canFollow(node.entry, at === 0)) continue
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
    const source = used.some(({ entry }) => entry.kind === "class") ? yield* sourceOf(node.entry) : undefined
    const callees =
      source === undefined
        ? used
        : used.filter(({ entry, lines }) => !TypeUse.isInTypes(node.entry, source, entry, lines))
    const inner = callees.length === 0 ? [] : innerFunctions(node.entry, yield* symbolsIn(node.entry.path))
    for (const callee of callees) {
      if (nodes.length > limits.calls) {
        isComplete = false
        break
      }
      const key = keyOf(callee.entry)
      node.below.push(nodes.length)
      nodes.push({
        entry: callee.entry,
        depth: node.depth + 1,
        callee,
        isInClosure: callee.lines.length > 0 && callee.lines.every((line) => inner.some(contains(line))),
        isRepeated: followed.has(key),
        below: [],
      })
      followed.add(key)
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
    const { callee, depth, entry, isInClosure, isRepeated } = node
    const position = calls.length
    calls.push({ entry, ordinal: ordinalOf(entry), depth, caller, lines: callee?.lines ?? [], isInClosure, isRepeated })
    for (const below of node.below) walk(below, position, ordinalOf)
  }
  yield* Effect.forEach(new Set(nodes.map(({ entry }) => entry.path)), symbolsIn, { discard: true })
  walk(0, undefined, (entry) => ordinalIn(entry, files.get(entry.path) ?? []))
  return { calls, isComplete }
})

interface Node {
  readonly entry: IndexEntry
  readonly depth: number
  readonly callee: Callee | undefined
  readonly isInClosure: boolean
  readonly isRepeated: boolean
  /** The positions of what it uses. */
  readonly below: Array<number>
}

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
