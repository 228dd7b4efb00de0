/**
 * The score of a symbol as an answer, and all weights in it. Tuned on the development questions of the retrieval
 * benchmark; the numbers are round because the optimum is flat.
 *
 *   retrieval score = (BM25 of the symbol + 0.75 × BM25 of its file) × weight of the file
 *   final score     = retrieval score × weight of its kind × boost for a mention × boost for use × decay in its file
 *
 * A symbol whose name is the whole question comes before all others.
 */

/**
 * The retrieval score: known from the posting lists alone. `fileWeight`: see `auxiliaryWeight`. A symbol scores with its
 * file, since the answer to a question mostly stands among others that match it too.
 */
export const retrievalScore = (symbolScore: number, fileScore: number, fileWeight: number): number =>
  (symbolScore + FILE_SCORE_SHARE * fileScore) * fileWeight

const FILE_SCORE_SHARE = 0.75

/**
 * The weight of auxiliary files: tests, examples, documentation, and what is generated or vendored (`code/FileClass`). That of
 * all others is 1.
 */
export const auxiliaryWeight = (question: string): number => (asksForTests.test(question) ? 0.7 : 0.5)

const asksForTests = /\b(?:tests?|testing|specs?)\b/i

/** A symbol to be ranked. */
export interface Candidate {
  readonly id: number
  readonly file: number
  readonly kind: string
  /** How many other files use it. */
  readonly usedBy: number
  readonly retrievalScore: number
  /** Whether its name is the whole question, or is mentioned in it. */
  readonly nameMatch: "exact" | "mentioned" | undefined
}

export interface Ranked {
  readonly id: number
  readonly score: number
}

/** Best first; of equal scores the lower id first. O(n log n). */
export const rank = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Ranked> => {
  const scored = candidates
    .map(({ file, id, kind, nameMatch, retrievalScore, usedBy }) => {
      const weight = (minorKinds.has(kind) ? MINOR_KIND_WEIGHT : 1) * (nameMatch === "mentioned" ? MENTION_BOOST : 1)
      return { id, file, nameMatch, score: retrievalScore * weight * usageBoost(usedBy) }
    })
    .sort(byScore)
  const highest = scored[0]?.score ?? 0
  return decayWithinFiles(scored)
    .map(({ id, nameMatch, score }) => ({ id, score: nameMatch === "exact" ? score + highest + 1 : score }))
    .sort(byScore)
}

/** The highest final score that a symbol whose name is not in the question can have. */
export const upperBound = (retrievalScore: number): number => retrievalScore * usageBoost(MAX_USED_BY)

/** More files than an index has. */
const MAX_USED_BY = 1_000_000

/** Grows with the logarithm: 1.07 for a thousand files. */
const usageBoost = (usedBy: number): number => 1 + 0.01 * Math.log1p(usedBy)

/** Their names are mostly common words, and there is little text beyond the name. */
const minorKinds: ReadonlySet<string> = new Set(["field", "constant", "variable"])
const MINOR_KIND_WEIGHT = 0.7

const MENTION_BOOST = 1.25

/** Each further answer from one file has three quarters of its score, so that one file does not fill the list. */
const FILE_DECAY = 0.75

const decayWithinFiles = <A extends { readonly file: number; readonly score: number }>(sorted: ReadonlyArray<A>) => {
  const seen = new Map<number, number>()
  return sorted.map((candidate) => {
    const earlier = seen.get(candidate.file) ?? 0
    seen.set(candidate.file, earlier + 1)
    return { ...candidate, score: candidate.score * FILE_DECAY ** earlier }
  })
}

const byScore = (one: Ranked, other: Ranked): number => other.score - one.score || one.id - other.id
