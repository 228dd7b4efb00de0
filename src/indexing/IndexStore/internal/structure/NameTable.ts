/**
 * The table `name`: in how many files each name occurs, and from that `used_by`, how many files use each symbol. Kept up
 * to date with every change, so that a refresh after a small change does not read the identifiers of all files.
 *
 * The identifiers of a file are one text, the column `file.identifiers`: `\nappend 3\nnode 12`.
 */
import { inSteps, type Statements, type Steps } from "../../../../disk/Sqlite.ts"
import * as Metadata from "../Metadata.ts"

/** How often each identifier occurs, as text. */
export const encodeIdentifiers = (identifiers: ReadonlyMap<string, number>): string =>
  Array.from(identifiers, ([name, count]) => `\n${name} ${count}`).join("")

const namesIn = (identifiers: string): ReadonlyArray<string> =>
  identifiers
    .split("\n")
    .slice(1)
    .map((line) => line.slice(0, line.lastIndexOf(" ")))

/** A text that is part of `identifiers` where the name occurs, and nowhere else. */
export const markerOf = (name: string): string => `\n${name} `

/** How often a name occurs. */
export const countIn = (identifiers: string, name: string): number => {
  const start = identifiers.indexOf(markerOf(name))
  return start < 0 ? 0 : Number.parseInt(identifiers.slice(start + markerOf(name).length), 10)
}

/** What a file uses and what it defines. */
export interface Occurrences {
  /** See `encodeIdentifiers`. */
  readonly identifiers: string
  readonly defined: ReadonlyArray<string>
}

export const none: Occurrences = { identifiers: "", defined: [] }

/** Whether the names of all files are counted: since the first refresh that was completed. */
export const areCounted = (sql: Statements): boolean => {
  const structure = Metadata.get(sql, "structure")
  return structure === "complete" || structure === "changed"
}

/** Takes in that one file has changed. */
export const change = (sql: Statements, before: Occurrences, after: Occurrences): void => {
  const old = new Set(namesIn(before.identifiers))
  const present = new Set(namesIn(after.identifiers))
  for (const name of present) if (!old.has(name)) add(sql, name, 1)
  for (const name of old) if (!present.has(name)) add(sql, name, -1)
  for (const name of new Set([...before.defined, ...after.defined])) add(sql, name, 0)
}

/** Counts the names of all files anew. */
export function* countAll(sql: Statements): Steps<void> {
  const files = new Map<string, number>()
  const page = sql("select id, identifiers from file where id > ? order by id limit 100")
  for (let rows = page.all(Number.MIN_SAFE_INTEGER); rows.length > 0; rows = page.all(Number(rows.at(-1)?.id))) {
    for (const { identifiers } of rows) {
      for (const name of namesIn(String(identifiers))) files.set(name, (files.get(name) ?? 0) + 1)
    }
    yield
  }
  sql("delete from name").run()
  yield* inSteps(Array.from(files.keys()).sort(), 1_000, (name) => add(sql, name, files.get(name) ?? 0))
}

/**
 * Updates `used_by` of the symbols whose names have changed. An identifier does not say which definition it
 * means: where several files define a name, its users are divided among them.
 */
export function* updateUsage(sql: Statements): Steps<void> {
  for (let first = ""; ; ) {
    const last = sql(
      "select max(name) as name from (select name from name where changed and name > ? order by name limit 1000)",
    ).get(first)?.name
    if (typeof last !== "string") break
    const symbols = sql(
      `with defined as materialized (
         select s.name, n.files, count(distinct s.file) as definers
         from name n join symbol s on s.name = n.name
         where n.changed and n.name > ? and n.name <= ? group by n.name)
       -- a file that defines a name has it among its own identifiers
       select s.id, max(0, d.files - d.definers) / d.definers as usedBy
       from defined d join symbol s on s.name = d.name where usedBy <> s.used_by`,
    ).all(first, last)
    yield
    yield* inSteps(symbols, 1_000, ({ id, usedBy }) => {
      sql("update symbol set used_by = ? where id = ?").run(Number(usedBy), Number(id))
    })
    first = last
  }
  sql("delete from name where changed and files = 0").run()
  sql("update name set changed = 0 where changed").run()
}

const add = (sql: Statements, name: string, files: number): void => {
  sql(
    `insert into name (name, files, changed) values (?, ?, 1)
     on conflict do update set files = files + excluded.files, changed = 1`,
  ).run(name, files)
}
