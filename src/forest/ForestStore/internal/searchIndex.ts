/**
 * Full-text search with FTS5 (table `said`). The newest nodes are not indexed yet and are scanned instead, so that an
 * append costs no more than writing its rows.
 */
import * as Schema from "effect/Schema"
import type { Statements } from "../../../disk/Sqlite.ts"
import { isReadable, type Node } from "../../Node.ts"
import * as Query from "../../Query.ts"
import { kindIn } from "./conversations.ts"
import * as Row from "./row.ts"
import { searchTable } from "./schema.ts"
import * as Seal from "./seal.ts"

/** New nodes are indexed in batches of this size: 200 take a few milliseconds to scan, and ten to index. */
const MAX_UNINDEXED_NODES = 200

type NodeOf = (row: Row.Row) => Node

/** Called for each new node and root. */
export const addNode = (sql: Statements, number: number, nodeOf: NodeOf): void => {
  if (number % MAX_UNINDEXED_NODES > 0) return
  const waiting = sql(`select ${Seal.columns} from ${Seal.nodes} where n.id > ? and n.id <= ? and n.parent is not null`)
  for (const row of waiting.all(lastIndexed(sql), number)) {
    putWords(sql, Number(row.id), nodeOf(row))
  }
  sql("update state set indexed = ?").run(number)
}

/** Called for each node with a changed text. */
export const changeNode = (sql: Statements, number: number, node: Node): void => {
  if (number <= lastIndexed(sql)) putWords(sql, number, node)
}

/** Called for purged nodes, whose words stay in the index until `compact`. */
export const removeNodes = (sql: Statements, numbers: ReadonlyArray<number>): void => {
  const indexed = lastIndexed(sql)
  for (const number of numbers) if (number <= indexed) sql("delete from said where rowid = ?").run(number)
}

/**
 * Limits the record of indexed nodes to existing rows: SQLite gives the numbers of purged rows to new nodes, which are
 * not indexed.
 */
export const truncate = (sql: Statements): void => {
  sql("update state set indexed = min(indexed, (select ifnull(max(id), 0) from node))").run()
}

/** Removes the words of purged nodes from the index file. */
export const compact = (sql: Statements): void => {
  sql("insert into said (said) values ('optimize')").run()
}

/** Lists the nodes that match, newest first. `root` is the row number of a tree, or null for all trees. */
export const search = (
  sql: Statements,
  query: Query.Query,
  root: number | null,
  nodeOf: NodeOf,
): ReadonlyArray<Node> => {
  const wanted = Query.queryTerms(query.text)
  if (wanted.length === 0) return []
  const limit = query.limit ?? Query.DEFAULT_LIMIT
  const indexed = lastIndexed(sql)
  const [isOfOwners, ...owners] = ofOwners(query)
  const waiting = sql(
    `select ${Seal.columns} from ${Seal.nodes}
     where n.id > ? and n.parent is not null and not n.removed and ${isOfOwners} order by n.id desc`,
  )
    .all(indexed, ...owners)
    .map(nodeOf)
  const latest = waiting.filter(Query.matches(query)).slice(0, limit)
  const rest = sql(
    `select ${Seal.columns} from said f join node n on n.id = f.rowid left join seal s on s.id = n.id
     where said match ? and not n.removed and n.root = coalesce(?, n.root) and ${isOfOwners}
       and n.role = coalesce(?, n.role) and ifnull(n.model, '') = coalesce(?, n.model, '')
       and n.created_at between coalesce(?, n.created_at) and coalesce(?, n.created_at)
     order by f.rowid desc limit ?`,
  ).all(
    wanted.map((word) => (word.endsWith("*") ? `"${word.slice(0, -1)}"*` : `"${word}"`)).join(" "),
    root,
    ...owners,
    query.role ?? null,
    query.model ?? null,
    query.since ?? null,
    query.until ?? null,
    limit - latest.length,
  )
  const earlier = rest.map(nodeOf)
  // The result is checked again, since the index may be damaged.
  const found = [...latest, ...earlier.filter(Query.matches(query))]
  return query.unreadable === true ? [...found, ...[...waiting, ...earlier].filter((node) => !isReadable(node))] : found
}

/**
 * Returns the condition that a node is in a tree of an owner, and of kinds of owners, with its parameters. It is true
 * without an owner and kinds.
 */
const ofOwners = ({
  kinds,
  owner,
}: Query.Query): readonly [condition: string, ...parameters: ReadonlyArray<string | null>] =>
  kinds === undefined
    ? [IS_OF_OWNER, owner ?? null]
    : [`${IS_OF_OWNER} and ${IS_OF_KINDS}`, owner ?? null, JSON.stringify(kinds)]

const IS_OF_OWNER = "coalesce((select source from node r where r.id = n.root) = ?, true)"

const IS_OF_KINDS = `(select ${kindIn("r.source")} from node r where r.id = n.root) in (select value from json_each(?))`

/** Rebuilds the index, and the record of how far it reaches. */
export const rebuild = (sql: Statements): void => {
  const revision = Number(sql("select coalesce(max(revision), 0) + 1 as next from state").get()?.next)
  sql("drop table said").run()
  sql(searchTable).run()
  let last = 0
  for (const row of sql("select * from node where parent is not null order by id").iterate()) {
    last = Number(row.id)
    const node = Row.tryDecode(row)
    if (node !== undefined) putWords(sql, last, node)
  }
  sql("delete from state").run()
  sql("insert into state (revision, indexed, tables) values (?, ?, ?)").run(revision, last, Seal.tablesDigest(sql))
}

/**
 * Returns a function that compares the words of a node with the index; undefined for a node that is not indexed yet.
 */
export const makeChecker = (sql: Statements): ((number: number, node: Node) => boolean | undefined) => {
  const indexed = lastIndexed(sql)
  const found = readSums(sql)
  return (number, { message }) =>
    number > indexed ? undefined : sumOf(Query.tokenize(Query.searchableText(message))) === found.get(number)
}

/** Returns a checksum of the indexed words of each node. */
const readSums = (sql: Statements): ReadonlyMap<number, number> => {
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

/** Returns a checksum of words in any order. Words beyond MAX_WORD_LENGTH do not count. */
const sumOf = (words: ReadonlyArray<string>): number => {
  let sum = 0
  for (const word of new Set(words)) {
    if (word.length <= MAX_WORD_LENGTH) sum = (sum + hashOf(word)) | 0
  }
  return sum
}

/** The longest word that counts, in UTF-16 units: SQLite cuts words off at 32 KB. */
const MAX_WORD_LENGTH = 8192

/** Returns the FNV-1a hash of a word. */
const hashOf = (word: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash
}

const lastIndexed = (sql: Statements): number => Number(sql("select indexed from state").get()?.indexed)

const putWords = (sql: Statements, number: number, { message, source }: Node): void => {
  if (!isReadable({ source })) return
  const words = Query.tokenize(Query.searchableText(message)).join(" ")
  sql("insert or replace into said (rowid, words) values (?, ?)").run(number, words)
}
