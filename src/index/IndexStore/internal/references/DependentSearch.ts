/**
 * Finds the users of a symbol, and their users: a breadth-first search over the links against their direction. Users of
 * a method of an interface or a base class can be users of each method that implements or overrides it.
 */
import * as FileClass from "../../../../code/FileClass.ts"
import type { Statements } from "../../../../disk/Sqlite.ts"
import type { Dependent, Dependents, DependentsOptions } from "../../../IndexStore.ts"
import * as InheritanceSearch from "./InheritanceSearch.ts"
import * as Links from "./Links.ts"

/** The most files whose links are read: they take about a second. */
const MAX_FILES = 20_000

/** The most symbols whose bases are looked up: each takes about a millisecond. */
const MAX_OVERRIDING = 2_000

/** The most dependents that are found. */
const MAX_FOUND = 50_000

/**
 * A factor larger than the number of symbols in a file, so that file and symbol fit into one number. Text outside of
 * all symbols, with ordinal -1, gets the last number of its file.
 */
const SYMBOLS = 2 ** 24

const keyOf = (file: number, ordinal: number): number => file * SYMBOLS + (ordinal === -1 ? SYMBOLS - 1 : ordinal)

const fileOf = (key: number): number => Math.floor(key / SYMBOLS)

const isOutside = (key: number): boolean => key % SYMBOLS === SYMBOLS - 1

interface Found {
  readonly distance: number
  /** The key of the first symbol that it uses, and its lines there. */
  readonly uses: number
  /** The key of the method that overrides that symbol, if the search went on there. */
  readonly through: number | undefined
  readonly lines: ReadonlyArray<number>
}

interface User {
  readonly key: number
  readonly lines: ReadonlyArray<number>
}

interface Source {
  readonly id: number
  readonly path: string
  readonly class: FileClass.FileClass
}

/** `file` is the number of the symbol's file; `ordinals` are the symbol, and those within it that count as it. */
export const find = (
  sql: Statements,
  file: number,
  ordinals: Iterable<number>,
  { depth, limit, throughBases }: DependentsOptions,
): Dependents => {
  const sources = new Map<number, Source>()
  const searched = new Set<number>()
  /** The users of each symbol, by its key. */
  const users = new Map<number, Array<User>>()
  let isComplete = true

  const read = (number: number): void => {
    if (sources.has(number)) return
    if (sources.size >= MAX_FILES) {
      isComplete = false
      return
    }
    const row = sql("select id, path, class, links from file where number = ?").get(number)
    if (row === undefined) return
    const fileClass = FileClass.all.find((name) => name === row.class) ?? "code"
    sources.set(number, { id: Number(row.id), path: String(row.path), class: fileClass })
    for (const { file, from, lines, symbol } of Links.decode(row.links).links) {
      const target = keyOf(file, symbol)
      const known = users.get(target)
      const user = { key: keyOf(number, from), lines }
      if (known === undefined) users.set(target, [user])
      else known.push(user)
    }
  }

  /** Reads the links of all files that can use what a file defines. */
  const search = (target: number): void => {
    if (searched.has(target)) return
    searched.add(target)
    read(target)
    for (const { source } of sql("select source from dependency where target = ?").all(target)) read(Number(source))
  }

  const relatives = throughBases === true ? InheritanceSearch.make(sql) : undefined
  let lookedUp = 0
  /** Returns the keys of the methods that a symbol overrides or implements. */
  const overriddenBy = (key: number): ReadonlyArray<number> => {
    if (relatives === undefined) return []
    if (++lookedUp > MAX_OVERRIDING) {
      isComplete = false
      return []
    }
    return relatives
      .overriddenBy({ file: fileOf(key), ordinal: key % SYMBOLS })
      .map(({ file, ordinal }) => keyOf(file, ordinal))
  }

  const start = Array.from(ordinals, (ordinal) => keyOf(file, ordinal))
  const found = new Map<number, Found>()
  const isKnown = new Set(start)
  let frontier: ReadonlyArray<number> = start
  for (let distance = 1; distance <= depth && frontier.length > 0; distance++) {
    const next: Array<number> = []
    for (const target of frontier) {
      // The text outside of all symbols is no symbol, so nothing can use it.
      if (isOutside(target)) continue
      for (const used of [target, ...overriddenBy(target)]) {
        search(fileOf(used))
        for (const { key, lines } of users.get(used) ?? []) {
          if (isKnown.has(key)) continue
          if (found.size >= MAX_FOUND) {
            isComplete = false
            break
          }
          isKnown.add(key)
          found.set(key, { distance, uses: used, through: used === target ? undefined : target, lines })
          next.push(key)
        }
      }
    }
    frontier = next
  }

  const rank = (key: number) => FileClass.all.indexOf(sources.get(fileOf(key))?.class ?? "code")
  const pathOf = (key: number) => sources.get(fileOf(key))?.path ?? ""
  const ordered = Array.from(found).sort(([one, a], [other, b]) => {
    if (a.distance !== b.distance) return a.distance - b.distance
    if (rank(one) !== rank(other)) return rank(one) - rank(other)
    const [path, otherPath] = [pathOf(one), pathOf(other)]
    return path === otherPath ? (a.lines[0] ?? 0) - (b.lines[0] ?? 0) : path < otherPath ? -1 : 1
  })
  const nameOf = (key: number): string | undefined => {
    if (isOutside(key)) return undefined
    const row = sql("select qualified from symbol where file = (select id from file where number = ?) and ordinal = ?")
    const qualified = row.get(fileOf(key), key % SYMBOLS)?.qualified
    return qualified === undefined ? undefined : String(qualified)
  }
  const levels = Array.from(Map.groupBy(ordered, ([, { distance }]) => distance))
  return {
    dependents: levels
      .flatMap(([, level]) => level.slice(0, limit))
      .map(
        ([key, { distance, lines, through, uses }]): Dependent => ({
          path: pathOf(key),
          class: sources.get(fileOf(key))?.class ?? "code",
          symbol: nameOf(key),
          distance,
          uses: nameOf(uses) ?? "",
          ...(through !== undefined && { through: nameOf(through) }),
          lines,
        }),
      ),
    counts: levels.map(([distance, level]) => ({
      distance,
      symbols: level.length,
      code: level.filter(([key]) => sources.get(fileOf(key))?.class === "code").length,
      files: new Set(level.map(([key]) => fileOf(key))).size,
    })),
    isComplete,
  }
}
