/** The rows of the table `conversation`, derived from the nodes. */
import * as path from "node:path"
import type { Statements } from "../../../disk/Sqlite.ts"
import * as Conversation from "../../Conversation.ts"
import type { Problem } from "../../ForestStore.ts"
import * as MessageParts from "../../MessageParts.ts"
import type { Node } from "../../Node.ts"
import * as Row from "./row.ts"
import * as Seal from "./seal.ts"

/** Lists all conversations anew, and keeps the folders and names that were given to them. */
export const rebuild = (sql: Statements): void => {
  sql("reindex conversation").run()
  const before = new Map(
    sql("select * from conversation")
      .all()
      .map((row) => [Number(row.id), row]),
  )
  sql("delete from conversation").run()
  for (const row of derive(sql)) {
    const earlier = before.get(Number(row.id))
    put(sql, earlier === undefined ? row : { ...row, ...keep(earlier, row) })
  }
}

/** Returns whether the list has this row of a conversation. */
const isListed = (found: Row.Row, row: Row.Row): boolean =>
  Seal.conversationDigest({ ...row, ...keep(found, row) }) === found.digest

/** Returns the columns that stay as they are in an earlier row: the folder, and the title if the user gave it. */
const keep = (earlier: Row.Row, row: Row.Row): Row.Row => ({
  folder: earlier.folder,
  ...(earlier.is_named === 1
    ? { title: earlier.title, is_named: 1 }
    : { title: row.title ?? earlier.title, is_named: 0 }),
})

/** Finds the conversations whose row in the list does not follow from their nodes. */
export function* findFaults(sql: Statements): Generator<Problem> {
  const listed = new Map(
    sql("select * from conversation")
      .all()
      .map((row) => [Number(row.id), row]),
  )
  const report = (row: Row.Row, what: string) => ({
    subject: `conversation ${sql("select name from node where id = ?").get(Number(row.id))?.name ?? `#${row.id}`}`,
    what,
    isMendable: true,
  })
  for (const row of derive(sql)) {
    const found = listed.get(Number(row.id))
    listed.delete(Number(row.id))
    if (found === undefined) yield report(row, "is in no list")
    else if (found.digest !== Seal.conversationDigest(found)) yield report(row, "is listed as it was not written")
    else if (![row.messages, row.parts].some((messages) => isListed(found, { ...row, messages: messages ?? null }))) {
      yield report(row, "is not listed as it is")
    }
  }
  // A conversation whose messages were all removed is kept, since that may be undone.
  for (const row of listed.values()) if (row.messages !== 0) yield report(row, "is listed, and is not there")
}

export const isOwnTree = (sql: Statements, tree: number): boolean =>
  sql("select 1 from node where id = ? and model is not null").get(tree) !== undefined

/** Returns the first node on the path to a node in a shared tree, even if the node was removed. */
export const firstOnPath = (sql: Statements, number: number, tree: number): number | undefined => {
  // The limit is the number of rows, since a circle would have no end; remembering all rows costs twice as much.
  const found = sql(
    `with recursive up (id, parent) as (
       select id, parent from node where id = ?1
       union all select n.id, n.parent from up join node n on n.id = up.parent where up.parent <> ?2
       limit 1 + (select max(id) from node))
     select id from up where parent = ?2`,
  ).get(number, tree)
  return found === undefined ? undefined : Number(found.id)
}

export const put = (sql: Statements, row: Row.Row): void => {
  sql("insert or replace into conversation values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
    Number(row.id),
    Number(row.tree),
    String(row.owner),
    row.folder === null || row.folder === undefined ? null : String(row.folder),
    String(row.title ?? ""),
    Number(row.is_named),
    Number(row.created_at),
    Number(row.changed_at),
    Number(row.messages),
    Number(row.leaf),
    Seal.conversationDigest(row),
  )
}

