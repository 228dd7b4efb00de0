/**
 * Full-text search. The index lags behind: what was said last is looked through instead, so that saying something costs
 * no more than writing it down.
 */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { Node } from "../../Node.ts"
import * as Query from "../../Query.ts"
import type * as Row from "./row.ts"

/** Nodes that may wait: 200 are looked through in a few milliseconds, and indexed in ten. */
const LAG = 200

type NodeOf = (row: Row.Row) => Node

/** To be called for each node that is new. */
export const added = (sql: Statements, number: number, nodeOf: NodeOf): void => {
  const indexed = lastIndexed(sql)
  if (number - indexed < LAG) return
  for (const row of sql("select * from node where id > ? and id <= ? and parent is not null").all(indexed, number)) {
    put(sql, Number(row.id), nodeOf(row))
  }
  sql("update state set indexed = ?").run(number)
}

/** To be called where a node says something else. */
export const changed = (sql: Statements, number: number, node: Node): void => {
  if (number <= lastIndexed(sql)) put(sql, number, node)
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
  const waiting = sql("select * from node where id > ? and parent is not null and not removed order by id desc")
    .all(indexed)
    .map(nodeOf)
    .filter(Query.answers(query))
    .slice(0, limit)
  const rest = sql(
    `select n.* from said s join node n on n.id = s.rowid
     where said match ? and not n.removed and n.root = coalesce(?, n.root)
       and n.role = coalesce(?, n.role) and ifnull(n.model, '') = coalesce(?, n.model, '')
       and n.created_at between coalesce(?, n.created_at) and coalesce(?, n.created_at)
     order by s.rowid desc limit ?`,
  ).all(
    wanted.map((word) => (word.endsWith("*") ? `"${word.slice(0, -1)}"*` : `"${word}"`)).join(" "),
    root,
    query.role ?? null,
    query.model ?? null,
    query.since ?? null,
    query.until ?? null,
    limit - waiting.length,
  )
  return [...waiting, ...rest.map(nodeOf)]
}

const lastIndexed = (sql: Statements): number => Number(sql("select indexed from state").get()?.indexed)

const put = (sql: Statements, number: number, { message }: Node): void => {
  const words = Query.words(Query.searched(message)).join(" ")
  sql("insert or replace into said (rowid, words) values (?, ?)").run(number, words)
}
