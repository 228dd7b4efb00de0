/** A name for a node. It stays with the node when the node is edited, and is removed with it. */
import * as Schema from "effect/Schema"
import { NodeId } from "../message/NodeId.ts"

/** The most characters of a title that the user or another program gives. */
export const MAX_TITLE = 200

/** A title is trimmed, has at most 200 characters, none of them a control character, and is unique in a forest. */
export const Title = Schema.NonEmptyTrimmedString.pipe(
  Schema.maxLength(MAX_TITLE),
  Schema.pattern(/^[^\p{Cc}\p{Cs}]+$/u),
)

export const Bookmark = Schema.Struct({
  title: Title,
  node: NodeId,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Number,
  /** The time when it was last moved to another node. */
  updatedAt: Schema.Number,
})
export type Bookmark = typeof Bookmark.Type
