/** A folder of the index, as `vibe show` prints it. Pure. */
import * as path from "node:path"
import { plural } from "../base/Prose.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import type { Style } from "../base/Style.ts"
import { wrapHanging } from "../base/wrap.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { IndexedFile } from "../index/IndexStore.ts"
import * as SymbolText from "./SymbolText.ts"

export interface Folder {
  /** Relative to the root of the index; `.` is the root. */
  readonly path: string
  readonly counts: Counts
  /** The files directly in the folder, the most used first. */
  readonly files: ReadonlyArray<ListedFile>
  /** The folders directly in it, those with the most major symbols first. The counts include everything below them. */
  readonly folders: ReadonlyArray<{ readonly path: string; readonly counts: Counts }>
}

/** Counts over all files below a folder. */
interface Counts {
  readonly files: number
  readonly symbols: number
  readonly major: number
}

interface ListedFile {
  readonly file: IndexedFile
  /** Its symbols, the main ones first. */
  readonly main: ReadonlyArray<IndexEntry>
}

/** The most symbols of a file, files, and folders that are printed. */
const MOST_SYMBOLS = 3
const MOST_FILES = 10
const MOST_FOLDERS = 15

/** Arranges the files below a folder. `symbolsOf`: the symbols of each file directly in it. */
export const make = (
  folder: string,
  below: ReadonlyArray<IndexedFile>,
  symbolsOf: (path: string) => ReadonlyArray<IndexEntry>,
): Folder => {
  const inside = Map.groupBy(below, (file) => firstFolder(folder, file.path))
  const files = (inside.get(undefined) ?? []).map((file) => ({
    file,
    main: symbolsOf(file.path).toSorted(byImportance),
  }))
  inside.delete(undefined)
  return {
    path: folder,
    counts: count(below),
    files: files.sort((one, other) => weigh(other) - weigh(one) || other.file.symbols - one.file.symbols),
    folders: Array.from(inside, ([name = "", files]) => ({
      path: path.posix.join(folder, name),
      counts: count(files),
    })).sort((one, other) => other.counts.major - one.counts.major || other.counts.files - one.counts.files),
  }
}

/** The files directly in a folder. */
export const filesIn = (folder: string, below: ReadonlyArray<IndexedFile>): ReadonlyArray<IndexedFile> =>
  below.filter((file) => firstFolder(folder, file.path) === undefined)

/** The folder in `folder` that a file is in; undefined for a file directly in it. */
const firstFolder = (folder: string, file: string): string | undefined => {
  const [first, ...rest] = path.posix.relative(folder, file).split("/")
  return rest.length === 0 ? undefined : first
}

const count = (files: ReadonlyArray<IndexedFile>): Counts => ({
  files: files.length,
  symbols: files.reduce((sum, { symbols }) => sum + symbols, 0),
  major: files.reduce((sum, { major }) => sum + major, 0),
})

/**
 * Puts major symbols first. Among those, the ones at the top level come first, then those that most files use, then the
 * order of the file decides. An export without a name is last, since its members say more.
 */
const byImportance = (one: IndexEntry, other: IndexEntry): number =>
  Number(one.name === "default") - Number(other.name === "default") ||
  Number(other.isMajor) - Number(one.isMajor) ||
  Number(one.container !== undefined) - Number(other.container !== undefined) ||
  other.usedBy - one.usedBy ||
  one.startLine - other.startLine

/** Weighs a file by how many files use its main symbols. The number of major symbols decides between equals. */
const weigh = ({ file, main }: ListedFile): number =>
  main.slice(0, MOST_SYMBOLS).reduce((sum, { usedBy }) => sum + usedBy, 0) + file.major / 1_000

/**
 * Lists the folders with symbols, then the files with symbols, then how many have none. If no symbol is in the folder,
 * lists all its folders and files. `displayPath`: a path as it is printed.
 */
export const format = (
  folder: Folder,
  displayPath: (path: string) => string,
  style: Style,
  columns = SymbolText.UNLIMITED,
): string => {
  const title = (path: string, counts: string) => {
    const [first = "", ...others] = wrapHanging(`${sanitizeLine(path)}  ${counts}`, columns, 4)
    const name = first.slice(0, sanitizeLine(path).length)
    return [`${style.strong(name)}${first.slice(name.length)}`, ...others].join("\n")
  }
  const isBare = folder.counts.symbols === 0
  const folders = folder.folders.filter(({ counts }) => isBare || counts.symbols > 0)
  const files = folder.files.filter(({ file }) => isBare || file.symbols > 0)
  const folderLines = folders
    .slice(0, MOST_FOLDERS)
    .map(({ counts, path }) => title(`${displayPath(path)}/`, countsText(counts)))
  const fileBlocks = files
    .slice(0, MOST_FILES)
    .map(({ file, main }) =>
      [
        title(displayPath(file.path), fileCounts(file)),
        ...main
          .slice(0, MOST_SYMBOLS)
          .map((entry) => SymbolText.row(SymbolText.withPurposeCut(entry, MAX_PURPOSE), style, columns)),
        ...(main.length > MOST_SYMBOLS ? [style.quiet(`             and ${main.length - MOST_SYMBOLS} more`)] : []),
      ].join("\n"),
    )
  const bare = [
    ...countText(folder.folders.length - folders.length, "folder"),
    ...countText(folder.files.length - files.length, "file"),
  ]
  return [
    title(folder.path === "." ? "." : `${displayPath(folder.path)}/`, countsText(folder.counts)),
    [...folderLines, ...rest(folders.length - MOST_FOLDERS, "folder")].join("\n"),
    // Files without symbols have one line each.
    ...(isBare ? [fileBlocks.join("\n")] : fileBlocks),
    ...rest(files.length - MOST_FILES, "file"),
    ...(bare.length === 0 ? [] : [`and ${bare.join(" and ")} without symbols`]),
  ]
    .filter((block) => block !== "")
    .join("\n\n")
}

const MAX_PURPOSE = 100

const rest = (count: number, noun: string): ReadonlyArray<string> =>
  count > 0 ? [`and ${plural(count, `more ${noun}`)}`] : []

const countText = (count: number, noun: string): ReadonlyArray<string> => (count > 0 ? [plural(count, noun)] : [])

const countsText = ({ files, major, symbols }: Counts): string =>
  `${plural(files, "file")}${symbols === 0 ? "" : `, ${plural(symbols, "symbol")}, ${major} major`}`

const fileCounts = ({ language, major, symbols }: IndexedFile): string =>
  symbols === 0 ? (language ?? "text") : `${plural(symbols, "symbol")}, ${major} major`

/** `vibe show --json` of a folder; paths are relative to the root of the index. */
export const toJson = ({ counts, files, folders, path }: Folder) => ({
  folder: { path, ...counts },
  files: files.map(({ file, main }) => ({
    path: file.path,
    language: file.language ?? null,
    symbols: file.symbols,
    major: file.major,
    main: main.slice(0, MOST_SYMBOLS).map((entry) => ({
      ...SymbolText.place(entry),
      ...SymbolText.purpose(entry),
    })),
  })),
  folders: folders.map(({ counts, path }) => ({ path, ...counts })),
})
