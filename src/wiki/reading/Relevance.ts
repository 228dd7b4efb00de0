/**
 * How well the symbols of a project answer a question, by the search of the index: words of the question may stand in
 * their code, comments and purposes where a page has others.
 */
import * as Effect from "effect/Effect"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import type { Citation } from "../Page.ts"

/** Returns how well what is cited answers, from 0 to 1, which is the best symbol; 0 if nothing answers. */
export type Relevance = (citation: Citation) => number

export const none: Relevance = () => 0

/** The most symbols that count as an answer. */
const MAX_SYMBOLS = 20

/** Searches the index once. */
export const ofQuestion = (index: Pick<Index, "search">, question: string): Effect.Effect<Relevance, IndexError> =>
  Effect.map(index.search(question, { limit: MAX_SYMBOLS }), (hits) => {
    const best = Math.max(0, ...hits.map(({ score }) => score))
    if (best === 0) return none
    const shares = new Map<string, number>()
    for (const { entry, score } of hits) {
      // Several symbols of a file may have one name.
      const key = keyOf(entry.path, entry.qualifiedName)
      shares.set(key, Math.max(shares.get(key) ?? 0, score / best))
    }
    return ({ path, symbol }) => (symbol === undefined ? 0 : (shares.get(keyOf(path, symbol)) ?? 0))
  })

const keyOf = (path: string, symbol: string): string => `${path}\n${symbol}`
