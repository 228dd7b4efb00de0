/**
 * Finds what a file is for: in the comment at its beginning, of a model or its main type; and
 * the titles of its tests. Pure.
 */
import * as FileComment from "../index/FileComment.ts"
import { type IndexEntry, type Purpose, statementOf } from "../index/IndexEntry.ts"

export interface Summary {
  readonly text: string
  /** The model that wrote it; undefined if a comment says it. */
  readonly model: string | undefined
  /** True if the file declares other things since it was written; undefined otherwise. */
  readonly isStale?: boolean | undefined
}

/**
 * Returns what a file is for: the sentence of the comment at its beginning or of its module, or else what a model wrote
 * of the file, or the purpose of its main type, or a stale sentence of a model. `entries` are its symbols, in order of
 * their start; `file` is its own entry (`Index.fileEntry`). Undefined if none says anything.
 */
export const of = (
  path: string,
  text: string,
  entries: ReadonlyArray<IndexEntry>,
  file?: IndexEntry | undefined,
): Summary | undefined => {
  const said = FileComment.ofFile(path, text, entries)
  if (said !== undefined) return { text: said, model: undefined }
  const written = file?.purpose
  const ofType = FileComment.mainTypeOf(path, entries)?.purpose
  const fresh = [written, ofType].find((purpose) => purpose?.stale === false && purpose.weak === undefined)
  const purpose = fresh ?? (written?.stale === true ? written : undefined)
  if (purpose === undefined) return undefined
  const sentence = statementOf(purpose).replaceAll(/\s+/g, " ").trim()
  return { text: sentence, model: modelOf(purpose), ...(purpose.stale && { isStale: true }) }
}

/** Returns the summary for people, which says if it may be out of date. */
export const toText = ({ isStale, text }: Summary): string =>
  isStale === true ? `${text} (written before the file declared other things)` : text

const modelOf = ({ model, origin }: Purpose): string | undefined => (origin === "model" ? model : undefined)

/** The most titles of tests that are read from a file. */
const MAX_TITLES = 200

/** Returns the titles of the tests in a text, in their order, as they are given to `it`, `test` and the like. */
export const testTitles = (text: string): ReadonlyArray<string> =>
  Array.from(
    text
      .slice(0, MAX_TEST_CHARS)
      .matchAll(
        /(?:^|[\s;{(])(?:it|test|specify|scenario)(?:\.\w{1,20}){0,3}[ (]\s{0,40}(["'`])((?:(?!\1)[^\n\\]|\\.){3,200})\1/g,
      ),
    ([, , title = ""]) => title.replaceAll(/\\(["'`])/g, "$1").trim(),
  )
    // A title that is put together of several texts says little.
    .filter((title) => !title.includes("${") && /^[\p{L}\p{N}#`]/u.test(title))
    .slice(0, MAX_TITLES)

const MAX_TEST_CHARS = 400_000
