/** Queries over the tables of an index. */
import * as Schema from "effect/Schema"
import * as FileClass from "../../../../code/FileClass.ts"
import * as References from "../../../../code/References.ts"
import { type Statements, selectArrays } from "../../../../disk/Sqlite.ts"
import type { SymbolRow, SymbolTable } from "../../../../search/Candidates.ts"
import * as NameSimilarity from "../../../../search/NameSimilarity.ts"
import * as PostingCache from "../../../../search/PostingCache.ts"
import * as PostingLists from "../../../../search/PostingLists.ts"
import type { Similar } from "../../../../search/Similarity.ts"
import * as SymbolSearch from "../../../../search/SymbolSearch.ts"
import * as Coverage from "../../../Coverage.ts"
import type { IndexEntry } from "../../../IndexEntry.ts"
import {
  type Callee,
  callerKey,
  type Dependents,
  type DependentsOptions,
  type Hit,
  type IndexedFile,
  type Inheritance,
  type Mention,
  type Reference,
  type SearchOptions,
  type SimilarSymbol,
  type Status,
  type TermCounts,
} from "../../../IndexStore.ts"
import * as Metadata from "../Metadata.ts"
import * as CallerTable from "../references/CallerTable.ts"
import * as DependentSearch from "../references/DependentSearch.ts"
import * as InheritanceSearch from "../references/InheritanceSearch.ts"
import * as Links from "../references/Links.ts"
import * as SymbolRank from "../references/SymbolRank.ts"
import * as FileTable from "./FileTable.ts"
import * as Identifiers from "./Identifiers.ts"
import * as Row from "./Row.ts"

const FILES = `select f.path, f.language, f.class, f.note, f.cut, count(s.id) as symbols, total(s.major) as major,
    total(s.major and (s.purpose is null or s.stale)) as open,
    total(iif(s.major and (s.purpose is null or s.stale), s.used_by, 0)) as importance
  from file f left join symbol s on s.file = f.id`

export const files = (sql: Statements): ReadonlyArray<IndexedFile> =>
  sql(`${FILES} group by f.id order by f.path`).all().map(Row.file)

export const filesIn = (sql: Statements, path: string): ReadonlyArray<IndexedFile> =>
  path === "." ? files(sql) : sql(`${FILES} where ${BELOW} group by f.id order by f.path`).all(path).map(Row.file)

// A range that an index can answer: in ASCII the slash is followed by 0.
const BELOW = "(f.path = ?1 or (f.path > ?1 || '/' and f.path < ?1 || '0'))"

export const unreadable = (sql: Statements): ReadonlyArray<string> => [
  ...Metadata.unreadableFolders(sql).map((path) => `${path}/`),
  ...sql("select path from file where size = ? order by path")
    .all(FileTable.UNREAD)
    .map(({ path }) => String(path)),
]

export const symbolsIn = (sql: Statements, path: string): ReadonlyArray<IndexEntry> =>
  sql(`select ${Row.ENTRY} where f.path = ? order by s.start_line, s.id`).all(path).map(Row.entry)

export const find = (sql: Statements, symbol: string, path: string | undefined): ReadonlyArray<IndexEntry> =>
  sql(`select ${Row.ENTRY} where (s.name = ? or s.qualified = ?) and f.path = coalesce(?, f.path)
       order by f.path, s.start_line, s.id`)
    .all(symbol, symbol, path ?? null)
    .map(Row.entry)

export const membersOf = (sql: Statements, container: string, limit: number): ReadonlyArray<IndexEntry> =>
  sql(`select ${Row.ENTRY} where s.container = ? order by s.used_by desc, f.path, s.start_line, s.id limit ?`)
    .all(container, limit)
    .map(Row.entry)

