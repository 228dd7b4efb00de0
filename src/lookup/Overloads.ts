/**
 * Finds symbols that only declare types of another symbol of their name, as `@overload` does in Python, and groups them
 * with that symbol.
 */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../index/IndexEntry.ts"
import { callerKey, type Index } from "../index/IndexStore.ts"

/** The declarations of further types, in order, by the symbol that has the body. */
export type Overloads = ReadonlyMap<IndexEntry, ReadonlyArray<IndexEntry>>

/**
 * Takes the overloads out of symbols that were found by name. Overloads stay if no symbol with a body is among them.
 */
export const separate = Effect.fn("Overloads.separate")(function* (
  index: Pick<Index, "overloadsIn">,
  found: ReadonlyArray<IndexEntry>,
) {
  const overloads = new Map<IndexEntry, ReadonlyArray<IndexEntry>>()
  const hidden = new Set<IndexEntry>()
  for (const group of Map.groupBy(found, ({ path, qualifiedName }) => `${path}\0${qualifiedName}`).values()) {
    const [first] = group
    if (first === undefined || group.length === 1) continue
    const declared = yield* index.overloadsIn(first.path)
    const [stubs, bodies] = [true, false].map((isStub) =>
      group.filter((entry) => declared.has(callerKey(entry)) === isStub),
    )
    const body = bodies?.at(-1)
    if (body === undefined || stubs === undefined || stubs.length === 0) continue
    overloads.set(body, stubs)
    for (const stub of stubs) hidden.add(stub)
  }
  return { named: found.filter((entry) => !hidden.has(entry)), overloads }
})
