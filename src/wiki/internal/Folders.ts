/** Joins groups of files upward, along their folders, until there are few enough. Pure and deterministic. */
import { compare } from "../FileGraph.ts"

/** Places that belong together, by the path of a file or of a folder, which ends with a slash. */
export interface Group {
  readonly path: string
  /** The keys of files, and of the symbols at the top of divided files (`Places`). */
  readonly places: ReadonlyArray<string>
  /** How many files it has; a section of a file counts as one. */
  readonly files: number
  /** The symbols of its places; a file without symbols counts as one. */
  readonly weight: number
}

/** The folder of files at the root. */
export const ROOT = "./"

/** Returns the folder around a file, or around a folder, with a slash at its end. That of the root is the root. */
export const folderOf = (path: string): string => {
  const slash = path.lastIndexOf("/", path.length - 2)
  return slash < 0 || path === ROOT ? ROOT : path.slice(0, slash + 1)
}

/** Returns whether a path is at or below a folder. */
export const isBelow = (path: string, folder: string): boolean => folder === ROOT || path.startsWith(folder)

/** Returns the deepest folder that has all files. */
export const commonFolder = (files: ReadonlyArray<string>): string => {
  let folder = folderOf(files[0] ?? "")
  while (!files.every((path) => isBelow(path, folder))) folder = folderOf(folder)
  return folder
}

/** Puts two or more groups together under a path. */
export const join = (path: string, groups: ReadonlyArray<Group>): Group => ({
  path,
  places: groups.flatMap(({ places }) => places),
  files: groups.reduce((sum, { files }) => sum + files, 0),
  weight: groups.reduce((sum, { weight }) => sum + weight, 0),
})

interface Limits {
  /** The most groups that may be left. */
  readonly most: number
  /** A folder is not joined if fewer groups than this would be left. */
  readonly least: number
  /** A folder with a larger share of the weight is not joined. */
  readonly share: number
}

/** Beyond this many groups the deepest folders are joined at once, so that the steps stay fast. */
const MAX_GROUPS = 2_000

/**
 * Joins all groups of a folder, the folder with the least weight first. If only large folders are left, the lightest
 * groups go up into the rest of the folder around them, one at a time.
 */
export const joinUpward = (groups: ReadonlyArray<Group>, limits: Limits): ReadonlyArray<Group> => {
  let left = groups.length > Math.max(MAX_GROUPS, limits.most) ? cutDepth(groups) : groups
  while (left.length > Math.max(1, limits.most)) {
    const folder = folderToJoin(left, limits)
    left = folder === undefined ? moveLightest(left) : joinWithin(left, folder)
  }
  return left
}

/** Joins what is deeper than the greatest depth at which at most `MAX_GROUPS` are left. */
const cutDepth = (groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  const cut = (depth: number) =>
    Map.groupBy(groups, ({ path }) => {
      const names = path.split("/")
      return names.length <= depth + 1 ? path : `${names.slice(0, depth).join("/")}/`
    })
  let depth = groups.reduce((most, { path }) => Math.max(most, path.split("/").length), 1)
  let joined = cut(depth)
  while (joined.size > MAX_GROUPS && depth > 1) joined = cut(--depth)
  return Array.from(joined, ([path, inside]) => join(path, inside))
}

/**
 * Returns the lightest folder with several groups; undefined if each such folder is too large, or if too few groups
 * would be left.
 */
export const folderToJoin = (groups: ReadonlyArray<Group>, limits: Limits): string | undefined => {
  const folders = new Map<string, { weight: number; count: number }>()
  let total = 0
  for (const { path, weight } of groups) {
    total += weight
    const own = path.endsWith("/") ? path : folderOf(path)
    for (let folder = own; folder !== ROOT; folder = folderOf(folder)) {
      const known = folders.get(folder) ?? { weight: 0, count: 0 }
      folders.set(folder, { weight: known.weight + weight, count: known.count + 1 })
    }
  }
  const candidates = Array.from(folders).filter(
    ([, { count, weight }]) => count > 1 && weight <= total * limits.share && groups.length - count + 1 >= limits.least,
  )
  return least(
    candidates,
    ([one, a], [other, b]) => a.weight - b.weight || other.length - one.length || compare(one, other),
  )?.[0]
}

const joinWithin = (groups: ReadonlyArray<Group>, folder: string): ReadonlyArray<Group> => {
  const { inside = [], outside = [] } = Object.groupBy(groups, ({ path }) =>
    isBelow(path, folder) ? "inside" : "outside",
  )
  return [...outside, join(folder, inside)]
}

const moveLightest = (groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  const lightest = least(
    groups.filter(({ path }) => path !== ROOT),
    (one, other) => one.weight - other.weight || compare(one.path, other.path),
  )
  if (lightest === undefined) return [join(ROOT, groups)]
  const path = folderOf(lightest.path)
  const moved = groups.filter((group) => group === lightest || group.path === path)
  return [...groups.filter((group) => !moved.includes(group)), join(path, moved)]
}

/** Returns the element that comes first in an order; undefined for an empty list. */
export const least = <A>(all: ReadonlyArray<A>, order: (one: A, other: A) => number): A | undefined =>
  all.reduce<A | undefined>((best, one) => (best === undefined || order(one, best) < 0 ? one : best), undefined)
