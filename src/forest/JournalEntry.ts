/** An entry of the journal: the changes of one step to a tree, so that it can be undone. */
import * as Schema from "effect/Schema"
import { NodeId } from "../message/NodeId.ts"
import { Bookmark } from "./Bookmark.ts"
import { Node } from "./Node.ts"

/**
 * A change of a tree. A removed node or root (`removed`, `uprooted`) stays stored, marked as removed. Only a purge
 * erases.
 */
export const Change = Schema.Union(
  Schema.Struct({ type: Schema.Literal("planted", "uprooted"), root: NodeId }),
  Schema.Struct({ type: Schema.Literal("added", "removed"), node: NodeId }),
  Schema.Struct({ type: Schema.Literal("changed"), before: Node, after: Node }),
  // A moved node has another parent, and is otherwise the same.
  Schema.Struct({ type: Schema.Literal("moved"), node: NodeId, from: NodeId, to: NodeId }),
  Schema.Struct({
    type: Schema.Literal("bookmarked"),
    before: Schema.optional(Bookmark),
    after: Schema.optional(Bookmark),
  }),
  // A purged change replaces changes that were purged: the entry cannot be undone any more.
  Schema.Struct({ type: Schema.Literal("purged") }),
)
export type Change = typeof Change.Type

export const Operation = Schema.Literal(
  "root",
  "append",
  "edit",
  "split",
  "join",
  "move",
  "copy",
  "delete",
  "bookmark",
  "undo",
  "redo",
  "purge",
)
export type Operation = typeof Operation.Type

export const JournalEntry = Schema.Struct({
  /** Later entries have larger numbers. */
  id: Schema.Number,
  /** The tree that it changed. */
  root: NodeId,
  operation: Operation,
  /** Milliseconds since the epoch. */
  at: Schema.Number,
  changes: Schema.Array(Change),
  /** The entry that this one undid. A `redo` undoes an `undo`. */
  undoes: Schema.optional(Schema.Number),
  /**
   * The id of the operation, the same for all of its entries (see `Operation`); undefined for an operation of a single
   * entry.
   */
  operationId: Schema.optional(Schema.String),
  /** The author, as in `Operation.author`; undefined for entries of versions that did not record it. */
  author: Schema.optional(Schema.String),
})
export type JournalEntry = typeof JournalEntry.Type

/** An entry without its changes. */
export interface EntrySummary extends Omit<JournalEntry, "changes"> {
  /** The number of nodes that it added, removed or changed. */
  readonly nodes: number
  /** The first entry of its operation. */
  readonly first: number
}

/** Returns whether a change adds, removes or changes a node. */
export const isNodeChange = ({ type }: Change): boolean =>
  type === "added" || type === "removed" || type === "changed" || type === "moved"

/** Returns the changes that undo these, in the order to apply them. */
export const inverse = (changes: ReadonlyArray<Change>): ReadonlyArray<Change> => changes.toReversed().map(invert)

const invert = (change: Change): Change => {
  switch (change.type) {
    case "planted":
      return { type: "uprooted", root: change.root }
    case "uprooted":
      return { type: "planted", root: change.root }
    case "added":
      return { type: "removed", node: change.node }
    case "removed":
      return { type: "added", node: change.node }
    case "changed":
      return { type: "changed", before: change.after, after: change.before }
    case "moved":
      return { type: "moved", node: change.node, from: change.to, to: change.from }
    case "bookmarked":
      return { type: "bookmarked", before: change.after, after: change.before }
    case "purged":
      return change
  }
}