export const emptyRow = (id: number, tree: number, owner: string, folder: string | undefined): Row.Row => ({
  id,
  tree,
  owner,
  folder: folder ?? null,
  title: "",
  is_named: 0,
  created_at: 0,
  changed_at: 0,
  messages: 0,
  leaf: 0,
})

/** Reads a conversation again after nodes of it were changed or removed. */
export const recompute = (sql: Statements, id: number): void => {
  const node = sql("select root from node where id = ?").get(id)
  if (node === undefined) return
  const tree = Number(node.root ?? id)
  const found = sql("select * from conversation where id = ?").get(id)
  const row = summaryOf(sql, id, tree)
  if (row !== undefined) put(sql, found === undefined ? row : { ...row, ...keep(found, row) })
  else if (found !== undefined) {
    const nothing = emptyRow(id, tree, String(found.owner), undefined)
    put(sql, { ...nothing, ...keep(found, nothing) })
  }
}

/** Returns whether the first message of the conversation `from` is now `to`; then `to` takes over its row. */
export const takeOver = (sql: Statements, from: number, to: number): boolean => {
  const found = sql("select * from conversation where id = ?").get(from)
  if (found === undefined || summaryOf(sql, from, Number(found.tree)) !== undefined) return false
  // This comes before the summary, which reads all nodes: many conversations may have come below one.
  if (sql("select 1 from conversation where id = ?").get(to) !== undefined) return false
  const after = summaryOf(sql, to, Number(found.tree))
  if (after === undefined) return false
  sql("delete from conversation where id = ?").run(from)
  put(sql, { ...after, ...keep(found, after) })
  return true
}

/** Derives the row of a conversation from its nodes alone; undefined if it has no nodes. */
const summaryOf = (sql: Statements, id: number, tree: number): Row.Row | undefined => {
  const first =
    id === tree
      ? "select id, ?1 from node where parent = ?1 and ?1 = ?2 and not removed"
      : "select id, id from node where id = ?1 and parent = ?2 and not removed"
  const row = sql(`with recursive ${below(first)} ${SUMMARY}`).get(id, tree)
  return row === undefined ? undefined : derivedRow(sql, row)
}

/** Derives the rows of all conversations from their nodes alone. */
function* derive(sql: Statements): Generator<Row.Row> {
  const rows = sql(
    `with recursive ${below(
      `select n.id, case when r.model is null then n.id else r.id end
       from node r join node n on n.parent = r.id
       where r.parent is null and r.role = 'root' and not r.removed and not n.removed`,
    )} ${SUMMARY}`,
  ).all()
  const filled = new Set<number>()
  for (const row of rows) {
    filled.add(Number(row.top))
    yield derivedRow(sql, row)
  }
  const own = sql(
    "select id, source from node where parent is null and role = 'root' and model is not null and not removed",
  ).all()
  for (const { id, source } of own) {
    if (!filled.has(Number(id))) yield emptyRow(Number(id), Number(id), String(source), folderOf(String(source)))
  }
}

/** Selects nodes with the conversation of each, from those that `first` selects down. */
const below = (first: string): string =>
  `below (id, top) as (
     ${first}
     union all select n.id, b.top from below b join node n on n.parent = b.id where not n.removed)`

/** The same condition as `Conversation.isSaid`. Within the text of a block the quotes would be escaped. */
const IS_SAID = `(n.role = 'user'
  or n.role = 'assistant' and not (n.is_json = 1 and instr(n.body, '"type":"tool-use"') > 0))`

/** True for a message whose text only goes on below: `MessageParts.group` does not count it as a message of its own. */
const IS_BEGINNING = `(n.split_from is not null and n.role in ('user', 'assistant')
  and exists (select 1 from node c where c.parent = n.id and not c.removed and c.role = n.role)
  and not exists (select 1 from node c where c.parent = n.id and not c.removed and c.role <> n.role))`

/**
 * Summarises conversations. `parts` is the count of messages that earlier versions of vibe stored; it stays in a list
 * until the conversation changes.
 */
