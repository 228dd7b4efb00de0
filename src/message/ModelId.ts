/** A provider and the name of one of its models: `google/gemini-2.5-flash`. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

export class ModelId extends Schema.Class<ModelId>("vibe/message/ModelId")({
  provider: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
}) {
  override toString(): string {
    return this.provider === this.name ? this.name : `${this.provider}/${this.name}`
  }
}

/**
 * Splits at the first slash: `openrouter/anthropic/claude-3` is the model `anthropic/claude-3`. A text without a slash
 * is a provider with one model, such as `offline`. `Left` is an error message.
 */
export const parse = (text: string): Either.Either<ModelId, string> => {
  const trimmed = text.trim()
  const slash = trimmed.indexOf("/")
  const provider = slash === -1 ? trimmed : trimmed.slice(0, slash)
  const name = slash === -1 ? trimmed : trimmed.slice(slash + 1)
  return provider === "" || name === ""
    ? Either.left(`a model is written PROVIDER/NAME, not "${text}"`)
    : Either.right(new ModelId({ provider, name }))
}
