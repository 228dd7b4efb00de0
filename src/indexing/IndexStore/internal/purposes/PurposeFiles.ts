/** The journal and `purposes.jsonl`: purposes go to the journal first, from there to the text, and to the tables. */
import { inSteps, type Statements, type Steps } from "../../../../disk/Sqlite.ts"
import type { NewPurpose } from "../../../IndexStore.ts"
import * as Purposes from "../../../Purposes.ts"
import type { IndexLocation } from "../IndexLocation.ts"
import * as Metadata from "../Metadata.ts"
import * as PurposeTable from "./PurposeTable.ts"

// `record` and `sync` run in a transaction: the write lock of the database is the lock of both files too, so that no
// process appends to a journal that another removes.

/** Writes purposes. When it returns, they are in the journal, on disk. */
export function* record(location: IndexLocation, sql: Statements, purposes: ReadonlyArray<NewPurpose>): Steps<void> {
  const lines = purposes.map((purpose) => PurposeTable.confirm(sql, toLine(purpose)))
  if (lines.length > 0) location.journal.append(lines.map((line) => `${Purposes.encode(line).text}\n`).join(""))
  yield* inSteps(lines, 10, (line) => PurposeTable.record(sql, line))
}

/** Whether the journal is empty and the tables agree with the text. */
export const isSynced = (location: IndexLocation, sql: Statements): boolean =>
  location.journal.read() === "" && Metadata.get(sql, "purposes") === location.purposes.read()

/**
 * Merges the journal into the text, and makes the tables agree with the text. Returns the lines of the text that are
 * no purposes.
 */
export function* sync(location: IndexLocation, sql: Statements): Steps<ReadonlyArray<string>> {
  const text = location.purposes.read()
  const { invalid, lines } = Purposes.parse(text)
  // A line of the journal that does not parse was torn by a crash before `record` had returned.
  const added = Purposes.parse(location.journal.read()).lines
  const merged = added.length === 0 ? lines : prune(sql, Purposes.merge(lines, added))
  const updated = added.length === 0 ? text : Purposes.render({ lines: merged, invalid })
  if (updated !== text) location.purposes.replace(updated)
  location.journal.clear()
  yield* PurposeTable.replaceAll(
    sql,
    merged.map(({ line }) => line),
  )
  Metadata.set(sql, "purposes", updated)
  return invalid
}

/** Removes nothing while the structure is incomplete: any version may be the one of the present source. */
const prune = (sql: Statements, lines: ReadonlyArray<Purposes.StoredLine>): ReadonlyArray<Purposes.StoredLine> => {
  if (!Metadata.isComplete(sql)) return lines
  const present = sql("select 1 from symbol where qualified = ? and hash = ?")
  return Purposes.prune(lines, ({ hash, symbol }) => present.get(symbol, hash) !== undefined)
}

const toLine = ({ entry, lines, model, node, text, weak }: NewPurpose): Purposes.Line => ({
  path: entry.path,
  symbol: entry.qualifiedName,
  kind: entry.kind,
  hash: entry.hash,
  purpose: text,
  model,
  node,
  ...(weak !== undefined && { weak }),
  ...(lines !== undefined && lines.length > 0 && { lines }),
})
