/**
 * Finds symbols that only declare another symbol of their name, as `@overload` does in Python and a prototype in C, and
 * groups them with that symbol.
 */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../index/IndexEntry.ts"
import { callerKey, type Hit, type Index } from "../index/IndexStore.ts"

/** The symbols that only declare another one, in order, by the symbol that has the body. */
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

/**
 * Puts the symbol that has the body in the place of the best result that is the symbol or an overload of it, so that
 * each is one result, however many results are asked for. Overloads stay if no symbol has a body, or several have one,
 * as a function of C++ for each type. `hits`: best first.
 */
export const merge = Effect.fn("Overloads.merge")(function* (
  index: Pick<Index, "overloadsIn" | "symbolsIn">,
  hits: ReadonlyArray<Hit>,
) {
  const paths = new Set(hits.map(({ entry }) => entry.path))
  const stubs = new Map(
    yield* Effect.forEach(paths, (path) => Effect.map(index.overloadsIn(path), (keys) => [path, keys] as const)),
  )
  const isStub = (entry: IndexEntry) => stubs.get(entry.path)?.has(callerKey(entry)) === true
  const merged = new Map<string, Hit>()
  for (const hit of hits) {
    const { path, qualifiedName } = hit.entry
    const inFile = isStub(hit.entry) ? yield* index.symbolsIn(path) : []
    const bodies = inFile.filter((entry) => entry.qualifiedName === qualifiedName && !isStub(entry))
    const body = bodies.length === 1 && bodies[0] !== undefined ? bodies[0] : hit.entry
    const key = `${path}\0${callerKey(body)}`
    if (!merged.has(key)) merged.set(key, { ...hit, entry: body })
  }
  return Array.from(merged.values())
})

/**
 * Takes the prototypes of C and C++ out of symbols that were found by name, and groups them with the definition.
 * Prototypes stay if several definitions have the name, since each may be of another program, or if none has it.
 */
export const separatePrototypes = Effect.fn("Overloads.separatePrototypes")(function* (
  index: Pick<Index, "overloadsIn">,
  found: ReadonlyArray<IndexEntry>,
) {
  const declarations = new Map<IndexEntry, ReadonlyArray<IndexEntry>>()
  const hidden = new Set<IndexEntry>()
  const isOfC = ({ kind, path }: IndexEntry) => (kind === "function" || kind === "method") && C_FILE.test(path)
  for (const group of Map.groupBy(found.filter(isOfC), ({ qualifiedName }) => qualifiedName).values()) {
    if (group.length === 1) continue
    const prototypes = yield* Effect.filter(group, (entry) =>
      Effect.map(index.overloadsIn(entry.path), (declared) => declared.has(callerKey(entry))),
    )
    const [definition, ...others] = group.filter((entry) => !prototypes.includes(entry))
    if (definition === undefined || others.length > 0 || prototypes.length === 0) continue
    declarations.set(definition, prototypes)
    for (const prototype of prototypes) hidden.add(prototype)
  }
  return { named: found.filter((entry) => !hidden.has(entry)), declarations }
})

const C_FILE = /\.(?:[ch]|[ch]pp|[ch]xx|cc|hh|inl)$/i
