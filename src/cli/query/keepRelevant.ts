/** How many results are worth printing where the user names no number. */
import type { Hit } from "../../indexing/IndexStore.ts"

/** Results at most. */
export const MOST = 5

/**
 * A result with less than this share of the best score is left out. Of 78 questions about flask, requests and NodeBB a
 * right file is among 5 results for 70; with this share there are 3.5 results on average, and a right file for 69.
 * With half of it there are 4.4, with three quarters 2.7 and a right file for 67.
 */
const LEAST_SHARE = 0.65

/** The results that are about as good as the first, best first. */
export const keepRelevant = (hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> => {
  const least = (hits[0]?.score ?? 0) * LEAST_SHARE
  return hits.slice(0, MOST).filter(({ score }) => score >= least)
}
