/** Sampling parameters, and their ranges by provider. */
import * as Either from "effect/Either"

export interface Sampling {
  readonly temperature?: number | undefined
  /** A number from 0 to 1. */
  readonly topP?: number | undefined
  /** A positive integer. */
  readonly maxOutputTokens?: number | undefined
}

/**
 * The highest temperature by provider. The lowest is 0. Other providers reject invalid values with an error of their
 * own.
 */
const maxTemperatures: Readonly<Record<string, number>> = { anthropic: 1, google: 2, openai: 2, "openai-responses": 2 }

/** Checks the parameters. `Left` names the parameter, its range and the value. */
export const check = (provider: string, sampling: Sampling): Either.Either<void, string> => {
  const { maxOutputTokens, temperature, topP } = sampling
  const max = maxTemperatures[provider] ?? Number.POSITIVE_INFINITY
  if (temperature !== undefined && !(Number.isFinite(temperature) && temperature >= 0 && temperature <= max)) {
    const range = max === Number.POSITIVE_INFINITY ? "from 0 on" : `from 0 to ${max}`
    return Either.left(`the temperature goes ${range} at ${provider}; it is set to ${temperature}`)
  }
  if (topP !== undefined && !(topP >= 0 && topP <= 1)) {
    return Either.left(`topP goes from 0 to 1; it is set to ${topP}`)
  }
  if (maxOutputTokens !== undefined && !(Number.isInteger(maxOutputTokens) && maxOutputTokens >= 1)) {
    return Either.left(`the most tokens of an answer are a whole number from 1 on; it is set to ${maxOutputTokens}`)
  }
  return Either.void
}
