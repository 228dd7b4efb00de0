/** Decides how many results are worth printing if the user gives no limit. */
import type { Hit } from "../index/IndexStore.ts"

/** The most results. */
export const MOST = 5

/**
 * The share of the best score that other results need to be kept. With five results, a right file is among them for 91
 * % of the 252 questions of `bench/retrieval.ts`; with these shares there are 3.65 results on average, and a right file
 * for 87.7 %. With the same share for the second there would be 3.51, and a right file for 85.3 %.
 */
const LEAST_SHARE = 0.6

/**
 * The share for the second result. A result that a longer question names has twice the score of all others, and is not
 * always what the question asks for.
 */
const LEAST_SHARE_OF_SECOND = 0.3

/**
 * Returns the results that are about as good as the first, best first. For a question that is a name, these are the
 * symbols with that name.
 */
export const keepRelevant = (hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> => {
  const best = hits[0]?.score ?? 0
  return hits.slice(0, MOST).filter(({ score }, at) => score >= best * (at === 1 ? LEAST_SHARE_OF_SECOND : LEAST_SHARE))
}
