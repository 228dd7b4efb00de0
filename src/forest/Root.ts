/** The root of a tree: its owner, and the system prompt of everything in it. It never changes. */
import * as Schema from "effect/Schema"
import { NodeId } from "../message/NodeId.ts"

export const Root = Schema.Struct({
  id: NodeId,
  /** Trees of different owners share nothing: `index:/home/me/project`, a browser session. */
  owner: Schema.String,
  systemPrompt: Schema.String,
  createdAt: Schema.Number,
  /**
   * For the tree of one conversation: sets it apart from other trees of the owner with this system prompt, also after an
   * export. Absent for a tree that several conversations share.
   */
  key: Schema.optional(Schema.String),
})
export type Root = typeof Root.Type
