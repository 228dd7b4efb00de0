/** Reads the inventory for a purge, and removes the rows of its plan from tables, indices and journal. */
import * as Schema from "effect/Schema"
import type { Statements } from "../../../disk/Sqlite.ts"
import { NodeId } from "../../../message/NodeId.ts"
import type { Bookmark } from "../../Bookmark.ts"
import type { Inventory, Plan, StoredEntry, StoredNode, StoredTree } from "../../internal/purge.ts"
import type { Change, JournalEntry } from "../../JournalEntry.ts"
import * as Changes from "./changes.ts"
import * as Positions from "./positions.ts"
import * as Row from "./row.ts"
import * as Seal from "./seal.ts"
import * as SearchIndex from "./searchIndex.ts"

/** Reads the inventory; `entryOf` decodes a row of the journal, and throws if it is damaged. */
export const inventory = (
  sql: Statements,
  bookmarks: ReadonlyArray<Bookmark>,
  entryOf: (row: Row.Row) => JournalEntry,
): Inventory => ({
  trees: trees(sql),
  nodes: nodes(sql),
  entries: entries(sql, entryOf),
  bookmarks,
  messageOf: (id) => {
    const row = sql(`select ${Seal.columns} from ${Seal.nodes} where n.name = ?`).get(id)
    return row !== undefined && Seal.isIntact(row) ? Row.tryDecode(row)?.message : undefined
  },
})

function* trees(sql: Statements): Generator<StoredTree> {
  for (const { body, name, removed, source } of sql("select * from node where role = 'root'").iterate()) {
    yield { id: nameOf(name), isRemoved: removed === 1, isErased: body === "" && source === "" }
  }
}

function* nodes(sql: Statements): Generator<StoredNode> {
  const rows = sql(
    `select n.id, n.name, n.parent, n.root, n.removed, n.split_from, p.name as parent_name, r.name as root_name
     from node n left join node p on p.id = n.parent left join node r on r.id = n.root where n.role <> 'root'`,
  ).all()
  for (const row of rows) {
    const isPlaced = Seal.isBelow(sql, row, row.parent)
    yield {
      id: nameOf(row.name),
      parent: isPlaced && row.parent_name !== null ? nameOf(row.parent_name) : undefined,
      root: isPlaced && row.root_name !== null ? nameOf(row.root_name) : undefined,
      isRemoved: row.removed === 1,
      splitFrom: row.split_from === null ? undefined : nameOf(row.split_from),
    }
  }
}

function* entries(sql: Statements, entryOf: (row: Row.Row) => JournalEntry): Generator<StoredEntry> {
  for (const row of sql("select * from journal order by id").all()) {
    yield { id: Number(row.id), root: nameOf(row.root), entry: decodeEntry(row, entryOf) }
  }
}

const decodeEntry = (row: Row.Row, entryOf: (row: Row.Row) => JournalEntry): JournalEntry | undefined => {
  try {
    return entryOf(row)
  } catch {
    return undefined
  }
}

const nameOf = (name: unknown): NodeId => NodeId.make(String(name))

/**
 * Must be called with foreign keys off: with them SQLite would scan all rows for each row that is deleted. No remaining
 * row refers to a deleted one.
 */
export const purge = (sql: Statements, plan: Plan): void => {
  for (const title of plan.purged.bookmarks) {
    sql("delete from bookmark where title = ?").run(title)
    Seal.tally(sql, Seal.BOOKMARKS, -1)
  }
  const numberOf = (id: NodeId) => Number(sql("select id from node where name = ?").get(id)?.id)
  Seal.rewriteEntries(sql, (id, text) => {
    const changes: ReadonlyArray<Change> | undefined = plan.entries.get(id)
    return changes === undefined ? text : Changes.write(changes, numberOf)
  })
  Positions.removeAt(sql, encodeNames([...plan.nodes, ...plan.trees]))
  const names = encodeNames(Array.from(plan.nodes))
  clearSplitFrom(sql, names)
  const gone = sql("select id, parent, removed from node where name in (select value from json_each(?))").all(names)
  const numbers = new Set(gone.map(({ id }) => id))
  for (const { parent, removed } of gone) {
    if (removed === 0 && !numbers.has(parent)) Seal.addChildren(sql, parent, -1)
  }
  SearchIndex.removeNodes(
    sql,
    gone.map(({ id }) => Number(id)),
  )
  const ids = encodeNumbers(gone.map(({ id }) => Number(id)))
  sql("delete from seal where id in (select value from json_each(?))").run(ids)
  sql("delete from node where id in (select value from json_each(?))").run(ids)
  for (const id of plan.trees) erase(sql, id)
  Seal.removeEmptyTallies(sql)
  SearchIndex.truncate(sql)
}

/** Clears `split_from` of remaining nodes that were split from purged ones. */
const clearSplitFrom = (sql: Statements, names: string): void => {
  const halves = sql(
    `select ${Seal.columns} from ${Seal.nodes} where n.split_from in (select value from json_each(?1))
       and n.name not in (select value from json_each(?1))`,
  ).all(names)
  for (const row of halves) {
    sql("update node set split_from = null where id = ?").run(Number(row.id))
    Seal.update(sql, { ...row, split_from: null }, Seal.isIntact(row))
  }
}

/** Clears everything of a tree but its id, to which the journal refers. */
const erase = (sql: Statements, id: NodeId): void => {
  const before = sql("select source, removed from node where name = ?").get(id)
  if (before?.removed === 0) Seal.tally(sql, Seal.treesOf(String(before.source)), -1)
  const row = sql(
    `update node set body = '', is_json = 0, source = '', created_at = 0, removed = 1 where name = ? returning *`,
  ).get(id)
  if (row === undefined) return
  Seal.update(sql, row)
  Seal.setRemoved(sql, Number(row.id), true)
}

const encodeNames = Schema.encodeSync(Schema.parseJson(Schema.Array(NodeId)))
const encodeNumbers = Schema.encodeSync(Schema.parseJson(Schema.Array(Schema.Number)))
