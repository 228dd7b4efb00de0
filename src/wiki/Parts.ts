/**
 * Groups the files of a project into parts without a model: by their folders, and by references within large folders.
 * It is what a wiki without a model shows, and what stands in for the plan of a model that fails.
 */
import * as FileGraph from "./FileGraph.ts"
import * as Folders from "./internal/Folders.ts"
import { START } from "./Page.ts"
import * as Places from "./Places.ts"
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
 * Groups the files of the code (`FileGraph.codeOf`) into parts. Every file, or each symbol at the top of a divided one,
 * is in exactly one part. There are 8 to 15 parts if there are at least 32 files, and at most one for every four files
 * otherwise, each section of a large file counting as one. Those with most code come first, and the helpers last. Their
 * `line` is empty: nothing is known of what they are for.
 */
export const group = (files: Units.Files, graph: Units.Graph): ReadonlyArray<Part> => {
  const units = Units.divide(files, graph)
  const count = units.reduce((sum, unit) => sum + unit.files.length, 0)
  const sizes = new Map(FileGraph.codeOf(files).map(({ path, symbols }) => [path, symbols]))
  const helpers = units.find(({ isHelpers }) => isHelpers)?.files ?? []
  const others = helpers.length === 0 ? 0 : 1
  const most = Math.max(1, Math.min(MAX_PARTS, Math.floor(count / FILES_FOR_EACH)) - others)
  const least = Math.min(most, MIN_PARTS - others)
  const groups = units
    .filter(({ isHelpers }) => !isHelpers)
    .map((unit): Cluster => {
      const weight = Math.max(unit.size, unit.files.length)
      const places = Places.keysOf(unit, graph.heads)
      const seed = { path: unit.path, section: mainOf(unit, graph), weight }
      return { path: unit.path, places, files: unit.files.length, weight, seeds: [seed] }
    })
  const joined = joinAll(splitAll(groups, least, Units.groupsOf(sizes, graph)), graph, least, most)
  return nameAll(
    joined.toSorted((one, other) => magnitudeOf(other) - magnitudeOf(one) || compareClusters(one, other)),
    helpers,
    graph,
  )
}

/**
 * Returns a name for a section of a file: that of the symbol with most in it, or, if it has functions alone, the
 * beginning that most of their names share, such as `jv_string`. Methods of a divided type are named by that, or else
 * by the first one. Undefined for any other unit, and if they share none.
 */
const mainOf = ({ symbols: [section] = [] }: Places.Unit, { heads }: Units.Graph): string | undefined => {
  if (section === undefined) return undefined
  const weights = new Map(heads.get(section.path)?.map(({ name, weight }) => [name, weight]))
  const [main = ""] = section.names.toSorted((one, other) => (weights.get(other) ?? 0) - (weights.get(one) ?? 0))
  if ((weights.get(main) ?? 0) > DECLARED_TWICE) return main
  const members = section.names.filter((name) => weights.has(name.slice(0, Math.max(0, name.lastIndexOf(".")))))
  const [first = ""] = members
  const type = first.slice(0, Math.max(0, first.lastIndexOf(".")))
  if (members.length > section.names.length / 2) return section.names.includes(type) ? type : first
  return sharedBeginning(section.names)
}

/** How much is in a function that a file declares and defines. */
const DECLARED_TWICE = 2

/** Returns the longest beginning of two words or more that at least half of some names have. */
const sharedBeginning = (names: ReadonlyArray<string>): string | undefined => {
  const counts = new Map<string, number>()
  for (const name of names) {
    for (const { index } of name.matchAll(/(?<=[a-z\d])(?:_|(?=[A-Z]))|$/g)) {
      const beginning = name.slice(0, index)
      if (/(?<=[a-z\d])(?:_|[A-Z])/.test(beginning)) counts.set(beginning, (counts.get(beginning) ?? 0) + 1)
    }
  }
  const shared = Array.from(counts).filter(([, count]) => count > 1 && count >= names.length / 2)
  return shared.toSorted(([one], [other]) => other.length - one.length)[0]?.[0]
}

const compareClusters = (one: Cluster, other: Cluster): number =>
  FileGraph.compare(one.path, other.path) ||
  FileGraph.compare(one.seeds[0]?.section ?? "", other.seeds[0]?.section ?? "")

