/** All rows of a forest, as far as they can be read. `verify` checks them. */
import { type Database, type Statements, statements } from "../../../disk/Sqlite.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import { NodeId as Name } from "../../../message/NodeId.ts"
import type { Bookmark } from "../../Bookmark.ts"
import type { Problem } from "../../ForestStore.ts"
import { digest } from "../../internal/messageDigest.ts"
import type { DecodedEntry } from "../../internal/replay.ts"
import type { CheckedNode, CheckedRoot, StoredForest } from "../../internal/verify.ts"
import type { JournalEntry } from "../../JournalEntry.ts"
import type { Node } from "../../Node.ts"
import * as Bookmarks from "./bookmarks.ts"
import * as ConversationRows from "./conversationRows.ts"
import { entryOf } from "./journal.ts"
import { hasState, missingObjects } from "./quickCheck.ts"
import * as Row from "./row.ts"
import * as Seal from "./seal.ts"
import * as SearchIndex from "./searchIndex.ts"

type IsFound = ReturnType<typeof SearchIndex.makeChecker>

/** Returns the faults that SQLite itself finds in the file. Unless all of them can be mended, no row is reliable. */
export const findFaults = (database: Database): ReadonlyArray<Problem> => {
  const found = [...findMissingObjects(database), ...checkIntegrity(database)]
  // A database that has lost a page cannot be read row by row.
  return found.every(({ isMendable }) => isMendable) ? [...found, ...checkForeignKeys(database)] : found
}

const findMissingObjects = (database: Database): ReadonlyArray<Problem> => {
  const sql = statements(database)
  const gone = missingObjects(sql).map((name) => ({ subject: "storage", what: `has no ${name}` }))
  if (gone.length === 0 && !Seal.areTablesIntact(sql)) {
    return [{ subject: "storage", what: "has tables that are not as they were made" }]
  }
  const isMissed = gone.length === 0 && !hasState(sql)
  return isMissed ? [{ subject: "storage", what: "has no state of its own, or several", isMendable: true }] : gone
}

const checkIntegrity = (database: Database): ReadonlyArray<Problem> => {
  const found: Array<string> = []
  try {
    for (const { integrity_check: what } of database.prepare("pragma integrity_check").iterate()) {
      found.push(String(what))
    }
  } catch (cause) {
    // The check throws if it cannot continue, mostly after it has reported why; for the search index it only throws.
    if (found.length === 0 && !isSearchFault(String(cause))) throw cause
    if (found.length === 0) return [{ subject: "search", what: String(cause) }]
  }
  return found
    .filter((what) => what !== "ok")
    .map((what) =>
      isSearchFault(what) ? { ...search, what } : { subject: "storage", what, ...(isIndexFault(what) && mendable) },
    )
}

const checkForeignKeys = (database: Database): ReadonlyArray<Problem> =>
  database
    .prepare("pragma foreign_key_check")
    .all()
    .map(({ parent, rowid, table }) => ({
      subject: `row ${rowid} of ${table}`,
      what: `names something that is not in ${parent}`,
    }))

/** Returns whether a message of SQLite is about the search index, which can be rebuilt. */
export const isSearchFault = (fault: string): boolean => /fts5/i.test(fault)

/** Returns whether a message is about another index, which can be rebuilt from its table. */
const isIndexFault = (fault: string): boolean =>
  /\bindex (node|bookmark|journal|conversation|sqlite_autoindex)\w*$/.test(fault)

const mendable = { isMendable: true } as const

const search = { subject: "search", isMendable: true } as const

/** Reads all rows; `isSearchable` says whether the search index can be read. */
export const readAll = (sql: Statements, isSearchable: boolean): StoredForest => ({
  roots: roots(sql),
  nodes: nodes(sql, isSearchable ? SearchIndex.makeChecker(sql) : () => undefined),
  bookmarks: bookmarks(sql),
  entries: entries(sql),
  flaws: flaws(sql),
})

function* roots(sql: Statements): Generator<CheckedRoot> {
  const rows = sql(`select ${Seal.columns} from ${Seal.nodes} where n.role = 'root' order by n.id`).iterate()
  for (const row of rows) {
    yield { id: String(row.name), removed: row.removed === 1, flaws: rootFlaws(row) }
  }
}

