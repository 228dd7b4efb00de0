/** Queries over the tables of an index. */
import * as Shape from "../../../../base/Shape.ts"
import * as FileClass from "../../../../code/FileClass.ts"
import { type Statements, selectArrays } from "../../../../disk/Sqlite.ts"
import * as NameSimilarity from "../../../../search/NameSimilarity.ts"
import * as Coverage from "../../../Coverage.ts"
import * as FileEntry from "../../../FileEntry.ts"
import type { IndexEntry } from "../../../IndexEntry.ts"
import type { FileSize, IndexedFile, Mention, Status } from "../../../IndexStore.ts"
import { IS_OWN_TEST } from "../../../OwnTests.ts"
import * as Metadata from "../Metadata.ts"
import * as RankTable from "../references/RankTable.ts"
import * as ReadingOrder from "../references/ReadingOrder.ts"
import * as FileTable from "./FileTable.ts"
import * as Row from "./Row.ts"

const FILES = `select f.path, f.language, f.class, f.note, f.cut, count(s.id) as symbols, total(s.major) as major,
    total(s.major and (s.purpose is null or s.stale)) as open,
    total(iif(s.major and (s.purpose is null or s.stale), s.used_by, 0)) as importance
  from file f left join symbol s on s.file = f.id`

export const files = (sql: Statements): ReadonlyArray<IndexedFile> =>
  sql(`${FILES} group by f.id order by f.path`).all().map(Row.file)

export const filesIn = (sql: Statements, path: string): ReadonlyArray<IndexedFile> =>
  path === "." ? files(sql) : sql(`${FILES} where ${BELOW} group by f.id order by f.path`).all(path).map(Row.file)

export const sizesIn = (sql: Statements, path: string): ReadonlyArray<FileSize> => {
  // The index of the places has all that is counted.
  const sizes = "select f.path, f.class, (select count(*) from symbol s where s.file = f.id) as symbols from file f"
  return path === "."
    ? sql(`${sizes} order by f.path`).all().map(Row.size)
    : sql(`${sizes} where ${BELOW} order by f.path`).all(path).map(Row.size)
}

// An index can answer this range, since `0` follows the slash in ASCII.
export const BELOW = "(f.path = ?1 or (f.path > ?1 || '/' and f.path < ?1 || '0'))"

export const unreadable = (sql: Statements): ReadonlyArray<string> => [
  ...Metadata.unreadable(sql).toSorted((one, other) => Number(other.endsWith("/")) - Number(one.endsWith("/"))),
  ...sql("select path from file where size = ? order by path")
    .all(FileTable.UNREAD)
    .map(({ path }) => String(path)),
]

export const symbolsIn = (sql: Statements, path: string): ReadonlyArray<IndexEntry> =>
  sql(`select ${Row.ENTRY} where f.path = ? order by s.start_line, s.id`).all(path).map(Row.entry)

export const fileEntry = (sql: Statements, path: string): IndexEntry | undefined => {
  const file = sql("select id, hash from file where path = ? and class = 'code'").get(path)
  const symbols = sql("select kind, qualified, end_line from symbol where file = ? order by ordinal").all(
    file?.id ?? null,
  )
  if (file === undefined || symbols.length === 0) return undefined
  const known = sql("select * from purpose where symbol = ? and path = ? and kind = 'file' order by id")
    .all(FileEntry.nameOf(path), path)
    .map(Row.purpose)
  const content: FileEntry.Content = {
    hash: String(file.hash),
    declared: symbols.map(({ kind, qualified }) => `${kind} ${qualified}`),
    endLine: symbols.reduce((most, { end_line }) => Math.max(most, Number(end_line)), 1),
  }
  return FileEntry.ofContent(path, content, known)
}

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
  // If several symbols have one qualified name, the one that most files use counts.
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
 * Returns the rows of the `limit` nearest names, and of others that are as near. There are far fewer names than
 * symbols, so names are compared first.
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

