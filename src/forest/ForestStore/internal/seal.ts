/**
 * Seals: digests of rows, in a separate table, which detect changes of a row that SQLite itself does not detect. The
 * digest of a node covers its whole row with the number of its parent, that of a root covers its owner and system
 * prompt, and that of a journal entry also the digest of the entry before. The children of a node and the trees of an
 * owner are counted, so that a missing one is noticed.
 */
import { hash } from "node:crypto"
import type { Database, Statements } from "../../../disk/Sqlite.ts"
import { statements } from "../../../disk/Sqlite.ts"
import type { Row } from "./row.ts"

/** The columns of a node or a root with its seal. */
export const columns = "n.*, s.digest as sealed, s.removed as gone"

export const nodes = "node n left join seal s on s.id = n.id"

/** Returns whether the row of a node or a root, read with its seal, is what was written. It takes 2 µs. */
export const isIntact = (row: Row): boolean => row.sealed === nodeDigest(row) && row.gone === row.removed

/** Returns whether the seal confirms the number of the parent, whatever else of the row is damaged. */
export const isBelow = (sql: Statements, row: Row, parent: unknown): boolean =>
  sql("select place from seal where id = ?").get(Number(row.id))?.place === placeDigest({ ...row, parent })

/** Finds the intact nodes and roots whose seals have another place, by id. */
export function* findMisplaced(sql: Statements): Generator<Row> {
  const rows = sql(`select ${columns}, s.place, s.root as tree from ${nodes} order by n.id`).iterate()
  for (const row of rows) {
    if (isIntact(row) && (row.place !== placeDigest(row) || row.tree !== Number(row.root ?? 0))) yield row
  }
}

/** Seals a new row of a node or a root. */
export const add = (sql: Statements, row: Row): void => {
  sql("insert into seal (id, digest, place, root, removed, children) values (?, ?, ?, ?, ?, 0)").run(
    Number(row.id),
    nodeDigest(row),
    placeDigest(row),
    Number(row.root ?? 0),
    Number(row.removed),
  )
}

/** Seals a changed row. If it was not intact before, only its place is sealed, so it stays damaged. */
export const update = (sql: Statements, row: Row, wasIntact = true): void => {
  if (wasIntact) sql("update seal set digest = ? where id = ?").run(nodeDigest(row), Number(row.id))
  sql("update seal set place = ? where id = ?").run(placeDigest(row), Number(row.id))
}

export const setRemoved = (sql: Statements, number: number, removed: boolean): void => {
  sql("update seal set removed = ? where id = ?").run(Number(removed), number)
}

/** Adds `by` to the number of children. */
export const addChildren = (sql: Statements, parent: unknown, by: number): void => {
  if (typeof parent === "number") sql("update seal set children = children + ? where id = ?").run(by, parent)
}

export const countChildren = (sql: Statements, parent: number): number =>
  Number(sql("select children from seal where id = ?").get(parent)?.children ?? 0)

/** Lists the nodes without children by the seals alone, newest first, including those whose rows are lost. */
export const leaves = (sql: Statements, tree: number | null, limit: number): ReadonlyArray<number> =>
  sql(
    `select id from seal where root <> 0 and not removed and children = 0 and (?1 is null or root = ?1)
     order by id desc limit ?2`,
  )
    .all(tree, limit)
    .map(({ id }) => Number(id))

/** The names of tallies: the trees of an owner, and bookmarks. */
const TREES = "trees of "
export const treesOf = (owner: string): string => `${TREES}${owner}`
export const BOOKMARKS = "bookmarks"

export const tally = (sql: Statements, what: string, by: number): void => {
  sql("insert into tally values (?, ?) on conflict do update set count = count + excluded.count").run(what, by)
}

/** Removes tallies of 0, which would name purged owners. */
export const removeEmptyTallies = (sql: Statements): void => {
  sql("delete from tally where count = 0").run()
}

export const tallyOf = (sql: Statements, what: string): number =>
  Number(sql("select count from tally where what = ?").get(what)?.count ?? 0)

export const tallyOfTrees = (sql: Statements): number =>
  Number(sql("select total(count) as count from tally where what glob ?").get(`${TREES}*`)?.count)

