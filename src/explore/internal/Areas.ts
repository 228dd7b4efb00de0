/** Groups units of source by folders, so that each group fills a batch and is of one area. Pure. */
import { tokensAfter, type Unit } from "./BatchText.ts"

/** The units of one batch. Those of a file stand in their order. */
export type Group = ReadonlyArray<Unit>

export interface Limits {
  readonly tokens: number
  readonly symbols: number
}

/**
 * Fills groups from the leaves of the tree of folders. The units that a folder has left after its groups are full go up
 * to the folder around it, and join those that are left of the folders beside it. Members of a class and overloads stay
 * together (`divide`). `units` are sorted by path, then by line. O(units × depth of folders).
 */
export const group = (units: ReadonlyArray<Unit>, limits: Limits): Grouped => {
  const full: Array<Group> = []
  const rest = fill(treeOf(units), limits, full)
  return { full, rest: rest.flat() }
}

interface Grouped {
  /** Each has at least `LEAST` of a limit. */
  readonly full: ReadonlyArray<Group>
  /** Units that are too few for a batch of their own; empty if none are left. */
  readonly rest: Group
}

/** Divides the units that are left at the end into few groups; one if they fit. */
export const pack = (units: ReadonlyArray<Unit>, limits: Limits): ReadonlyArray<Group> => {
  const groups: Array<Filling> = []
  for (const thing of divide(units, limits)) {
    const open = groups.find(({ hasRoomFor }) => hasRoomFor(thing)) ?? filling(limits)
    if (open.things.length === 0) groups.push(open)
    open.add(thing)
  }
  return groups.map(({ things }) => things.flat())
}

/**
 * Divides units into those that one request has together: a class with its members, a symbol with its overloads. A
 * class that exceeds a request is divided into its members, which stay in their order, and overloads only if they alone
 * exceed one. Units of several files are divided by file.
 */
export const divide = (units: ReadonlyArray<Unit>, limits: Limits): ReadonlyArray<Group> => divideAt(0, units, limits)

const divideAt = (depth: number, units: ReadonlyArray<Unit>, limits: Limits): ReadonlyArray<Group> =>
  Array.from(
    Map.groupBy(units, ({ names, path }) => `${path}\0${names[depth] ?? ""}`).values(),
    (group): ReadonlyArray<Group> => {
      if (hasRoom(sizeOf(group), limits)) return [group]
      const isDivisible = group.some(({ names }) => names.length > depth + 1)
      return isDivisible ? divideAt(depth + 1, group, limits) : group.map((unit) => [unit])
    },
  ).flat()

interface Folder {
  /** Folders, and the units of files, by name, in the order in which they were added. */
  readonly entries: Map<string, Folder | Array<Unit>>
}

const treeOf = (units: ReadonlyArray<Unit>): Folder => {
  const root: Folder = { entries: new Map() }
  for (const unit of units) {
    const names = unit.path.split("/")
    const file = names.pop() ?? ""
    let folder = root
    for (const name of names) {
      const known = folder.entries.get(`${name}/`)
      const next: Folder = known !== undefined && !Array.isArray(known) ? known : { entries: new Map() }
      folder.entries.set(`${name}/`, next)
      folder = next
    }
    const known = folder.entries.get(file)
    if (Array.isArray(known)) known.push(unit)
    else folder.entries.set(file, [unit])
  }
  return root
}

/** Adds groups to `full`, and returns what is left, each with what stays together. */
const fill = ({ entries }: Folder, limits: Limits, full: Array<Group>): ReadonlyArray<Group> => {
  let open = filling(limits)
  /** These have no room in the open group, which is not full enough without them. */
  let waiting: Array<Group> = []
  const close = () => {
    full.push(open.things.flat())
    open = filling(limits)
    const before = waiting
    waiting = []
    for (const thing of before) put(thing)
  }
  const put = (thing: Group): void => {
    if (!open.hasRoomFor(thing) && open.isFull(LEAST)) close()
    if (open.hasRoomFor(thing)) open.add(thing)
    else if (isFull(sizeOf(thing), LEAST, limits)) full.push(thing)
    else waiting.push(thing)
  }
  for (const entry of entries.values()) {
    const things = Array.isArray(entry) ? thingsOf(entry, limits) : fill(entry, limits, full)
    // A file is not divided if the group is nearly full without it.
    if (open.isFull(NEARLY) && !open.hasRoomFor(things.flat())) close()
    for (const thing of things) put(thing)
  }
  if (open.isFull(NEARLY)) close()
  return [...open.things, ...waiting]
}

/** A small file stays together as a whole. */
const thingsOf = (file: ReadonlyArray<Unit>, limits: Limits): ReadonlyArray<Group> =>
  isFull(sizeOf(file), 1 - LEAST, limits) ? divide(file, limits) : [file]

/** The share of a limit from which a group is not filled further at the price of its area. */
const NEARLY = 0.8

/** The share of a limit that a group has at least: with 120 symbols at most it has 80. */
const LEAST = 2 / 3

type Filling = ReturnType<typeof filling>

const filling = (limits: Limits) => {
  const things: Array<Group> = []
  let tokens = 0
  let symbols = 0
  const sizeOfMore = (thing: Group) => sizeOf(thing, things.at(-1)?.at(-1))
  return {
    /** Its units, in groups that stay together. */
    things,
    add: (thing: Group): void => {
      const size = sizeOfMore(thing)
      tokens += size.tokens
      symbols += size.symbols
      things.push(thing)
    },
    isFull: (share: number): boolean => isFull({ tokens, symbols }, share, limits),
    /** An empty group has room for anything. */
    hasRoomFor: (thing: Group): boolean => {
      const size = sizeOfMore(thing)
      return symbols === 0 || hasRoom({ tokens: tokens + size.tokens, symbols: symbols + size.symbols }, limits)
    },
  }
}

const isFull = (size: Limits, share: number, limits: Limits): boolean =>
  size.tokens >= share * limits.tokens || size.symbols >= share * limits.symbols

const hasRoom = (size: Limits, limits: Limits): boolean =>
  size.tokens <= limits.tokens && size.symbols <= limits.symbols

/** An upper bound of the tokens, and the number of symbols, of units that follow each other. */
export const sizeOf = (units: ReadonlyArray<Unit>, before?: Unit): Limits => ({
  tokens: units.reduce((sum, unit, i) => sum + tokensAfter(units[i - 1] ?? before, unit), 0),
  symbols: units.reduce((sum, unit) => sum + unit.symbols.length, 0),
})

/** The folder that all paths are in, `.` for the root; the path itself if there is only one. */
export const areaOf = (units: Group): string => {
  const paths = Array.from(new Set(units.map(({ path }) => path)))
  const [first = ".", ...others] = paths
  if (others.length === 0) return first
  const names = first.split("/").slice(0, -1)
  const shared = others.reduce((length, path) => {
    const other = path.split("/").slice(0, -1)
    const end = names.findIndex((name, i) => name !== other[i])
    return Math.min(length, end < 0 ? names.length : end)
  }, names.length)
  return shared === 0 ? "." : names.slice(0, shared).join("/")
}
