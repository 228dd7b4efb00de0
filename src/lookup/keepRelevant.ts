/** How many results are worth printing where the user names no number. */
import type { Hit } from "../indexing/IndexStore.ts"

/** Results at most. */
export const MOST = 5

/**
 * The share of the best score that others need to be kept. Of the 252 questions of `bench/retrieval.ts` a right file is among
 * five results for 89 %; with these shares there are 3.74 on average, and a right file for 86.9 %. One share of 0.6 for all
 * would print as many, and a right file for 83.7 %.
 */
const LEAST_SHARE = 0.65

/** The same of the second: one that a longer question names has twice the score of all others, and is not always what is asked. */
const LEAST_SHARE_OF_SECOND = 0.3

/** The results that are about as good as the first, best first. Of a name alone the others with that name. */
export const keepRelevant = (hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> => {
  const best = hits[0]?.score ?? 0
  return hits.slice(0, MOST).filter(({ score }, at) => score >= best * (at === 1 ? LEAST_SHARE_OF_SECOND : LEAST_SHARE))
}