/** Seals the entry of the journal that was just written. */
export const addEntry = (sql: Statements): void => {
  const [row, before] = sql("select * from journal order by id desc limit 2").all()
  if (row !== undefined) {
    sql("update journal set digest = ? where id = ?").run(entryDigest(row, before?.digest), Number(row.id))
  }
}

/**
 * Returns the first entry with at least this number (0 for all) that is not what was written, that does not follow the
 * one before it, or for which index and entries disagree whether it was undone.
 */
export const findDamagedEntry = (sql: Statements, from: number): number | undefined => {
  let before = sql("select digest from journal where id < ? order by id desc limit 1").get(from)?.digest
  let isFirst = true
  const undone = new Set<number>()
  for (const row of sql("select * from journal where id >= ? order by id").iterate(from)) {
    if (row.digest !== entryDigest(row, before)) return Number(row.id)
    if (isFirst && from > 0 && row.id !== from) return from
    isFirst = false
    before = row.digest
    if (row.undoes !== null && Number(row.undoes) >= from) undone.add(Number(row.undoes))
  }
  if (isFirst && from > 0) return from
  const indexed = sql(
    "select undoes from journal indexed by journal_undoes where undoes is not null and undoes >= ?",
  ).all(from)
  const other = indexed.find(({ undoes }) => !undone.delete(Number(undoes)))
  return other === undefined ? undone.values().next().value : Number(other.undoes)
}

/** Returns whether an entry of the journal is what was written, and follows the one before it. */
export const isEntryIntact = (sql: Statements, row: Row): boolean => {
  const before = sql("select digest from journal where id < ? order by id desc limit 1").get(Number(row.id))?.digest
  return row.digest === entryDigest(row, before)
}

/**
 * Returns the digest of an entry; `before` is the digest of the entry before it. Empty columns do not count, so that
 * columns can be added later.
 */
export const entryDigest = (row: Row, before: unknown): string => digest(row, ENTRY, `${before ?? ""}\n${row.changes}`)

/**
 * Replaces the changes of journal entries, and seals all that follow again. A damaged entry stays damaged. `changesOf`
 * receives the number of an entry and the text of its changes.
 */
export const rewriteEntries = (sql: Statements, changesOf: (id: number, changes: string) => string): void => {
  let [before, after]: ReadonlyArray<unknown> = []
  for (const row of sql("select * from journal order by id").all()) {
    const changes = changesOf(Number(row.id), String(row.changes))
    const digest = row.digest === entryDigest(row, before) ? entryDigest({ ...row, changes }, after) : ""
    before = row.digest
    after = digest
    if (changes === row.changes && digest === row.digest) continue
    sql("update journal set changes = ?, digest = ? where id = ?").run(changes, digest, Number(row.id))
  }
}

export const conversationDigest = (row: Row): string => digest(row, CONVERSATION, row.title)

export const bookmarkDigest = (row: Row): string => digest(row, BOOKMARK, "")

/** Finds the nodes and roots whose number of children differs from their seals, by id. */
export const findMiscounted = (sql: Statements): ReadonlyArray<Row> =>
  sql(
    `select n.name from seal s join node n on n.id = s.id left join (${CHILDREN}) c on c.id = s.id
     where s.children <> ifnull(c.count, 0) order by s.id`,
  ).all()

/** Finds the tallies that differ from the rows. */
export const findMistallied = (sql: Statements): ReadonlyArray<Row> =>
  sql(
    `select what from (select what, count from tally where count <> 0 union all ${TALLIES})
     group by what having count(*) <> 2 or min(count) <> max(count)`,
  ).all()

/** Rebuilds everything that follows from rows: indices, tallies, numbers of children, and places of seals. */
export const repair = (sql: Statements): void => {
  for (const row of Array.from(findMisplaced(sql))) {
    sql("update seal set place = ?, root = ? where id = ?").run(placeDigest(row), Number(row.root ?? 0), Number(row.id))
  }
  recount(sql)
}

/** Rebuilds indices, tallies and numbers of children. */
const recount = (sql: Statements): void => {
  for (const table of ["node", "bookmark", "journal"]) sql(`reindex ${table}`).run()
  sql("update seal set children = 0 where children <> 0").run()
  sql(`update seal set children = c.count from (${CHILDREN}) as c where seal.id = c.id`).run()
  sql("delete from tally").run()
  sql(`insert into tally ${TALLIES}`).run()
}

