/** Taking nodes away (REQUIREMENTS E-6, E-82). */
import { Bookmarked, ForestError } from "../ForestError.ts"
import type { Node } from "../Node.ts"
import type { Recording } from "./recording.ts"

/** With all that is below, or with that moved up to the parent. */
export type Strategy = "cascade" | "reparent"

export interface Removed {
  readonly nodes: ReadonlyArray<Node>
  /** What went with them. */
  readonly bookmarks: ReadonlyArray<string>
}

/** Where bookmarks would go and `isMeant` does not say so, it is refused. */
export const remove = (recording: Recording, node: Node, strategy: Strategy, isMeant: boolean): Removed => {
  const { rows } = recording
  const nodes = strategy === "cascade" ? rows.subtree(node.id) : [node]
  const gone = new Set(nodes.map(({ id }) => id))
  const bookmarks = rows.bookmarks().filter((bookmark) => gone.has(bookmark.node))
  const titles = bookmarks.map(({ title }) => title)
  if (titles.length > 0 && !isMeant) throw new ForestError({ reason: new Bookmarked({ id: node.id, titles }) })
  for (const bookmark of bookmarks) recording.mark(bookmark, undefined)
  if (strategy === "reparent") {
    for (const child of rows.children(node.id)) recording.change(child, { ...child, parent: node.parent })
  }
  // From below, so that a node never stands under one that is not there.
  for (const { id } of nodes.toReversed()) recording.remove(id)
  return { nodes, bookmarks: titles }
}