export const nearest = (
  sql: Statements,
  symbol: string,
  { limit = 5, path }: { readonly path?: string | undefined; readonly limit?: number | undefined } = {},
): ReadonlyArray<IndexEntry> => {
  const distance = NameSimilarity.distanceFrom(symbol)
  const rows = path === undefined ? similarRows(sql, symbol, limit) : sql(`${NAMES} where f.path = ?`).all(path)
  // Of several symbols with one qualified name, the one that most files use.
  const found = new Map<string, { readonly id: number; readonly distance: number; readonly usedBy: number }>()
  for (const row of rows) {
    const [id, qualified, usedBy] = [Number(row.id), String(row.qualified), Number(row.usedBy)]
    const ofRow = distance(String(row.name), qualified)
    if (ofRow !== undefined && usedBy > (found.get(qualified)?.usedBy ?? -1))
      found.set(qualified, { id, distance: ofRow, usedBy })
  }
  return Array.from(found.values())
    .sort((one, other) => one.distance - other.distance || other.usedBy - one.usedBy || one.id - other.id)
    .slice(0, limit)
    .map(({ id }) => byId(sql, id))
}

const NAMES = "select s.id, s.name, s.qualified, s.used_by as usedBy from symbol s join file f on f.id = s.file"

/**
 * The rows of the `limit` nearest names, and of further ones that are as near. There are far fewer names than symbols,
 * so names are compared first.
 */
const similarRows = (sql: Statements, symbol: string, limit: number) => {
  const distance = NameSimilarity.distanceFrom(symbol)
  const columns = NameSimilarity.isQualified(symbol) ? (["name", "qualified"] as const) : (["name"] as const)
  return columns.flatMap((column) => {
    const found = new Map<string, number>()
    for (const name of namesIn(sql, column)) {
      const ofName = distance(name, name)
      if (ofName !== undefined) found.set(name, ofName)
    }
    const nearest = Array.from(found).sort(([, one], [, other]) => one - other)
    const farthest = nearest[limit - 1]?.[1] ?? Number.POSITIVE_INFINITY
    return nearest
      .filter(([, distance]) => distance <= farthest)
      .flatMap(([name]) => sql(`${NAMES} where s.${column} = ?`).all(name))
  })
}

/** In one value: to fetch a row for each takes longer than to compare them. */
const namesIn = (sql: Statements, column: "name" | "qualified"): ReadonlyArray<string> => {
  const names: ReadonlyArray<unknown> = JSON.parse(
    String(sql(`select json_group_array(${column}) as names from symbol`).get()?.names),
  )
  return names.map(String)
}

/** The symbols that most files use, most used first: those of the code, or of all files where there are none. */
export const landmarks = (sql: Statements, limit: number): ReadonlyArray<IndexEntry> => {
  const ofCode = mostUsed(sql, limit, "f.class = 'code'")
  return ofCode.length > 0 ? ofCode : mostUsed(sql, limit, "true")
}

export const central = (sql: Statements, limit: number, path = "."): ReadonlyArray<IndexEntry> =>
  SymbolRank.find(sql, (file) => path === "." || file === path || file.startsWith(`${path}/`))
    .slice(0, limit)
    .map(({ id }) => byId(sql, id))

/** In the order of the files. */
export const weak = (sql: Statements): ReadonlyArray<IndexEntry> =>
  sql(`select ${Row.ENTRY} where s.weak is not null and s.major and not s.stale order by f.path, s.start_line, s.id`)
    .all()
    .map(Row.entry)

export const documented = (sql: Statements): ReadonlyArray<IndexEntry> =>
  sql(`select ${Row.ENTRY} where s.origin = 'comment' and s.major order by f.path, s.start_line, s.id`)
    .all()
    .map(Row.entry)

const mostUsed = (sql: Statements, limit: number, condition: string): ReadonlyArray<IndexEntry> => {
  const found = new Map<string, IndexEntry>()
  for (const row of sql(
    `select ${Row.ENTRY} where ${condition} and s.major and s.kind in ('function', 'class', 'interface', 'type', 'enum')
       and s.used_by > 0 order by s.used_by desc, s.id`,
  ).iterate()) {
    if (found.size === limit) break
    const entry = Row.entry(row)
    const key = `${entry.path} ${entry.qualifiedName}`
    if (!found.has(key)) found.set(key, entry)
  }
  return Array.from(found.values())
}

