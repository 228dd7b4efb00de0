/** Reads a tree a part at a time: what an outline shows of it, however large it is. */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import type { Reader } from "../../ForestStore.ts"
import type { IdentityMap } from "./identityMap.ts"
import * as Seal from "./seal.ts"

export const outline = (
  sql: Statements,
  known: Pick<IdentityMap, "nodes" | "numberIn">,
): Pick<Reader, "childCount" | "childrenFrom" | "onlyDescendants" | "position"> => ({
  childCount: (id) => Seal.countChildren(sql, known.numberIn(id)),
  childrenFrom: (parent, { limit, offset }) => {
    const number = known.numberIn(parent)
    const rows = sql("select id from node where parent = ? and not removed order by id limit ? offset ?").all(
      number,
      limit,
      offset,
    )
    return { nodes: known.nodes(rows.map(({ id }) => Number(id))), total: Seal.countChildren(sql, number) }
  },
  onlyDescendants: (id, limit) => {
    const numbers: Array<number> = []
    for (let above = known.numberIn(id); numbers.length < limit; ) {
      if (Seal.countChildren(sql, above) !== 1) break
      const row = sql("select id from node where parent = ? and not removed limit 1").get(above)
      // A circle has a node twice, and no end.
      if (row === undefined || numbers.includes(Number(row.id))) break
      above = Number(row.id)
      numbers.push(above)
    }
    return known.nodes(numbers)
  },
  position: (id: NodeId) =>
    Number(
      sql(
        `select count(*) as older from node n, node c
         where n.id = ? and c.parent = n.parent and not c.removed and c.id < n.id`,
      ).get(known.numberIn(id))?.older,
    ),
})
