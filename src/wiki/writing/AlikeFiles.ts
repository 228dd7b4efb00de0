/**
 * Tells the core of a part, the files that most of its others use, from files that are alike, such as thirty handlers:
 * a page needs the core and a few of the others. Pure.
 */
import type * as Material from "./Material.ts"

export interface PartFile {
  readonly path: string
  readonly items: ReadonlyArray<Material.Item>
}

export interface Arranged {
  /** The files of the core, those with most users first. */
  readonly core: ReadonlyArray<string>
  /** Files that are alike, beyond those that are shown as examples of them. */
  readonly alike: ReadonlyArray<Alike>
}

export interface Alike {
  /** The files that are shown for all of them. */
  readonly examples: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
}

/** The least files of a part that use a file of its core, and their least share of the part. */
const MIN_USERS = 3
const USERS_SHARE = 0.2

/** The least files that are alike, and how many of them are shown. */
const MIN_ALIKE = 6
const MAX_EXAMPLES = 3

/** A name is common to a folder if at least this share of its files has it. */
const COMMON_SHARE = 0.4

/** `uses` has how often files use others: `uses.get(from)?.get(to)`. */
export const arrange = (
  files: ReadonlyArray<PartFile>,
  uses: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Arranged => {
  const users = new Map<string, number>()
  for (const { path } of files) {
    for (const used of uses.get(path)?.keys() ?? []) users.set(used, (users.get(used) ?? 0) + 1)
  }
  const usersOf = ({ path }: PartFile): number => users.get(path) ?? 0
  const least = Math.max(MIN_USERS, files.length * USERS_SHARE)
  const core = files
    .filter((file) => usersOf(file) >= least)
    .toSorted((one, other) => usersOf(other) - usersOf(one))
    .map(({ path }) => path)
  const isCore = new Set(core)
  const rest = files.filter(({ items, path }) => !isCore.has(path) && items.length > 0)
  const folders = Map.groupBy(rest, ({ path }) => `${folderOf(path)}\0${path.slice(path.lastIndexOf("."))}`)
  const alike = Array.from(folders.values()).flatMap((inFolder): ReadonlyArray<Alike> => {
    const same = findAlike(inFolder)
    if (same.length < MIN_ALIKE) return []
    const ranked = same.toSorted((one, other) => usersOf(other) - usersOf(one) || weigh(other) - weigh(one))
    const examples = new Set(ranked.slice(0, MAX_EXAMPLES).map(({ path }) => path))
    return [
      {
        examples: Array.from(examples).sort(),
        others: same.map(({ path }) => path).filter((path) => !examples.has(path)),
      },
    ]
  })
  return { core, alike }
}

/** Uses by other files of any part; among equals the file with more symbols shows more. */
const weigh = ({ items }: PartFile): number =>
  items.reduce((sum, { entry }) => sum + (entry?.usedBy ?? 0), 0) + items.length / 1_000

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** Finds the files of a folder of which at least half of the names of functions are those of many others. */
const findAlike = (files: ReadonlyArray<PartFile>): ReadonlyArray<PartFile> => {
  if (files.length < MIN_ALIKE) return []
  const names = new Map(files.map((file) => [file, namesOf(file)]))
  const counts = new Map<string, number>()
  for (const own of names.values()) for (const name of own) counts.set(name, (counts.get(name) ?? 0) + 1)
  const least = Math.max(MIN_ALIKE, files.length * COMMON_SHARE)
  return files.filter((file) => {
    const own = Array.from(names.get(file) ?? [])
    const common = own.filter((name) => (counts.get(name) ?? 0) >= least).length
    return common > 0 && 2 * common >= own.length
  })
}

/** Lists the names of the functions and types of a file, with `*` for the name of the file in them. */
const namesOf = ({ items, path }: PartFile): ReadonlySet<string> => {
  const stem = normalize(path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, ""))
  return new Set(
    items.flatMap(({ entry }) =>
      entry !== undefined && counted.has(entry.kind) ? [normalize(entry.name).replaceAll(stem, "*")] : [],
    ),
  )
}

const counted: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "type"])

const normalize = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")
