/**
 * How well the symbols of a project answer a question, by the search of the index: words of the question may stand in
 * their code, comments and purposes where a page has others.
 */
import * as Effect from "effect/Effect"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import type { Citation } from "../Page.ts"

/** Returns how well what is cited answers, from 0 to 1, which is the best symbol. */
export type Relevance = (citation: Citation) => number

export const none: Relevance = () => 0

/** The most symbols. Further ones have a third of the score of the best one and less. */
const MAX_SYMBOLS = 20

export const ofQuestion = (index: Pick<Index, "search">, question: string): Effect.Effect<Relevance, IndexError> =>
  Effect.map(index.search(question, { limit: MAX_SYMBOLS }), (hits) => {
    const best = hits[0]?.score ?? 1
    const shares = new Map(hits.map(({ entry, score }) => [keyOf(entry.path, entry.qualifiedName), score / best]))
    return ({ path, symbol }) => (symbol === undefined ? 0 : (shares.get(keyOf(path, symbol)) ?? 0))
  })

const keyOf = (path: string, symbol: string): string => `${path}\n${symbol}`
