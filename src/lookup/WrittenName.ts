/** The symbols that a name may mean as it is written where it is used: `this.posts.canEdit(uid)`, `privileges.posts.canEdit`. */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../indexing/IndexEntry.ts"
import type { Index } from "../indexing/IndexStore.ts"
import * as Tokenizer from "../search/Tokenizer.ts"

/**
 * Of the symbols with the last part of the name, those with a container or path that has most words of the parts before it. The
 * nearest part counts double. None where the part before it fits nowhere: then the name is of something else.
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

/** The names between the dots, without a receiver such as `this` and without arguments; none where there is anything else. */
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

/** `qualifiers`: the nearest first; 0 where that does not fit. A word in the name of the container counts more than one in the path. */
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
