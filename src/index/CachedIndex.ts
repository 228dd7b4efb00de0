/**
 * An index that answers each question once. It is for a reader that asks about most symbols of a project, several parts
 * of it about the same ones, such as a wiki. It must not outlive a change of the index, which it would not show.
 */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "./IndexEntry.ts"
import type { Index } from "./IndexStore.ts"

/** Keeps the answers about files, symbols, uses and inheritance. All other members are those of the index below. */
export const make = (index: Index): Index => ({
  ...index,
  files: cache(
    () => index.files,
    () => "",
  )(),
  fileUses: cache(
    () => index.fileUses,
    () => "",
  )(),
  symbolsIn: cache(index.symbolsIn, (path) => path),
  find: cache(index.find, (symbol, path = "") => `${symbol} ${path}`),
  references: cache(index.references, keyOf),
  callees: cache(index.callees, keyOf),
  resolvedLines: cache(index.resolvedLines, (name, path) => `${name} ${path}`),
  inheritance: cache(index.inheritance, keyOf),
})

const keyOf = ({ path, qualifiedName, startLine }: IndexEntry): string => `${path} ${startLine} ${qualifiedName}`

/** Keeps the answers of a lookup by a key of its arguments. A failure is not kept. */
const cache = <Args extends ReadonlyArray<unknown>, A, E>(
  lookup: (...args: Args) => Effect.Effect<A, E>,
  keyOf: (...args: Args) => string,
): ((...args: Args) => Effect.Effect<A, E>) => {
  const found = new Map<string, { readonly answer: A }>()
  return (...args) =>
    Effect.suspend(() => {
      const key = keyOf(...args)
      const known = found.get(key)
      return known === undefined
        ? Effect.map(lookup(...args), (answer) => {
            found.set(key, { answer })
            return answer
          })
        : Effect.succeed(known.answer)
    })
}
