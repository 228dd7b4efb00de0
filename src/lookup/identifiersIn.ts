/** Reads identifiers that the user guesses, as they are typed. */
import * as Either from "effect/Either"
import * as SymbolSearch from "../search/SymbolSearch.ts"
import * as Tokenizer from "../search/Tokenizer.ts"

/**
 * Returns the identifiers in some texts, each once: `retry, RetryPolicy` → `retry`, `RetryPolicy`. The left side says
 * what is required, if a text has no identifier or all together have too many.
 */
export const identifiersIn = (texts: ReadonlyArray<string>): Either.Either<ReadonlyArray<string>, string> => {
  const identifiers = Tokenizer.names(texts.join("\n"))
  if (texts.some((text) => Tokenizer.names(text).length === 0))
    return Either.left("identifiers, as in retry,RetryPolicy")
  if (identifiers.length <= SymbolSearch.MAX_IDENTIFIERS) return Either.right(identifiers)
  return Either.left(`at most ${SymbolSearch.MAX_IDENTIFIERS} identifiers, and five are mostly enough`)
}
