/** Which files use which, by resolved references. */
import * as Effect from "effect/Effect"
import * as Language from "../code/Language.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { FileUses, Index, IndexedFile } from "../index/IndexStore.ts"

export interface FileGraph {
  /** All files of the code, sorted. */
  readonly files: ReadonlyArray<string>
  /** How often the symbols of one file are used by those of another: `uses.get(from)?.get(to)`. No file uses itself. */
  readonly uses: ReadonlyMap<string, ReadonlyMap<string, number>>
  /**
   * Files that more than a quarter of the files use, and at least `MIN_USERS`; at most a tenth of the files, those with
   * most users. They say nothing about who belongs together.
   */
  readonly hubs: ReadonlySet<string>
}

/** A file that more than this share of the files use is a hub. */
const HUB_SHARE = 0.25

/** The largest share of the files that can be hubs: where all use each other, none stands out. */
const MAX_HUBS = 0.1

/** A file with fewer users is no hub, however large their share of a small project. */
export const MIN_USERS = 6

/**
 * Returns the files that a wiki divides into parts: source code, without tests and other classes of files. If no file
 * of the code is source, it returns the source files of all classes. Settings, data and prose are in no part.
 */
export const codeOf = <File extends Pick<IndexedFile, "path" | "class" | "symbols">>(
  files: ReadonlyArray<File>,
): ReadonlyArray<File> => {
  const sources = files.filter(({ path, symbols }) => symbols > 0 || (Language.of(path)?.outline ?? "text") !== "text")
  const code = sources.filter((file) => file.class === "code")
  return (code.length > 0 ? code : sources).toSorted((one, other) => compare(one.path, other.path))
}

/** Makes the graph of the files of the code from the uses between all files. */
export const make = (
  files: ReadonlyArray<Pick<IndexedFile, "path" | "class" | "symbols">>,
  uses: ReadonlyArray<FileUses>,
): FileGraph => {
  const paths = codeOf(files).map(({ path }) => path)
  const isCode = new Set(paths)
  const counts = new Map<string, Map<string, number>>()
  const users = new Map<string, number>()
  for (const { count, from, to } of uses) {
    if (from === to || count <= 0 || !isCode.has(from) || !isCode.has(to)) continue
    const ofFile = counts.get(from) ?? new Map<string, number>()
    counts.set(from, ofFile)
    if (!ofFile.has(to)) users.set(to, (users.get(to) ?? 0) + 1)
    ofFile.set(to, (ofFile.get(to) ?? 0) + count)
  }
  const least = Math.max(MIN_USERS, Math.floor(paths.length * HUB_SHARE) + 1)
  const hubs = paths
    .filter((path) => (users.get(path) ?? 0) >= least)
    .sort((one, other) => (users.get(other) ?? 0) - (users.get(one) ?? 0) || compare(one, other))
    .slice(0, Math.max(1, Math.floor(paths.length * MAX_HUBS)))
  return { files: paths, uses: counts, hubs: new Set(hubs) }
}

/** Reads the graph from an index. */
export const read: (index: Index) => Effect.Effect<FileGraph, IndexError> = Effect.fn("FileGraph.read")(
  function* (index) {
    return make(yield* index.files, yield* index.fileUses)
  },
)

/** Returns how often the files of one group use those of another. */
export const countUses = (
  { uses }: Pick<FileGraph, "uses">,
  from: ReadonlyArray<string>,
  to: ReadonlySet<string>,
): number =>
  from.reduce((sum, path) => {
    let ofFile = 0
    for (const [target, count] of uses.get(path) ?? []) if (to.has(target)) ofFile += count
    return sum + ofFile
  }, 0)

/** Compares two texts by their code units, so that the order is the same in every locale. */
export const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