/** Reads all names in one value: fetching a row for each takes longer than comparing them. */
const namesIn = (sql: Statements, column: "name" | "qualified"): ReadonlyArray<string> => {
  const names: ReadonlyArray<unknown> = JSON.parse(
    String(sql(`select json_group_array(${column}) as names from symbol`).get()?.names),
  )
  return names.map(String)
}

/** The symbols that most files use, the most used first: those of the code, or of all files if there is no code. */
export const landmarks = (sql: Statements, limit: number): ReadonlyArray<IndexEntry> => {
  const isCode = `f.class = 'code' and not (${IS_OWN_TEST})`
  const ofCode = mostUsed(sql, limit, isCode)
  if (ofCode.length > 0) return ofCode
  // Uses may be resolved in none of the code's languages: an example in another one is then no landmark.
  const [anyCode] = selectArrays(
    sql,
    `select 1 from symbol s join file f on f.id = s.file where ${isCode} and s.major limit 1`,
  )
  return anyCode === undefined ? mostUsed(sql, limit, "true") : []
}

/** Returns also the ranking by which they were chosen. */
export const central = (
  sql: Statements,
  limit: number,
  path = ".",
): { readonly entries: ReadonlyArray<IndexEntry>; readonly ranking: RankTable.Ranking } => {
  const below = path === "." ? undefined : idsBelow(sql, path)
  const ranking = RankTable.read(sql, below === undefined ? limit : undefined)
  const filter = (ids: ReadonlyArray<number>) => (below === undefined ? ids : ids.filter((id) => below.has(id)))
  const code = filter(ranking.used)
  const ids =
    code.length > 0
      ? ReadingOrder.interleave(filter(ranking.ways), code, limit)
      : filter(ranking.others).slice(0, limit)
  return { entries: ids.map((id) => byId(sql, id)), ranking }
}

const idsBelow = (sql: Statements, path: string): ReadonlySet<number> =>
  new Set(
    selectArrays(sql, `select s.id from symbol s join file f on f.id = s.file where ${BELOW}`, path).map(([id]) =>
      Number(id),
    ),
  )

/** The symbols that show a weak purpose, in the order of the files. */
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

export const mentions = (sql: Statements, name: string): ReadonlyArray<Mention> =>
  sql(
    `select f.path, f.identifiers, (select count(*) from symbol s where s.file = f.id and s.name = ?) as defined
     from file f where instr(f.identifiers, ?) > 0`,
  )
    .all(name, FileTable.identifierMarker(name))
    .map((row) => ({
      path: String(row.path),
      count: FileTable.countIdentifier(String(row.identifiers), name) - Number(row.defined),
    }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count || (one.path < other.path ? -1 : 1))

export const status = (sql: Statements): Omit<Status, "bytesOnDisk"> => {
  const row = sql(
    `select (select count(*) from file) as files, (select count(cut) from file) as partialFiles, count(*) as symbols, total(origin = 'model') as model,
       total(origin = 'comment') as comment, total(stale) as stale, total(weak is not null and not stale) as weak,
       total(origin = 'model') - count(distinct case when origin = 'model' then json_array(hash, node, purpose) end) as copies
     from symbol`,
  ).get()
  const { comment, model, ...counts } = statusRow(row)
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
        const { class: name, ...counts } = classRow(row)
        return [name, counts]
      }),
    ),
  )
}

const classRow = Shape.struct({
  class: Shape.oneOf(...FileClass.all),
  files: Shape.number,
  symbols: Shape.number,
  majorSymbols: Shape.number,
  covered: Shape.number,
})

const statusRow = Shape.struct({
  files: Shape.number,
  partialFiles: Shape.number,
  symbols: Shape.number,
  model: Shape.number,
  comment: Shape.number,
  stale: Shape.number,
  weak: Shape.number,
  copies: Shape.number,
})

export const byId = (sql: Statements, id: number): IndexEntry =>
  Row.entry(sql(`select ${Row.ENTRY} where s.id = ?`).get(id))
