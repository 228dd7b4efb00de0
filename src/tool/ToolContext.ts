/** The call that a tool runs for: facts to record beside the tool's own result. */
import type { ModelId } from "../message/ModelId.ts"
import type { NodeId } from "../message/NodeId.ts"

export interface ToolContext {
  /** The node of the assistant's message that holds the call. */
  readonly node: NodeId
  readonly callId: string
  readonly model: ModelId
  /** The call was made by fixed rules, not by a language model (`LanguageModel.Service.isRuleBased`). */
  readonly isRuleBased?: boolean | undefined
}
