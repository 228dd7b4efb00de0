/**
 * Full-text search. The index lags behind: what was said last is looked through instead, so that saying something costs
 * no more than writing it down.
 */
import * as Schema from "effect/Schema"
import type { Statements } from "../../../disk/Sqlite.ts"
import { isReadable, type Node } from "../../Node.ts"
import * as Query from "../../Query.ts"
import * as Row from "./row.ts"
import { said } from "./schema.ts"
import * as Seal from "./seal.ts"

/** Nodes that wait until they are indexed together: 200 are looked through in a few milliseconds, and indexed in ten. */
const LAG = 200

type NodeOf = (row: Row.Row) => Node

/** To be called for each node and root that is new. */
export const added = (sql: Statements, number: number, nodeOf: NodeOf): void => {
  if (number % LAG > 0) return
  const waiting = sql(`select ${Seal.columns} from ${Seal.nodes} where n.id > ? and n.id <= ? and n.parent is not null`)
  for (const row of waiting.all(lastIndexed(sql), number)) {
    put(sql, Number(row.id), nodeOf(row))
  }
  sql("update state set indexed = ?").run(number)
}

/** To be called where a node says something else. */
export const changed = (sql: Statements, number: number, node: Node): void => {
  if (number <= lastIndexed(sql)) put(sql, number, node)
}

/** To be called where nodes are removed for good. Their words are in the index until that is made `compact`. */
export const removed = (sql: Statements, numbers: ReadonlyArray<number>): void => {
  const indexed = lastIndexed(sql)
  for (const number of numbers) if (number <= indexed) sql("delete from said where rowid = ?").run(number)
}

/** The numbers of nodes that are gone are given to new ones, which are not indexed. */
export const shorten = (sql: Statements): void => {
  sql("update state set indexed = min(indexed, (select ifnull(max(id), 0) from node))").run()
}

/** Leaves no word in the index that no node has. */
export const compact = (sql: Statements): void => {
  sql("insert into said (said) values ('optimize')").run()
}

/** Newest first. `root`: the number of the tree. */
export const search = (
  sql: Statements,
  query: Query.Query,
  root: number | null,
  nodeOf: NodeOf,
): ReadonlyArray<Node> => {
  const wanted = Query.asked(query.text)
  if (wanted.length === 0) return []
  const limit = query.limit ?? Query.LIMIT
  const indexed = lastIndexed(sql)
  const waiting = sql(
    `select ${Seal.columns} from ${Seal.nodes}
     where n.id > ? and n.parent is not null and not n.removed order by n.id desc`,
  )
    .all(indexed)
    .map(nodeOf)
  const latest = waiting.filter(Query.answers(query)).slice(0, limit)
  const rest = sql(
    `select ${Seal.columns} from said f join node n on n.id = f.rowid left join seal s on s.id = n.id
     where said match ? and not n.removed and n.root = coalesce(?, n.root)
       and n.role = coalesce(?, n.role) and ifnull(n.model, '') = coalesce(?, n.model, '')
       and n.created_at between coalesce(?, n.created_at) and coalesce(?, n.created_at)
     order by f.rowid desc limit ?`,
  ).all(
    wanted.map((word) => (word.endsWith("*") ? `"${word.slice(0, -1)}"*` : `"${word}"`)).join(" "),
    root,
    query.role ?? null,
    query.model ?? null,
    query.since ?? null,
    query.until ?? null,
    limit - latest.length,
  )
  const earlier = rest.map(nodeOf)
  // The index may be damaged.
  const found = [...latest, ...earlier.filter(Query.answers(query))]
  return query.unreadable === true ? [...found, ...[...waiting, ...earlier].filter((node) => !isReadable(node))] : found
}

/** Makes the index anew from what the nodes say, and what is kept of how far it reaches. */
export const renew = (sql: Statements): void => {
  const revision = Number(sql("select coalesce(max(revision), 0) + 1 as next from state").get()?.next)
  sql("drop table said").run()
  sql(said).run()
  let last = 0
  for (const row of sql("select * from node where parent is not null order by id").iterate()) {
    last = Number(row.id)
    const node = Row.decoded(row)
    if (node !== undefined) put(sql, last, node)
  }
  sql("delete from state").run()
  sql("insert into state (revision, indexed, tables) values (?, ?, ?)").run(revision, last, Seal.tablesDigest(sql))
}

/** Whether the index has the words of a node, all of them and no others; none where it does not reach that far. */
export const check = (sql: Statements): ((number: number, node: Node) => boolean | undefined) => {
  const indexed = lastIndexed(sql)
  const found = sums(sql)
  return (number, { message }) =>
    number > indexed ? undefined : sumOf(Query.words(Query.searched(message))) === found.get(number)
}

/** What the index has of each node, as a number. */
const sums = (sql: Statements): ReadonlyMap<number, number> => {
  const found = new Map<number, number>()
  for (const { id } of sql("select id from said_docsize").iterate()) found.set(Number(id), 0)
  sql("create virtual table if not exists temp.said_word using fts5vocab (main, said, instance)").run()
  for (const row of sql("select term, json_group_array(doc) as nodes from temp.said_word group by term").iterate()) {
    const sum = sumOf([String(row.term)])
    for (const node of decodeNumbers(row.nodes)) found.set(node, ((found.get(node) ?? 0) + sum) | 0)
  }
  return found
}

const decodeNumbers = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Schema.Number)))

/** The same for the same words in any order, and hardly ever for others. What is too long to be a word is none. */
const sumOf = (words: ReadonlyArray<string>): number => {
  let sum = 0
  for (const word of new Set(words)) {
    if (word.length <= LONGEST) sum = (sum + hashOf(word)) | 0
  }
  return sum
}

/** Beyond 32 KB SQLite cuts a word off. */
const LONGEST = 8192

/** FNV-1a. */
const hashOf = (word: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash
}

const lastIndexed = (sql: Statements): number => Number(sql("select indexed from state").get()?.indexed)

const put = (sql: Statements, number: number, { message, source }: Node): void => {
  if (!isReadable({ source })) return
  const words = Query.words(Query.searched(message)).join(" ")
  sql("insert or replace into said (rowid, words) values (?, ?)").run(number, words)
}
