/**
 * Finds the symbols that a name may mean as it is written at a use: `this.posts.canEdit(uid)`,
 * `privileges.posts.canEdit`.
 */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { Index } from "../index/IndexStore.ts"
import * as Tokenizer from "../search/Tokenizer.ts"

/**
 * Among the symbols that have the last part of the name, finds those whose container or path has the most words of the
 * parts before it. The nearest part counts double. If it fits none of them, the name means something else, and the
 * result is empty.
 */
export const find = Effect.fn("WrittenName.find")(function* (index: Pick<Index, "find">, typed: string) {
  const parts = partsOf(typed)
  const name = parts.at(-1)
  if (name === undefined) return []
  const candidates = yield* index.find(name)
  const qualifiers = parts.slice(0, -1).toReversed()
  if (qualifiers.length === 0) return candidates
  const scored = candidates.map((entry) => ({ entry, score: scoreOf(entry, qualifiers) }))
  const best = Math.max(0, ...scored.map(({ score }) => score))
  return best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ entry }) => entry)
})

/**
 * Splits a name at its dots, without a receiver such as `this` and without arguments. The result is empty if the text
 * has anything else.
 */
export const partsOf = (typed: string): ReadonlyArray<string> => {
  const parts = typed
    .replace(/^(?:(?:await|new|return)\s+)+/, "")
    .replace(/[(;].*$/s, "")
    .split(/\?\.|::|->|[.#]/)
    .map((part) => part.trim())
  return parts.every((part) => /^[\p{L}_$@][\p{L}\p{N}_$]*[?!]?$/u.test(part))
    ? parts.filter((part) => !receivers.has(part))
    : []
}

const receivers: ReadonlySet<string> = new Set(["this", "self", "cls", "super", "exports", "module"])

/**
 * Scores how well a symbol fits the qualifiers, the nearest first; 0 if the nearest does not fit. A word in the name of
 * the container counts more than one in the path.
 */
const scoreOf = ({ container = "", path }: IndexEntry, qualifiers: ReadonlyArray<string>): number => {
  const inContainer = new Set(Tokenizer.partTerms(container))
  const inPath = new Set(Tokenizer.partTerms(path))
  const [nearest = 0, ...others] = qualifiers.map((qualifier) => {
    const terms = Tokenizer.partTerms(qualifier)
    const matched = terms.reduce((sum, term) => sum + (inContainer.has(term) ? 1.5 : inPath.has(term) ? 1 : 0), 0)
    return matched / Math.max(1, terms.length)
  })
  return nearest === 0 ? 0 : others.reduce((sum, score) => sum + score, 2 * nearest)
}
