/** The flows of a project as far as its references show them: where they may begin, and their pages without a model. */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import type { FileGraph } from "../FileGraph.ts"
import type { Page } from "../Page.ts"
import type { Flow, Part } from "../Plan.ts"
import * as CallTree from "./CallTree.ts"
import * as Candidates from "./Candidates.ts"
import * as FlowPage from "./FlowPage.ts"
import * as Forwarding from "./Forwarding.ts"

/** A symbol at which a flow may begin. */
export interface Start extends Candidates.Candidate {
  readonly entry: IndexEntry
}

export interface Flows {
  /** The best first. */
  readonly starts: ReadonlyArray<Start>
  /** Why there are none; undefined if calls are resolved. */
  readonly missing: string | undefined
}

/** Finds where flows may begin. */
export const find: (index: Index, graph: FileGraph, parts: ReadonlyArray<Part>) => Effect.Effect<Flows, IndexError> =
  Effect.fn("Flows.find")(function* (index, graph, parts) {
    const symbols = yield* index.symbolGraph
    const starts: Array<Start> = []
    for (const candidate of Candidates.find(symbols, graph, parts)) {
      const { path, qualifiedName, startLine } = candidate
      const entry = (yield* index.find(qualifiedName, path)).find((entry) => entry.startLine === startLine)
      if (entry !== undefined) starts.push({ ...candidate, entry })
    }
    const code = new Set(graph.files)
    const languages = (yield* index.files).flatMap(({ language, path, symbols }) =>
      language !== undefined && symbols > 0 && code.has(path) ? [language] : [],
    )
    return { starts, missing: Candidates.whyNone(symbols, Array.from(new Set(languages)).sort()) }
  })

/** A flow with its page and its calls. */
export interface WrittenFlow {
  readonly flow: Flow
  readonly page: Page
  readonly tree: CallTree.CallTree
}

/** Makes the pages of the best flows without a model. `taken`: the names of other pages; `sourceOf` as in `Forwarding`. */
export const write: (
  index: Index,
  graph: FileGraph,
  { starts }: Pick<Flows, "starts">,
  taken: ReadonlySet<string>,
  sourceOf?: (entry: IndexEntry) => Effect.Effect<string | undefined>,
) => Effect.Effect<ReadonlyArray<WrittenFlow>, IndexError> = Effect.fn("Flows.write")(function* (
  index,
  graph,
  { starts },
  taken,
  sourceOf = () => Effect.succeed(undefined),
) {
  const names = new Set(taken)
  const written: Array<WrittenFlow> = []
  for (const start of Candidates.choose(starts, FlowPage.MAX_FLOWS)) {
    const tree = yield* CallTree.follow(index, graph, start.entry, { sourceOf })
    const flow = FlowPage.flowOf(tree, names)
    const page = flow === undefined ? undefined : FlowPage.make(flow, tree, yield* Forwarding.find(tree, sourceOf))
    if (flow === undefined || page === undefined) continue
    names.add(flow.name)
    written.push({ flow, page, tree })
  }
  return written
})
