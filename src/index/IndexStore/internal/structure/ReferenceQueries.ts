/** Queries over the references of an index: the users of a symbol, and the symbols that it uses. */
import * as FileClass from "../../../../code/FileClass.ts"
import * as References from "../../../../code/References.ts"
import { type Statements, selectArrays } from "../../../../disk/Sqlite.ts"
import * as UntilWritten from "../../../../disk/UntilWritten.ts"
import type { IndexEntry } from "../../../IndexEntry.ts"
import {
  type Callee,
  callerKey,
  type Dependents,
  type DependentsOptions,
  type FileUses,
  type Inheritance,
  type Reference,
  type SymbolUses,
  type UseSide,
} from "../../../IndexStore.ts"
import * as DependentSearch from "../references/DependentSearch.ts"
import * as InheritanceSearch from "../references/InheritanceSearch.ts"
import * as Links from "../references/Links.ts"
import * as Row from "./Row.ts"

/** A symbol, by the number of its file and its ordinal in it. */
interface Place {
  readonly number: number
  readonly ordinal: number
}

/** A symbol in what is kept of its file. */
interface Found {
  readonly file: FileOfSymbol
  readonly ordinal: number
}

/**
 * Finds the symbol of an entry: of those with its name the nearest to its line, and the first of two that are as near.
 */
const locate = ({ file: fileAt }: Kept, { path, qualifiedName, startLine }: IndexEntry): Found | undefined => {
  const file = fileAt(path)
  const [first, ...others] = file?.named.get(qualifiedName) ?? []
  if (file === undefined || first === undefined) return undefined
  const distance = (symbol: NamedSymbol) => Math.abs(symbol.startLine - startLine)
  const { ordinal } = others.reduce((best, each) => (distance(each) < distance(best) ? each : best), first)
  return { file, ordinal }
}

export const references = (sql: Statements, entry: IndexEntry): ReadonlyArray<Reference> => {
  const read = kept(sql)
  const found = locate(read, entry)
  if (found === undefined) return []
  const { number } = found.file
  return read.usersOf(number).flatMap(({ id, path, uses }) =>
    (uses.get(found.ordinal) ?? [])
      .flatMap(({ from, lines }) => {
        const symbol = sql("select qualified from symbol where file = ? and ordinal = ?").get(id, from)
        return lines.map((line) => ({
          path,
          line,
          symbol: symbol === undefined ? undefined : String(symbol.qualified),
        }))
      })
      .sort((one, other) => one.line - other.line),
  )
}

/** A file with what it uses of another one. */
interface UserFile {
  readonly id: number
  readonly path: string
  /** The links to each symbol, by its ordinal. */
  readonly uses: ReadonlyMap<number, ReadonlyArray<Links.Link>>
}

/** Reads the files that may use a file, by their classes. */
const readUsers = (sql: Statements, number: number): ReadonlyArray<UserFile> => {
  const sources = sql(
    `select f.id, f.path, f.links, f.class from file f
     where f.number = ?1 or f.number in (select source from dependency where target = ?1) order by f.path`,
  ).all(number)
  const classes: ReadonlyArray<unknown> = FileClass.all
  return sources
    .toSorted((one, other) => classes.indexOf(one.class) - classes.indexOf(other.class))
    .map(({ id, links, path }) => ({
      id: Number(id),
      path: String(path),
      uses: Map.groupBy(
        Links.decode(links).links.filter(({ file }) => file === number),
        ({ symbol }) => symbol,
      ),
    }))
    .filter(({ uses }) => uses.size > 0)
}

/** The part of a file that the queries about one of its symbols read. */
interface FileOfSymbol {
  readonly number: number
  readonly links: ReadonlyArray<Links.Link>
  /** The positions of the links that stand in a symbol, by its ordinal. */
  readonly linksFrom: ReadonlyMap<number, ReadonlyArray<number>>
  /** The symbols by their qualified names, in order. */
  readonly named: ReadonlyMap<string, ReadonlyArray<NamedSymbol>>
  /** The members by their containers, in order; the others by an empty text. */
  readonly members: ReadonlyMap<string, ReadonlyArray<NamedSymbol>>
}

