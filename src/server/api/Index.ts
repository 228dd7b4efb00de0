/** The contract of the index: what a project is made of, and what its symbols are for. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { NodeId } from "../../message/NodeId.ts"
import { NotFound, NotKept, Refused } from "./Conversations.ts"

/** A symbol in a list. Paths are relative to the root of the project. */
export const SymbolRow = Schema.Struct({
  path: Schema.String,
  /** The number of its first line, from 1. */
  line: Schema.Int,
  endLine: Schema.Int,
  /** The qualified name: `Session.send`. */
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
      /** The reason why the purpose failed a check. */
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
  /** The purpose that one of its documents states. */
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
  /** The reason why symbols are missing. */
  note: Schema.optional(Schema.String),
})
export type File = typeof File.Type

/** The folder or file at a path. */
export const Place = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("folder"),
    path: Schema.String,
    folders: Schema.Array(Folder),
    files: Schema.Array(File),
    /** Entry points and the symbols that the rest is built on, the most important first. */
    central: Schema.Array(SymbolRow),
  }),
  Schema.Struct({
    type: Schema.Literal("file"),
    path: Schema.String,
    symbols: Schema.Array(SymbolRow),
    /** The first lines of a file without symbols; empty if it has any, or cannot be read. */
    lines: Schema.Array(Schema.String),
  }),
)
export type Place = typeof Place.Type

/** A symbol that uses another one or is used by it, or the text of a file outside of all symbols. */
export const Related = Schema.Struct({
  path: Schema.String,
  /** The first line of the symbol, or of a use outside of all symbols. */
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
  /** Its lines as they are now, at most 400; empty if its file is gone. */
  source: Schema.Array(Schema.String),
  /** The number of its lines that are not in `source`. */
  moreLines: Schema.Int,
  members: Schema.Array(SymbolRow),
  /** The symbols that use it or one of its members; their number is the first distance of `impact`. */
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
  /** Callers have a number below 0, callees one above. */
  layer: Schema.Int,
})
export type GraphNode = typeof GraphNode.Type

/** The neighbourhood of one symbol: at most two steps to each side. */
export const Graph = Schema.Struct({
  nodes: Schema.Array(GraphNode),
  /** `from` uses `to`. */
  edges: Schema.Array(Schema.Struct({ from: Schema.String, to: Schema.String })),
  /** The number of further symbols of each layer. */
  more: Schema.Array(Schema.Struct({ layer: Schema.Int, count: Schema.Int })),
})
export type Graph = typeof Graph.Type

/** The origin of a purpose. */
export const Why = Schema.Struct({
  /** One sentence. */
  summary: Schema.String,
  /** The message that asked and the one that answered, if this forest has the conversation. */
  request: Schema.optional(NodeId),
  answer: Schema.optional(NodeId),
})
export type Why = typeof Why.Type

/** The sentences that a symbol has had as its purpose, the newest first. */
export const History = Schema.Struct({
  versions: Schema.Array(
    Schema.Struct({
      text: Schema.String,
      model: Schema.String,
      /** The reason why it failed a check. */
      weak: Schema.optional(Schema.String),
      isCurrent: Schema.Boolean,
      /**
       * The oldest commit that has it; missing if no commit has it yet. `writtenAt` is in milliseconds since the epoch.
       */
      commit: Schema.optional(
        Schema.Struct({
          id: Schema.String,
          author: Schema.String,
          writtenAt: Schema.Number,
          title: Schema.String,
        }),
      ),
    }),
  ),
  /** The number of older versions that are left out. */
  more: Schema.Int,
  /** The reason why there are none, or why some may be missing. */
  notice: Schema.optional(Schema.String),
})
export type History = typeof History.Type

const Tokens = Schema.Struct({ input: Schema.Int, output: Schema.Int })

