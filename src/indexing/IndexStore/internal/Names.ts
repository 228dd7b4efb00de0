/**
 * In how many files each name occurs, and from that how many files use each symbol. It is kept up with every change,
 * so that a refresh after a small one need not read what all files use.
 */
import { inSteps, type Row, type Statements, type Steps } from "../../../disk/Sqlite.ts"
import { isMajor } from "../../IndexEntry.ts"
import * as Facts from "./Facts.ts"
import * as Identifiers from "./Identifiers.ts"

/** What a file uses and what it defines. */
export interface Occurrences {
  /** A text of `Identifiers`. */
  readonly identifiers: string
  readonly defined: ReadonlyArray<string>
}

export const none: Occurrences = { identifiers: "", defined: [] }

/** Whether the names of all files are counted. */
export const areCounted = (sql: Statements): boolean => {
  const structure = Facts.get(sql, "structure")
  return structure === "complete" || structure === "changed"
}

/** One file that used and defined this does that instead. */
export const change = (sql: Statements, before: Occurrences, after: Occurrences): void => {
  const old = new Set(Identifiers.names(before.identifiers))
  const present = new Set(Identifiers.names(after.identifiers))
  for (const name of present) if (!old.has(name)) add(sql, name, 1)
  for (const name of old) if (!present.has(name)) add(sql, name, -1)
  for (const name of new Set([...before.defined, ...after.defined])) add(sql, name, 0)
}

/** Of all files anew. */
export function* count(sql: Statements): Steps<void> {
  const files = new Map<string, number>()
  const some = sql("select id, identifiers from file where id > ? order by id limit 100")
  for (let rows = some.all(Number.MIN_SAFE_INTEGER); rows.length > 0; rows = some.all(Number(rows.at(-1)?.id))) {
    for (const { identifiers } of rows) {
      for (const name of Identifiers.names(String(identifiers))) files.set(name, (files.get(name) ?? 0) + 1)
    }
    yield
  }
  sql("delete from name").run()
  yield* inSteps(Array.from(files.keys()).sort(), 1_000, (name) => add(sql, name, files.get(name) ?? 0))
}

/**
 * Brings the symbols in line with the names that have changed. Files use names: where several files define the same
 * one, its users are divided among them.
 */
export function* settle(sql: Statements): Steps<void> {
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
       -- a file that defines a name has it among its own
       select s.id, s.kind, s.container, s.exported, max(0, d.files - d.definers) / d.definers as usedBy
       from defined d join symbol s on s.name = d.name where usedBy <> s.used_by`,
    ).all(first, last)
    yield
    yield* inSteps(symbols, 1_000, (symbol) => use(sql, symbol))
    first = last
  }
  sql("delete from name where changed and files = 0").run()
  sql("update name set changed = 0 where changed").run()
}

/** Writes how many files use a symbol, as `settle` has found it. */
const use = (sql: Statements, { container, exported, id, kind, usedBy }: Row): void => {
  const used = {
    kind: String(kind),
    container: container?.toString(),
    exported: exported === 1,
    usedBy: Number(usedBy),
  }
  sql("update symbol set used_by = ?, major = ? where id = ?").run(used.usedBy, Number(isMajor(used)), Number(id))
}

const add = (sql: Statements, name: string, files: number): void => {
  sql(
    `insert into name (name, files, changed) values (?, ?, 1)
     on conflict do update set files = files + excluded.files, changed = 1`,
  ).run(name, files)
}
