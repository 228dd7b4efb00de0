/**
 * The tokens of a source text, which stay the same if a formatter changes its layout: the width of the indentation, the
 * places of line breaks, the space around operators, and a comma before a closing bracket. Strings, the words of
 * comments and meaningful layout (the blocks of Python, the lines of Go) are part of them. Pure.
 */
import { layoutsByLanguage } from "./internal/tokens/layouts.ts"
import { literalTokens } from "./internal/tokens/literalTokens.ts"
import type { TokenText } from "./internal/tokens/TokenWriter.ts"
import * as Language from "./Language.ts"
import { ecmaTokens } from "./languages/ecma/sourceTokens.ts"
import { haskellTokens } from "./languages/haskell/sourceTokens.ts"
import { pythonTokens } from "./languages/python/sourceTokens.ts"

export type { TokenText } from "./internal/tokens/TokenWriter.ts"

/**
 * Returns the tokens between two offsets as one text, which equals that of another part of a text if they differ in
 * layout alone. Undefined for a language whose tokens are not read, and for a part that begins or ends within a token.
 * Linear in the length of the text.
 */
export const read = (path: string, text: string): TokenText => {
  const language = Language.of(path, text)
  const layout = layoutsByLanguage.get(language?.id ?? "")
  if (layout !== undefined) return literalTokens(text, layout)
  switch (language?.id) {
    case "typescript":
    case "javascript":
      return ecmaTokens(text, language.grammar !== "typescript")
    case "python":
      return pythonTokens(text)
    case "haskell":
      return haskellTokens(text)
    default:
      return () => undefined
  }
}
