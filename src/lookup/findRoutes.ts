/** Finds the routes that are typed, such as `GET /owners/new`, and the symbols that handle them. */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { Index, IndexedRoute } from "../index/IndexStore.ts"
import * as WrittenName from "./WrittenName.ts"

interface FoundRoute {
  /** An entry of the kind `route`. */
  readonly entry: IndexEntry
  /** The symbols that handle it; none if the handler is written in place, or if it cannot be found. */
  readonly handlers: ReadonlyArray<IndexEntry>
}

/** Returns the routes that fit best, at most `MOST_ROUTES`. */
export const findRoutes = Effect.fn("findRoutes")(function* (
  index: Pick<Index, "find" | "references" | "routes" | "symbolsIn">,
  typed: string,
) {
  const routes = yield* index.routes(typed)
  return yield* Effect.forEach(routes.slice(0, MOST_ROUTES), (route) =>
    Effect.map(handlersOf(index, route), (handlers): FoundRoute => ({ entry: route.entry, handlers })),
  )
})

/** More routes than this are the same path in tests or in many applications. */
const MOST_ROUTES = 10

/**
 * Returns the symbols that a handler means. A symbol of the same file behind the registration comes first, then one
 * that is used in the lines of the registration, then the only symbol whose qualified name ends with the written name.
 */
const handlersOf = Effect.fnUntraced(function* (
  index: Pick<Index, "find" | "references" | "symbolsIn">,
  { entry, handler }: IndexedRoute,
) {
  if (handler === undefined) return []
  const parts = WrittenName.partsOf(handler)
  const name = parts.at(-1)
  if (name === undefined) return []
  const inFile = (yield* index.symbolsIn(entry.path)).filter((symbol) => symbol.name === name && isHandler(symbol))
  if (parts.length === 1 || inFile.length === 1) {
    const after = inFile.find(({ endLine }) => endLine >= entry.endLine) ?? inFile.at(-1)
    if (after !== undefined) return [after]
  }
  const candidates = (yield* index.find(name)).filter(isHandler).slice(0, MAX_CANDIDATES)
  for (const candidate of candidates) {
    const references = yield* index.references(candidate)
    const isReferred = references.some(
      ({ line, path }) => path === entry.path && entry.startLine <= line && line <= entry.endLine,
    )
    if (isReferred) return [candidate]
  }
  const container = parts.at(-2)
  const named = candidates.filter((candidate) =>
    container === undefined ? candidate.container === undefined : isIn(candidate, container),
  )
  return named.length === 1 ? named : []
})

/** The most symbols of one name whose references are read. */
const MAX_CANDIDATES = 50

const isHandler = ({ kind }: IndexEntry): boolean =>
  kind === "function" ||
  kind === "method" ||
  kind === "class" ||
  kind === "constant" ||
  kind === "variable" ||
  kind === "field"

/** Returns whether a symbol is a member of that container, or of a file with that name: `owners` for `owners.js`. */
const isIn = ({ container, path }: IndexEntry, name: string): boolean =>
  container?.split(/[.\\]|::/).at(-1) === name ||
  path
    .split("/")
    .slice(-2)
    .some((part) => part.replace(/\..*$/, "") === name)
