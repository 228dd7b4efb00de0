/** Purposes in the tables: all that are known for some version of a symbol, and the one that each symbol shows. */
import * as Schema from "effect/Schema"
import { inSteps, type Statements, type Steps } from "../../../disk/Sqlite.ts"
import { Purpose } from "../../IndexEntry.ts"
import type { NewPurpose } from "../../IndexStore.ts"
import * as Purposes from "../../Purposes.ts"
import * as Names from "./Names.ts"
import * as Postings from "./Postings.ts"
import * as Row from "./Row.ts"

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
export function* adopt(sql: Statements, lines: ReadonlyArray<Purposes.Line>): Steps<void> {
  const before = bySymbol(sql("select * from purpose where origin = 'model' order by id").all().map(Row.purpose))
  const after = bySymbol(lines)
  sql("delete from purpose where origin = 'model'").run()
  yield* inSteps(lines, 1_000, (line) => insert(sql, { ...line, origin: "model", doc: undefined }))
  // The refresh that finds the symbols shows them all.
  if (!Names.areCounted(sql)) return
  yield* inSteps(new Set([...before.keys(), ...after.keys()]), 10, (symbol) => {
    if (before.get(symbol) !== after.get(symbol)) show(sql, symbol)
  })
}

/** Chooses anew what all symbols show for which any purpose is known, or those among them that have one of `names`. */
export const showAll = (sql: Statements, names?: ReadonlySet<string>): Steps<void> =>
  inSteps(sql("select distinct symbol from purpose").all(), 10, ({ symbol }) => {
    const name = String(symbol)
    if (names?.has(name) ?? true) show(sql, name)
  })

/** Chooses anew what the symbols of a qualified name show. */
export const show = (sql: Statements, name: string): void => {
  const known = sql("select * from purpose where symbol = ? order by id").all(name).map(Row.purpose)
  const subjects = sql(`select s.id, s.file, s.ordinal, ${Row.ENTRY} where s.qualified = ?`)
    .all(name)
    .map((row) => ({ id: Number(row.id), file: Number(row.file), symbol: Number(row.ordinal), entry: Row.entry(row) }))
  const siblings = Map.groupBy(
    subjects.map(({ entry }) => entry),
    ({ path }) => path,
  )
  for (const { entry, file, id, symbol } of subjects) {
    const chosen = Purposes.choose(entry, known, siblings.get(entry.path) ?? [])
    if (isSame(chosen, entry.purpose)) continue
    sql("update symbol set purpose = ?, origin = ?, model = ?, node = ?, stale = ? where id = ?").run(
      chosen?.text ?? null,
      chosen?.origin ?? null,
      chosen?.model ?? null,
      chosen?.node ?? null,
      chosen === undefined ? null : Number(chosen.stale),
      id,
    )
    Postings.replacePurpose(sql, { file, symbol }, written(entry.purpose), written(chosen))
  }
}

/** What a model wrote. What was read off a comment or derived from a name is told by the source already. */
const written = (purpose: Purpose | undefined): string | undefined =>
  purpose?.origin === "model" ? purpose.text : undefined

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
