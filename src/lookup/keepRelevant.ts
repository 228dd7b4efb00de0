/** How many results are worth printing where the user names no number. */
import type { Hit } from "../indexing/IndexStore.ts"

/** Results at most. */
export const MOST = 5

/**
 * A result with less than this share of the best score is left out. Of 78 questions about flask, requests and NodeBB a
 * right file is among 5 results for 73. With this share there are 3.6 results on average, and a right file for 70; with
 * half 3.9 and 72, with three quarters 2.6 and 68. Half would leave others beside an identifier of the question.
 */
const LEAST_SHARE = 0.6

/** The results that are about as good as the first, best first. */
export const keepRelevant = (hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> => {
  const least = (hits[0]?.score ?? 0) * LEAST_SHARE
  return hits.slice(0, MOST).filter(({ score }) => score >= least)
}
