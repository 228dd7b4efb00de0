/** The flows of a project as far as its references show them: where they may begin, and their pages without a model. */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { GraphSymbol, Index, SymbolGraph } from "../../index/IndexStore.ts"
import type { Entry } from "../Entries.ts"
import type { FileGraph } from "../FileGraph.ts"
import * as Landmarks from "../Landmarks.ts"
import * as Packages from "../Packages.ts"
import type { Page } from "../Page.ts"
import type { Flow, Part } from "../Plan.ts"
import * as CallTree from "./CallTree.ts"
import * as Candidates from "./Candidates.ts"
import * as FlowPage from "./FlowPage.ts"
import * as Forwarding from "./Forwarding.ts"
import * as Frames from "./Frames.ts"
import type * as IndirectTargets from "./IndirectTargets.ts"
import * as UserActions from "./UserActions.ts"

/** A symbol at which a flow may begin. */
interface Start extends Candidates.Candidate {
  readonly entry: IndexEntry
}

export interface Flows {
  /** The best first. */
  readonly starts: ReadonlyArray<Start>
  /** Why there are none; undefined if calls are resolved. */
  readonly missing: string | undefined
}

/**
 * Finds where flows may begin. `indirect` finds what is called through what functions are given; nothing by default.
 * `readme` is the text of the README, which shows what most users call, `documents` that of the others, which say what
 * users do, and `entries` are what manifests name as the beginning.
 */
export const find: (
  index: Index,
  graph: FileGraph,
  parts: ReadonlyArray<Part>,
  options?: {
    readonly indirect?: IndirectTargets.Find
    readonly readme?: string | undefined
    readonly documents?: string | undefined
    readonly entries?: ReadonlyArray<Pick<Entry, "path" | "symbol">> | undefined
  },
) => Effect.Effect<Flows, IndexError> = Effect.fn("Flows.find")(function* (
  index,
  graph,
  parts,
  { documents = "", entries = [], indirect, readme = "" } = {},
) {
  const resolved = yield* index.symbolGraph
  const code = new Set(graph.files)
  const languages = new Set(
    (yield* index.files).flatMap(({ language, path, symbols }) =>
      language !== undefined && symbols > 0 && code.has(path) ? [language] : [],
    ),
  )
  const starts: Array<Start> = []
  const shown = Landmarks.calledIn(readme, languages)
  const actions = UserActions.countIn(`${readme}\n${documents}`)
  const findIn = (symbols: SymbolGraph) => Candidates.find(symbols, graph, parts, { actions, entries, shown })
  const symbols = indirect === undefined ? resolved : yield* withIndirect(index, resolved, indirect, findIn)
  for (const candidate of findIn(symbols)) {
    const { path, qualifiedName, startLine } = candidate
    const entry = (yield* index.find(qualifiedName, path)).find((entry) => entry.startLine === startLine)
    if (entry !== undefined) starts.push({ ...candidate, entry })
  }
  return { starts, missing: Candidates.whyNone(symbols, Array.from(languages).sort()) }
})

/**
 * A project of more symbols is searched for calls through what functions are given only in those that a flow may have.
 * A search of all 15,700 functions of a project of 3,800 files takes 4 s, and finds the same flows.
 */
export const MAX_SEARCHED_WHOLE = 3_000

/** Each round searches the functions to which the calls lead that the one before has found. */
const ROUNDS = 3

/**
 * Adds calls through what functions are given to the uses of a graph. In a large project only the functions are
 * searched that the best starts reach: `findIn` returns the starts of a graph.
 */
const withIndirect = Effect.fnUntraced(function* (
  index: Pick<Index, "symbolsIn">,
  { symbols, uses }: SymbolGraph,
  indirect: IndirectTargets.Find,
  findIn: (graph: SymbolGraph) => ReadonlyArray<Candidates.Candidate>,
) {
  const keyOf = ({ path, qualifiedName, startLine }: Pick<GraphSymbol, "path" | "qualifiedName" | "startLine">) =>
    `${path} ${startLine} ${qualifiedName}`
  const positions = new Map(symbols.map((symbol, at) => [keyOf(symbol), at]))
  const added = Array.from(uses)
  const search = Effect.fnUntraced(function* (wanted: ReadonlySet<number>) {
    for (const path of new Set(Array.from(wanted, (at) => symbols[at]?.path ?? ""))) {
      for (const entry of yield* index.symbolsIn(path)) {
        const at = Frames.runs.has(entry.kind) ? positions.get(keyOf(entry)) : undefined
        if (at === undefined || symbols[at]?.isCallable !== true || !wanted.has(at)) continue
        const given = (yield* indirect(entry))
          .flatMap(({ targets }) => targets)
          .flatMap((target) => positions.get(keyOf(target.entry)) ?? [])
        if (given.length > 0)
          added[at] = Array.from(new Set([...(added[at] ?? []), ...given.filter((to) => to !== at)]))
      }
    }
  })
  if (symbols.length <= MAX_SEARCHED_WHOLE) yield* search(new Set(symbols.keys()))
  else {
    const searched = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      const reached = findIn({ symbols, uses: added }).flatMap(({ reached }) => reached)
      yield* search(new Set(reached.filter((at) => !searched.has(at))))
      for (const at of reached) searched.add(at)
    }
  }
  return { symbols, uses: added } satisfies SymbolGraph
})

/** A flow with its page and its calls. */
interface WrittenFlow {
  readonly flow: Flow
  readonly page: Page
  readonly tree: CallTree.CallTree
}

/**
 * Makes the pages of the best flows without a model. `taken`: the names of other pages; `sourceOf` as in `Forwarding`.
 */
export const write: (
  index: Index,
  graph: FileGraph,
  { starts }: Pick<Flows, "starts">,
  taken: ReadonlySet<string>,
  sourceOf?: (entry: IndexEntry) => Effect.Effect<string | undefined>,
  indirect?: IndirectTargets.Find,
) => Effect.Effect<ReadonlyArray<WrittenFlow>, IndexError> = Effect.fn("Flows.write")(function* (
  index,
  graph,
  { starts },
  taken,
  sourceOf = () => Effect.succeed(undefined),
  indirect,
) {
  const names = new Set(taken)
  const written: Array<WrittenFlow> = []
  const packages = new Set(Packages.foldersOf(yield* index.files))
  for (const start of Candidates.choose(starts, starts.length, (path) => Packages.packageOf(packages, path))) {
    if (written.length === FlowPage.MAX_FLOWS) break
    const tree = yield* CallTree.follow(index, graph, start.entry, {
      sourceOf,
      ...(indirect !== undefined && { indirect }),
    })
    const flow = FlowPage.flowOf(tree, names)
    const page = flow === undefined ? undefined : FlowPage.make(flow, tree, yield* Forwarding.find(tree, sourceOf))
    if (flow === undefined || page === undefined) continue
    names.add(flow.name)
    written.push({ flow, page, tree })
  }
  return written
})
