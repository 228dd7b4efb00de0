/** Writes rows, and records the changes for an entry of the journal. */
import type { NodeId } from "../../message/NodeId.ts"
import type { Bookmark } from "../Bookmark.ts"
import type { Writer } from "../ForestStore.ts"
import type { Change } from "../JournalEntry.ts"
import type { Node, Root } from "../Node.ts"

/** The ids and the time of new nodes. */
export interface IdsAndTime {
  readonly id: () => NodeId
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface ChangeRecorder {
  readonly rows: Writer
  readonly changes: ReadonlyArray<Change>
  readonly insertRoot: (root: Root) => Root
  readonly insert: (node: Node) => Node
  readonly change: (before: Node, after: Node) => Node
  /** Changes only the parent. */
  readonly move: (node: Node, parent: NodeId) => Node
  readonly remove: (node: NodeId) => void
  readonly mark: (before: Bookmark | undefined, after: Bookmark | undefined) => void
}

export const make = (rows: Writer): ChangeRecorder => {
  const changes: Array<Change> = []
  const apply = (change: Change) => {
    rows.apply(change)
    changes.push(change)
  }
  return {
    rows,
    changes,
    insertRoot: (root) => {
      rows.insertRoot(root)
      changes.push({ type: "planted", root: root.id })
      return root
    },
    insert: (node) => {
      rows.insert(node)
      changes.push({ type: "added", node: node.id })
      return node
    },
    change: (before, after) => {
      apply({ type: "changed", before, after })
      return after
    },
    move: (node, parent) => {
      apply({ type: "moved", node: node.id, from: node.parent, to: parent })
      return { ...node, parent }
    },
    remove: (node) => apply({ type: "removed", node }),
    mark: (before, after) => apply({ type: "bookmarked", before, after }),
  }
}
