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
 * How much the names of its callers raise the BM25 of a symbol. `impactOf`: the impact of a term in the source of the
 * symbol. A caller's name adds most where the symbol does not have the word itself.
 */
export const score = (weights: TermWeights, names: ReadonlySet<string>, impactOf: (term: string) => number): number => {
  if (names.size > MAX_CALLERS) return 0
  let sum = 0
  for (const [term, count] of countTerms(names)) {
    const weight = weights.get(term)
    if (weight === undefined) continue
    const impact = impactOf(term) / (Posting.MAX_IMPACT + 1)
    // An impact is x / (1 + x), where x is the number of occurrences in a document for which the constant of BM25 is 1.
    const occurrences = impact / (1 - impact) + CALLER_WEIGHT * count
    sum += weight * (occurrences / (1 + occurrences) - impact)
  }
  return sum
}

/** In how many names each term occurs. */
const countTerms = (names: ReadonlySet<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) {
    for (const term of new Set(Tokenizer.terms(name))) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}
