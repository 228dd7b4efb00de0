/** The symbols of a file that has changed since it was outlined for the index. Pure. */
import * as SymbolHashes from "../../../../code/SymbolHashes.ts"
import type { Outline } from "../../../../code/Symbols.ts"
import { IndexEntry, type Purpose, qualify } from "../../../IndexEntry.ts"
import { majorIn } from "../../../MajorSymbols.ts"
import { fromDoc, isSameSource } from "../../../Purposes.ts"

/** `before` are the entries of the file in the index. If several have one name, they are matched in order. */
export const entriesOf = (
  path: string,
  text: string,
  { symbols }: Outline,
  before: ReadonlyArray<IndexEntry>,
): ReadonlyArray<IndexEntry> => {
  const former = new Map(
    Array.from(
      Map.groupBy(before, ({ qualifiedName }) => qualifiedName),
      ([name, entries]) => [name, [...entries]],
    ),
  )
  const majorWhen = majorIn(path, symbols, text)
  const hashes = SymbolHashes.ofAll(path, text, symbols)
  return symbols.map((symbol, ordinal) => {
    const { container, doc, endLine, exported, kind, name, signature, startLine } = symbol
    const qualifiedName = qualify(name, container)
    const known = former.get(qualifiedName)?.shift()
    const { source: hash = "", tokens } = hashes[ordinal] ?? {}
    const usedBy = known?.usedBy ?? 0
    const when = majorWhen(symbol)
    const ofModel =
      known?.purpose?.origin === "model" ? staleUnless(isSameSource(known, { hash, tokens }), known.purpose) : undefined
    const isSelfExplanatory = known?.isSelfExplanatory === true && isSameSource(known, { hash, tokens })
    const purpose = ofModel ?? fromDoc({ path, qualifiedName, signature, doc })
    return new IndexEntry({
      path,
      name,
      kind,
      startLine,
      endLine,
      signature,
      exported,
      usedBy,
      isMajor: when === "always" || (when === "used" && usedBy > 0),
      hash,
      ...(tokens !== undefined && { tokens }),
      ...(container !== undefined && { container }),
      ...(doc !== undefined && { doc }),
      ...(purpose !== undefined && { purpose }),
      ...(isSelfExplanatory && purpose === undefined && { isSelfExplanatory }),
    })
  })
}

const staleUnless = (isSame: boolean, purpose: Purpose): Purpose => ({ ...purpose, stale: purpose.stale || !isSame })