/** The row of an entry: its file's number and its ordinal. */
export const placeOf = (sql: Statements, { path, qualifiedName, startLine }: IndexEntry) => {
  const row = sql(
    `select f.number, s.ordinal, f.links from symbol s join file f on f.id = s.file
     where f.path = ? and s.qualified = ? order by abs(s.start_line - ?), s.ordinal limit 1`,
  ).get(path, qualifiedName, startLine)
  return row && { number: Number(row.number), ordinal: Number(row.ordinal), links: row.links }
}

export const references = (sql: Statements, entry: IndexEntry): ReadonlyArray<Reference> => {
  const place = placeOf(sql, entry)
  if (place === undefined) return []
  const sources = sql(
    `select f.id, f.path, f.number, f.links from file f
     where f.number = ?1 or f.number in (select source from dependency where target = ?1) order by f.path`,
  ).all(place.number)
  return sources.flatMap((source) =>
    Links.decode(source.links)
      .links.filter(({ file, symbol }) => file === place.number && symbol === place.ordinal)
      .flatMap(({ from, lines }) => {
        const symbol = sql("select qualified from symbol where file = ? and ordinal = ?").get(Number(source.id), from)
        return lines.map((line) => ({
          path: String(source.path),
          line,
          symbol: symbol === undefined ? undefined : String(symbol.qualified),
        }))
      })
      .sort((one, other) => one.line - other.line),
  )
}

interface Place {
  readonly number: number
  readonly ordinal: number
}

/** The ordinals of a symbol and of all within it. */
const ordinalsWithin = (sql: Statements, { number, ordinal }: Place, entry: IndexEntry): ReadonlySet<number> => {
  const within = sql(
    `select s.ordinal from symbol s join file f on f.id = s.file
     where f.number = ? and (s.ordinal = ? or s.container = ? or s.container like ? escape '\\')`,
  ).all(number, ordinal, entry.qualifiedName, `${entry.qualifiedName.replace(/[\\%_]/g, "\\$&")}.%`)
  return new Set(within.map(({ ordinal }) => Number(ordinal)))
}

export const dependents = (sql: Statements, entry: IndexEntry, options: DependentsOptions): Dependents => {
  const place = placeOf(sql, entry)
  if (place === undefined) return { dependents: [], counts: [], isComplete: true }
  const ordinals = options.withMembers ? ordinalsWithin(sql, place, entry) : [place.ordinal]
  return DependentSearch.find(sql, place.number, ordinals, options)
}

export const inheritance = (sql: Statements, entry: IndexEntry): Inheritance => {
  const place = placeOf(sql, entry)
  if (place === undefined) return { bases: [], derived: [] }
  const { bases, derived } = InheritanceSearch.find(sql, { file: place.number, ordinal: place.ordinal })
  const entries = (places: ReadonlyArray<InheritanceSearch.Place>) =>
    places.flatMap(({ file, ordinal }) => entryAt(sql, file, ordinal) ?? [])
  return { bases: entries(bases), derived: entries(derived) }
}

const entryAt = (sql: Statements, file: number, ordinal: number): IndexEntry | undefined => {
  const row = sql(`select ${Row.ENTRY} where s.file = (select id from file where number = ?) and s.ordinal = ?`).get(
    file,
    ordinal,
  )
  return row === undefined ? undefined : Row.entry(row)
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
  const startOf = sql(
    `select s.qualified, s.start_line as startLine from symbol s join file f on f.id = s.file
     where f.path = ? and s.ordinal = ?`,
  )
  return new Set(
    overloads.flatMap((ordinal) => {
      const row = startOf.get(path, ordinal)
      return row === undefined
        ? []
        : [callerKey({ qualifiedName: String(row.qualified), startLine: Number(row.startLine) })]
    }),
  )
}

