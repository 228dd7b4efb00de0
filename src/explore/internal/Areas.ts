/** Groups units of source by folders, so that each group fills a batch and is of one area. Pure. */
import { tokensAfter, type Unit } from "./BatchText.ts"

/** The units of one batch, by path and line. */
export type Group = ReadonlyArray<Unit>

export interface Limits {
  readonly tokens: number
  readonly symbols: number
}

/**
 * Fills groups from the leaves of the tree of folders. The units that a folder has left after its groups are full go up
 * to the folder around it, and join those that are left of the folders beside it. `units` are sorted by path, then by
 * line. O(units × depth of folders).
 */
export const group = (units: ReadonlyArray<Unit>, limits: Limits): Grouped => {
  const full: Array<Group> = []
  const rest = fill(treeOf(units), limits, full)
  return { full, rest }
}

export interface Grouped {
  readonly full: ReadonlyArray<Group>
  /** Units that are too few for a batch of their own; empty if none are left. */
  readonly rest: Group
}

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

/** Adds groups to `full`, and returns the units that are left. */
const fill = ({ entries }: Folder, limits: Limits, full: Array<Group>): Group => {
  let open: Array<Unit> = []
  const room = counter(limits)
  for (const entry of entries.values()) {
    const units = Array.isArray(entry) ? entry : fill(entry, limits, full)
    // A file is not divided if the group is nearly full without it.
    if (room.isFull(NEARLY) && !room.hasRoomFor(units)) {
      full.push(open)
      open = []
      room.clear()
    }
    for (const unit of units) {
      if (!room.hasRoomFor([unit])) {
        full.push(open)
        open = []
        room.clear()
      }
      open.push(unit)
      room.add(unit)
    }
  }
  if (!room.isFull(NEARLY)) return open
  full.push(open)
  return []
}

/** The share of a limit from which a group is not filled further at the price of its area. */
const NEARLY = 0.8

const counter = (limits: Limits) => {
  let tokens = 0
  let symbols = 0
  let last: Unit | undefined
  return {
    add: (unit: Unit): void => {
      tokens += tokensAfter(last, unit)
      symbols += unit.symbols.length
      last = unit
    },
    clear: (): void => {
      tokens = 0
      symbols = 0
      last = undefined
    },
    isFull: (share: number): boolean => tokens >= share * limits.tokens || symbols >= share * limits.symbols,
    /** An empty group has room for any unit. */
    hasRoomFor: (units: ReadonlyArray<Unit>): boolean => {
      const size = sizeOf(units, last)
      return symbols === 0 || (tokens + size.tokens <= limits.tokens && symbols + size.symbols <= limits.symbols)
    },
  }
}

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
