/**
 * Scores a purpose that has most words of a question, beside BM25: such a question asks for this symbol, whatever words
 * its code uses. Pure.
 */
import type * as NameEvidence from "./NameEvidence.ts"
import { LEAST_PURPOSE_COVER, LEAST_PURPOSE_TERMS, PURPOSE_COVER_WEIGHT } from "./Ranking.ts"
import * as Tokenizer from "./Tokenizer.ts"

/** Returns a function for the evidence of a purpose; 0 for an empty one. `text`: the question. */
export const reader = (text: string, weights: NameEvidence.TermWeights): ((purpose: string) => number) => {
  const asked = new Map(
    Tokenizer.partTerms(text).flatMap((term) => {
      const weight = weights.get(term)
      return weight === undefined ? [] : [[term, weight]]
    }),
  )
  const all = sum(asked.values())
  return (purpose) => {
    if (purpose === "" || asked.size < LEAST_PURPOSE_TERMS) return 0
    const covered = Array.from(new Set(Tokenizer.partTerms(purpose))).flatMap((term) => asked.get(term) ?? [])
    const share = sum(covered) / all
    if (covered.length < LEAST_PURPOSE_TERMS || share <= LEAST_PURPOSE_COVER) return 0
    return (PURPOSE_COVER_WEIGHT * all * (share - LEAST_PURPOSE_COVER)) / (1 - LEAST_PURPOSE_COVER)
  }
}

const sum = (numbers: Iterable<number>): number => {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}
