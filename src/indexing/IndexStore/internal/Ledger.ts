/** How what a language model wrote gets into the journal, from there into `purposes.jsonl`, and into the tables. */
import { inSteps, type Statements, type Steps } from "../../../disk/Sqlite.ts"
import type { NewPurpose } from "../../IndexStore.ts"
import * as Purposes from "../../Purposes.ts"
import * as Facts from "./Facts.ts"
import * as Learned from "./Learned.ts"
import type { Place } from "./Place.ts"

// Both run in a transaction: the write lock of the database is the lock of journal and text too, so that nobody
// appends to what another takes away.

/** Keeps purposes. Those of origin `model` are in the journal, on disk, when it returns. */
export function* record(place: Place, sql: Statements, purposes: ReadonlyArray<NewPurpose>): Steps<void> {
  const lines = purposes.filter(({ origin }) => origin === "model").map(toLine)
  if (lines.length > 0) place.journal.append(lines.map((line) => `${Purposes.write(line).text}\n`).join(""))
  yield* inSteps(purposes, 10, (purpose) => Learned.record(sql, purpose))
}

/** Whether the journal is empty and the tables agree with the text. */
export const isSettled = (place: Place, sql: Statements): boolean =>
  place.journal.read() === "" && Facts.get(sql, "purposes") === place.purposes.read()

/**
 * Sorts the journal into the text, and brings the tables in line with the text. Returns how many lines of the text are
 * no purposes.
 */
export function* settle(place: Place, sql: Statements): Steps<number> {
  const text = place.purposes.read()
  const { unread, written } = Purposes.parse(text)
  // What is in the journal and cannot be read was torn by a crash, before anyone was told that it is kept.
  const added = Purposes.parse(place.journal.read()).written
  const settled = added.length === 0 ? written : pruned(sql, Purposes.merge(written, added))
  const sorted = added.length === 0 ? text : Purposes.render({ written: settled, unread })
  if (sorted !== text) place.purposes.replace(sorted)
  place.journal.clear()
  yield* Learned.adopt(
    sql,
    settled.map(({ line }) => line),
  )
  Facts.set(sql, "purposes", sorted)
  return unread.length
}

/** While the structure is not known, any version may be the one of the present source. */
const pruned = (sql: Statements, written: ReadonlyArray<Purposes.Written>): ReadonlyArray<Purposes.Written> => {
  if (Facts.get(sql, "structure") !== "complete") return written
  const present = sql("select 1 from symbol where qualified = ? and hash = ?")
  return Purposes.prune(written, ({ hash, symbol }) => present.get(symbol, hash) !== undefined)
}

const toLine = ({ entry, model, node, text }: NewPurpose): Purposes.Line => ({
  path: entry.path,
  symbol: entry.qualifiedName,
  kind: entry.kind,
  hash: entry.hash,
  purpose: text,
  model,
  node,
})