/** The table itself is counted, since an index may be damaged. */
const CHILDREN = `select parent as id, count(*) as count from node not indexed
  where parent is not null and not removed group by parent`

const TALLIES = `select '${TREES}' || source as what, count(*) as count from node not indexed
    where parent is null and not removed group by source
  union all select '${BOOKMARKS}', count(*) from bookmark having count(*) > 0`

/** Seals all rows of a forest of an earlier format as they are. 100,000 nodes take two seconds. */
export const addAll = (database: Database): void => {
  database.exec(tables)
  const sql = statements(database)
  for (const row of inBatches(database, "node")) add(sql, row)
  let before: string | undefined
  for (const row of inBatches(database, "journal")) {
    before = entryDigest(row, before)
    sql("update journal set digest = ? where id = ?").run(before, Number(row.id))
  }
  for (const row of sql("select * from bookmark").all()) {
    sql("update bookmark set digest = ? where title = ?").run(bookmarkDigest(row), String(row.title))
  }
  recount(sql)
}

/** Seals the schema. It is called after the schema was changed. */
export const addTables = (database: Database): void => {
  const sql = statements(database)
  sql("update state set tables = ?").run(tablesDigest(sql))
}

/** Returns whether the schema is unchanged. It reads no column by name, since a damaged schema may have other names. */
export const areTablesIntact = (sql: Statements): boolean =>
  sql("select * from state")
    .all()
    .every(({ tables }) => tables === tablesDigest(sql))

/** Returns the digest of vibe's own tables; a file may contain others as well. */
export const tablesDigest = (sql: Statements): string =>
  digest(
    {},
    [],
    sql(`select sql from sqlite_schema where sql is not null and tbl_name in (${OURS}) order by name`)
      .all()
      .map(({ sql }) => sql)
      .join("\n"),
  )

const OURS = "'node', 'bookmark', 'journal', 'running', 'state', 'said', 'seal', 'tally', 'conversation', 'position'"

/** Reads rows in batches, since they are changed meanwhile, and as big integers, since row numbers may exceed 2^53. */
function* inBatches(database: Database, table: "node" | "journal"): Generator<Row> {
  const next = database.prepare(`select * from ${table} where id > ? order by id limit 1000`)
  next.setReadBigInts(true)
  for (let rows = next.all(0); rows.length > 0; rows = next.all(Number(rows.at(-1)?.id))) yield* rows
}

const tables = `
  create table seal (
    -- of the node or the root
    id integer primary key,
    -- of the whole row; the rest of this table is not in it
    digest text not null,
    -- of what says where it stands
    place text not null,
    -- as in its row, so that a search by it finds what one of the two says; 0 for a root
    root integer not null,
    removed integer not null,
    -- how many there are that were not removed
    children integer not null
  ) strict;

  create table tally (
    what text primary key,
    count integer not null
  ) strict, without rowid;

  -- of the entry, and of the digest of the one before
  alter table journal add column digest text;
  alter table bookmark add column digest text;
  -- of how all tables are made
  alter table state add column tables text;
`

const nodeDigest = (row: Row): string => digest(row, NODE, row.body)

const placeDigest = (row: Row): string => digest(row, PLACE, "")

const PLACE = ["id", "name", "parent", "root"]
const NODE = [...PLACE, "role", "is_json", "source", "model", "detail", "created_at", "split_from"]
const ENTRY = ["id", "root", "operation", "at", "undoes", "operation_id", "author"]
const CONVERSATION = ["id", "tree", "owner", "folder", "is_named", "created_at", "changed_at", "messages", "leaf"]
const BOOKMARK = ["title", "node", "created_at", "updated_at"]

/**
 * Returns the digest of some columns and a text. Each text follows its length, so that no two different rows read
 * alike.
 */
const digest = (row: Row, columns: ReadonlyArray<string>, text: unknown): string => {
  let held = ""
  for (const column of columns) {
    const value = row[column]
    if (value === null || value === undefined) continue
    held += `${column} ${typeof value === "string" ? value.length : ""} ${value}\n`
  }
  return hash("sha256", held + text, "base64").slice(0, DIGEST_DIGITS)
}

/** The length of a digest in digits of base64: 132 bits. */
const DIGEST_DIGITS = 22