export const callees = (sql: Statements, entry: IndexEntry): ReadonlyArray<Callee> => {
  const place = placeOf(sql, entry)
  if (place === undefined) return []
  const ordinals = ordinalsWithin(sql, place, entry)
  const found = new Map<string, { file: number; symbol: number; lines: Set<number> }>()
  for (const { file, from, lines, symbol } of Links.decode(place.links).links) {
    const isOwn = file === place.number && ordinals.has(symbol)
    if (!ordinals.has(from) || isOwn) continue
    const known = found.get(`${file} ${symbol}`)
    if (known === undefined) found.set(`${file} ${symbol}`, { file, symbol, lines: new Set(lines) })
    else for (const line of lines) known.lines.add(line)
  }
  return Array.from(found.values())
    .flatMap(({ file, lines, symbol }) => {
      const entry = entryAt(sql, file, symbol)
      return entry === undefined ? [] : [{ entry, lines: Array.from(lines).sort((one, other) => one - other) }]
    })
    .sort((one, other) => (one.lines[0] ?? 0) - (other.lines[0] ?? 0))
}

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
    // That a class is used in its own methods says nothing.
    const names = [...ofOthers, ...ofOwnFile.filter((name) => !name.startsWith(`${qualified}.`))]
    const key = callerKey({ qualifiedName: String(qualified), startLine: Number(startLine) })
    found.set(key, Array.from(new Set(names)).slice(0, MAX_CALLERS))
  }
  return found
}

const MAX_CALLERS = 3

