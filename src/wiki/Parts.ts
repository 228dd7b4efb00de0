/**
 * Groups the files of a project into parts without a model: by their folders, and by references within large folders.
 * It is what a wiki without a model shows, and what stands in for the plan of a model that fails.
 */
import type { IndexedFile } from "../index/IndexStore.ts"
import * as FileGraph from "./FileGraph.ts"
import * as Folders from "./internal/Folders.ts"
import { START } from "./Page.ts"
import type { Part } from "./Plan.ts"
import * as Units from "./Units.ts"

/** The least and most parts of a project that is large enough. */
export const MIN_PARTS = 8
export const MAX_PARTS = 15

/** A project has at most one part for so many files, and so fewer than `MIN_PARTS` if it is small. */
const FILES_FOR_EACH = 4

/** The title of the part of the hubs, which most other files use. */
export const HELPERS = "Helpers"

/**
 * Groups the files of the code (`FileGraph.codeOf`) into parts. Every file is in exactly one part. There are 8 to 15
 * parts if there are at least 32 files, and at most one for every four files otherwise. Those with most code come
 * first, and the helpers last. Their `line` is empty: nothing is known of what they are for.
 */
export const group = (
  files: ReadonlyArray<Pick<IndexedFile, "path" | "class" | "symbols">>,
  graph: FileGraph.FileGraph,
): ReadonlyArray<Part> => {
  const units = Units.divide(files, graph)
  const count = units.reduce((sum, unit) => sum + unit.files.length, 0)
  const weights = new Map(FileGraph.codeOf(files).map(({ path, symbols }) => [path, Math.max(1, symbols)]))
  const helpers = units.find(({ isHelpers }) => isHelpers)?.files ?? []
  const others = helpers.length === 0 ? 0 : 1
  const most = Math.max(1, Math.min(MAX_PARTS, Math.floor(count / FILES_FOR_EACH)) - others)
  const least = Math.min(most, MIN_PARTS - others)
  const groups = units
    .filter(({ isHelpers }) => !isHelpers)
    .map(({ files, path }): Cluster => {
      const weight = files.reduce((sum, path) => sum + (weights.get(path) ?? 1), 0)
      return { path, files, weight, seeds: [{ path, weight }] }
    })
  const joined = joinAll(splitAll(groups, least, weights), graph, least, most)
  return nameAll(
    joined.toSorted((one, other) => magnitudeOf(other) - magnitudeOf(one) || FileGraph.compare(one.path, other.path)),
    helpers,
  )
}

/** The amount of code as a power of two, so that a small change does not put the parts of a wiki in another order. */
const magnitudeOf = ({ weight }: Folders.Group): number => Math.floor(Math.log2(weight))

/** A group with the units that it is made of. */
interface Cluster extends Folders.Group {
  readonly seeds: ReadonlyArray<{ readonly path: string; readonly weight: number }>
}

/** The most files of a folder that are split off, so that comparing all pairs of groups stays fast. */
const MAX_SPLIT = 60

/** Splits the heaviest folders into their files while there are too few groups. */
const splitAll = (
  groups: ReadonlyArray<Cluster>,
  least: number,
  weights: ReadonlyMap<string, number>,
): ReadonlyArray<Cluster> => {
  let left = groups
  while (left.length < least) {
    const heaviest = Folders.least(
      left.filter(({ files }) => files.length > 1),
      (one, other) => other.weight - one.weight || FileGraph.compare(one.path, other.path),
    )
    if (heaviest === undefined) break
    const single = heaviest.files
      .map((path): Cluster => {
        const weight = weights.get(path) ?? 1
        return { path, files: [path], weight, seeds: [{ path, weight }] }
      })
      .sort((one, other) => other.weight - one.weight || FileGraph.compare(one.path, other.path))
    const rest = single.slice(MAX_SPLIT)
    left = [
      ...left.filter((group) => group !== heaviest),
      ...single.slice(0, MAX_SPLIT),
      ...(rest.length === 0 ? [] : [joinClusters(heaviest.path, rest)]),
    ]
  }
  return left
}

/** Joins small folders first, and then the pair of groups that belongs together most, until few enough are left. */
const joinAll = (
  groups: ReadonlyArray<Cluster>,
  graph: FileGraph.FileGraph,
  least: number,
  most: number,
): ReadonlyArray<Cluster> => {
  const limits = { most, least, share: Units.LARGE_SHARE }
  let left = groups
  while (left.length > most) {
    const folder = Folders.folderToJoin(left, limits)
    if (folder === undefined) break
    const { inside = [], outside = [] } = Object.groupBy(left, ({ path }) =>
      Folders.isBelow(path, folder) ? "inside" : "outside",
    )
    left = [...outside, joinClusters(folder, inside)]
  }
  return joinPairs(left, graph, most)
}

/** The factor of the uses between two groups for each level of the folder that they share. */
const SAME_FOLDER = 4

/** Divides the bond of groups that are together larger than `LARGE_SHARE`, so that they are joined last. */
const TOO_LARGE = 1e6