/** The amount of code as a power of two, so that a small change does not put the parts of a wiki in another order. */
const magnitudeOf = ({ weight }: Folders.Group): number => Math.floor(Math.log2(weight))

/** A group with the units that it is made of. */
interface Cluster extends Folders.Group {
  readonly seeds: ReadonlyArray<Seed>
}

interface Seed {
  readonly path: string
  /** The symbol for which a section of a file is named; undefined for whole files and folders. */
  readonly section?: string | undefined
  readonly weight: number
}

/** The most files of a folder that are split off, so that comparing all pairs of groups stays fast. */
const MAX_SPLIT = 60

/** Splits the heaviest folders into their files while there are too few groups. */
const splitAll = (
  groups: ReadonlyArray<Cluster>,
  least: number,
  groupOf: ReturnType<typeof Units.groupsOf>,
): ReadonlyArray<Cluster> => {
  let left = groups
  while (left.length < least) {
    const heaviest = Folders.least(
      left.filter(({ files }) => files > 1),
      (one, other) => other.weight - one.weight || FileGraph.compare(one.path, other.path),
    )
    if (heaviest === undefined) break
    const single = Array.from(new Set(heaviest.places.map(Places.pathOf)))
      .map((path): Cluster => {
        const group = groupOf(path, [path])
        return { ...group, seeds: [{ path, weight: group.weight }] }
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
  graph: Units.Graph,
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

/** A group with no more symbols is no part of its own, and is joined first. */
const TINY = 1

/** If few parts are wanted, one that has so many times the mean is too large. */
const OVER_MEAN = 1.5

/** Divides the bond of groups that are together larger than `LARGE_SHARE`, so that they are joined last. */
const TOO_LARGE = 1e6

const joinPairs = (groups: ReadonlyArray<Cluster>, graph: Units.Graph, most: number): ReadonlyArray<Cluster> => {
  if (groups.length <= most) return groups
  const left: Array<Cluster | undefined> = groups.toSorted(compareClusters)
  const links = linksBetween(
    left.flatMap((group) => group ?? []),
    graph,
  )
  const large = groups.reduce((sum, { weight }) => sum + weight, 0) * Math.max(Units.LARGE_SHARE, OVER_MEAN / most)
  const affinity = (a: number, b: number): number => {
    const [one, other] = [left[a], left[b]]
    if (one === undefined || other === undefined) return Number.NEGATIVE_INFINITY
    const shared = Folders.commonFolder([one.path, other.path])
    const levels = shared === Folders.ROOT ? 0 : shared.split("/").length - 1
    const bond = ((links[a]?.[b] ?? 0) + 1) * SAME_FOLDER ** levels
    // The divisors keep large groups from taking everything.
    const score = bond / Math.sqrt(one.files * other.files) / (one.weight + other.weight)
    if (Math.min(one.weight, other.weight) <= TINY) return score * TOO_LARGE
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
const linksBetween = (groups: ReadonlyArray<Cluster>, { placeUses }: Units.Graph): Array<Array<number>> => {
  const groupOf = new Map(groups.flatMap(({ places }, at) => places.map((key) => [key, at])))
  const links = groups.map(() => groups.map(() => 0))
  for (const [from, targets] of placeUses) {
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

const nameAll = (
  clusters: ReadonlyArray<Cluster>,
  helpers: ReadonlyArray<string>,
  { heads }: Units.Graph,
): ReadonlyArray<Part> => {
  const taken = new Set([START])
  const toPart = (title: string, name: string, places: ReadonlyArray<string>): Part => {
    const unique = uniqueName(name, taken)
    taken.add(unique)
    return { name: unique, title, line: "", ...Places.extentOf(places, heads) }
  }
  const held = heldFolders(clusters)
  return [
    ...clusters.map((cluster, at) => {
      const lifted = lift(cluster, held[at] ?? new Set())
      return toPart(titleOf(lifted), pageOf(lifted), cluster.places)
    }),
    ...(helpers.length === 0 ? [] : [toPart(HELPERS, "helpers", Places.keysOf({ files: helpers }, heads))]),
  ]
}

/** The folders with a larger share of all files say nothing about one cluster. */
const MAX_HELD_SHARE = 0.5

/**
 * Returns the folders that readers would call each cluster by: it has more than half of the files directly in such a
 * folder, if there are any, and of all files below it. So no two clusters have the same one.
 */
const heldFolders = (clusters: ReadonlyArray<Cluster>): ReadonlyArray<ReadonlySet<string>> => {
  const tallies = clusters.map(({ places }) => tally(new Set(places.map(Places.pathOf))))
  const all = tally(new Set(clusters.flatMap(({ places }) => places.map(Places.pathOf))))
  const isMost = (own: number | undefined, total: number | undefined) => 2 * (own ?? 0) > (total ?? 0)
  return tallies.map(({ below, directly }) => {
    const held = Array.from(below.keys()).filter(
      (folder) =>
        folder !== Folders.ROOT &&
        (all.below.get(folder) ?? 0) <= MAX_HELD_SHARE * all.count &&
        isMost(below.get(folder), all.below.get(folder)) &&
        (!all.directly.has(folder) || isMost(directly.get(folder), all.directly.get(folder))),
    )
    return new Set(held)
  })
}

/** Counts the files that lie directly in each folder, and those below it. */
const tally = (files: ReadonlySet<string>) => {
  const directly = new Map<string, number>()
  const below = new Map<string, number>()
  for (const path of files) {
    let folder = Folders.folderOf(path)
    directly.set(folder, (directly.get(folder) ?? 0) + 1)
    for (; folder !== Folders.ROOT; folder = Folders.folderOf(folder)) below.set(folder, (below.get(folder) ?? 0) + 1)
  }
  return { count: files.size, directly, below }
}

/** Puts a folder in place of two or more seeds of a cluster that lie in it, if the cluster is called by that folder. */
const lift = (cluster: Cluster, held: ReadonlySet<string>): Cluster => {
  const outermost = (path: string): string | undefined => {
    let found: string | undefined
    for (let folder = path; folder !== Folders.ROOT; folder = Folders.folderOf(folder)) {
      if (held.has(folder)) found = folder
    }
    return found
  }
  const groups = Map.groupBy(cluster.seeds, ({ path }) => outermost(path))
  const seeds = Array.from(groups, ([folder, inside]): ReadonlyArray<Seed> => {
    if (folder === undefined || inside.length < 2 || inside.every(({ path }) => path === inside[0]?.path)) return inside
    return [{ path: folder, weight: inside.reduce((sum, { weight }) => sum + weight, 0) }]
  }).flat()
  const main = Folders.least(seeds, bySize)
  return main === undefined || seeds.length === cluster.seeds.length ? cluster : { ...cluster, path: main.path, seeds }
}

/** Returns the path for which the page of a cluster is named; that of sections of one file ends with a symbol. */
const pageOf = ({ path, places, seeds }: Cluster): string => {
  const heaviest = Folders.least(seeds, bySize)
  const isOfOneFile = places.every((key) => Places.pathOf(key) === path)
  return heaviest?.section === undefined || !isOfOneFile
    ? path
    : `${path.replace(/\.[^./]*$/, "")}/${lastNameOf(heaviest.section)}`
}

const bySize = (one: Seed, other: Seed): number =>
  other.weight - one.weight ||
  FileGraph.compare(one.path, other.path) ||
  FileGraph.compare(one.section ?? "", other.section ?? "")

const lastNameOf = (symbol: string): string => symbol.slice(symbol.lastIndexOf(".") + 1)

/**
 * Returns the path of a folder, or the heaviest units without their extensions and the number of the others. A section
 * of a file has the name of its main symbol.
 */
const titleOf = ({ path, seeds }: Cluster): string => {
  const name = (path: string) =>
    path === Folders.ROOT ? "Files at the root" : path.replace(/\/$|(?<=[^/])\.[^./]+$/, "")
  if (path.endsWith("/") && seeds.every((seed) => Folders.isBelow(seed.path, path))) return name(path)
  const all = seeds
    .toSorted(bySize)
    .map(({ path, section }) => (section === undefined ? name(path) : lastNameOf(section)))
  // A file of C and its header have one name.
  const named = Array.from(new Set(all))
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
