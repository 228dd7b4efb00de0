/** Source files of which no symbol is known: their language has no outline, or their text was refused. */
import * as Schema from "effect/Schema"
import * as Language from "../code/Language.ts"
import type { IndexedFile } from "./IndexStore.ts"

export const NotOutlined = Schema.Struct({
  /** Files in languages without an outline, most first. They are listed, and searched as text. */
  languages: Schema.Array(Schema.Struct({ language: Schema.String, files: Schema.Number })),
  /** Files in languages with an outline whose text was refused: too large, minified, unreadable or broken. */
  refusedFiles: Schema.Number,
})
export type NotOutlined = typeof NotOutlined.Type

type File = Pick<IndexedFile, "cut" | "language" | "note" | "symbols">

/** Prose, data and settings do not count, nor do files whose outline was only cut short. */
export const count = (files: ReadonlyArray<File>): NotOutlined => {
  const counts = new Map<string, number>()
  let refusedFiles = 0
  for (const { cut, language, note, symbols } of files) {
    if (language === undefined || texts.has(language)) continue
    if (without.has(language)) counts.set(language, (counts.get(language) ?? 0) + 1)
    else if (note !== undefined && cut === undefined && symbols === 0) refusedFiles++
  }
  const languages = Array.from(counts, ([language, files]) => ({ language, files }))
  return {
    languages: languages.sort((one, other) => other.files - one.files || (one.language < other.language ? -1 : 1)),
    refusedFiles,
  }
}

const without: ReadonlySet<string> = new Set(Language.withOutline("none"))
const texts: ReadonlySet<string> = new Set(Language.withOutline("text"))
