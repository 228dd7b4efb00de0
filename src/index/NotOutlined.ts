/** Counts what an index lacks: source files without any known symbol, and files and folders that could not be read. */
import { TooLarge } from "../code/FileError.ts"
import * as Language from "../code/Language.ts"
import { UNKNOWN_LANGUAGE } from "../code/Symbols.ts"
import { MAX_FILE_BYTES } from "../code/Workspace.ts"
import type { IndexedFile } from "./IndexStore.ts"

/** Source files without any known symbol: their language has no outline, or their text was refused. */
export interface NotOutlined {
  /** Files in languages without an outline, most first. They are listed, and searched as text. */
  readonly languages: ReadonlyArray<{ readonly language: string; readonly files: number }>
  /**
   * Files that were refused although their language has an outline, and files of any kind that are too large to be
   * read, with the reason for each. At most three: source files that are too large come first, and files without an
   * outline last.
   */
  readonly refused: ReadonlyArray<{ readonly path: string; readonly note: string }>
  /** How many such files there are in all. */
  readonly refusedFiles: number
  /** Extensions of files in no language that vibe knows, most files first: at most ten. */
  readonly unknown: ReadonlyArray<{ readonly extension: string; readonly files: number }>
  /** How many such files there are in all. */
  readonly unknownFiles: number
}

type File = Pick<IndexedFile, "cut" | "language" | "note" | "path" | "symbols">

/** The note of a file that is too large to be read. */
const TOO_LARGE = new TooLarge({ limit: MAX_FILE_BYTES }).message

/** The most extensions that are named. */
const MAX_EXTENSIONS = 10

/**
 * Counts them. Leaves out prose, data, settings and build recipes, files whose outline was only cut short, and
 * `unreadable` ones. Files of unknown kind count if they are text and have an extension.
 */
export const count = (files: ReadonlyArray<File>, unreadable: ReadonlyArray<string>): NotOutlined => {
  const counts = new Map<string, number>()
  const unknown = new Map<string, number>()
  const refused: Array<NotOutlined["refused"][number] & { readonly rank: number }> = []
  const unread = new Set(unreadable)
  for (const { cut, language, note, path, symbols } of files) {
    if (unread.has(path)) continue
    if (note === TOO_LARGE) {
      const hasOutline = language !== undefined && !texts.has(language) && !without.has(language)
      refused.push({ path, note, rank: hasOutline ? 0 : 2 })
    } else if (language === undefined) {
      const extension = note === UNKNOWN_LANGUAGE ? Language.extensionOf(path) : ""
      if (extension !== "") unknown.set(extension, (unknown.get(extension) ?? 0) + 1)
    } else if (texts.has(language)) continue
    else if (without.has(language)) counts.set(language, (counts.get(language) ?? 0) + 1)
    else if (note !== undefined && cut === undefined && symbols === 0) refused.push({ path, note, rank: 1 })
  }
  return {
    languages: mostFirst(counts).map(([language, files]) => ({ language, files })),
    refused: refused
      .sort((one, other) => one.rank - other.rank)
      .slice(0, 3)
      .map(({ note, path }) => ({ path, note })),
    refusedFiles: refused.length,
    unknown: mostFirst(unknown)
      .slice(0, MAX_EXTENSIONS)
      .map(([extension, files]) => ({ extension, files })),
    unknownFiles: Array.from(unknown.values()).reduce((sum, files) => sum + files, 0),
  }
}

const mostFirst = (counts: ReadonlyMap<string, number>): ReadonlyArray<readonly [string, number]> =>
  Array.from(counts).sort(([one, ofOne], [other, ofOther]) => ofOther - ofOne || (one < other ? -1 : 1))

const without: ReadonlySet<string> = new Set(Language.withOutline("none"))
const texts: ReadonlySet<string> = new Set(Language.withOutline("text"))

/** Files and folders that could not be read, so that their content is not in the index. */
export interface Unreadable {
  readonly files: number
  readonly folders: number
  /** The paths, at most ten; folders come first, with a slash at their end. */
  readonly paths: ReadonlyArray<string>
}

/** Counts what could not be read; `paths` has all of it, as `IndexStore` returns them. */
export const countUnreadable = (paths: ReadonlyArray<string>): Unreadable => {
  const folders = paths.filter(isFolder).length
  return { files: paths.length - folders, folders, paths: paths.slice(0, 10) }
}

const isFolder = (path: string): boolean => path.endsWith("/")
