/**
 * A symbol as it is in one state of a file: its source, its purpose, and the digest by which changes are found. Pure.
 */
import * as SourceTokens from "../code/SourceTokens.ts"
import { contentHash, tokenHash } from "../code/SymbolHashes.ts"
import type * as Symbols from "../code/Symbols.ts"
import { type MajorWhen, majorWhen, type Purpose, qualify } from "../index/IndexEntry.ts"
import { majorIn } from "../index/MajorSymbols.ts"
import * as Purposes from "../index/Purposes.ts"

export interface SymbolVersion {
  readonly path: string
  readonly name: string
  readonly container: string | undefined
  readonly qualifiedName: string
  readonly kind: Symbols.Kind
  readonly signature: string
  readonly startLine: number
  readonly endLine: number
  readonly source: string
  /** The digest of kind, qualified name and source, as in the index. */
  readonly hash: string
  /** The digest of kind, qualified name and the tokens of the source, as in the index. */
  readonly tokens: string | undefined
  /**
   * The tokens of the source, without the symbols in it that are compared separately, or the text if they cannot be
   * read.
   */
  readonly ownSource: string
  readonly majorWhen: MajorWhen
  readonly purpose: Purpose | undefined
  /** True if its comment says what it is for. */
  readonly hasComment: boolean
}

/** Purposes by qualified name, the oldest first. */
export type Known = ReadonlyMap<string, ReadonlyArray<Purposes.Line>>

/**
 * Reads the lines of several texts of `purposes.jsonl`; those of the last text are the newest. Lines that are no
 * purposes are left out.
 */
export const readPurposes = (...texts: ReadonlyArray<string>): Known =>
  Map.groupBy(
    texts.flatMap((text) => Purposes.parse(text).lines.map(({ line }) => line)),
    ({ symbol }) => symbol,
  )

/**
 * Returns the symbols of a file that are compared, in order: those of the top level, and those that may be major by
 * their outline, also if they need no purpose. Symbols inside a function, and the fields of a class, are part of it.
 */
export const ofFile = (
  path: string,
  text: string,
  symbols: ReadonlyArray<Symbols.CodeSymbol>,
  known: Known,
): ReadonlyArray<SymbolVersion> => {
  const kinds = new Map(symbols.map((symbol) => [qualify(symbol.name, symbol.container), symbol.kind]))
  const whenMajor = majorIn(path, symbols, text)
  const shown = symbols.filter(
    (symbol) => symbol.container === undefined || majorWhen(symbol, kinds.get(symbol.container)) !== "never",
  )
  const inside = Map.groupBy(shown, ({ container }) => container)
  const tokensOf = SourceTokens.read(path, text)
  const subjects = shown.map((symbol) => {
    const qualifiedName = qualify(symbol.name, symbol.container)
    const source = text.slice(symbol.start, symbol.end)
    const members = inside.get(qualifiedName) ?? []
    return {
      path,
      name: symbol.name,
      container: symbol.container,
      qualifiedName,
      kind: symbol.kind,
      signature: symbol.signature,
      doc: symbol.doc,
      startLine: symbol.startLine,
      endLine: symbol.endLine,
      source,
      hash: contentHash(symbol.kind, qualifiedName, source),
      tokens: tokenHash(symbol.kind, qualifiedName, tokensOf(symbol.start, symbol.end)),
      ownSource: withoutMembers(text, symbol, members, tokensOf),
      majorWhen: whenMajor(symbol),
    }
  })
  const namesakes = Map.groupBy(subjects, ({ qualifiedName }) => qualifiedName)
  return subjects.map(({ doc, ...version }) => ({
    ...version,
    hasComment: Purposes.fromDoc({ ...version, doc }) !== undefined,
    purpose: toPurpose(
      Purposes.choose(
        { ...version, doc },
        known.get(version.qualifiedName) ?? [],
        namesakes.get(version.qualifiedName) ?? [],
      ),
    ),
  }))
}

const toPurpose = (chosen: ReturnType<typeof Purposes.choose>): Purpose | undefined =>
  chosen === Purposes.NOTHING ? undefined : chosen

/**
 * Returns the tokens of a symbol without its members, or its text if they cannot be read. Members are in order, and may
 * be outside of the symbol, such as methods of Go or of a `prototype` in JavaScript.
 */
const withoutMembers = (
  text: string,
  { end, start }: Symbols.CodeSymbol,
  members: ReadonlyArray<Symbols.CodeSymbol>,
  tokensOf: SourceTokens.TokenText,
): string => {
  let own = ""
  let from = start
  const read = (to: number) => tokensOf(from, to) ?? text.slice(from, to)
  for (const member of members) {
    if (member.start < from || member.end > end) continue
    own += read(member.start)
    from = member.end
  }
  return own + read(end)
}