const joinPairs = (
  groups: ReadonlyArray<Cluster>,
  graph: FileGraph.FileGraph,
  most: number,
): ReadonlyArray<Cluster> => {
  if (groups.length <= most) return groups
  const left: Array<Cluster | undefined> = groups.toSorted((one, other) => FileGraph.compare(one.path, other.path))
  const links = linksBetween(
    left.flatMap((group) => group ?? []),
    graph,
  )
  const large = groups.reduce((sum, { weight }) => sum + weight, 0) * Units.LARGE_SHARE
  const affinity = (a: number, b: number): number => {
    const [one, other] = [left[a], left[b]]
    if (one === undefined || other === undefined) return Number.NEGATIVE_INFINITY
    const shared = Folders.commonFolder([one.path, other.path])
    const levels = shared === Folders.ROOT ? 0 : shared.split("/").length - 1
    const bond = ((links[a]?.[b] ?? 0) + 1) * SAME_FOLDER ** levels
    // The divisors keep large groups from taking everything.
    const score = bond / Math.sqrt(one.files.length * other.files.length) / (one.weight + other.weight)
    return one.weight + other.weight > large ? score / TOO_LARGE : score
  }
  for (let count = groups.length; count > most; count--) {
    let [best, a, b] = [Number.NEGATIVE_INFINITY, 0, 0]
    for (let one = 0; one < left.length; one++) {
      for (let other = one + 1; other < left.length; other++) {
        const value = affinity(one, other)
        if (value > best) [best, a, b] = [value, one, other]
      }
    }
    const [one, other] = [left[a], left[b]]
    if (one === undefined || other === undefined) break
    const main = other.weight > one.weight ? other : one
    left[a] = joinClusters(main.path, [one, other])
    left[b] = undefined
    for (const row of links) row[a] = (row[a] ?? 0) + (row[b] ?? 0)
    links[a] = (links[a] ?? []).map((count, at) => count + (links[b]?.[at] ?? 0))
  }
  return left.flatMap((group) => group ?? [])
}

/** Returns the uses between groups in both directions, by their positions. */
const linksBetween = (groups: ReadonlyArray<Cluster>, { uses }: FileGraph.FileGraph): Array<Array<number>> => {
  const groupOf = new Map(groups.flatMap(({ files }, at) => files.map((path) => [path, at])))
  const links = groups.map(() => groups.map(() => 0))
  for (const [from, targets] of uses) {
    for (const [to, count] of targets) {
      const [a, b] = [groupOf.get(from), groupOf.get(to)]
      if (a === undefined || b === undefined || a === b) continue
      for (const [one, other] of [
        [a, b],
        [b, a],
      ] as const) {
        const row = links[one]
        if (row !== undefined) row[other] = (row[other] ?? 0) + count
      }
    }
  }
  return links
}

const joinClusters = (path: string, clusters: ReadonlyArray<Cluster>): Cluster => ({
  ...Folders.join(path, clusters),
  seeds: clusters.flatMap(({ seeds }) => seeds),
})

/** The most units that a title names. */
const MAX_NAMED = 2

const nameAll = (clusters: ReadonlyArray<Cluster>, helpers: ReadonlyArray<string>): ReadonlyArray<Part> => {
  const taken = new Set([START])
  const toPart = (title: string, name: string, files: ReadonlyArray<string>): Part => {
    const unique = uniqueName(name, taken)
    taken.add(unique)
    return { name: unique, title, line: "", files: files.toSorted(FileGraph.compare) }
  }
  return [
    ...clusters.map((cluster) => toPart(titleOf(cluster), cluster.path, cluster.files)),
    ...(helpers.length === 0 ? [] : [toPart(HELPERS, "helpers", helpers)]),
  ]
}

/** Returns the path of a folder, or the heaviest units without their extensions and the number of the others. */
const titleOf = ({ path, seeds }: Cluster): string => {
  const name = (path: string) =>
    path === Folders.ROOT ? "Files at the root" : path.replace(/\/$|(?<=[^/])\.[^./]+$/, "")
  if (path.endsWith("/") && seeds.every((seed) => Folders.isBelow(seed.path, path))) return name(path)
  const named = seeds
    .toSorted((one, other) => other.weight - one.weight || FileGraph.compare(one.path, other.path))
    .map((seed) => name(seed.path))
  const more = named.length - MAX_NAMED
  return [...named.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])]
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1")
}

/** Names that a file of a page may not have: Windows keeps some, and pages of flows begin with `flow-`. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|flow-.*)$/

/**
 * Returns a name of a page (`[a-z0-9-]+`) for a path that is not taken: its last name, with the folders before it if
 * they are needed, and a number if that is not enough.
 */
export const uniqueName = (path: string, taken: ReadonlySet<string>): string => {
  const names = path
    .replace(/\.[^./]*$/, "")
    .split("/")
    .map((name) =>
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, ""),
    )
    .filter((name) => name !== "")
  const isFree = (name: string) => name !== "" && !taken.has(name) && !RESERVED.test(name)
  const last = names.length === 0 ? "root" : names.join("-")
  const candidates = [...names.map((_, at) => names.slice(names.length - 1 - at).join("-")), last, `part-${last}`]
  const found = candidates.find(isFree)
  if (found !== undefined) return found
  let number = 2
  while (!isFree(`part-${last}-${number}`)) number++
  return `part-${last}-${number}`
}
