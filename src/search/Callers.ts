/**
 * Scores a symbol by the names of the symbols that use it: what calls `parseLines` says what it is for. The callers
 * belong to other files, which change without this one. So their names are no postings of the symbol, but are added
 * when it is scored. Pure.
 */
import type { TermWeights } from "./NameEvidence.ts"
import * as Posting from "./Posting.ts"
import { CALLER_WEIGHT } from "./Ranking.ts"
import * as Tokenizer from "./Tokenizer.ts"

/** If a symbol has more callers than this, they say nothing about it: everything uses it. */
export const MAX_CALLERS = 8

/**
 * Returns how much the names of its callers raise the BM25 of a symbol: only the caller that says most counts. Several
 * names are no better description than one, and their words together would be those of no symbol. A name adds most if
 * the symbol does not have the word itself. `impactOf`: the impact of a term in the source of the symbol.
 */
export const score = (weights: TermWeights, names: ReadonlySet<string>, impactOf: (term: string) => number): number =>
  names.size > MAX_CALLERS ? 0 : Math.max(0, ...Array.from(names, (name) => scoreOfName(weights, name, impactOf)))

const scoreOfName = (weights: TermWeights, name: string, impactOf: (term: string) => number): number => {
  let sum = 0
  for (const term of new Set(Tokenizer.terms(name))) {
    const weight = weights.get(term)
    if (weight === undefined) continue
    const impact = impactOf(term) / (Posting.MAX_IMPACT + 1)
    // An impact is x / (1 + x). Here x is the number of occurrences in a document for which the constant of BM25 is 1.
    const occurrences = impact / (1 - impact) + CALLER_WEIGHT
    sum += weight * (occurrences / (1 + occurrences) - impact)
  }
  return sum
}
