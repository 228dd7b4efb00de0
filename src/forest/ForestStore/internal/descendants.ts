/** Reads what is below a node or a root. What the index finds is compared with the counts, so that none is missing. */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import type { Reader } from "../../ForestStore.ts"
import { subtree } from "../../internal/lookup.ts"
import type { Node } from "../../Node.ts"
import * as IdentityMap from "./identityMap.ts"
import * as Seal from "./seal.ts"

export const descendants = (
  sql: Statements,
  known: IdentityMap.IdentityMap,
): Pick<Reader, "children" | "subtree" | "leaves" | "newestBelow"> => {
  const children = (parent: NodeId): ReadonlyArray<Node> => {
    const number = known.numberOf(parent)
    if (number === undefined) return []
    // This checks the row of the parent if it was not read before.
    known.find(parent)
    const children = sql(
      `select ${Seal.columns} from ${Seal.nodes} where n.parent = ? and not n.removed order by n.id`,
    ).all(number)
    const counted = Seal.countChildren(sql, number)
    if (children.length !== counted)
      IdentityMap.failDamaged(`${parent} has ${counted} children, not ${children.length}`)
    return children.map((row) => known.nodeUnder(parent, number, row))
  }

  return {
    children,
    subtree: (id, depth) => subtree(known.node(id), id, children, depth),
    leaves: (limit, tree) => {
      // The index and the counts are both used: they differ if one of the two is damaged.
      const rows = sql(
        `select * from (
           select ${Seal.columns}, s.children,
             exists (select 1 from node c where c.parent = n.id and not c.removed) as has_child
           from ${Seal.nodes}
           where not (n.parent is null and s.root = 0) and not (n.removed and s.removed)
             and (?1 is null or n.root = ?1 or s.root = ?1))
         where not (has_child and children > 0) order by id desc limit ?2`,
      ).all(known.numberOfTree(tree), limit)
      const sealed = Seal.leaves(sql, known.numberOfTree(tree), limit)
      if (sealed.length !== rows.length || sealed.some((number, at) => number !== rows[at]?.id)) {
        IdentityMap.failDamaged("which nodes have no children is damaged")
      }
      return rows.map((row) => {
        if (row.has_child !== 0 || row.children !== 0) IdentityMap.failDamaged(`what is below ${row.name} is damaged`)
        return known.nodeOf(row)
      })
    },
    newestBelow: (top, limit, depth) => {
      const number = known.numberOf(top)
      if (number === undefined) return { nodes: [], count: 0 }
      // Only the index is used. The limit is the number of rows, since a circle would have no end.
      const below = sql(
        `with recursive below (id, depth) as (
           select ?1, 0
           union all
           select n.id, depth + 1 from below b join node n on n.parent = b.id
           where not n.removed and depth < ?2
           limit 2 + (select max(id) from node))
         select id, count(*) over () as count from below where id <> ?1 order by id desc limit ?3`,
      ).all(number, depth ?? Number.MAX_SAFE_INTEGER, limit)
      return { nodes: known.nodes(below.map(({ id }) => Number(id)).reverse()), count: Number(below[0]?.count ?? 0) }
    },
  }
}
