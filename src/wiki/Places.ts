/**
 * The places of the code that a wiki divides into parts: files, and in place of a large file the symbols at its top.
 * Each place belongs to one part. Pure.
 */
import type { IndexEntry } from "../index/IndexEntry.ts"

/** Files, of which some may be there with some of their symbols alone: what a part or a unit has. */
export interface Extent {
  /** The paths of the files, sorted. */
  readonly files: ReadonlyArray<string>
  /** The symbols at the top of files that are divided between several. All of a file is meant if it is missing here. */
  readonly symbols?: ReadonlyArray<SomeSymbols> | undefined
}

interface SomeSymbols {
  readonly path: string
  /** Qualified names, in the order of the file. */
  readonly names: ReadonlyArray<string>
}

/**
 * One of the smallest pieces that a plan puts together to parts: a deep folder, a file of a large one, or a section of
 * a large file. That of a folder may have only some of its files, if the others are units of their own.
 */
export interface Unit extends Extent {
  /** Its number in a plan, from 1. */
  readonly number: number
  /** The folder with a slash at its end, or the file. The root is `./`. */
  readonly path: string
  /** How many symbols it has. A section of a file counts its share of those. */
  readonly size: number
  /** True for the hubs (`FileGraph`), which are one unit whatever folders they are in. */
  readonly isHelpers: boolean
}

/** A symbol at the top of a file, with how much is in it. */
export interface Head {
  readonly name: string
  /** How many functions, methods and types it has, itself included. */
  readonly weight: number
  /** True for one with several lines above it that belong to nothing, such as a banner of comment. */
  readonly isApart?: boolean | undefined
}

/** How often one place uses another, by their keys: `uses.get(from)?.get(to)`. None uses itself. */
export type Uses = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Returns the key of a place: that of a file is its path. */
export const keyOf = (path: string, head?: string): string => (head === undefined ? path : `${path}\0${head}`)

export const pathOf = (key: string): string => key.split("\0", 1)[0] ?? key

/** Returns the symbol of the key of a place; undefined for a whole file. */
export const headIn = (key: string): string | undefined => key.split("\0")[1]

/** Fields and values, of which some files have hundreds, say nothing of how much code there is. */
const isSmall: ReadonlySet<string> = new Set(["field", "variable", "constant", "module"])

/** Kinds that have others in them only by their names: namespaces, and the table that a file fills and returns. */
const isNamespace: ReadonlySet<string> = new Set(["module", "variable", "constant"])

type Entry = Pick<IndexEntry, "qualifiedName" | "kind"> & Partial<Pick<IndexEntry, "startLine" | "endLine" | "doc">>

/**
 * Lists the symbols at the top of a file, in the order of their start: those that are in no other one but a namespace.
 * Overloads are one. What a file adds to a type of another file is at its top. `divided` has the names of types whose
 * methods are listed beside them, as if they stood at the top; their fields stay with them.
 */
export const headsOf = (
  entries: ReadonlyArray<Entry>,
  divided: ReadonlySet<string> = new Set(),
): ReadonlyArray<Head> => {
  const types = new Set(
    entries.flatMap(({ kind, qualifiedName }) =>
      isNamespace.has(kind) || divided.has(qualifiedName) ? [] : [qualifiedName],
    ),
  )
  const weights = new Map<string, number>()
  const apart = new Set<string>()
  let end: number | undefined
  for (const { doc = "", endLine, kind, qualifiedName, startLine } of entries) {
    const prefixes = prefixesOf(qualifiedName)
    const around = isSmall.has(kind) ? prefixes.find((prefix) => divided.has(prefix)) : undefined
    const name = around ?? prefixes.find((prefix) => types.has(prefix)) ?? qualifiedName
    if (startLine !== undefined && endLine !== undefined) {
      const above = end === undefined ? 0 : startLine - end - 1 - (doc === "" ? 0 : doc.split("\n").length)
      if (above > MAX_GAP && name === qualifiedName) apart.add(name)
      end = Math.max(end ?? 0, endLine)
    }
    if (name === qualifiedName && kind === "module") continue
    weights.set(name, (weights.get(name) ?? 0) + Number(!isSmall.has(kind)))
  }
  return Array.from(weights, ([name, weight]) => ({
    name,
    weight,
    ...(divided.size > 0 && apart.has(name) && { isApart: true }),
  }))
}

/**
 * More lines than these between two symbols, comments of the second one aside, are a banner: it
 * has a blank line on each side.
 */
const MAX_GAP = 3

/**
 * A type is divided if it has at least so many functions, methods and types, and so large a share of those of the code.
 */
const MIN_HUGE = 40
const HUGE_SHARE = 0.1

/**
 * Returns the types of a file that are too large for one part, such as a context with a hundred methods. `all`: the
 * number of symbols of the code. If a plan divides the file, the types whose members it
 * names are divided, and no others.
 */
export const hugeTypesIn = (
  entries: ReadonlyArray<Entry>,
  all: number,
  planned?: ReadonlySet<string> | undefined,
): ReadonlySet<string> => {
  const heads = headsOf(entries)
  const isPlanned = (name: string) => Array.from(planned ?? []).some((other) => other.startsWith(`${name}.`))
  return new Set(
    heads.flatMap(({ name, weight }) => {
      const isHuge = planned === undefined ? weight >= MIN_HUGE && weight > all * HUGE_SHARE : isPlanned(name)
      return isHuge ? [name] : []
    }),
  )
}

