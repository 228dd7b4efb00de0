/** Reads the part of a tree that an outline shows, however large the tree is. */
import type { Statements } from "../../../disk/Sqlite.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import type { Reader } from "../../ForestStore.ts"
import type { IdentityMap } from "./identityMap.ts"
import * as Seal from "./seal.ts"

export const outline = (
  sql: Statements,
  known: Pick<IdentityMap, "nodes" | "numberIn">,
): Pick<Reader, "childCount" | "childrenFrom" | "childIndex" | "onlyDescendants"> => {
  /** The children of the node with many children that was read last. */
  let wide: { readonly key: string; readonly numbers: ReadonlyArray<number> } | undefined

  /**
   * Lists the numbers of the children, oldest first. Sorting 100,000 takes longer than a page may wait, so it is done
   * once.
   */
  const childrenOf = (parent: number, total: number): ReadonlyArray<number> => {
    // A new child changes the count, and every other change the revision.
    const key = `${parent} ${total} ${sql("select revision from state").get()?.revision}`
    if (wide?.key !== key) {
      const rows = sql("select id from node where parent = ? and not removed").all(parent)
      wide = { key, numbers: rows.map(({ id }) => Number(id)).sort((one, other) => one - other) }
    }
    return wide.numbers
  }

  return {
    childCount: (id) => Seal.countChildren(sql, known.numberIn(id)),
    childrenFrom: (parent, { limit, offset }) => {
      const number = known.numberIn(parent)
      const total = Seal.countChildren(sql, number)
      if (total > MANY) return { nodes: known.nodes(childrenOf(number, total).slice(offset, offset + limit)), total }
      const rows = sql("select id from node where parent = ? and not removed order by id limit ? offset ?").all(
        number,
        limit,
        offset,
      )
      return { nodes: known.nodes(rows.map(({ id }) => Number(id))), total }
    },
    onlyDescendants: (id, limit) => {
      const numbers: Array<number> = []
      for (let above = known.numberIn(id); numbers.length < limit; ) {
        if (Seal.countChildren(sql, above) !== 1) break
        const row = sql("select id from node where parent = ? and not removed limit 1").get(above)
        // A circle would have a node twice, and no end.
        if (row === undefined || numbers.includes(Number(row.id))) break
        above = Number(row.id)
        numbers.push(above)
      }
      return known.nodes(numbers)
    },
    childIndex: (id: NodeId) =>
      Number(
        sql(
          `select count(*) as older from node n, node c
         where n.id = ? and c.parent = n.parent and not c.removed and c.id < n.id`,
        ).get(known.numberIn(id))?.older,
      ),
  }
}

/** A node with more children than this has them sorted once, and not for each part. */
const MANY = 2_000
