/** Everything in a database, row by row, as far as it can be read. */
import { type Database, type Statements, statements } from "../../../disk/Sqlite.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import { NodeId as Name } from "../../../message/NodeId.ts"
import type { Bookmark } from "../../Bookmark.ts"
import type { Entry } from "../../Entry.ts"
import { digest } from "../../internal/likeness.ts"
import type { KeptEntry } from "../../internal/replay.ts"
import type { Kept, KeptNode, KeptRoot } from "../../internal/verify.ts"
import type { Node } from "../../Node.ts"
import type { Problem } from "../../Verification.ts"
import * as Row from "./row.ts"
import { decodedBookmark, entryOf } from "./rows.ts"
import * as Said from "./said.ts"
import * as Seal from "./seal.ts"
import { hasState, missing } from "./sound.ts"

type IsFound = ReturnType<typeof Said.check>

/**
 * What SQLite itself finds wrong with its file. Where that is more than the index for the search, nothing in it can be
 * relied on.
 */
export const faults = (database: Database): ReadonlyArray<Problem> => {
  const found = [...absent(database), ...storage(database)]
  // What has lost a page cannot be looked through row by row.
  return found.every(({ isMendable }) => isMendable) ? [...found, ...dangling(database)] : found
}

const absent = (database: Database): ReadonlyArray<Problem> => {
  const sql = statements(database)
  const gone = missing(sql).map((name) => ({ subject: "storage", what: `has no ${name}` }))
  if (gone.length === 0 && !Seal.areTablesIntact(sql)) {
    return [{ subject: "storage", what: "has tables that are not as they were made" }]
  }
  const isMissed = gone.length === 0 && !hasState(sql)
  return isMissed ? [{ subject: "storage", what: "has no state of its own, or several", isMendable: true }] : gone
}

const storage = (database: Database): ReadonlyArray<Problem> => {
  const found: Array<string> = []
  try {
    for (const { integrity_check: what } of database.prepare("pragma integrity_check").iterate()) {
      found.push(String(what))
    }
  } catch (cause) {
    // It ends where it cannot go on, after it has said why; of the search it does not.
    if (found.length === 0 && !isOfSearch(String(cause))) throw cause
    if (found.length === 0) return [{ subject: "search", what: String(cause) }]
  }
  return found
    .filter((what) => what !== "ok")
    .map((what) =>
      isOfSearch(what) ? { ...search, what } : { subject: "storage", what, ...(isOfIndex(what) && mendable) },
    )
}

const dangling = (database: Database): ReadonlyArray<Problem> =>
  database
    .prepare("pragma foreign_key_check")
    .all()
    .map(({ parent, rowid, table }) => ({
      subject: `row ${rowid} of ${table}`,
      what: `names something that is not in ${parent}`,
    }))

/** Whether a fault, as SQLite tells it, is one of the index for the search, which is made anew from the rest. */
export const isOfSearch = (fault: string): boolean => /fts5/i.test(fault)

/** Whether it is one of another index, which does not fit its table: it is made anew from that. */
const isOfIndex = (fault: string): boolean => /\bindex (node|bookmark|journal|sqlite_autoindex)\w*$/.test(fault)

const mendable = { isMendable: true } as const

const search = { subject: "search", isMendable: true } as const

/** `isSearchable`: whether the index for the search can be read. */
export const kept = (sql: Statements, isSearchable: boolean): Kept => ({
  roots: roots(sql),
  nodes: nodes(sql, isSearchable ? Said.check(sql) : () => undefined),
  bookmarks: bookmarks(sql),
  entries: entries(sql),
  flaws: flaws(sql),
})

function* roots(sql: Statements): Generator<KeptRoot> {
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

function* nodes(sql: Statements, isFound: IsFound): Generator<KeptNode> {
  const rows = sql(
    `select ${Seal.columns}, p.name as parent_name, r.name as root_name
     from ${Seal.nodes} left join node p on p.id = n.parent left join node r on r.id = n.root
     where n.role <> 'root' order by n.id`,
  ).iterate()
  for (const row of rows) {
    const [id, parent, root] = [String(row.name), nameOf(row.parent_name), nameOf(row.root_name)]
    const node = Row.decoded(row, parent, root)
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
  for (const row of sql("select * from bookmark order by title").iterate()) yield decodedBookmark(row)
}

function* entries(sql: Statements): Generator<KeptEntry> {
  const most = Number(sql("select max(id) as most from node").get()?.most)
  const named = (number: number): NodeId => {
    if (number > most) throw new RangeError(`no node has a number like ${number}`)
    const row = sql("select name from node where id = ?").get(number)
    return Name.make(row === undefined ? `#${number}` : String(row.name))
  }
  for (const row of sql("select * from journal order by id").iterate()) {
    yield { id: Number(row.id), entry: entry(row, named) }
  }
}

const entry = (row: Row.Row, nameOf: (number: number) => NodeId): Entry | undefined => {
  try {
    return entryOf(row, nameOf)
  } catch {
    return undefined
  }
}

/** Of the journal, of bookmarks, and of what is only there once more: what is counted. */
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
  for (const { name } of Seal.misplaced(sql)) {
    yield { subject: `node ${name}`, what: "has a seal of another place", isMendable: true }
  }
  for (const { name } of Seal.miscounted(sql)) {
    yield { subject: `node ${name}`, what: "has another number of children than is counted", isMendable: true }
  }
  for (const { what } of Seal.mistallied(sql)) {
    yield { subject: String(what), what: "are not as many as are counted", isMendable: true }
  }
}
