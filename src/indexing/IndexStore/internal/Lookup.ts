/** Questions to the tables of an index. */
import * as Schema from "effect/Schema"
import type { Statements } from "../../../disk/Sqlite.ts"
import type { IndexEntry } from "../../IndexEntry.ts"
import type { IndexedFile, Reference, Status } from "../../IndexStore.ts"
import * as Search from "../../Search.ts"
import * as Identifiers from "./Identifiers.ts"
import * as Row from "./Row.ts"

const FILES = `select f.path, f.language, f.note, f.cut, count(s.id) as symbols, total(s.major) as major,
    total(s.major and (s.purpose is null or s.stale)) as open,
    total(s.major and s.origin = 'derived' and not s.stale) as derived
  from file f left join symbol s on s.file = f.id`

export const files = (sql: Statements): ReadonlyArray<IndexedFile> =>
  sql(`${FILES} group by f.id order by f.path`).all().map(Row.file)

export const filesIn = (sql: Statements, path: string): ReadonlyArray<IndexedFile> =>
  path === "."
    ? files(sql)
    : // What begins with the path and a slash is before the path and what follows the slash in ASCII.
      sql(`${FILES} where f.path = ?1 or (f.path > ?1 || '/' and f.path < ?1 || '0') group by f.id order by f.path`)
        .all(path)
        .map(Row.file)

export const symbolsIn = (sql: Statements, path: string): ReadonlyArray<IndexEntry> =>
  sql(`select ${Row.ENTRY} where f.path = ? order by s.start_line, s.id`).all(path).map(Row.entry)

export const find = (sql: Statements, symbol: string, path: string | undefined): ReadonlyArray<IndexEntry> =>
  sql(`select ${Row.ENTRY} where (s.name = ? or s.qualified = ?) and f.path = coalesce(?, f.path)
       order by f.path, s.start_line, s.id`)
    .all(symbol, symbol, path ?? null)
    .map(Row.entry)

export const nearest = (
  sql: Statements,
  symbol: string,
  { limit = 5, path }: { readonly path?: string | undefined; readonly limit?: number | undefined } = {},
): ReadonlyArray<IndexEntry> => {
  const unlikeness = Search.unlikeness(symbol)
  const rows = path === undefined ? like(sql, symbol, limit) : sql(`${NAMES} where f.path = ?`).all(path)
  // Of several symbols of one qualified name, the one that is used most.
  const found = new Map<string, { readonly id: number; readonly unlike: number; readonly usedBy: number }>()
  for (const row of rows) {
    const [id, qualified, usedBy] = [Number(row.id), String(row.qualified), Number(row.usedBy)]
    const unlike = unlikeness(String(row.name), qualified)
    if (unlike !== undefined && usedBy > (found.get(qualified)?.usedBy ?? -1))
      found.set(qualified, { id, unlike, usedBy })
  }
  return Array.from(found.values())
    .sort((one, other) => one.unlike - other.unlike || other.usedBy - one.usedBy || one.id - other.id)
    .slice(0, limit)
    .map(({ id }) => byId(sql, id))
}

const NAMES = "select s.id, s.name, s.qualified, s.used_by as usedBy from symbol s join file f on f.id = s.file"

/** At least the symbols that are most like: there are far fewer names than symbols, so those are compared first. */
const like = (sql: Statements, symbol: string, limit: number) => {
  const unlikeness = Search.unlikeness(symbol)
  return (Search.isQualified(symbol) ? (["name", "qualified"] as const) : (["name"] as const)).flatMap((column) => {
    const found = new Map<string, number>()
    for (const name of namesIn(sql, column)) {
      const unlike = unlikeness(name, name)
      if (unlike !== undefined) found.set(name, unlike)
    }
    const names = Array.from(found).sort(([, one], [, other]) => one - other)
    const least = names[limit - 1]?.[1] ?? Number.POSITIVE_INFINITY
    return names
      .filter(([, unlike]) => unlike <= least)
      .flatMap(([name]) => sql(`${NAMES} where s.${column} = ?`).all(name))
  })
}

/** Handed over as one value: for a row each, that takes longer than to compare them. */
const namesIn = (sql: Statements, column: "name" | "qualified"): ReadonlyArray<string> => {
  const names: ReadonlyArray<unknown> = JSON.parse(
    String(sql(`select json_group_array(${column}) as names from symbol`).get()?.names),
  )
  return names.map(String)
}

/** Most used first. */
export const landmarks = (sql: Statements, limit: number): ReadonlyArray<IndexEntry> => {
  const found = new Map<string, IndexEntry>()
  for (const row of sql(
    `select ${Row.ENTRY} where s.major and s.kind in ('function', 'class', 'interface', 'type', 'enum')
       and s.used_by > 0 order by s.used_by desc, s.id`,
  ).iterate()) {
    if (found.size === limit) break
    const entry = Row.entry(row)
    const key = `${entry.path} ${entry.qualifiedName}`
    if (isTelling.test(entry.name) && !Search.isAside(entry.path) && !found.has(key)) found.set(key, entry)
  }
  return Array.from(found.values())
}

/** Who uses a plain word such as `join` or `get` mostly means somebody else's. */
const isTelling = /[\p{Lu}_]/u

export const references = (sql: Statements, name: string): ReadonlyArray<Reference> =>
  sql(
    `select f.path, f.identifiers, (select count(*) from symbol s where s.file = f.id and s.name = ?) as defined
     from file f where instr(f.identifiers, ?) > 0`,
  )
    .all(name, Identifiers.mark(name))
    .map((row) => ({
      path: String(row.path),
      count: Identifiers.count(String(row.identifiers), name) - Number(row.defined),
    }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count || (one.path < other.path ? -1 : 1))

export const status = (sql: Statements): Omit<Status, "bytesOnDisk"> => {
  const row = sql(
    `select (select count(*) from file) as files, (select count(cut) from file) as partialFiles, count(*) as symbols, total(origin = 'model') as model,
       total(origin = 'comment') as comment, total(origin = 'derived') as derived, total(stale) as stale,
       total(major) as majorSymbols, total(major and not stale and origin in ('model', 'comment')) as covered
     from symbol`,
  ).get()
  const { comment, derived, model, ...counts } = decodeStatus(row)
  return { ...counts, purposes: { model, comment, derived } }
}

const decodeStatus = Schema.decodeUnknownSync(
  Schema.Struct({
    files: Schema.Number,
    partialFiles: Schema.Number,
    symbols: Schema.Number,
    model: Schema.Number,
    comment: Schema.Number,
    derived: Schema.Number,
    stale: Schema.Number,
    majorSymbols: Schema.Number,
    covered: Schema.Number,
  }),
)

export const byId = (sql: Statements, id: number): IndexEntry =>
  Row.entry(sql(`select ${Row.ENTRY} where s.id = ?`).get(id))
