/**
 * BM25, by impacts: the score of a document for a question is, summed over the terms of the question,
 *
 *   idf(term) × tf / (tf + k1 × (1 − b + b × length / averageLength))
 *
 * The second factor, the impact, depends on the document alone. It is computed when the document is indexed and stored
 * in the posting, in eight bits: a search multiplies and adds. The usual constant k1 + 1 is left out; it changes no
 * order.
 */
import * as Posting from "./Posting.ts"

/** How soon further occurrences of a term add nothing: the usual value. */
export const k1 = 1.2

/** How much the length of a document counts against it, from 0 to 1. The usual value is 0.75. */
export const b = 0.5

/** The share of an impact that all terms of a document have in common. Lengths are in occurrences of terms. */
export const lengthNorm = (length: number, averageLength: number): number => k1 * (1 - b + (b * length) / averageLength)

/** The impact of a term that occurs `tf` times, as a number from 1 to `Posting.MAX_IMPACT`. */
export const impact = (tf: number, lengthNorm: number): number =>
  Math.max(1, Math.round((Posting.MAX_IMPACT * tf) / (tf + lengthNorm)))

/** Inverse document frequency of a term that occurs in `documentFrequency` of so many documents. */
export const idf = (documents: number, documentFrequency: number): number =>
  // Postings of removed files can make it occur in more documents than there are.
  Math.max(0, Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5)))

export const addImpact = (scores: Float32Array, document: number, weight: number, impact: number): void => {
  scores[document] = (scores[document] ?? 0) + weight * impact
}

/**
 * Adds one posting list to the scores. `firstDocuments`: for each file of the block, where the documents of its symbols
 * begin in `scores`; negative for files that are left out.
 */
export const addPostings = (
  scores: Float32Array,
  firstDocuments: Int32Array,
  postings: Int32Array,
  weight: number,
): void => {
  for (let i = 0; i < postings.length; i++) {
    const posting = postings[i] ?? 0
    const first = firstDocuments[Posting.fileInBlock(posting)] ?? -1
    if (first >= 0) addImpact(scores, first + Posting.symbol(posting), weight, Posting.impact(posting))
  }
}