/** The work of an exploration, measured before any request. Costs are in US dollars; missing if a price is unknown. */
export const Work = Schema.Struct({
  symbols: Schema.Int,
  requests: Schema.Int,
  tokens: Tokens,
  cost: Schema.optional(Schema.Number),
})
export const Estimate = Schema.Struct({
  model: Schema.String,
  /** The work of one exploration, and of all symbols that are open. */
  one: Work,
  all: Work,
  explorations: Schema.Int,
})
export type Estimate = typeof Estimate.Type

/** A run that explores the folder, started by a page or by another process. */
export const Run = Schema.Struct({
  state: Schema.Literal("running", "done", "stopped", "failed"),
  /** The next keys are those of `index/RunProgress`. Once the run has ended, `activity` says how. */
  model: Schema.String,
  /** Milliseconds since the epoch. */
  startedAt: Schema.Number,
  activity: Schema.String,
  requests: Schema.Int,
  expected: Schema.Int,
  planned: Schema.Int,
  written: Schema.Int,
  tokens: Tokens,
  cost: Schema.optional(Schema.Number),
  /** Milliseconds since the epoch. */
  endedAt: Schema.optional(Schema.Number),
  /** The purposes that were written last, newest first; empty for a run of another process. */
  found: Schema.Array(
    Schema.Struct({ path: Schema.String, line: Schema.Int, name: Schema.String, text: Schema.String }),
  ),
})
export type Run = typeof Run.Type

export const Status = Schema.Struct({
  root: Schema.String,
  /** If this is false, all counts are 0. */
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
  /** True while files are read: the counts are those of the files that were read so far. */
  isRefreshing: Schema.Boolean,
  /** A sentence that says in what the index is out of date. */
  notice: Schema.optional(Schema.String),
  /** The project map in Markdown, as the exploration left it. */
  map: Schema.optional(Schema.String),
  run: Schema.optional(Run),
  /** True if another process explores this folder, or makes vectors. */
  isElsewhere: Schema.Boolean,
  /** The progress of the other process, if it is known. */
  elsewhere: Schema.optional(Run),
})
export type Status = typeof Status.Type

/** A line within a symbol stands for the symbol. */
const AtLine = Schema.Struct({ path: Schema.String, line: Schema.NumberFromString })

export class Index extends HttpApiGroup.make("index")
  .add(HttpApiEndpoint.get("status", "/index").addSuccess(Status))
  /** Makes the index if there is none, or reads all files again. No request is sent to a model. */
  .add(HttpApiEndpoint.post("structure", "/index/structure").addSuccess(Status))
  .add(
    HttpApiEndpoint.get("place", "/index/place")
      .setUrlParams(Schema.Struct({ path: Schema.String }))
      .addSuccess(Place),
  )
  .add(HttpApiEndpoint.get("symbol", "/index/symbol").setUrlParams(AtLine).addSuccess(SymbolPage))
  .add(HttpApiEndpoint.get("graph", "/index/graph").setUrlParams(AtLine).addSuccess(Graph))
  .add(HttpApiEndpoint.get("why", "/index/why").setUrlParams(AtLine).addSuccess(Why))
  /** Reads the history of Git. A folder without one has a notice that says so. */
  .add(HttpApiEndpoint.get("history", "/index/history").setUrlParams(AtLine).addSuccess(History))
  .add(
    HttpApiEndpoint.get("search", "/index/search")
      .setUrlParams(Schema.Struct({ text: Schema.String, path: Schema.optional(Schema.String) }))
      .addSuccess(
        Schema.Array(
          Schema.Struct({
            symbol: SymbolRow,
            /** The lines that decide, in the order of the file: those that `vibe query` shows. */
            pieces: Schema.Array(Schema.Struct({ firstLine: Schema.Int, lines: Schema.Array(Schema.String) })),
          }),
        ),
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
  /** Stops the run. Everything it has found so far is kept. */
  .add(HttpApiEndpoint.del("stop", "/index/run").addSuccess(Schema.Struct({ message: Schema.String })))
  .addError(NotFound)
  .addError(Refused)
  .addError(NotKept) {}
