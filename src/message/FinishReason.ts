/** The reason why a model stopped, in one vocabulary for all providers. */
import * as Schema from "effect/Schema"

/**
 * - `stop`: the answer is complete
 * - `tool_calls`: the model waits for the results of its calls
 * - `length`: the output limit was reached
 * - `content_filter`: the provider stopped it (safety, recitation, refusal)
 * - `interrupted`: the caller stopped it; no provider reports this
 * - `error`: anything else
 */
export const FinishReason = Schema.Literal("stop", "tool_calls", "length", "content_filter", "interrupted", "error")
export type FinishReason = typeof FinishReason.Type
