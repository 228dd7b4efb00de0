/**
 * The positions of people in a forest, a row for each. They are no part of the history, so they are neither sealed nor
 * in the journal.
 */
import type { Statements } from "../../../disk/Sqlite.ts"
import { NodeId } from "../../../message/NodeId.ts"
import type { Holder } from "../../Position.ts"

export const table = `
  create table position (
    -- whose it is
    person text not null,
    folder text not null,
    -- of a node or a root; it may be removed since
    node text not null,
    -- where it was before that, for where a whole tree is removed
    previous text,
    moved_at integer not null,
    primary key (person, folder)
  ) strict, without rowid;
`

/**
 * Returns the position. If its node was removed, it is the nearest ancestor that exists, or else the position before.
 */
export const find = (sql: Statements, { folder, person }: Holder): NodeId | undefined => {
  const row = sql("select node, previous from position where person = ? and folder = ?").get(person, folder)
  return row === undefined ? undefined : (nearest(sql, row.node) ?? nearest(sql, row.previous))
}

const nearest = (sql: Statements, name: unknown): NodeId | undefined => {
  const row = sql(
    `with recursive up (id, parent, name, removed) as (
       select id, parent, name, removed from node where name = ?
       union
       select n.id, n.parent, n.name, n.removed from up join node n on n.id = up.parent where up.removed)
     select name from up where not removed limit 1`,
  ).get(typeof name === "string" ? name : null)
  return row === undefined ? undefined : NodeId.make(String(row.name))
}

/** Sets the position; if there is no node, the holder has no position any more. */
export const set = (sql: Statements, { folder, person }: Holder, node: NodeId | undefined, at: number): void => {
  if (node === undefined) sql("delete from position where person = ? and folder = ?").run(person, folder)
  else {
    const tree = "select coalesce(root, id) from node where name = "
    // The previous position is kept until the holder goes to another tree.
    sql(
      `insert into position (person, folder, node, moved_at) values (?1, ?2, ?3, ?4)
       on conflict do update set node = ?3, moved_at = ?4,
         previous = case when (${tree} node) is (${tree} ?3) then previous else node end`,
    ).run(person, folder, node, at)
  }
}

/** Removes the positions at purged nodes; `names` is a JSON list of ids. */
export const removeAt = (sql: Statements, names: string): void => {
  sql("delete from position where node in (select value from json_each(?))").run(names)
  sql("update position set previous = null where previous in (select value from json_each(?))").run(names)
}