/** Returns the names that a qualified name begins with, the shortest first, and itself last. */
const prefixesOf = (name: string): ReadonlyArray<string> => {
  const parts = name.split(".")
  return parts.map((_, at) => parts.slice(0, at + 1).join("."))
}

/** Returns the one of some symbols at the top of a file that has a symbol. */
export const headOf = (symbol: string, heads: { readonly has: (name: string) => boolean }): string | undefined =>
  prefixesOf(symbol).findLast((prefix) => heads.has(prefix))

/** Returns the keys of the places of a part or unit. `heads` has the symbols at the top of files that are divided. */
export const keysOf = (
  { files, symbols = [] }: Extent,
  heads: ReadonlyMap<string, ReadonlyArray<Pick<Head, "name">>>,
): ReadonlyArray<string> => {
  const named = new Map(symbols.map(({ names, path }) => [path, names]))
  return files.flatMap((path) => {
    const all = heads.get(path)
    if (all === undefined) return [path]
    const own = named.get(path)
    // The code outside of all symbols belongs to the part that has the first of them.
    const isFirst = own === undefined || own[0] === all[0]?.name
    return [...(isFirst ? [path] : []), ...(own ?? all.map(({ name }) => name)).map((name) => keyOf(path, name))]
  })
}

/** Makes what a part or unit has of the keys of its places. A file of which it has all symbols is there as a whole. */
export const extentOf = (
  keys: Iterable<string>,
  heads: ReadonlyMap<string, ReadonlyArray<Pick<Head, "name">>>,
): Extent => {
  const names = Map.groupBy(new Set(keys), pathOf)
  const symbols = Array.from(names).flatMap(([path, keys]): ReadonlyArray<SomeSymbols> => {
    const own = new Set(keys.flatMap((key) => headIn(key) ?? []))
    const all = (heads.get(path) ?? []).map(({ name }) => name)
    return own.size === 0 || own.size === all.length ? [] : [{ path, names: all.filter((name) => own.has(name)) }]
  })
  const files = Array.from(names.keys()).sort()
  return symbols.length === 0
    ? { files }
    : { files, symbols: symbols.toSorted((one, other) => files.indexOf(one.path) - files.indexOf(other.path)) }
}

/** Puts together what several units have. */
export const union = (
  extents: ReadonlyArray<Extent>,
  heads: ReadonlyMap<string, ReadonlyArray<Pick<Head, "name">>>,
): Extent =>
  extentOf(
    extents.flatMap((extent) => keysOf(extent, heads)),
    heads,
  )

/** A symbol, or a file if it has none, such as what a statement cites. */
export interface Target {
  readonly path: string
  readonly symbol?: string | undefined
}

/**
 * Finds which of several parts a symbol or a file belongs to. A file that is divided, and a symbol of it that none
 * names, belong to the first part that has some of it.
 */
export const finderOf = <A extends Extent>(parts: ReadonlyArray<A>): ((target: Target) => A | undefined) => {
  const byFile = new Map<string, A>()
  const byHead = new Map<string, Map<string, A>>()
  for (const part of parts) {
    for (const path of part.files) if (!byFile.has(path)) byFile.set(path, part)
    for (const { names, path } of part.symbols ?? []) {
      const known = byHead.get(path) ?? new Map<string, A>()
      byHead.set(path, known)
      for (const name of names) if (!known.has(name)) known.set(name, part)
    }
  }
  return ({ path, symbol }) => {
    const heads = symbol === undefined ? undefined : byHead.get(path)
    const head = heads && symbol !== undefined ? headOf(symbol, heads) : undefined
    return (head === undefined ? undefined : heads?.get(head)) ?? byFile.get(path)
  }
}

/** The symbol or file of an item of the material of a wiki. */
export const targetOf = ({
  entry,
  path,
}: {
  readonly path: string
  readonly entry: Pick<IndexEntry, "qualifiedName"> | undefined
}): Target => ({ path, symbol: entry?.qualifiedName })

/** Returns a test of whether a part or unit has a symbol, or a file if all of that belongs to it. */
export const membershipOf = ({ files, symbols = [] }: Extent): ((target: Target) => boolean) => {
  const whole = new Set(files)
  const sections = new Map(symbols.map(({ names, path }) => [path, new Set(names)]))
  return ({ path, symbol }) => {
    const section = sections.get(path)
    if (section === undefined) return whole.has(path)
    return symbol !== undefined && headOf(symbol, section) !== undefined
  }
}

/** Keeps the symbols of a file that belong to a part or unit. */
export const within = <A extends Parameters<typeof targetOf>[0]>(
  extent: Extent,
  path: string,
  items: ReadonlyArray<A>,
): ReadonlyArray<A> => {
  if (extent.symbols?.some((each) => each.path === path) !== true) return items
  const isOwn = membershipOf(extent)
  return items.filter((item) => isOwn(targetOf(item)))
}

/** Returns uses between places as uses between their files. A file that uses itself is left out. */
export const usesOfFiles = (uses: Uses): Uses => {
  const counts = new Map<string, Map<string, number>>()
  for (const [from, used] of uses) {
    const own = counts.get(pathOf(from)) ?? new Map<string, number>()
    counts.set(pathOf(from), own)
    for (const [to, count] of used) {
      if (pathOf(to) !== pathOf(from)) own.set(pathOf(to), (own.get(pathOf(to)) ?? 0) + count)
    }
  }
  return counts
}
