/**
 * The names of the symbols that use a symbol, as a further field of its document: what calls `parseLines` tells what it is
 * for. They belong to other files, which change without this one, so they are no postings of the symbol but are added
 * when it is scored. Pure.
 */
import type { TermWeights } from "./NameEvidence.ts"
import * as Posting from "./Posting.ts"
import { CALLER_WEIGHT } from "./Ranking.ts"
import * as Tokenizer from "./Tokenizer.ts"

/** The callers of a symbol with more of them say nothing about it: everything uses it. */
export const MAX_CALLERS = 8

/**
 * How much the name of a caller raises the BM25 of a symbol: that of the caller which says most. Several names are no
 * better description than one, and their words together would be those of no symbol. `impactOf`: the impact of a term in
 * the source of the symbol. A name adds most where the symbol does not have the word itself.
 */
export const score = (weights: TermWeights, names: ReadonlySet<string>, impactOf: (term: string) => number): number =>
  names.size > MAX_CALLERS ? 0 : Math.max(0, ...Array.from(names, (name) => scoreOfName(weights, name, impactOf)))

const scoreOfName = (weights: TermWeights, name: string, impactOf: (term: string) => number): number => {
  let sum = 0
  for (const term of new Set(Tokenizer.terms(name))) {
    const weight = weights.get(term)
    if (weight === undefined) continue
    const impact = impactOf(term) / (Posting.MAX_IMPACT + 1)
    // An impact is x / (1 + x), where x is the number of occurrences in a document for which the constant of BM25 is 1.
    const occurrences = impact / (1 - impact) + CALLER_WEIGHT
    sum += weight * (occurrences / (1 + occurrences) - impact)
  }
  return sum
}
