/** Draws a tree with lines, as `git log --graph` does, with a row for each node. Pure. */

import type { NodeId } from "../message/NodeId.ts"
import type { Node } from "./Node.ts"
import type { Place } from "./NodeText.ts"

export type { Place }

export interface Row {
  /** The characters in front of the node. */
  readonly lines: string
  /** The node or root of the row; undefined for a row of lines alone. */
  readonly place: Place | undefined
}

/**
 * Draws a tree from the top down. The newest child of a node continues its column. The others come first, oldest first,
 * each in a new column to the right. `nodes` are the descendants of `top`, parents before their children.
 */
export const graph = (top: Place, nodes: ReadonlyArray<Node>): ReadonlyArray<Row> => {
  const below = childrenOf(nodes)
  const rows: Array<Row> = []
  const ahead: Array<{ readonly place: Place; readonly column: number; readonly opens: boolean }> = [
    { place: top, column: 0, opens: false },
  ]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { column, opens, place } = next
    const left = "| ".repeat(column)
    if (opens) rows.push({ lines: `${left.slice(2)}|\\`, place: undefined })
    rows.push({ lines: `${left}* `, place })
    const children = below.get(place.id) ?? []
    const last = children.at(-1)
    if (last === undefined) continue
    ahead.push({ place: last, column, opens: false })
    for (const child of children.slice(0, -1).reverse()) ahead.push({ place: child, column: column + 1, opens: true })
  }
  return rows
}

/** Draws the same tree as an outline: branches are indented, an only child is not. */
export const outline = (top: Place, nodes: ReadonlyArray<Node>): ReadonlyArray<Row> => {
  const below = childrenOf(nodes)
  const rows: Array<Row> = []
  const ahead: Array<{ readonly place: Place; readonly first: string; readonly rest: string }> = [
    { place: top, first: "", rest: "" },
  ]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { first, place, rest } = next
    rows.push({ lines: first, place })
    const children = below.get(place.id) ?? []
    const [only] = children
    if (children.length === 1 && only !== undefined) ahead.push({ place: only, first: rest, rest })
    else {
      const branches = children.map((child, at) => {
        const isLast = at === children.length - 1
        return { place: child, first: `${rest}${isLast ? "└─ " : "├─ "}`, rest: `${rest}${isLast ? "   " : "│  "}` }
      })
      for (const branch of branches.reverse()) ahead.push(branch)
    }
  }
  return rows
}

const childrenOf = (nodes: ReadonlyArray<Node>): ReadonlyMap<NodeId, ReadonlyArray<Node>> =>
  Map.groupBy(nodes, ({ parent }) => parent)
