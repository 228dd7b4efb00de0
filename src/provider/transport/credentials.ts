/** API keys as users write them, and attempts that need one. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type { ModelId } from "../../message/ModelId.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { Misconfigured, ModelError, type Reason, Unauthorized } from "../../model/ModelError.ts"

/**
 * Returns the key without surrounding white space and quotes, which shells and `.env` files leave. `variable` is the
 * environment variable named in errors.
 */
export const parseApiKey = (
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

/** Makes an attempt that needs a valid key or address. If there is none, every attempt fails and sends nothing. */
export const withCredentials = <A>(
  id: ModelId,
  needed: Either.Either<A, Reason>,
  attempt: (needed: A) => LanguageModel.Attempt,
): LanguageModel.Attempt =>
  Either.match(needed, {
    onLeft: (reason) => () => Effect.fail(new ModelError({ model: String(id), reason })),
    onRight: attempt,
  })
