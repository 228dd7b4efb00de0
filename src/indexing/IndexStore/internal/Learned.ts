/** Purposes in the tables: all that are known for some version of a symbol, and the one that each symbol shows. */
import * as Schema from "effect/Schema"
import type { Statements } from "../../../disk/Sqlite.ts"
import { Purpose } from "../../IndexEntry.ts"
import type { NewPurpose } from "../../IndexStore.ts"
import * as Purposes from "../../Purposes.ts"
import * as Row from "./Row.ts"
import * as Words from "./Words.ts"

/** Keeps a purpose, in the place of what was derived from the same source, and shows it where it belongs. */
export const record = (sql: Statements, { entry, model, node, origin, text }: NewPurpose): void => {
  const { doc, hash, kind, path, qualifiedName: symbol } = entry
  // What can be derived again is not kept for other branches.
  sql(
    `delete from purpose where symbol = ? and path = ? and kind = ? and origin <> 'model' and (hash = ? or not exists (
       select 1 from symbol s join file f on f.id = s.file
       where s.qualified = purpose.symbol and f.path = purpose.path and s.hash = purpose.hash))`,
  ).run(symbol, path, kind, hash)
  const line = { path, symbol, kind, hash, purpose: text, model, node }
  insert(sql, { ...line, origin, doc: origin === "comment" ? doc : undefined })
  show(sql, symbol)
}

/** Makes the purposes of origin `model` these, oldest first. */
export const adopt = (sql: Statements, lines: ReadonlyArray<Purposes.Line>): void => {
  const before = bySymbol(sql("select * from purpose where origin = 'model' order by id").all().map(Row.purpose))
  const after = bySymbol(lines)
  sql("delete from purpose where origin = 'model'").run()
  for (const line of lines) insert(sql, { ...line, origin: "model", doc: undefined })
  for (const symbol of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(symbol) !== after.get(symbol)) show(sql, symbol)
  }
}

/** The qualified names for which any purpose is known. */
export const symbols = (sql: Statements): ReadonlySet<string> =>
  new Set(
    sql("select distinct symbol from purpose")
      .all()
      .map((row) => String(row.symbol)),
  )

/** Chooses anew what the symbols of a qualified name show. */
export const show = (sql: Statements, symbol: string): void => {
  const known = sql("select * from purpose where symbol = ? order by id").all(symbol).map(Row.purpose)
  const subjects = sql(`select s.id, ${Row.ENTRY} where s.qualified = ?`)
    .all(symbol)
    .map((row) => ({ id: Number(row.id), entry: Row.entry(row) }))
  const siblings = Map.groupBy(
    subjects.map(({ entry }) => entry),
    ({ path }) => path,
  )
  for (const { entry, id } of subjects) {
    const chosen = Purposes.choose(entry, known, siblings.get(entry.path) ?? [])
    if (isSame(chosen, entry.purpose)) continue
    sql("update symbol set purpose = ?, origin = ?, model = ?, stale = ? where id = ?").run(
      chosen?.text ?? null,
      chosen?.origin ?? null,
      chosen?.model ?? null,
      chosen === undefined ? null : Number(chosen.stale),
      id,
    )
    Words.putPurpose(sql, id, chosen)
  }
}

const isSame = Schema.equivalence(Schema.UndefinedOr(Purpose))

const insert = (sql: Statements, known: Purposes.Known): void => {
  sql(
    `insert or replace into purpose (path, symbol, kind, hash, origin, doc, purpose, model, node)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    known.path,
    known.symbol,
    known.kind,
    known.hash,
    known.origin,
    known.doc ?? null,
    known.purpose,
    known.model,
    known.node,
  )
}

/** All that is known of each symbol, so that two states can be compared. */
const bySymbol = (lines: ReadonlyArray<Purposes.Line>): ReadonlyMap<string, string> => {
  const known = new Map<string, string>()
  for (const line of lines) known.set(line.symbol, (known.get(line.symbol) ?? "") + Purposes.write(line).text)
  return known
}
