/**
 * The routes that a source file registers with a web framework, as far as their paths are literal. They are read off
 * the text with patterns and need evidence of a framework, since other code has methods of the same names: a cache has
 * `get`, and so has a client. The readers of a language are loaded at its first file.
 */
import * as Effect from "effect/Effect"
import { MAX_PATH, type Route } from "./internal/routes/Route.ts"
import * as find from "./languages/find.ts"
import * as LoadedParts from "./Symbols/internal/LoadedParts.ts"

export type { Route }

/** Returns the routes of a file in order of their lines. Linear in the length of the text. */
export const read = (path: string, text: string): Effect.Effect<ReadonlyArray<Route>> =>
  Effect.suspend(() => {
    const language = find.ofFile(path, text)
    if (language?.loadRoutes === undefined || text.length > MAX_LENGTH) return none
    return Effect.map(LoadedParts.routesReader(language), (readRoutes) => {
      const found = readRoutes?.(text).filter(({ path }) => path.length <= MAX_PATH) ?? []
      const unique = new Map(found.map((route) => [`${route.verb} ${route.path} ${route.startLine}`, route]))
      return Array.from(unique.values())
        .toSorted((one, other) => one.startLine - other.startLine)
        .slice(0, MAX_ROUTES)
    })
  })

const none: Effect.Effect<ReadonlyArray<Route>> = Effect.succeed([])

/** Longer files are data or bundles. */
const MAX_LENGTH = 1_000_000

/** The most routes of a file. */
const MAX_ROUTES = 2_000
