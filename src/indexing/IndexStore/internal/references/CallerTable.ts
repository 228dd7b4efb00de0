/**
 * The links of all files by the symbol that is used: which symbols use it. A search reads it for its candidates; a walk
 * over the links of all files that depend on theirs would take longer than the search.
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

/** Collects the links of all files, to write them at once: in the order of the table, which is then written once. */
export const collector = () => {
  const rows: Array<Row> = []
  return {
    add: (source: number, links: FileLinks): void => {
      for (const row of callsOf(source, links)) rows.push(row)
    },
    *save(sql: Statements): Steps<void> {
      sql("delete from caller").run()
      rows.sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2] || one[3] - other[3])
      yield* inSteps(rows, 1_000, (row) => insert(sql, row))
    },
  }
}

/** Takes in that the links of a file have changed. */
export const replace = (sql: Statements, source: number, before: FileLinks, after: FileLinks): void => {
  for (const row of callsOf(source, before)) {
    sql('delete from caller where file = ? and symbol = ? and source = ? and "from" = ?').run(...row)
  }
  for (const row of callsOf(source, after)) insert(sql, row)
}

/** By the id of a symbol: the symbols that use it. */
export const read = (sql: Statements, ids: ReadonlyArray<number>): ReadonlyMap<number, ReadonlyArray<Caller>> => {
  const callers = new Map<number, Array<Caller>>()
  const rows = selectArrays(
    sql,
    `select s.id, caller.qualified, caller.file from json_each(?) j
     cross join symbol s on s.id = j.value
     cross join file f on f.id = s.file
     cross join caller c on c.file = f.number and c.symbol = s.ordinal
     cross join file source on source.number = c.source
     cross join symbol caller on caller.file = source.id and caller.ordinal = c."from"`,
    JSON.stringify(ids),
  )
  for (const [id, name, file] of rows) {
    const known = callers.get(Number(id)) ?? []
    callers.set(Number(id), known)
    known.push({ name: String(name), file: Number(file) })
  }
  return callers
}