interface NamedSymbol {
  readonly ordinal: number
  readonly startLine: number
}

const readFile = (sql: Statements, path: string): FileOfSymbol | undefined => {
  const file = sql("select id, number, links from file where path = ?").get(path)
  if (file === undefined) return undefined
  const symbols = selectArrays(
    sql,
    "select ordinal, qualified, start_line, container from symbol where file = ? order by ordinal",
    Number(file.id),
  ).map(([ordinal, qualified, startLine, container]) => ({
    ordinal: Number(ordinal),
    qualified: String(qualified),
    startLine: Number(startLine),
    container: container === null ? "" : String(container),
  }))
  const { links } = Links.decode(file.links)
  return {
    number: Number(file.number),
    links,
    linksFrom: Map.groupBy(links.keys(), (position) => links[position]?.from ?? -1),
    named: Map.groupBy(symbols, ({ qualified }) => qualified),
    members: Map.groupBy(symbols, ({ container }) => container),
  }
}

const readEntry = (sql: Statements, { number, ordinal }: Place): IndexEntry | undefined => {
  const row = sql(`select ${Row.ENTRY} where s.file = (select id from file where number = ?) and s.ordinal = ?`).get(
    number,
    ordinal,
  )
  return row === undefined ? undefined : Row.entry(row)
}

/** The most files and entries that are kept: some 20 MB, by far the most of them entries. */
const MAX_FILES = 64
const MAX_ENTRIES = 20_000

interface Kept {
  /** The file at a path. */
  readonly file: (path: string) => FileOfSymbol | undefined
  readonly entry: (place: Place) => IndexEntry | undefined
  /** The files that use the file with a number. */
  readonly usersOf: (number: number) => ReadonlyArray<UserFile>
}

/**
 * Keeps what was read last. A wiki asks for what one symbol of a file after the other uses, and
 * these mostly use the same ones.
 */
const kept = UntilWritten.make(
  (sql): Kept => ({
    file: keepLast(MAX_FILES, String, (path: string) => readFile(sql, path)),
    entry: keepLast(
      MAX_ENTRIES,
      ({ number, ordinal }: Place) => `${number} ${ordinal}`,
      (place) => readEntry(sql, place),
    ),
    usersOf: keepLast(MAX_FILES, String, (number: number) => readUsers(sql, number)),
  }),
)

/** Keeps the values of a function that were asked for last, by a key of its argument. */
const keepLast = <Key, A>(limit: number, keyOf: (key: Key) => string, read: (key: Key) => A): ((key: Key) => A) => {
  const values = new Map<string, { readonly value: A }>()
  return (argument) => {
    const key = keyOf(argument)
    const known = values.get(key) ?? { value: read(argument) }
    // The one that was asked for last comes last.
    values.delete(key)
    values.set(key, known)
    const [oldest] = values.size > limit ? values.keys() : []
    if (oldest !== undefined) values.delete(oldest)
    return known.value
  }
}

/** Returns the ordinals of a symbol and of all symbols within it. */
const ordinalsWithin = ({ file: { members }, ordinal }: Found, { qualifiedName }: IndexEntry): ReadonlySet<number> => {
  const within: Array<number> = []
  for (const [container, inside] of members) {
    if (container === qualifiedName || container.startsWith(`${qualifiedName}.`))
      within.push(...inside.map(({ ordinal }) => ordinal))
  }
  return new Set([ordinal, ...within.sort((one, other) => one - other)])
}

export const dependents = (sql: Statements, entry: IndexEntry, options: DependentsOptions): Dependents => {
  const found = locate(kept(sql), entry)
  if (found === undefined) return { dependents: [], counts: [], isComplete: true }
  const ordinals = options.withMembers ? ordinalsWithin(found, entry) : [found.ordinal]
  return DependentSearch.find(sql, found.file.number, ordinals, options)
}

