/** An entry of the journal: what one step did to a tree, so that it can be undone. */
import * as Schema from "effect/Schema"
import { NodeId } from "../message/NodeId.ts"
import { Bookmark } from "./Bookmark.ts"
import { Node } from "./Node.ts"

/** Nothing is erased but by a purge: what was removed is still there, and only not seen. */
export const Change = Schema.Union(
  Schema.Struct({ type: Schema.Literal("planted", "uprooted"), root: NodeId }),
  Schema.Struct({ type: Schema.Literal("added", "removed"), node: NodeId }),
  Schema.Struct({ type: Schema.Literal("changed"), before: Node, after: Node }),
  Schema.Struct({
    type: Schema.Literal("bookmarked"),
    before: Schema.optional(Bookmark),
    after: Schema.optional(Bookmark),
  }),
  // In place of what was purged: the entry cannot be undone any more.
  Schema.Struct({ type: Schema.Literal("purged") }),
)
export type Change = typeof Change.Type

export const Operation = Schema.Literal(
  "root",
  "append",
  "edit",
  "split",
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
  /** The tree that it is about. */
  root: NodeId,
  operation: Operation,
  /** Milliseconds since the epoch. */
  at: Schema.Number,
  changes: Schema.Array(Change),
  /** The entry that this one has undone: of a `redo` one that is an `undo` itself. */
  undoes: Schema.optional(Schema.Number),
  /** The same for all entries of one operation (see `Operation`); none where it is an operation by itself. */
  operationId: Schema.optional(Schema.String),
  /** See `Operation.author`; none where a version of vibe made it that did not say. */
  author: Schema.optional(Schema.String),
})
export type JournalEntry = typeof JournalEntry.Type

/** An entry without what it changed. */
export interface EntrySummary extends Omit<JournalEntry, "changes"> {
  /** How many nodes it added, removed or changed. */
  readonly nodes: number
  /** The first entry of its operation. */
  readonly first: number
}

/** Whether a node comes, goes or changes by it. */
export const isNodeChange = ({ type }: Change): boolean => type === "added" || type === "removed" || type === "changed"

/** What takes the changes back, in the order in which it has to be done. */
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
    case "bookmarked":
      return { type: "bookmarked", before: change.after, after: change.before }
    case "purged":
      return change
  }
}
