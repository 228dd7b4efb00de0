/** Everything in a database, row by row, as far as it can be read. */
import { type Database, type Statements, statements } from "../../../disk/Sqlite.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import { NodeId as Name } from "../../../message/NodeId.ts"
import type { Entry } from "../../Entry.ts"
import { digest } from "../../internal/likeness.ts"
import type { KeptEntry } from "../../internal/replay.ts"
import type { Kept, KeptNode, KeptRoot } from "../../internal/verify.ts"
import type { Node } from "../../Node.ts"
import type { Problem } from "../../Verification.ts"
import * as Row from "./row.ts"
import { bookmarksOf, entryOf } from "./rows.ts"
import * as Said from "./said.ts"
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
    .map((what) => (isOfSearch(what) ? { ...search, what } : { subject: "storage", what }))
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

const search = { subject: "search", isMendable: true } as const

/** `isSearchable`: whether the index for the search can be read. */
export const kept = (sql: Statements, isSearchable: boolean): Kept => ({
  roots: roots(sql),
  nodes: nodes(sql, isSearchable ? Said.check(sql) : () => undefined),
  bookmarks: bookmarksOf(sql),
  entries: entries(sql),
})

function* roots(sql: Statements): Generator<KeptRoot> {
  for (const row of sql("select * from node where role = 'root' order by id").iterate()) {
    yield { id: String(row.name), removed: row.removed === 1, flaws: rootFlaws(row) }
  }
}

const rootFlaws = (row: Row.Row): ReadonlyArray<string> => [
  ...removalFlaws(row),
  ...(row.parent === null && row.root === null ? [] : ["is below something"]),
  ...(Row.isRoot(row) ? [] : ["has a system prompt that cannot be read"]),
]

function* nodes(sql: Statements, isFound: IsFound): Generator<KeptNode> {
  const rows = sql(
    `select n.*, p.name as parent_name, r.name as root_name
     from node n left join node p on p.id = n.parent left join node r on r.id = n.root
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
      flaws: node === undefined ? [] : flaws(row, node),
      isFound: node === undefined ? undefined : isFound(Number(row.id), node),
    }
  }
}

const nameOf = (name: unknown): NodeId | undefined => (typeof name === "string" ? Name.make(name) : undefined)

const flaws = (row: Row.Row, node: Node): ReadonlyArray<string> => {
  const { model, role, source } = Row.columns(node)
  const isRight = row.digest instanceof Uint8Array && Buffer.compare(row.digest, digest(node.message)) === 0
  return [
    ...removalFlaws(row),
    ...(isRight ? [] : ["has a digest of something else"]),
    ...(row.role === role && row.source === source && row.model === model ? [] : ["is not what its row says it is"]),
  ]
}

const removalFlaws = ({ removed }: Row.Row): ReadonlyArray<string> =>
  removed === 0 || removed === 1 ? [] : ["is neither there nor removed"]

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
