/** The tokens of a reply, as the provider has counted them, and why the model stopped. */
import * as Schema from "effect/Schema"

export const Usage = Schema.Struct({
  /** The tokens of the whole prompt, including its cached part. */
  inputTokens: Schema.Number,
  /** The tokens of the output, including thinking. */
  outputTokens: Schema.Number,
  cachedTokens: Schema.Number,
  thinkingTokens: Schema.Number,
})
export type Usage = typeof Usage.Type

export const none: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 }

export const add = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cachedTokens: a.cachedTokens + b.cachedTokens,
  thinkingTokens: a.thinkingTokens + b.thinkingTokens,
})

/**
 * The reason why a model stopped, in one vocabulary for all providers:
 *
 * - `stop`: the answer is complete
 * - `tool_calls`: the model waits for the results of its calls
 * - `length`: the output limit was reached
 * - `content_filter`: the provider stopped it (safety, recitation, refusal)
 * - `interrupted`: the caller stopped it; no provider reports this
 * - `error`: anything else
 */
export const FinishReason = Schema.Literal("stop", "tool_calls", "length", "content_filter", "interrupted", "error")
export type FinishReason = typeof FinishReason.Type
