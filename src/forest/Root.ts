/** The root of a tree: its owner, and the system prompt of every conversation in it. It never changes. */
import * as Schema from "effect/Schema"
import { NodeId } from "../message/NodeId.ts"

export const Root = Schema.Struct({
  id: NodeId,
  /** Trees of different owners share nothing: `index:/home/me/project`, a browser session. */
  owner: Schema.String,
  systemPrompt: Schema.String,
  createdAt: Schema.Number,
})
export type Root = typeof Root.Type
