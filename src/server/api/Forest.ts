/** The contract of the forest: an outline of trees, read a part at a time. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { NodeId } from "../../message/NodeId.ts"
import { NotFound, NotKept, Refused } from "./Conversations.ts"

/** One line of the outline. */
export const Row = Schema.Struct({
  id: NodeId,
  parent: NodeId,
  /** A `conversation` is its root, or its first message in a tree that it shares. */
  kind: Schema.Literal("conversation", "user", "assistant", "tool", "notice", "summary", "unreadable"),
  /** The beginning of its text, or the title of the conversation, in one line. */
  text: Schema.String,
  model: Schema.optional(Schema.String),
  /** Milliseconds since the epoch; of a conversation that of its latest message. */
  at: Schema.Number,
  children: Schema.Int,
  bookmarks: Schema.Array(Schema.String),
  /** For a conversation: the command that began it (`chat`, `index`), and its number of messages. */
  about: Schema.optional(
    Schema.Struct({
      kind: Schema.String,
      folder: Schema.optional(Schema.String),
      messages: Schema.Int,
      leaf: NodeId,
    }),
  ),
})
export type Row = typeof Row.Type

/** A row of a path, with its place among the children of its parent. */
export const PlacedRow = Schema.Struct({ ...Row.fields, position: Schema.Int, siblings: Schema.Int })
export type PlacedRow = typeof PlacedRow.Type

/** A message in full, as far as a page needs it. */
export const Text = Schema.Struct({
  row: Row,
  text: Schema.String,
  /** The text is longer. */
  isCut: Schema.Boolean,
  tokens: Schema.optional(Schema.Struct({ input: Schema.Int, output: Schema.Int })),
  /** `tokens` is an estimate: the answer was stopped before its provider had counted it. */
  estimated: Schema.optional(Schema.Boolean),
})
export type Text = typeof Text.Type

export const Bookmark = Schema.Struct({ title: Schema.String, row: Row })
export type Bookmark = typeof Bookmark.Type

/** What one command or one action did, which is undone as a whole. */
export const Operation = Schema.Struct({
  id: Schema.Int,
  at: Schema.Number,
  /** What made it: `chat`, `loom edit`; `serve forest` is this view. */
  author: Schema.String,
  /** A sentence without a full stop. */
  what: Schema.String,
  isUndone: Schema.Boolean,
  isUnderWay: Schema.Boolean,
})
export type Operation = typeof Operation.Type

/** What was done, as a sentence. */
export const Done = Schema.Struct({ message: Schema.String })
export type Done = typeof Done.Type

export const Format = Schema.Literal("markdown", "html", "json")
export type Format = typeof Format.Type

/** The rows of one answer at most. */
export const MAX_ROWS = 200

const id = HttpApiSchema.param("id", NodeId)
const Offset = Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.nonNegative()))

export class Forest extends HttpApiGroup.make("forest")
  /** Newest first; `before` and `changed` are the id and the time of the last one that the page has. */
  .add(
    HttpApiEndpoint.get("conversations", "/forest/conversations")
      .setUrlParams(
        Schema.Struct({
          folder: Schema.optional(Schema.Literal("this")),
          /** Those of explorations by `vibe index` are listed only where they are asked for. */
          kinds: Schema.optional(Schema.Literal("all")),
          before: Schema.optional(NodeId),
          changed: Schema.optional(Schema.NumberFromString),
        }),
      )
      .addSuccess(Schema.Struct({ rows: Schema.Array(Row), more: Schema.Boolean })),
  )
  /** The children of a node, oldest first, from `offset` on. */
  .add(
    HttpApiEndpoint.get("children", "/forest/children")
      .setUrlParams(Schema.Struct({ of: NodeId, offset: Offset }))
      .addSuccess(Schema.Struct({ rows: Schema.Array(Row), total: Schema.Int })),
  )
  /** What follows a node up to the next branch. */
  .add(
    HttpApiEndpoint.get("run", "/forest/run")
      .setUrlParams(Schema.Struct({ of: NodeId }))
      .addSuccess(Schema.Struct({ rows: Schema.Array(Row) })),
  )
  /** The end of the path to a node, the node last. */
  .add(
    HttpApiEndpoint.get("path", "/forest/path")
      .setUrlParams(Schema.Struct({ to: NodeId }))
      .addSuccess(
        Schema.Struct({
          /** None for the root of a tree that conversations share. */
          conversation: Schema.optional(Row),
          rows: Schema.Array(PlacedRow),
          /** The path has more before them. */
          earlier: Schema.Boolean,
        }),
      ),
  )
  /** Conversations with the words in their titles, then messages that have all of them; the last word may be a beginning. */
  .add(
    HttpApiEndpoint.get("search", "/forest/search")
      .setUrlParams(Schema.Struct({ text: Schema.String }))
      .addSuccess(
        Schema.Array(Schema.Struct({ row: Row, title: Schema.String, excerpt: Schema.optional(Schema.String) })),
      ),
  )
  .add(
    HttpApiEndpoint.get("text", "/forest/text")
      .setUrlParams(Schema.Struct({ of: NodeId }))
      .addSuccess(Text),
  )
  /** The children of a node in full, oldest first: at most eight. */
  .add(
    HttpApiEndpoint.get("compare", "/forest/compare")
      .setUrlParams(Schema.Struct({ of: NodeId, offset: Offset }))
      .addSuccess(Schema.Struct({ texts: Schema.Array(Text), total: Schema.Int })),
  )
  .add(HttpApiEndpoint.get("bookmarks", "/forest/bookmarks").addSuccess(Schema.Array(Bookmark)))
  /** Adds a bookmark, or moves the one of that title. */
  .add(
    HttpApiEndpoint.put("bookmark", "/forest/bookmarks")
      .setPayload(Schema.Struct({ title: Schema.String, node: NodeId }))
      .addSuccess(Done),
  )
  .add(
    HttpApiEndpoint.del("unbookmark", "/forest/bookmarks")
      .setUrlParams(Schema.Struct({ title: Schema.String }))
      .addSuccess(Done),
  )
  /** Removes a message, or a conversation, with everything below it; `undo` brings it back. */
  .add(HttpApiEndpoint.del("remove")`/forest/nodes/${id}`.addSuccess(Done))
  .add(HttpApiEndpoint.get("history", "/forest/history").addSuccess(Schema.Array(Operation)))
  /** Undoes the latest operation of this view, or the one with that number, whatever made it. */
  .add(
    HttpApiEndpoint.post("undo", "/forest/undo")
      .setPayload(Schema.Struct({ operation: Schema.optional(Schema.Int) }))
      .addSuccess(Done),
  )
  .add(HttpApiEndpoint.post("redo", "/forest/redo").addSuccess(Done))
  /** The path to a node with all that is below it, as a file to keep. */
  .add(
    HttpApiEndpoint.get("export", "/forest/export")
      .setUrlParams(Schema.Struct({ of: NodeId, format: Format }))
      .addSuccess(HttpApiSchema.Text({ contentType: "application/octet-stream" })),
  )
  .addError(NotFound)
  .addError(Refused)
  .addError(NotKept) {}