export const inheritance = (sql: Statements, entry: IndexEntry): Inheritance => {
  const read = kept(sql)
  const found = locate(read, entry)
  if (found === undefined) return { bases: [], derived: [] }
  const { bases, derived } = InheritanceSearch.find(sql, { file: found.file.number, ordinal: found.ordinal })
  const entries = (places: ReadonlyArray<InheritanceSearch.Place>) =>
    places.flatMap(({ file, ordinal }) => read.entry({ number: file, ordinal }) ?? [])
  return { bases: entries(bases), derived: entries(derived) }
}

export const resolvedLines = (sql: Statements, name: string, path: string): ReadonlySet<number> => {
  const named = new Set(
    sql("select f.number, s.ordinal from symbol s join file f on f.id = s.file where s.name = ?")
      .all(name)
      .map(({ number, ordinal }) => `${number} ${ordinal}`),
  )
  const { links } = Links.decode(sql("select links from file where path = ?").get(path)?.links)
  return new Set(links.filter(({ file, symbol }) => named.has(`${file} ${symbol}`)).flatMap(({ lines }) => lines))
}

export const overloadsIn = (sql: Statements, path: string): ReadonlySet<string> => {
  const surface = sql("select surface from file where path = ?").get(path)?.surface
  const { overloads } = References.decodeSurface(String(surface ?? ""))
  const rows = sql(
    `select s.qualified, s.start_line as startLine from symbol s join file f on f.id = s.file
     where f.path = ? and s.ordinal in (select value from json_each(?))`,
  ).all(path, JSON.stringify(overloads))
  return new Set(
    rows.map(({ qualified, startLine }) =>
      callerKey({ qualifiedName: String(qualified), startLine: Number(startLine) }),
    ),
  )
}

export const callees = (sql: Statements, entry: IndexEntry): ReadonlyArray<Callee> => {
  const read = kept(sql)
  const caller = locate(read, entry)
  if (caller === undefined) return []
  const { links, linksFrom, number } = caller.file
  const ordinals = ordinalsWithin(caller, entry)
  const positions = Array.from(ordinals, (ordinal) => linksFrom.get(ordinal) ?? []).flat()
  const found = new Map<string, { file: number; symbol: number; lines: Set<number> }>()
  for (const position of positions.sort((one, other) => one - other)) {
    const link = links[position]
    if (link === undefined || (link.file === number && ordinals.has(link.symbol))) continue
    const { file, lines, symbol } = link
    const known = found.get(`${file} ${symbol}`)
    if (known === undefined) found.set(`${file} ${symbol}`, { file, symbol, lines: new Set(lines) })
    else for (const line of lines) known.lines.add(line)
  }
  const all = Array.from(found.values()).flatMap(({ file, lines, symbol }) => {
    const entry = read.entry({ number: file, ordinal: symbol })
    return entry === undefined ? [] : [{ entry, lines: Array.from(lines).sort((one, other) => one - other) }]
  })
  return withoutPrototypes(sql, all).toSorted((one, other) => (one.lines[0] ?? 0) - (other.lines[0] ?? 0))
}

/** Leaves out the prototypes of functions of C and C++ whose definitions are used on the same lines. */
const withoutPrototypes = (sql: Statements, all: ReadonlyArray<Callee>): ReadonlyArray<Callee> => {
  const isOfC = ({ entry: { kind, path } }: Callee) =>
    (kind === "function" || kind === "method") && /\.(?:[ch]|[ch]pp|[ch]xx|cc|hh|inl)$/i.test(path)
  const groups = Map.groupBy(all.filter(isOfC), ({ entry, lines }) => `${entry.qualifiedName} ${lines.join(" ")}`)
  const left = new Set<Callee>()
  for (const group of groups.values()) {
    if (group.length < 2) continue
    const prototypes = group.filter(({ entry }) => overloadsIn(sql, entry.path).has(callerKey(entry)))
    if (prototypes.length < group.length) for (const each of prototypes) left.add(each)
  }
  return all.filter((each) => !left.has(each))
}

