/** The positions of people in a forest: a row each. They are no part of the history, so neither sealed nor in the journal. */
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
    moved_at integer not null,
    primary key (person, folder)
  ) strict, without rowid;
`

/** Of a removed node its nearest ancestor that is there. */
export const find = (sql: Statements, { folder, person }: Holder): NodeId | undefined => {
  const row = sql(
    `with recursive up (id, parent, name, removed) as (
       select n.id, n.parent, n.name, n.removed from position p join node n on n.name = p.node
       where p.person = ? and p.folder = ?
       union
       select n.id, n.parent, n.name, n.removed from up join node n on n.id = up.parent where up.removed)
     select name from up where not removed limit 1`,
  ).get(person, folder)
  return row === undefined ? undefined : NodeId.make(String(row.name))
}

/** Without a node the holder has no position any more. */
export const set = (sql: Statements, { folder, person }: Holder, node: NodeId | undefined, at: number): void => {
  if (node === undefined) sql("delete from position where person = ? and folder = ?").run(person, folder)
  else {
    sql("insert or replace into position (person, folder, node, moved_at) values (?, ?, ?, ?)").run(
      person,
      folder,
      node,
      at,
    )
  }
}

/** Removes those at purged nodes. `names`: a JSON list of ids. */
export const removeAt = (sql: Statements, names: string): void => {
  sql("delete from position where node in (select value from json_each(?))").run(names)
}
