/**
 * BM25 by impacts. The score of a document is a sum over the terms of the question:
 *
 *   idf(term) × tf / (tf + k1 × (1 − b + b × length / averageLength))
 *
 * The second factor, the impact, depends only on the document. It is computed when the document is indexed and stored
 * in the posting, in eight bits, so a search only multiplies and adds. The usual constant k1 + 1 is left out, since it
 * does not change the order.
 */
import * as Posting from "./Posting.ts"

/** Controls how soon further occurrences of a term add nothing. This is the usual value. */
export const k1 = 1.2

/** Controls how much the length of a document counts against it, from 0 to 1. The usual value is 0.75. */
const b = 0.5

/** The part of the denominator that all terms of a document have in common. Lengths are in occurrences of terms. */
export const lengthNorm = (length: number, averageLength: number): number => k1 * (1 - b + (b * length) / averageLength)

/** The impact of a term that occurs `tf` times, as a number from 1 to `Posting.MAX_IMPACT`. */
export const impact = (tf: number, lengthNorm: number): number =>
  Math.max(1, Math.round((Posting.MAX_IMPACT * tf) / (tf + lengthNorm)))

/** The inverse document frequency of a term that occurs in `documentFrequency` of all documents. */
export const idf = (documents: number, documentFrequency: number): number =>
  // Postings of removed files can make it occur in more documents than there are.
  Math.max(0, Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5)))

const addImpact = (scores: Float32Array, document: number, weight: number, impact: number): void => {
  scores[document] = (scores[document] ?? 0) + weight * impact
}

/**
 * Adds one posting list to the scores. `firstDocuments`: for each file of the block, the index in `scores` of its first
 * symbol's document; negative for files that are left out.
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
