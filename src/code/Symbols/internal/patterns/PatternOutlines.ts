/** Outlines languages by their patterns. A table is loaded and compiled at the first file of its language. */
import * as Effect from "effect/Effect"
import type { Entry } from "../../../languages/table.ts"
import type { Outline } from "../../../Symbols.ts"
import type { Source } from "../outline/Walk.ts"
import * as Limits from "../treeSitter/Limits.ts"
import type { PatternOutliner } from "./PatternOutline.ts"

const compiled = new Map<Entry, PatternOutliner>()

/** Outlines a text of a language that has patterns. It takes about 100 ms for a million characters. */
export const outline = (language: Entry, source: Source): Effect.Effect<Outline> =>
  Effect.map(
    Effect.suspend(() => {
      const known = compiled.get(language)
      return known === undefined ? compile(language) : Effect.succeed(known)
    }),
    (outliner) => outliner(source, Limits.makeMeter(Limits.ofLength(source.text.length)).isLate),
  )

const compile = Effect.fnUntraced(function* (language: Entry) {
  const { loadPatterns } = language
  if (loadPatterns === undefined) return yield* Effect.dieMessage(`no patterns of ${language.id}`)
  const [patterns, { make }] = yield* Effect.promise(() => Promise.all([loadPatterns(), import("./PatternOutline.ts")]))
  const outliner = make(patterns)
  compiled.set(language, outliner)
  return outliner
})
