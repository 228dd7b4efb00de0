/** Who is calling a tool: what a tool may want to record beside its work. */
import type { ModelId } from "../message/ModelId.ts"
import type { NodeId } from "../message/NodeId.ts"

export interface ToolContext {
  /** The assistant's node that holds the call. */
  readonly node: NodeId
  readonly callId: string
  readonly model: ModelId
}
