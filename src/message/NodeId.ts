/** The id of a node or root of the forest. */
import * as Schema from "effect/Schema"

export const NodeId = Schema.NonEmptyString.pipe(Schema.brand("vibe/message/NodeId"))
export type NodeId = typeof NodeId.Type
