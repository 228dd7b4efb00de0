/** The name of a node of the forest. */
import * as Schema from "effect/Schema"

export const NodeId = Schema.NonEmptyString.pipe(Schema.brand("vibe/message/NodeId"))
export type NodeId = typeof NodeId.Type
