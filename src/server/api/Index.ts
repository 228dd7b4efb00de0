/** The contract of the index: what a project is made of, and what its symbols are for. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { RunProgress, Tokens } from "../../indexing/RunProgress.ts"
import { NodeId } from "../../message/NodeId.ts"
import { NotFound, NotKept, Refused } from "./Conversations.ts"

/** A symbol in a list. Paths are relative to the root of the project. */
export const SymbolRow = Schema.Struct({
  path: Schema.String,
  /** From 1, of its first line. */
  line: Schema.Int,
  endLine: Schema.Int,
  /** Qualified: `Session.send`. */
  name: Schema.String,
  kind: Schema.String,
  signature: Schema.String,
  usedBy: Schema.Int,
  isMajor: Schema.Boolean,
  purpose: Schema.optional(
    Schema.Struct({
      text: Schema.String,
      origin: Schema.Literal("model", "comment"),
      model: Schema.optional(Schema.String),
      isStale: Schema.Boolean,
      /** Why it failed a check. */
      weak: Schema.optional(Schema.String),
    }),
  ),
})
export type SymbolRow = typeof SymbolRow.Type

export const Folder = Schema.Struct({
  path: Schema.String,
  files: Schema.Int,
  symbols: Schema.Int,
  major: Schema.Int,
  /** Major symbols without a purpose, or with a stale one. */
  open: Schema.Int,
  /** As one of its documents says it. */
  purpose: Schema.optional(Schema.String),
})
export type Folder = typeof Folder.Type

export const File = Schema.Struct({
  path: Schema.String,
  language: Schema.optional(Schema.String),
  class: Schema.String,
  symbols: Schema.Int,
  major: Schema.Int,
  open: Schema.Int,
  /** Why symbols are missing. */
  note: Schema.optional(Schema.String),
})
export type File = typeof File.Type

/** What stands at a path. */
export const Place = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("folder"),
    path: Schema.String,
    folders: Schema.Array(Folder),
    files: Schema.Array(File),
    /** The symbols where it begins and that the rest is built on, the most important first. */
    central: Schema.Array(SymbolRow),
  }),
  Schema.Struct({ type: Schema.Literal("file"), path: Schema.String, symbols: Schema.Array(SymbolRow) }),
)
export type Place = typeof Place.Type

/** A symbol, or the text of a file outside of all, that uses another one or is used by it. */
export const Related = Schema.Struct({
  path: Schema.String,
  /** The first line of the symbol; of a use where there is no symbol. */
  line: Schema.Int,
  name: Schema.optional(Schema.String),
  /** The lines at which it uses the other, or is used, in order. */
  lines: Schema.Array(Schema.Int),
})
export type Related = typeof Related.Type

export const SymbolPage = Schema.Struct({
  symbol: SymbolRow,
  /** Its comment in full. */
  doc: Schema.optional(Schema.String),
  /** Its lines as they are now, at most 400; none where its file is gone. */
  source: Schema.Array(Schema.String),
  /** Lines of it that are not in `source`. */
  moreLines: Schema.Int,
  members: Schema.Array(SymbolRow),
  /** What uses it, or a member of it; their number is that of the first distance of `impact`. */
  callers: Schema.Array(Related),
  moreCallers: Schema.Int,
  callees: Schema.Array(Related),
  moreCallees: Schema.Int,
  /** Everything that depends on it, by distance from 1 on. */
  impact: Schema.Array(Schema.Struct({ distance: Schema.Int, symbols: Schema.Int, files: Schema.Int })),
  isImpactComplete: Schema.Boolean,
})
export type SymbolPage = typeof SymbolPage.Type

export const GraphNode = Schema.Struct({
  id: Schema.String,
  path: Schema.String,
  line: Schema.Int,
  name: Schema.String,
  kind: Schema.String,
  purpose: Schema.optional(Schema.String),
  /** Callers are below 0, what is called is above. */
  layer: Schema.Int,
})
export type GraphNode = typeof GraphNode.Type

/** The neighbourhood of one symbol: at most two steps to each side. */
export const Graph = Schema.Struct({
  nodes: Schema.Array(GraphNode),
  /** `from` uses `to`. */
  edges: Schema.Array(Schema.Struct({ from: Schema.String, to: Schema.String })),
  /** How many each layer has besides. */
  more: Schema.Array(Schema.Struct({ layer: Schema.Int, count: Schema.Int })),
})
export type Graph = typeof Graph.Type

