/** Reads paths, each from a node up to the root of its tree. */
import type { Statements } from "../../../disk/Sqlite.ts"
import { NodeId } from "../../../message/NodeId.ts"
import { ForestError, NotFound } from "../../ForestError.ts"
import type { Reader } from "../../ForestStore.ts"
import { circularPath } from "../../internal/lookup.ts"
import type { Node } from "../../Node.ts"
import * as IdentityMap from "./identityMap.ts"

export const paths = (sql: Statements, known: IdentityMap.IdentityMap): Pick<Reader, "path" | "depth"> => {
  /** Reads nodes from the end up from the cache, and the rest from the database. */
  const path = (id: NodeId, limit = Number.POSITIVE_INFINITY): ReadonlyArray<Node> => {
    const end = new Set<Node>()
    let cursor = id
    let above = known.findCached(cursor)
    while (above !== undefined && "parent" in above && end.size < limit) {
      if (end.has(above)) throw circularPath(id)
      end.add(above)
      cursor = above.parent
      above = known.findCached(cursor)
    }
    const nodes = Array.from(end).reverse()
    return above === undefined ? [...readPath(cursor, limit - nodes.length), ...nodes] : nodes
  }

  const readPath = (id: NodeId, limit: number): ReadonlyArray<Node> => {
    const number = known.numberOf(id)
    if (number === undefined) throw new ForestError({ reason: new NotFound({ id }) })
    // A path that is longer than there are rows is a circle.
    const above = sql(
      `with recursive up (id, parent, depth) as (
         select id, parent, 0 from node where id = ?1
         union all
         select n.id, n.parent, depth + 1 from up join node n on n.id = up.parent
         where not n.removed and depth < min(?2, 1 + (select max(id) from node)))
       select id, parent from up`,
    ).all(number, limit)
    const top = above.at(-1)
    if (above.length > 1 && new Set(above.map(({ id }) => id)).size < above.length) throw circularPath(id)
    if (above.length <= limit && top !== undefined && top.parent !== null) {
      throw new ForestError({ reason: new NotFound({ id: nameOrNumber(sql, Number(top.parent)) }) })
    }
    const numbers = above.filter(({ parent }) => parent !== null).slice(0, limit)
    const nodes = known.nodes(numbers.map(({ id }) => Number(id)).reverse())
    const end = nodes.at(-1)
    if (end !== undefined && end.id !== id) IdentityMap.failDamaged(`${id} is found where ${end.id} stands`)
    return nodes
  }

  return {
    path,
    depth: (id) => {
      // A path that is longer than there are rows is a circle.
      const row = sql(
        `with recursive up (parent, depth) as (
           select parent, 0 from node where id = ?
           union all
           select n.parent, depth + 1 from up join node n on n.id = up.parent
           limit 1 + (select max(id) from node))
         select max(depth) as depth from up`,
      ).get(known.numberOf(id) ?? 0)
      return Number(row?.depth ?? 0)
    },
  }
}

/** Returns the id of a node, even if it was removed, or its number if there is none. */
export const nameOrNumber = (sql: Statements, number: number): NodeId => {
  const row = sql("select name from node where id = ?").get(number)
  return NodeId.make(row === undefined ? `#${number}` : String(row.name))
}
