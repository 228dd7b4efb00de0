/** What a reply cost, in tokens as the provider counted them. */
import * as Schema from "effect/Schema"

export const Usage = Schema.Struct({
  /** The whole prompt, cached part included. */
  inputTokens: Schema.Number,
  /** What was written, thinking included. */
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
