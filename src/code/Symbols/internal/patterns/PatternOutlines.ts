/** Outlines languages by their patterns. The tables are loaded at the first file, and each is compiled at its first. */
import * as Effect from "effect/Effect"
import type { Outline } from "../../../Symbols.ts"
import type { Source } from "../outline/Walk.ts"
import * as Limits from "../treeSitter/Limits.ts"
import type { PatternOutliner } from "./PatternOutline.ts"

const compiled = new Map<string, PatternOutliner>()

/** Outlines a text of a language that has patterns. It takes about 100 ms for a million characters. */
export const outline = (language: string, source: Source): Effect.Effect<Outline> =>
  Effect.map(
    Effect.suspend(() => {
      const known = compiled.get(language)
      return known === undefined ? compile(language) : Effect.succeed(known)
    }),
    (outliner) => outliner(source, Limits.makeMeter(Limits.ofLength(source.text.length)).isLate),
  )

const compile = Effect.fnUntraced(function* (language: string) {
  const [{ patterns }, { make }] = yield* Effect.promise(() =>
    Promise.all([import("./patternsByLanguage.ts"), import("./PatternOutline.ts")]),
  )
  const table = patterns.get(language)
  if (table === undefined) return yield* Effect.dieMessage(`no patterns of ${language}`)
  const outliner = make(table)
  compiled.set(language, outliner)
  return outliner
})
