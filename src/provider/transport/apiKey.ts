/** A provider's key, as people set it. */
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { Misconfigured, Unauthorized } from "../../model/ModelError.ts"

/**
 * The key itself, without the white space and the quotes that shells and `.env` files leave around it. `variable` is
 * where it was to be set.
 */
export const usable = (
  apiKey: Redacted.Redacted,
  variable: string,
): Either.Either<string, Unauthorized | Misconfigured> => {
  const key = Redacted.value(apiKey)
    .trim()
    .replace(/^(["'`])(.*)\1$/s, "$2")
    .trim()
  if (key === "") return Either.left(new Unauthorized({ message: `there is no key: ${variable} is not set` }))
  return /^[\x21-\x7e]+$/.test(key)
    ? Either.right(key)
    : Either.left(new Misconfigured({ message: `${variable} holds a character that no key has` }))
}
