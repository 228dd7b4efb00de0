/** A provider and the name of one of its models: `google/gemini-2.5-flash`. */
import * as Data from "effect/Data"
import * as Either from "effect/Either"

/** Neither text is empty. */
export class ModelId extends Data.Class<{ readonly provider: string; readonly name: string }> {
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
