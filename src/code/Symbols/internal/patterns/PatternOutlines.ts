/** Outlines languages by their patterns, which are compiled at the first file of each. */
import type { Outline } from "../../../Symbols.ts"
import type { Source } from "../outline/Walk.ts"
import * as Limits from "../treeSitter/Limits.ts"
import * as PatternOutline from "./PatternOutline.ts"
import { patterns } from "./patternsByLanguage.ts"

const compiled = new Map<string, PatternOutline.PatternOutliner>()

/** The language must have patterns. Synchronous: about 100 ms for a million characters. */
export const outline = (language: string, source: Source): Outline => {
  const known = compiled.get(language) ?? compile(language)
  return known(source, Limits.makeMeter(Limits.ofLength(source.text.length)).isLate)
}

const compile = (language: string): PatternOutline.PatternOutliner => {
  const table = patterns.get(language)
  if (table === undefined) throw new Error(`no patterns of ${language}`)
  const outliner = PatternOutline.make(table)
  compiled.set(language, outliner)
  return outliner
}