/** Reads all links in one statement, as `SymbolRank` does: two tenths of a second for 28,000 symbols. */
export const fileUses = (sql: Statements): ReadonlyArray<FileUses> => {
  const rows = selectArrays(sql, "select number, path, links from file order by path")
  const paths = new Map(rows.map(([number, path]) => [Number(number), String(path)]))
  return rows.flatMap(([number, path, links]) => {
    const counts = new Map<string, number>()
    for (const { file, lines } of Links.decode(links).links) {
      const target = paths.get(file)
      if (target === undefined || file === Number(number)) continue
      counts.set(target, (counts.get(target) ?? 0) + lines.length)
    }
    return Array.from(counts, ([to, count]) => ({ from: String(path), to, count })).sort((one, other) =>
      one.to < other.to ? -1 : 1,
    )
  })
}

export const symbolUses = (sql: Statements, paths: ReadonlyArray<string>): ReadonlyArray<SymbolUses> => {
  if (paths.length === 0) return []
  const rows = selectArrays(sql, "select number, path, links from file order by path")
  const pathOf = new Map(rows.map(([number, path]) => [Number(number), String(path)]))
  const names = new Map(
    paths.map((path) => [
      path,
      new Map(
        sql("select s.ordinal, s.qualified from symbol s join file f on f.id = s.file where f.path = ?")
          .all(path)
          .map(({ ordinal, qualified }) => [Number(ordinal), String(qualified)]),
      ),
    ]),
  )
  return rows.flatMap(([, value, links]) => {
    const path = String(value)
    const uses = new Map<string, SymbolUses>()
    for (const { file, from, lines, symbol } of Links.decode(links).links) {
      const target = pathOf.get(file)
      if (target === undefined || (!names.has(path) && !names.has(target))) continue
      const sides = {
        from: { path, symbol: names.get(path)?.get(from) },
        to: { path: target, symbol: names.get(target)?.get(symbol) },
      }
      const key = `${keyOf(sides.from)}\0${keyOf(sides.to)}`
      uses.set(key, { ...sides, count: (uses.get(key)?.count ?? 0) + lines.length })
    }
    return Array.from(uses.values())
  })
}

const keyOf = ({ path, symbol = "" }: UseSide): string => `${path}\0${symbol}`

export const callersIn = (
  sql: Statements,
  path: string,
  which: "open" | "all" = "open",
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, ReadonlyArray<string>>()
  const isOpen = "s.major and (s.purpose is null or s.stale or s.weak is not null or s.origin = 'comment')"
  const symbols = sql(
    `select f.number, s.ordinal, s.qualified, s.start_line as startLine from symbol s join file f on f.id = s.file
     where f.path = ? and ${which === "all" ? "true" : isOpen}`,
  ).all(path)
  for (const { number, ordinal, qualified, startLine } of symbols) {
    const namesOf = (condition: string) =>
      sql(
        `select caller.qualified from caller c
         cross join file source on source.number = c.source
         cross join symbol caller on caller.file = source.id and caller.ordinal = c."from"
         where c.file = ?1 and c.symbol = ?2 and ${condition} limit ${MAX_CALLERS}`,
      )
        .all(Number(number), Number(ordinal))
        .map((row) => String(row.qualified))
    const ofOthers = namesOf("c.source <> ?1 and source.class = 'code'")
    const ofOwnFile = ofOthers.length === MAX_CALLERS ? [] : namesOf("c.source = ?1")
    // The uses of a class in its own methods say nothing.
    const names = [...ofOthers, ...ofOwnFile.filter((name) => !name.startsWith(`${qualified}.`))]
    const key = callerKey({ qualifiedName: String(qualified), startLine: Number(startLine) })
    found.set(key, Array.from(new Set(names)).slice(0, MAX_CALLERS))
  }
  return found
}

const MAX_CALLERS = 3