export const mentions = (sql: Statements, name: string): ReadonlyArray<Mention> =>
  sql(
    `select f.path, f.identifiers, (select count(*) from symbol s where s.file = f.id and s.name = ?) as defined
     from file f where instr(f.identifiers, ?) > 0`,
  )
    .all(name, Identifiers.markerOf(name))
    .map((row) => ({
      path: String(row.path),
      count: Identifiers.countIn(String(row.identifiers), name) - Number(row.defined),
    }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count || (one.path < other.path ? -1 : 1))

export const termCounts = (sql: Statements, terms: ReadonlyArray<string>): TermCounts => {
  const { documents, read } = PostingCache.of(sql)
  const lists = new Map(terms.map((term) => [term, read(term)]))
  const count = (term: string) =>
    (lists.get(term) ?? []).reduce(
      (sum, { collection, postings }) => sum + (collection === PostingLists.SYMBOLS ? postings.length : 0),
      0,
    )
  const isAnywhere = (term: string) =>
    (lists.get(term) ?? []).some(
      ({ collection, postings }) => collection !== PostingLists.PURPOSES && postings.length > 0,
    )
  return {
    counts: new Map(terms.map((term) => [term, count(term)])),
    anywhere: new Set(terms.filter(isAnywhere)),
    symbols: documents.symbols,
  }
}

export const status = (sql: Statements): Omit<Status, "bytesOnDisk"> => {
  const row = sql(
    `select (select count(*) from file) as files, (select count(cut) from file) as partialFiles, count(*) as symbols, total(origin = 'model') as model,
       total(origin = 'comment') as comment, total(stale) as stale, total(weak is not null and not stale) as weak,
       total(origin = 'model') - count(distinct case when origin = 'model' then json_array(hash, node, purpose) end) as copies
     from symbol`,
  ).get()
  const { comment, model, ...counts } = decodeStatus(row)
  const classes = coverage(sql)
  const { covered, majorSymbols } = Coverage.ofFocus(classes)
  return { ...counts, purposes: { model, comment }, majorSymbols, covered, open: majorSymbols - covered, classes }
}

const coverage = (sql: Statements): Coverage.Coverage => {
  const rows = sql(
    `select f.class, count(distinct f.id) as files, count(s.id) as symbols, total(s.major) as majorSymbols,
       total(s.major and not s.stale) as covered
     from file f left join symbol s on s.file = f.id group by f.class`,
  ).all()
  return Coverage.make(
    Object.fromEntries(
      rows.map((row) => {
        const { class: name, ...counts } = decodeClass(row)
        return [name, counts]
      }),
    ),
  )
}

const decodeClass = Schema.decodeUnknownSync(
  Schema.Struct({ class: Schema.Literal(...FileClass.all), ...Coverage.ClassCoverage.fields }),
)

const decodeStatus = Schema.decodeUnknownSync(
  Schema.Struct({
    files: Schema.Number,
    partialFiles: Schema.Number,
    symbols: Schema.Number,
    model: Schema.Number,
    comment: Schema.Number,
    stale: Schema.Number,
    weak: Schema.Number,
    copies: Schema.Number,
  }),
)

export const byId = (sql: Statements, id: number): IndexEntry =>
  Row.entry(sql(`select ${Row.ENTRY} where s.id = ?`).get(id))

export const search = (sql: Statements, text: string, options: SearchOptions): ReadonlyArray<Hit> => {
  const { path = ".", similar: versions = [], ...others } = options
  const within = path === "." ? undefined : fileNumbersIn(sql, path)
  const similar = versions.length === 0 ? undefined : positionsOf(sql, versions)
  return SymbolSearch.search(sql, symbolTable(sql, within), text, { ...others, within, similar }).map(
    ({ id, match, score }) => ({ entry: byId(sql, id), score, ...(options.corpus !== undefined && { match }) }),
  )
}

const positionsOf = (sql: Statements, symbols: ReadonlyArray<SimilarSymbol>): ReadonlyArray<Similar> =>
  selectArrays(
    sql,
    `select s.file, s.ordinal, j.value ->> 2 from json_each(?) j
     cross join symbol s on s.qualified = j.value ->> 0 and s.hash = j.value ->> 1`,
    JSON.stringify(symbols.map(({ hash, qualifiedName, similarity }) => [qualifiedName, hash, similarity])),
  ).map(([file, symbol, similarity]) => ({
    file: Number(file),
    symbol: Number(symbol),
    similarity: Number(similarity),
  }))

const fileNumbersIn = (sql: Statements, path: string): ReadonlySet<number> =>
  new Set(selectArrays(sql, `select f.id from file f where ${BELOW}`, path).map(([id]) => Number(id)))

/** `within`: the files to which names are restricted. */
const symbolTable = (sql: Statements, within: ReadonlySet<number> | undefined): SymbolTable => ({
  withName: (name, limit, which) =>
    selectArrays(
      sql,
      `select ${SEARCH_COLUMNS} from symbol s where (name = ?1 or qualified = ?1)
       ${within === undefined ? "" : "and s.file in (select value from json_each(?2))"}
       ${which === "mostUsed" ? "order by used_by desc" : ""} limit ${limit}`,
      name,
      ...(within === undefined ? [] : [JSON.stringify(Array.from(within))]),
    ).map(toSymbolRow),
  atPositions: (positions) =>
    selectArrays(
      sql,
      `select ${SEARCH_COLUMNS} from json_each(?) j
       cross join symbol s on s.file = j.value / ${MAX_ORDINALS} and s.ordinal = j.value % ${MAX_ORDINALS}`,
      JSON.stringify(positions.map(({ file, symbol }) => file * MAX_ORDINALS + symbol)),
    ).map(toSymbolRow),
  explained: (files) =>
    new Map(
      selectArrays(
        sql,
        `select s.file, json_group_array(s.ordinal) from json_each(?) j
         cross join symbol s indexed by symbol_explained on s.file = j.value and s.origin = 'model' group by s.file`,
        JSON.stringify(files),
      ).map(([file, ordinals]) => [Number(file), toNumbers(ordinals)]),
    ),
  callers: (ids) => CallerTable.read(sql, ids),
  paths: (files) =>
    new Map(
      selectArrays(
        sql,
        "select f.id, f.path from json_each(?) j cross join file f on f.id = j.value",
        JSON.stringify(files),
      ).map(([id, path]) => [Number(id), String(path)]),
    ),
})

/** An upper bound of the symbols of a file, with which file and ordinal are one number. */
const MAX_ORDINALS = 2 ** 24

const SEARCH_COLUMNS = `s.id, s.file, s.ordinal, s.used_by, s.kind, s.name, s.qualified, substr(s.doc, 1, 300),
  iif(s.origin = 'model', s.purpose, null)`

const toNumbers = (json: unknown): ReadonlyArray<number> => {
  const numbers: ReadonlyArray<unknown> = JSON.parse(String(json))
  return numbers.map(Number)
}

const toSymbolRow = (row: ReadonlyArray<unknown>): SymbolRow => {
  const [id = 0, file = 0, symbol = 0, usedBy = 0] = row.slice(0, 4).map(Number)
  const [kind = "", name = "", qualifiedName = "", doc = "", purpose = ""] = row
    .slice(4)
    .map((value) => String(value ?? ""))
  return { id, file, symbol, usedBy, kind, name, qualifiedName, doc, purpose }
}
