/** The parts of languages that read files, each loaded at the first file of its language. */
import * as Effect from "effect/Effect"
import type { Entry, ReferencesModule, RoutesModule } from "../../languages/table.ts"
import type { PatternOutliner } from "./patterns/PatternOutline.ts"

/** Makes a function that loads a part of a language. It is loaded once, and later calls do not wait. */
const loadOnce = <A>(load: (language: Entry) => Promise<A>): ((language: Entry) => Effect.Effect<A>) => {
  const loaded = new Map<Entry, { readonly part: A }>()
  return (language) =>
    Effect.suspend(() => {
      const known = loaded.get(language)
      if (known !== undefined) return Effect.succeed(known.part)
      return Effect.map(
        Effect.promise(() => load(language)),
        (part) => {
          loaded.set(language, { part })
          return part
        },
      )
    })
}

/** Returns the reader of references that needs only the text of a file; `undefined` for a language without one. */
export const textReader: (language: Entry) => Effect.Effect<ReferencesModule["read"]> = loadOnce(
  async ({ loadReferences }) => (await loadReferences?.())?.read,
)

/** Returns the reader of routes; `undefined` for a language without one. */
export const routesReader: (language: Entry) => Effect.Effect<RoutesModule["readRoutes"] | undefined> = loadOnce(
  async ({ loadRoutes }) => (await loadRoutes?.())?.readRoutes,
)

/** Returns what outlines the texts of a language by its patterns; dies for a language without them. */
export const patternOutliner: (language: Entry) => Effect.Effect<PatternOutliner> = loadOnce(
  async ({ id, loadPatterns }) => {
    if (loadPatterns === undefined) throw new Error(`no patterns of ${id}`)
    const [patterns, { make }] = await Promise.all([loadPatterns(), import("./patterns/PatternOutline.ts")])
    return make(patterns)
  },
)