const rootFlaws = (row: Row.Row): ReadonlyArray<string> => [
  ...rowFlaws(row),
  ...(row.parent === null && row.root === null ? [] : ["is below something"]),
  ...(Row.isRoot(row) ? [] : ["has a system prompt that cannot be read"]),
]

function* nodes(sql: Statements, isFound: IsFound): Generator<CheckedNode> {
  const rows = sql(
    `select ${Seal.columns}, p.name as parent_name, r.name as root_name
     from ${Seal.nodes} left join node p on p.id = n.parent left join node r on r.id = n.root
     where n.role <> 'root' order by n.id`,
  ).iterate()
  for (const row of rows) {
    const [id, parent, root] = [String(row.name), nameOf(row.parent_name), nameOf(row.root_name)]
    const node = Row.tryDecode(row, parent, root)
    yield {
      id,
      parent,
      root,
      removed: row.removed === 1,
      node,
      flaws: [...rowFlaws(row), ...(node === undefined ? [] : nodeFlaws(row, node))],
      isFound: node === undefined ? undefined : isFound(Number(row.id), node),
    }
  }
}

const nameOf = (name: unknown): NodeId | undefined => (typeof name === "string" ? Name.make(name) : undefined)

const nodeFlaws = (row: Row.Row, node: Node): ReadonlyArray<string> => {
  const { model, role, source } = Row.columns(node)
  const isRight = row.digest instanceof Uint8Array && Buffer.compare(row.digest, digest(node.message)) === 0
  return [
    ...(isRight ? [] : ["has a digest of something else"]),
    ...(row.role === role && row.source === source && row.model === model ? [] : ["is not what its row says it is"]),
  ]
}

const rowFlaws = (row: Row.Row): ReadonlyArray<string> => [
  ...(row.removed === 0 || row.removed === 1 ? [] : ["is neither there nor removed"]),
  ...(Seal.isIntact(row) ? [] : ["is not what was written"]),
]

function* bookmarks(sql: Statements): Generator<Bookmark> {
  for (const row of sql("select * from bookmark order by title").iterate()) yield Bookmarks.decodeRow(row)
}

function* entries(sql: Statements): Generator<DecodedEntry> {
  const most = Number(sql("select max(id) as most from node").get()?.most)
  const idOf = (number: number): NodeId => {
    if (number > most) throw new RangeError(`no node has a number like ${number}`)
    const row = sql("select name from node where id = ?").get(number)
    return Name.make(row === undefined ? `#${number}` : String(row.name))
  }
  for (const row of sql("select * from journal order by id").iterate()) {
    yield { id: Number(row.id), entry: entry(row, idOf) }
  }
}

const entry = (row: Row.Row, nameOf: (number: number) => NodeId): JournalEntry | undefined => {
  try {
    return entryOf(row, nameOf)
  } catch {
    return undefined
  }
}

/** Finds the flaws of the journal, of bookmarks, and of seals and counts. */
function* flaws(sql: Statements): Generator<Problem> {
  let before: unknown
  for (const row of sql("select * from journal order by id").iterate()) {
    if (row.digest !== Seal.entryDigest(row, before)) {
      yield { subject: `entry ${row.id}`, what: "is not what was written, or does not follow what was before it" }
    }
    before = row.digest
  }
  for (const row of sql("select * from bookmark").iterate()) {
    if (row.digest !== Seal.bookmarkDigest(row)) {
      yield { subject: `bookmark ${row.title}`, what: "is not what was written" }
    }
  }
  for (const { id } of sql("select id from seal where id not in (select id from node)").iterate()) {
    yield { subject: `node #${id}`, what: "is missing, and its seal is there" }
  }
  for (const { name } of Seal.findMisplaced(sql)) {
    yield { subject: `node ${name}`, what: "has a seal of another place", isMendable: true }
  }
  for (const { name } of Seal.findMiscounted(sql)) {
    yield { subject: `node ${name}`, what: "has another number of children than is counted", isMendable: true }
  }
  yield* ConversationRows.findFaults(sql)
  for (const { what } of Seal.findMistallied(sql)) {
    yield { subject: String(what), what: "are not as many as are counted", isMendable: true }
  }
}
