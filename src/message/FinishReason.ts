/** Why a model stopped, in one vocabulary for all providers. */
import * as Schema from "effect/Schema"

/**
 * - `stop`: it had said what it wanted to say
 * - `tool_calls`: it waits for the results of its calls
 * - `length`: the output limit cut it off
 * - `content_filter`: the provider stopped it (safety, recitation, refusal)
 * - `interrupted`: whoever asked stopped it; no provider says so
 * - `error`: anything else
 */
export const FinishReason = Schema.Literal("stop", "tool_calls", "length", "content_filter", "interrupted", "error")
export type FinishReason = typeof FinishReason.Type
