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

/** Returns paths as they are from the deepest folder that has all of them. */
export const fromCommonFolder = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const folder = commonFolder(paths)
  return folder === ROOT ? paths : paths.map((path) => path.slice(folder.length))
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
  const few = groups.length > Math.max(MAX_GROUPS, limits.most) ? cutDepth(groups) : groups
  let left = few.map((group): Bundle => ({ path: group.path, weight: group.weight, groups: [group] }))
  let folder = folderToJoin(left, limits)
  while (left.length > Math.max(1, limits.most)) {
    if (folder !== undefined) {
      left = joinWithin(left, folder)
      folder = folderToJoin(left, limits)
      continue
    }
    const moved = least(
      left.filter(({ path }) => path !== ROOT),
      byWeight,
    )
    // All of them are the root.
    if (moved === undefined) return [join(ROOT, groups)]
    left = moveUp(left, moved)
    // A folder becomes light enough only if something leaves it, and only if something stays there it is joined.
    if (left.some(({ path }) => path !== ROOT && isBelow(path, moved.path))) folder = folderToJoin(left, limits)
  }
  return left.map(({ groups, path }) => join(path, groups))
}

/** Groups to join. Their places are listed once, at the end: the rest of a large folder may have all of a project. */
interface Bundle extends Pick<Group, "path" | "weight"> {
  readonly groups: ReadonlyArray<Group>
}

const tie = (path: string, bundles: ReadonlyArray<Bundle>): Bundle => ({
  path,
  weight: bundles.reduce((sum, { weight }) => sum + weight, 0),
  groups: bundles.flatMap(({ groups }) => groups),
})

/**
 * Joins what is deeper than the greatest depth at which at most `MAX_GROUPS` are left. If the root alone has
 * more, joins the lightest of them.
 */
const cutDepth = (groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  const cut = (depth: number) =>
    Map.groupBy(groups, ({ path }) => {
      const names = path.split("/")
      return names.length <= depth + 1 ? path : `${names.slice(0, depth).join("/")}/`
    })
  let depth = groups.reduce((most, { path }) => Math.max(most, path.split("/").length), 1)
  let joined = cut(depth)
  while (joined.size > MAX_GROUPS && depth > 1) joined = cut(--depth)
  const left = Array.from(joined, ([path, inside]) => join(path, inside))
  return left.length > MAX_GROUPS ? joinLightest(left) : left
}

/** Joins the lightest folders and files at the root, as `moveUp` does one by one. */
const joinLightest = (groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  const atRoot = groups.filter(({ path }) => path !== ROOT && folderOf(path) === ROOT).toSorted(byWeight)
  const lightest = new Set(atRoot.slice(0, groups.length - MAX_GROUPS + 1))
  const { inside = [], outside = [] } = Object.groupBy(groups, (group) =>
    group.path === ROOT || lightest.has(group) ? "inside" : "outside",
  )
  return [...outside, join(ROOT, inside)]
}

/**
 * Returns the lightest folder with several groups; undefined if each such folder is too large, or if too few groups
 * would be left.
 */
export const folderToJoin = (
  groups: ReadonlyArray<Pick<Group, "path" | "weight">>,
  limits: Limits,
): string | undefined => {
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

const joinWithin = (bundles: ReadonlyArray<Bundle>, folder: string): Array<Bundle> => {
  const { inside = [], outside = [] } = Object.groupBy(bundles, ({ path }) =>
    isBelow(path, folder) ? "inside" : "outside",
  )
  return [...outside, tie(folder, inside)]
}

/** Puts a bundle into the rest of the folder around it. */
const moveUp = (bundles: ReadonlyArray<Bundle>, moved: Bundle): Array<Bundle> => {
  const folder = folderOf(moved.path)
  const { inside = [], outside = [] } = Object.groupBy(bundles, (bundle) =>
    bundle === moved || bundle.path === folder ? "inside" : "outside",
  )
  return [...outside, tie(folder, inside)]
}

const byWeight = (one: Omit<Bundle, "groups">, other: Omit<Bundle, "groups">): number =>
  one.weight - other.weight || compare(one.path, other.path)

/** Returns the element that comes first in an order; undefined for an empty list. */
export const least = <A>(all: ReadonlyArray<A>, order: (one: A, other: A) => number): A | undefined =>
  all.reduce<A | undefined>((best, one) => (best === undefined || order(one, best) < 0 ? one : best), undefined)
