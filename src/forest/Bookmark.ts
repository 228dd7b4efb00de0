/** A name for a node: it follows the node's edits, and goes when the node goes. */
import * as Schema from "effect/Schema"
import { NodeId } from "../message/NodeId.ts"

/** Without white space at its ends, and without what nobody can see; no two bookmarks of a forest have the same. */
export const Title = Schema.NonEmptyTrimmedString.pipe(Schema.maxLength(200), Schema.pattern(/^[^\p{Cc}\p{Cs}]+$/u))

export const Bookmark = Schema.Struct({
  title: Title,
  node: NodeId,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Number,
  /** When it was last moved to another node. */
  updatedAt: Schema.Number,
})
export type Bookmark = typeof Bookmark.Type
