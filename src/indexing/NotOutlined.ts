/** Source files of which no symbol is known: their language has no outline, or their text was refused. */
import * as Schema from "effect/Schema"
import * as Language from "../code/Language.ts"
import type { IndexedFile } from "./IndexStore.ts"

export const NotOutlined = Schema.Struct({
  /** Files in languages without an outline, most first. They are listed, and searched as text. */
  languages: Schema.Array(Schema.Struct({ language: Schema.String, files: Schema.Number })),
  /** Files that were refused though their language has an outline, and the reason of each: at most three. */
  refused: Schema.Array(Schema.Struct({ path: Schema.String, note: Schema.String })),
  /** How many such files there are in all. */
  refusedFiles: Schema.Number,
})
export type NotOutlined = typeof NotOutlined.Type

type File = Pick<IndexedFile, "cut" | "language" | "note" | "path" | "symbols">

/**
 * Prose, data, settings and recipes of builds do not count, nor do files with an outline that was only cut short, nor those that
 * are `unreadable`.
 */
export const count = (files: ReadonlyArray<File>, unreadable: ReadonlyArray<string>): NotOutlined => {
  const counts = new Map<string, number>()
  const refused: Array<NotOutlined["refused"][number]> = []
  const unread = new Set(unreadable)
  for (const { cut, language, note, path, symbols } of files) {
    if (language === undefined || texts.has(language) || unread.has(path)) continue
    if (without.has(language)) counts.set(language, (counts.get(language) ?? 0) + 1)
    else if (note !== undefined && cut === undefined && symbols === 0) refused.push({ path, note })
  }
  const languages = Array.from(counts, ([language, files]) => ({ language, files }))
  return {
    languages: languages.sort((one, other) => other.files - one.files || (one.language < other.language ? -1 : 1)),
    refused: refused.slice(0, 3),
    refusedFiles: refused.length,
  }
}

const without: ReadonlySet<string> = new Set(Language.withOutline("none"))
const texts: ReadonlySet<string> = new Set(Language.withOutline("text"))
