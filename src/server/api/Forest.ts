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
  /** A `conversation` stands for its root, or for its first message if it shares a tree. */
  kind: Schema.Literal("conversation", "user", "assistant", "tool", "notice", "summary", "unreadable"),
  /** The beginning of its text, or the title of the conversation, in one line. */
  text: Schema.String,
  model: Schema.optional(Schema.String),
  /** Milliseconds since the epoch; the time of a conversation is that of its latest message. */
  at: Schema.Number,
  children: Schema.Int,
  bookmarks: Schema.Array(Schema.String),
  /** Only a conversation has this: the command that began it (`chat`, `index`), and its number of messages. */
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
  /** True if the message is longer than `text`. */
  isCut: Schema.Boolean,
  tokens: Schema.optional(Schema.Struct({ input: Schema.Int, output: Schema.Int })),
  /** `tokens` is an estimate: the answer was stopped before its provider had counted it. */
  estimated: Schema.optional(Schema.Boolean),
})
export type Text = typeof Text.Type

export const Bookmark = Schema.Struct({ title: Schema.String, row: Row })
export type Bookmark = typeof Bookmark.Type

/** The changes of one command or one action, which are undone as a whole. */
export const Operation = Schema.Struct({
  id: Schema.Int,
  at: Schema.Number,
  /** The command that made it, such as `chat` or `loom edit`; `serve forest` is this view. */
  author: Schema.String,
  /** A sentence without a full stop. */
  what: Schema.String,
  isUndone: Schema.Boolean,
  isUnderWay: Schema.Boolean,
})
export type Operation = typeof Operation.Type

/** The result of a change, as a sentence. */
export const Done = Schema.Struct({ message: Schema.String })
export type Done = typeof Done.Type

export const Format = Schema.Literal("markdown", "html", "json")
export type Format = typeof Format.Type

/** The most rows of one response. */
export const MAX_ROWS = 200

const id = HttpApiSchema.param("id", NodeId)
const Offset = Schema.optional(Schema.NumberFromString.pipe(Schema.int(), Schema.nonNegative()))

export class Forest extends HttpApiGroup.make("forest")
  /**
   * Lists conversations, newest first. `before` and `changed` are the id and the time of the last one that the page
   * has.
   */
  .add(
    HttpApiEndpoint.get("conversations", "/forest/conversations")
      .setUrlParams(
        Schema.Struct({
          folder: Schema.optional(Schema.Literal("this")),
          /** Conversations of explorations by `vibe index` are listed only if this is `all`. */
          kinds: Schema.optional(Schema.Literal("all")),
          before: Schema.optional(NodeId),
          changed: Schema.optional(Schema.NumberFromString),
        }),
      )
      .addSuccess(Schema.Struct({ rows: Schema.Array(Row), more: Schema.Boolean })),
  )
  /** Lists the children of a node, oldest first, from `offset` on. */
  .add(
    HttpApiEndpoint.get("children", "/forest/children")
      .setUrlParams(Schema.Struct({ of: NodeId, offset: Offset }))
      .addSuccess(Schema.Struct({ rows: Schema.Array(Row), total: Schema.Int })),
  )
  /** Lists the nodes that follow a node up to the next branch. */
  .add(
    HttpApiEndpoint.get("run", "/forest/run")
      .setUrlParams(Schema.Struct({ of: NodeId }))
      .addSuccess(Schema.Struct({ rows: Schema.Array(Row) })),
  )
  /** Returns the end of the path to a node, with the node itself last. */
  .add(
    HttpApiEndpoint.get("path", "/forest/path")
      .setUrlParams(Schema.Struct({ to: NodeId }))
      .addSuccess(
        Schema.Struct({
          /** Missing for the root of a tree that conversations share. */
          conversation: Schema.optional(Row),
          rows: Schema.Array(PlacedRow),
          /** True if the path has more nodes before these. */
          earlier: Schema.Boolean,
        }),
      ),
  )
  /**
   * Finds conversations with the words in their titles, then messages that have all of the words. The last word may be
   * a prefix.
   */
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
  /** Returns the children of a node in full, oldest first: at most eight. */
  .add(
    HttpApiEndpoint.get("compare", "/forest/compare")
      .setUrlParams(Schema.Struct({ of: NodeId, offset: Offset }))
      .addSuccess(Schema.Struct({ texts: Schema.Array(Text), total: Schema.Int })),
  )
  .add(HttpApiEndpoint.get("bookmarks", "/forest/bookmarks").addSuccess(Schema.Array(Bookmark)))
  /** Adds a bookmark, or moves the one with that title. */
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
  /** Exports the path to a node and everything below it, as a file to download. */
  .add(
    HttpApiEndpoint.get("export", "/forest/export")
      .setUrlParams(Schema.Struct({ of: NodeId, format: Format }))
      .addSuccess(HttpApiSchema.Text({ contentType: "application/octet-stream" })),
  )
  .addError(NotFound)
  .addError(Refused)
  .addError(NotKept) {}
