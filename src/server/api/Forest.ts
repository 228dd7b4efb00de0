/** The contract of the forest: an outline of trees, read a part at a time. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { NodeId } from "../../message/NodeId.ts"
import { NotFound, NotKept, Refused } from "./Conversations.ts"

/** One line of the outline. */
export const Row = Schema.Struct({
  id: NodeId,
  parent: NodeId,
  kind: Schema.Literal("root", "user", "assistant", "tool", "notice", "summary", "unreadable"),
  /** The beginning of its text, in one line. */
  text: Schema.String,
  model: Schema.optional(Schema.String),
  at: Schema.Number,
  children: Schema.Int,
  bookmarks: Schema.Array(Schema.String),
})
export type Row = typeof Row.Type

export class Forest extends HttpApiGroup.make("forest")
  /** The children of a node, oldest first, at most 200 from `offset` on; without `of` the trees, newest first. */
  .add(
    HttpApiEndpoint.get("children", "/forest/children")
      .setUrlParams(Schema.Struct({ of: Schema.optional(NodeId), offset: Schema.optional(Schema.NumberFromString) }))
      .addSuccess(Schema.Struct({ rows: Schema.Array(Row), total: Schema.Int })),
  )
  .addError(NotFound)
  .addError(Refused)
  .addError(NotKept) {}
