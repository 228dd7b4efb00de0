/** Makes the hashes by which a symbol is known again after its file has changed. Pure. */
import * as Text from "../base/Text.ts"
import * as SourceTokens from "./SourceTokens.ts"
import type { CodeSymbol, SymbolHashes } from "./Symbols.ts"

/** Returns the hashes of the symbols of a text, in their order. Linear in the length of the text and of the symbols. */
export const ofAll = (
  path: string,
  text: string,
  symbols: ReadonlyArray<Pick<CodeSymbol, "name" | "container" | "kind" | "start" | "end">>,
): ReadonlyArray<SymbolHashes> => {
  if (symbols.length === 0) return []
  const tokensOf = SourceTokens.read(path, text)
  return symbols.map(({ container, end, kind, name, start }) => {
    const qualifiedName = container === undefined ? name : `${container}.${name}`
    return {
      source: contentHash(kind, qualifiedName, text.slice(start, end)),
      tokens: tokenHash(kind, qualifiedName, tokensOf(start, end)),
    }
  })
}

/** Returns 64 bits of SHA-256. LF and CRLF line endings give the same hash, since Git may check out either. */
export const contentHash = (kind: string, qualifiedName: string, source: string): string =>
  Text.sha256(`${kind}\0${qualifiedName}\0${source.replaceAll("\r\n", "\n")}`).slice(0, 16)

/**
 * Hashes the tokens of a source (`SourceTokens`) in the same way, so that the layout alone does not change the hash.
 */
export const tokenHash = (kind: string, qualifiedName: string, tokens: string | undefined): string | undefined =>
  tokens === undefined ? undefined : contentHash(kind, qualifiedName, tokens)
