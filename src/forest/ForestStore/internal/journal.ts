/** The rows of the journal: the changes of each operation. */
import * as Schema from "effect/Schema"
import type { Statements } from "../../../disk/Sqlite.ts"
import { NodeId } from "../../../message/NodeId.ts"
import type { Writer } from "../../ForestStore.ts"
import { type EntrySummary, isNodeChange, type JournalEntry, Operation } from "../../JournalEntry.ts"
import * as Changes from "./changes.ts"
import * as IdentityMap from "./identityMap.ts"
import type * as Row from "./row.ts"
import * as Seal from "./seal.ts"

type Journal = Pick<
  Writer,
  "latest" | "entry" | "undoOf" | "operation" | "recent" | "entryThatAdded" | "changedSince" | "appendEntry"
>

export const journal = (sql: Statements, known: IdentityMap.IdentityMap): Journal => ({
  latest: ({ by, except = [], isUndo = false, root } = {}) => {
    const row = sql(
      `select * from journal j where (operation = 'undo') = ?1 and root = coalesce(?2, root)
         and (?3 is null or author = ?3 or substr(author, 1, length(?3) + 1) = ?3 || ' ')
         and (operation_id is null or operation_id not in (select value from json_each(?4)))
         and changes <> '[]' and instr(changes, '{"type":"purged"}') = 0
         and not exists (select 1 from journal u where u.undoes = j.id)
       order by id desc limit 1`,
    ).get(Number(isUndo), root ?? null, by ?? null, JSON.stringify(except))
    // Later entries are checked too, since a damaged one may be the latest.
    const damaged = Seal.findDamagedEntry(sql, Number(row?.id ?? 0))
    if (damaged !== undefined) IdentityMap.failDamaged(`entry ${damaged} of the journal is damaged`)
    return row === undefined ? undefined : entryOf(row, known.nameOf)
  },
  entry: (entry) => brief(sql, requireIntact(sql, sql("select * from journal where id = ?").get(entry))),
  undoOf: (entry) => brief(sql, requireIntact(sql, sql("select * from journal where undoes = ?").get(entry))),
  operation: (entry) => operationOf(sql, entry).map((row) => entryOf(row, known.nameOf)),
  recent: (limit) => {
    const last = new Map<string | number, number>()
    for (const { id, operation_id: operation } of sql(
      "select id, operation_id from journal order by id desc",
    ).iterate()) {
      const key = operation === null ? Number(id) : String(operation)
      if (!last.has(key)) last.set(key, Number(id))
      if (last.size === limit) break
    }
    return Array.from(last.values(), (id) => operationOf(sql, id).flatMap((row) => brief(sql, row) ?? []))
  },
  entryThatAdded: (node) => {
    const rows = sql(
      `select * from journal where operation not in ('undo', 'redo') and
         (instr(changes, ?1) > 0 or (changes not glob '[[]*' and (select id from node where name = ?2)
           between cast(changes as integer) and cast(substr(changes, instr(changes, ' ') + 1) as integer)))
       order by id desc`,
    ).iterate(JSON.stringify({ type: "added", node }), node)
    for (const row of rows) {
      const { changes, id } = entryOf(row, known.nameOf)
      if (changes.some((change) => change.type === "added" && change.node === node)) {
        requireIntact(sql, row)
        return id
      }
    }
    return undefined
  },
  changedSince: (since) =>
    sql(
      `select * from journal j where id > ? and operation <> 'undo'
         and (instr(changes, '"type":"changed"') > 0 or instr(changes, '"type":"moved"') > 0)
         and not exists (select 1 from journal u where u.undoes = j.id)
       order by id`,
    )
      .all(since)
      .map((row) => entryOf(requireIntact(sql, row), known.nameOf))
      .filter(({ changes }) => changes.some(({ type }) => type === "changed" || type === "moved")),
  appendEntry: ({ at, author, changes, operation, operationId, root, undoes }) => {
    const text = Changes.write(changes, known.numberIn)
    sql(
      "insert into journal (root, operation, at, changes, undoes, operation_id, author) values (?, ?, ?, ?, ?, ?, ?)",
    ).run(root, operation, at, text, undoes ?? null, operationId ?? null, author ?? null)
    Seal.addEntry(sql)
  },
})

const decodeOperation = Schema.decodeUnknownSync(Operation)

/** Decodes a row, and throws if that fails. `nameOf` returns the id of a node, even if it was removed. */
export const entryOf = (row: Row.Row, nameOf: (number: number) => NodeId): JournalEntry => ({
  id: Number(row.id),
  root: NodeId.make(String(row.root)),
  operation: decodeOperation(row.operation),
  at: Number(row.at),
  changes: Changes.read(String(row.changes), nameOf),
  ...(row.undoes !== null && { undoes: Number(row.undoes) }),
  ...(row.operation_id !== null && { operationId: String(row.operation_id) }),
  ...(row.author !== null && { author: String(row.author) }),
})

/** Lists the entries of the operation of this entry. */
const operationOf = (sql: Statements, entry: number): ReadonlyArray<Row.Row> =>
  sql(
    `select j.* from journal e join journal j on j.id = e.id or j.operation_id = e.operation_id
     where e.id = ? order by j.id`,
  )
    .all(entry)
    .map((row) => requireIntact(sql, row))

/** Returns the row of an entry, and throws if it is not what was written. */
const requireIntact = <R extends Row.Row | undefined>(sql: Statements, row: R): R =>
  row === undefined || Seal.isEntryIntact(sql, row)
    ? row
    : IdentityMap.failDamaged(`entry ${row.id} of the journal is damaged`)

const brief = (sql: Statements, row: Row.Row | undefined): EntrySummary | undefined => {
  if (row === undefined) return undefined
  // Only the number of nodes matters here.
  const { changes, ...entry } = entryOf(row, (number) => NodeId.make(`#${number}`))
  const first =
    entry.operationId === undefined
      ? entry.id
      : Number(sql("select min(id) as first from journal where operation_id = ?").get(entry.operationId)?.first)
  return { ...entry, nodes: changes.filter(isNodeChange).length, first }
}
