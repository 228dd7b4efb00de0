/**
 * The links of all files by the symbol that is used, so that its users can be looked up. A search reads the table for
 * its candidates; a walk over the links of all files that depend on theirs would take longer than the search.
 */
import { inSteps, type Statements, type Steps, selectArrays } from "../../../../disk/Sqlite.ts"
import type { Caller } from "../../../../search/Candidates.ts"
import type { FileLinks } from "./Links.ts"

/** Numbers of files (`file.number`) and ordinals of symbols. */
export const schema = `
  create table caller (
    file integer not null,
    symbol integer not null,
    source integer not null,
    "from" integer not null,
    primary key (file, symbol, source, "from")
  ) strict, without rowid;
`

/** The links of a file that stand in a symbol and mean another one. */
const callsOf = (source: number, { links }: FileLinks) =>
  links
    .filter(({ file, from, symbol }) => from >= 0 && !(file === source && symbol === from))
    .map(({ file, from, symbol }): Row => [file, symbol, source, from])

type Row = readonly [file: number, symbol: number, source: number, from: number]

const insert = (sql: Statements, row: Row): void => {
  sql('insert or ignore into caller (file, symbol, source, "from") values (?, ?, ?, ?)').run(...row)
}

/**
 * Collects the links of all files, and writes them at once in the order of the table. They are kept as numbers in one
 * array for each file that is used: 2 million take 90 MB, while an array for each link would take 180 MB.
 */
export const collector = () => {
  const linksTo = new Map<number, Array<number>>()
  return {
    add: (source: number, links: FileLinks): void => {
      for (const [file, symbol, , from] of callsOf(source, links)) {
        const known = linksTo.get(file)
        if (known === undefined) linksTo.set(file, [symbol, source, from])
        else known.push(symbol, source, from)
      }
    },
    *save(sql: Statements): Steps<void> {
      sql("delete from caller").run()
      yield* inSteps(sortedRows(linksTo), 1_000, (row) => insert(sql, row))
    },
  }
}

/**
 * Returns the rows in the order of the table. `linksTo` has for each file the symbol, the source and `from` of each
 * link in turn.
 */
function* sortedRows(linksTo: ReadonlyMap<number, ReadonlyArray<number>>): Iterable<Row> {
  for (const file of Array.from(linksTo.keys()).sort((one, other) => one - other)) {
    const links = linksTo.get(file) ?? []
    yield* Array.from({ length: links.length / 3 }, (_, n): Row => {
      const [symbol = 0, source = 0, from = 0] = links.slice(3 * n, 3 * n + 3)
      return [file, symbol, source, from]
    }).sort((one, other) => one[1] - other[1] || one[2] - other[2] || one[3] - other[3])
  }
}

/** Updates the table after the links of a file have changed. */
export const replace = (sql: Statements, source: number, before: FileLinks, after: FileLinks): void => {
  for (const row of callsOf(source, before)) {
    sql('delete from caller where file = ? and symbol = ? and source = ? and "from" = ?').run(...row)
  }
  for (const row of callsOf(source, after)) insert(sql, row)
}

/** Returns the symbols that use a symbol, by their files and ordinals. It is not among them. */
export const usersOf = (
  sql: Statements,
  { file, ordinal }: { readonly file: number; readonly ordinal: number },
): ReadonlyArray<{ readonly file: number; readonly ordinal: number }> =>
  sql('select source, "from" from caller where file = ? and symbol = ? order by source, "from"')
    .all(file, ordinal)
    .map(({ from, source }) => ({ file: Number(source), ordinal: Number(from) }))

/**
 * Symbols with more users are left out: so many callers do not explain a symbol, and take too long to read in a search.
 */
const MAX_USED_BY = 32

/** The most rows that are read: one file may use a symbol thousands of times. */
const MAX_ROWS = 2_000

/** Returns the callers of each symbol by its id, with their qualified names. The first ids have precedence. */
export const read = (sql: Statements, ids: ReadonlyArray<number>): ReadonlyMap<number, ReadonlyArray<Caller>> => {
  const callers = new Map<number, Array<Caller>>()
  const rows = selectArrays(
    sql,
    `select s.id, caller.qualified, caller.file from json_each(?) j
     cross join symbol s on s.id = j.value and s.used_by <= ${MAX_USED_BY}
     cross join file f on f.id = s.file
     cross join caller c on c.file = f.number and c.symbol = s.ordinal
     cross join file source on source.number = c.source
     cross join symbol caller on caller.file = source.id and caller.ordinal = c."from" limit ${MAX_ROWS}`,
    JSON.stringify(ids),
  )
  for (const [id, name, file] of rows) {
    const known = callers.get(Number(id)) ?? []
    callers.set(Number(id), known)
    known.push({ name: String(name), file: Number(file) })
  }
  return callers
}