/** How a purpose came to be. */
export const Why = Schema.Struct({
  /** One sentence. */
  summary: Schema.String,
  /** The conversation, where this forest has it: the message that asked, and the one that answered. */
  request: Schema.optional(NodeId),
  answer: Schema.optional(NodeId),
})
export type Why = typeof Why.Type

/** What an exploration takes, before any request. Costs are in US dollars; none where a price is unknown. */
export const Work = Schema.Struct({
  symbols: Schema.Int,
  requests: Schema.Int,
  tokens: Tokens,
  cost: Schema.optional(Schema.Number),
})
export const Estimate = Schema.Struct({
  model: Schema.String,
  /** One exploration, and all that there is to explain. */
  one: Work,
  all: Work,
  explorations: Schema.Int,
})
export type Estimate = typeof Estimate.Type

/** A run that explores, begun by a page, or by another process. */
export const Run = Schema.Struct({
  state: Schema.Literal("running", "done", "stopped", "failed"),
  /** `activity` is also how it ended. */
  ...RunProgress.fields,
  /** Milliseconds since the epoch. */
  endedAt: Schema.optional(Schema.Number),
  /** Purposes that were written last, the newest first; none of another process. */
  found: Schema.Array(
    Schema.Struct({ path: Schema.String, line: Schema.Int, name: Schema.String, text: Schema.String }),
  ),
})
export type Run = typeof Run.Type

export const Status = Schema.Struct({
  root: Schema.String,
  /** Without an index there is nothing else. */
  indexed: Schema.Boolean,
  files: Schema.Int,
  symbols: Schema.Int,
  /** The number of major symbols in code, and of those with a purpose that is not stale. */
  major: Schema.Int,
  covered: Schema.Int,
  stale: Schema.Int,
  weak: Schema.Int,
  byModel: Schema.Int,
  byComment: Schema.Int,
  classes: Schema.Array(
    Schema.Struct({ name: Schema.String, files: Schema.Int, major: Schema.Int, covered: Schema.Int }),
  ),
  /** What the index is not up to date with. */
  notice: Schema.optional(Schema.String),
  /** Markdown, as the exploration left it. */
  map: Schema.optional(Schema.String),
  run: Schema.optional(Run),
  /** Another process explores this folder, or makes vectors. */
  isElsewhere: Schema.Boolean,
  /** How far that one has come, where it says so. */
  elsewhere: Schema.optional(Run),
})
export type Status = typeof Status.Type

export class Index extends HttpApiGroup.make("index")
  .add(HttpApiEndpoint.get("status", "/index").addSuccess(Status))
  /** Makes the index where there is none, or reads all files again: no model is asked. */
  .add(HttpApiEndpoint.post("structure", "/index/structure").addSuccess(Status))
  .add(
    HttpApiEndpoint.get("place", "/index/place")
      .setUrlParams(Schema.Struct({ path: Schema.String }))
      .addSuccess(Place),
  )
  .add(
    HttpApiEndpoint.get("symbol", "/index/symbol")
      .setUrlParams(Schema.Struct({ path: Schema.String, line: Schema.NumberFromString }))
      .addSuccess(SymbolPage),
  )
  .add(
    HttpApiEndpoint.get("graph", "/index/graph")
      .setUrlParams(Schema.Struct({ path: Schema.String, line: Schema.NumberFromString }))
      .addSuccess(Graph),
  )
  .add(
    HttpApiEndpoint.get("why", "/index/why")
      .setUrlParams(Schema.Struct({ path: Schema.String, line: Schema.NumberFromString }))
      .addSuccess(Why),
  )
  .add(
    HttpApiEndpoint.get("search", "/index/search")
      .setUrlParams(Schema.Struct({ text: Schema.String, path: Schema.optional(Schema.String) }))
      .addSuccess(
        Schema.Array(Schema.Struct({ symbol: SymbolRow, firstLine: Schema.Int, lines: Schema.Array(Schema.String) })),
      ),
  )
  .add(
    HttpApiEndpoint.post("estimate", "/index/estimate")
      .setPayload(Schema.Struct({ model: Schema.String }))
      .addSuccess(Estimate),
  )
  .add(
    HttpApiEndpoint.post("start", "/index/run")
      .setPayload(Schema.Struct({ model: Schema.String, all: Schema.Boolean }))
      .addSuccess(Run),
  )
  /** What it has found so far is kept. */
  .add(HttpApiEndpoint.del("stop", "/index/run").addSuccess(Schema.Struct({ message: Schema.String })))
  .addError(NotFound)
  .addError(Refused)
  .addError(NotKept) {}