const SUMMARY = `select b.top, min(n.root) as tree, min(n.created_at) as created_at, max(n.created_at) as changed_at,
    total(${IS_SAID} and not ${IS_BEGINNING}) as messages, total(${IS_SAID}) as parts, max(n.id) as newest,
    max(case when not exists (select 1 from node c where c.parent = n.id and not c.removed) then n.id end) as leaf
  from below b join node n on n.id = b.id group by b.top`

/**
 * Returns the message that a title is made of: the earliest with nothing but notices before it. A later message does
 * not take its place, as it would with the earliest of all, so a title stays while a conversation grows.
 */
const firstMessage = (sql: Statements, top: number): number | undefined => {
  const found = sql(
    `with recursive opening (id, is_message) as (
       select id, role not in ('root', 'system') from node where id = ?
       union all select n.id, n.role <> 'system' from opening o join node n on n.parent = o.id
         where not o.is_message and not n.removed)
     select min(id) as id from opening where is_message`,
  ).get(top)
  return typeof found?.id === "number" ? found.id : undefined
}

/** The most parts of a message that are read for a title: more than a title has room for. */
const MAX_PARTS = 60

/**
 * Returns the message that begins with a node, as it was before it was edited; undefined if a part of it is damaged.
 */
const firstVersion = (sql: Statements, first: number): Node | undefined => {
  const rows = sql(
    `with recursive part (id, place) as (
       select ?1, 1
       union all select c.id, p.place + 1
         from part p join node n on n.id = p.id join node c on c.role = n.role and c.id = (
           select min(o.id) from node o where o.parent = n.id and not o.removed)
         where n.split_from is not null and n.role in ('user', 'assistant')
       limit ?2)
     select ${Seal.columns} from part p, ${Seal.nodes} where n.id = p.id order by p.place`,
  ).all(first, MAX_PARTS)
  const nodes = rows.flatMap((row) => (Seal.isIntact(row) ? (Row.tryDecode(row) ?? []) : []))
  const [start, ...rest] = nodes
  return start !== undefined && nodes.length === rows.length ? MessageParts.join([start, ...rest]) : undefined
}

/**
 * Returns whether a new child changes the title of a conversation, or its count of messages by more than itself. It
 * does if it continues the text of `parent`, or if it is the first child of another role, which makes `parent` a whole
 * message.
 */
export const changesMessage = (sql: Statements, parent: number, child: number): boolean =>
  sql(
    `select 1 from node p join node c on c.id = ?2 where p.id = ?1 and p.split_from is not null and (c.role = p.role or
       not exists (select 1 from node o where o.parent = ?1 and not o.removed and o.role <> p.role and o.id <> ?2))`,
  ).get(parent, child) !== undefined

const derivedRow = (sql: Statements, { changed_at, created_at, leaf, messages, newest, parts, top, tree }: Row.Row) => {
  const owner = String(sql("select source from node where id = ?").get(Number(tree))?.source)
  const first = firstMessage(sql, Number(top))
  // The title is unknown if the message is damaged.
  const node = first === undefined ? undefined : firstVersion(sql, first)
  return {
    id: Number(top),
    tree: Number(tree),
    owner,
    folder: folderOf(owner) ?? null,
    title: first === undefined ? "" : node && Conversation.titleOf(node),
    is_named: 0,
    created_at: Number(created_at),
    changed_at: Number(changed_at),
    messages: Number(messages),
    parts: Number(parts),
    leaf: Number(leaf ?? newest),
  }
}

/** Returns the folder that the owner of a tree names (`index:/home/me/app`), or else the one in which it was begun. */
export const folderOf = (owner: string, begun?: string): string | undefined => {
  const place = owner.slice(owner.indexOf(":") + 1)
  if (!path.isAbsolute(place)) return begun
  return Conversation.kindOf(owner) === "document" ? (begun ?? path.dirname(place)) : place
}
