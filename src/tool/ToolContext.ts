/** The call for which a tool runs: facts to record beside the tool's own result. */
import type { ModelId } from "../message/ModelId.ts"
import type { NodeId } from "../message/NodeId.ts"

export interface ToolContext {
  /** The node of the assistant's message that holds the call. */
  readonly node: NodeId
  readonly callId: string
  readonly model: ModelId
}
