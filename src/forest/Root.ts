/** The root of a tree: its owner, and the system prompt of everything in it. It never changes. */
import * as Schema from "effect/Schema"
import { NodeId } from "../message/NodeId.ts"

export const Root = Schema.Struct({
  id: NodeId,
  /** The owner, such as `index:/home/me/project` or a browser session. Trees of different owners share nothing. */
  owner: Schema.String,
  systemPrompt: Schema.String,
  createdAt: Schema.Number,
  /**
   * Sets the tree of one conversation apart from other trees of the owner with this system prompt, even after an
   * export. Absent for a tree that several conversations share.
   */
  key: Schema.optional(Schema.String),
})
export type Root = typeof Root.Type
