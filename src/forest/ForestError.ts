/** The reasons for which an operation on the forest fails. */
import * as Schema from "effect/Schema"
import { NodeId } from "../message/NodeId.ts"

export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { id: NodeId }) {
  override get message() {
    return `Node not found: ${this.id}`
  }
}

/** A root is the system prompt of a tree, which never changes. */
export class IsRoot extends Schema.TaggedError<IsRoot>()("IsRoot", {
  id: NodeId,
  operation: Schema.Literal("edit", "split", "join", "move", "delete", "bookmark"),
}) {
  override get message() {
    return `Cannot ${this.operation} root node: ${this.id}. It is the system prompt of its tree, which never changes`
  }
}

/** Only messages of text alone can be edited, split or joined. */
export class NotText extends Schema.TaggedError<NotText>()("NotText", {
  id: NodeId,
  operation: Schema.Literal("edit", "split", "join"),
  holds: Schema.Literal("a tool result", "tool calls", "thinking", "a picture", "a notice", "nothing that can be read"),
}) {
  override get message() {
    return `Cannot ${this.operation} ${this.id}: it holds ${this.holds}`
  }
}

export class BlankText extends Schema.TaggedError<BlankText>()("BlankText", {}) {
  override get message() {
    return "The text is empty"
  }
}

export class BadPosition extends Schema.TaggedError<BadPosition>()("BadPosition", {
  id: NodeId,
  position: Schema.Number,
  length: Schema.Number,
  /** True if the position is in the middle of a character of two units, such as an emoji. */
  isWithinCharacter: Schema.optional(Schema.Boolean),
}) {
  override get message() {
    if (this.isWithinCharacter === true) {
      const [before, after] = [this.position - 1, this.position + 1]
      return `Cannot split ${this.id} at ${this.position}: that is in the middle of a character; ${before} is before it and ${after} after it`
    }
    return `Cannot split ${this.id} at ${this.position}: both parts need text, and it is ${this.length} characters long`
  }
}

/** Bookmarks are removed with their nodes, so the caller has to allow it. */
export class Bookmarked extends Schema.TaggedError<Bookmarked>()("Bookmarked", {
  id: NodeId,
  titles: Schema.Array(Schema.String),
}) {
  override get message() {
    return `Deleting ${this.id} would take bookmarks with it: ${this.titles.join(", ")}`
  }
}

/** The answer to a tool call cannot be removed or moved alone: the path would have a call without its answer. */
export class Answering extends Schema.TaggedError<Answering>()("Answering", {
  id: NodeId,
  /** The node that holds the call. */
  call: NodeId,
  operation: Schema.Literal("delete", "move", "copy"),
}) {
  override get message() {
    return `Cannot ${this.operation} ${this.id} alone: it answers a call of ${this.call}`
  }
}

/** Only the answers to its tool calls can follow a node that has any. */
export class AwaitsAnswer extends Schema.TaggedError<AwaitsAnswer>()("AwaitsAnswer", {
  /** The node that holds the call. */
  id: NodeId,
  operation: Schema.Literal("move", "copy"),
}) {
  override get message() {
    return `Cannot ${this.operation} it there: a tool call of ${this.id} is not answered before it`
  }
}

/** A branch cannot be moved below one of its own messages. */
export class BelowItself extends Schema.TaggedError<BelowItself>()("BelowItself", { id: NodeId, to: NodeId }) {
  override get message() {
    return this.id === this.to
      ? `Cannot move ${this.id} below itself`
      : `Cannot move ${this.id} below ${this.to}, which is in its own branch`
  }
}

/** The tree of a node, and with it the system prompt, never changes. */
export class OtherTree extends Schema.TaggedError<OtherTree>()("OtherTree", { id: NodeId, to: NodeId }) {
  override get message() {
    return `Cannot move ${this.id} below ${this.to}, which is in a tree with another system prompt`
  }
}

/** Only a message with an only child of the same speaker can be joined with it. */
export class NotJoinable extends Schema.TaggedError<NotJoinable>()("NotJoinable", {
  id: NodeId,
  why: Schema.Literal(
    "nothing is below it",
    "several messages are below it",
    "the message below it is of another speaker",
    "the message below it is of another model",
  ),
}) {
  override get message() {
    return `Cannot join ${this.id}: ${this.why}`
  }
}

/** The message or tree could not be read again after storing it. */
export class Invalid extends Schema.TaggedError<Invalid>()("Invalid", {
  what: Schema.Literal("message", "tree"),
  /** A line for each problem, with its place. */
  issues: Schema.Array(Schema.String),
}) {
  override get message() {
    return `The ${this.what} cannot be stored: ${this.issues.join("; ")}`
  }
}

export class BadTitle extends Schema.TaggedError<BadTitle>()("BadTitle", {
  title: Schema.String,
  of: Schema.Literal("bookmark", "conversation"),
}) {
  override get message() {
    return `"${this.title}" cannot name a ${this.of}`
  }
}

export class NoBookmark extends Schema.TaggedError<NoBookmark>()("NoBookmark", { title: Schema.String }) {
  override get message() {
    return `There is no bookmark "${this.title}"`
  }
}

export class NothingToUndo extends Schema.TaggedError<NothingToUndo>()("NothingToUndo", {}) {
  override get message() {
    return "there is nothing to undo"
  }
}

export class NothingToRedo extends Schema.TaggedError<NothingToRedo>()("NothingToRedo", {}) {
  override get message() {
    return "there is nothing to redo"
  }
}

export class NoOperation extends Schema.TaggedError<NoOperation>()("NoOperation", { operation: Schema.Number }) {
  override get message() {
    return `There is no operation ${this.operation}`
  }
}

/** It is undone already, still running, or an undo or a redo itself. */
export class NotUndoable extends Schema.TaggedError<NotUndoable>()("NotUndoable", {
  operation: Schema.Number,
  is: Schema.Literal("undone already", "an undo", "a redo", "still under way"),
}) {
  override get message() {
    return `Operation ${this.operation} cannot be undone: it is ${this.is}`
  }
}

/** Later changes depend on what is to be undone or redone. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  operation: Schema.Number,
  isRedo: Schema.Boolean,
  /** The node or bookmark that has changed since. */
  why: Schema.String,
  /** The operation that changed it, if it is known. */
  by: Schema.optional(Schema.Number),
}) {
  override get message() {
    const by = this.by === undefined ? "" : ` (operation ${this.by})`
    return `Operation ${this.operation} cannot be ${this.isRedo ? "redone" : "undone"}: ${this.why}${by}`
  }
}

/** A tool call would be left without its answer, and the call belongs to another operation. */
export class OpenCall extends Schema.TaggedError<OpenCall>()("OpenCall", {
  operation: Schema.Number,
  /** The node that holds the call. */
  call: NodeId,
  /** The operation to which the call belongs, if it is known. */
  of: Schema.optional(Schema.Number),
}) {
  override get message() {
    const of = this.of === undefined ? "" : ` of operation ${this.of}`
    return `Operation ${this.operation} cannot be undone alone: it answers a call${of} (node ${this.call})`
  }
}

/** A change cannot be applied: its node is missing, or exists already. */
export class Changed extends Schema.TaggedError<Changed>()("Changed", { what: Schema.String }) {
  override get message() {
    return `It cannot be undone: ${this.what} is no longer as it was left`
  }
}

/** The changes to be undone were purged. */
export class Purged extends Schema.TaggedError<Purged>()("Purged", {}) {
  override get message() {
    return "It cannot be undone: what it changed was purged"
  }
}

/** A purge has removed its nodes, but the file may still hold their bytes. */
export class Uncompacted extends Schema.TaggedError<Uncompacted>()("Uncompacted", { cause: Schema.Defect }) {
  override get message() {
    return `what was purged is removed, but its bytes may still be in the file${because(this.cause)}`
  }
}

export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { cause: Schema.Defect }) {
  override get message() {
    return `the stored conversations cannot be read${because(this.cause)}`
  }
}

export class Unwritable extends Schema.TaggedError<Unwritable>()("Unwritable", { cause: Schema.Defect }) {
  override get message() {
    return `the conversation cannot be saved${because(this.cause)}`
  }
}

export class Full extends Schema.TaggedError<Full>()("Full", {
  cause: Schema.Defect,
  /** The file of the forest, if a purge failed, and the most bytes of free space that a purge needs. */
  purge: Schema.optional(Schema.Struct({ path: Schema.String, room: Schema.Number })),
}) {
  override get message() {
    if (this.purge === undefined) return "the conversation cannot be saved: the disk is full"
    const { path, room } = this.purge
    const kilobytes = Math.ceil(room / 1000)
    return `nothing was purged: the disk is full, and a purge writes a log beside ${path} before it gives room back; make room there (${kilobytes} kB are enough) and purge again`
  }
}

/** The file was removed or replaced while it was open, and could not be made again. */
export class Removed extends Schema.TaggedError<Removed>()("Removed", { path: Schema.String, cause: Schema.Defect }) {
  override get message() {
    const why = this.cause instanceof Error ? `: ${this.cause.message}` : ""
    return `the conversation cannot be saved: ${this.path} was removed while it was in use, and cannot be made again${why}`
  }
}

/** The forest was written by a newer version of vibe, and is left as it is. */
export class TooNew extends Schema.TaggedError<TooNew>()("TooNew", { version: Schema.Number }) {
  override get message() {
    return `the stored conversations were written by a newer version of vibe (format ${this.version})`
  }
}

export const Reason = Schema.Union(
  NotFound,
  IsRoot,
  NotText,
  BlankText,
  BadPosition,
  Bookmarked,
  Answering,
  AwaitsAnswer,
  BelowItself,
  OtherTree,
  NotJoinable,
  Invalid,
  BadTitle,
  NoBookmark,
  NothingToUndo,
  NothingToRedo,
  NoOperation,
  NotUndoable,
  Conflict,
  OpenCall,
  Changed,
  Purged,
  Uncompacted,
  Unreadable,
  Unwritable,
  Full,
  Removed,
  TooNew,
)
export type Reason = typeof Reason.Type

export class ForestError extends Schema.TaggedError<ForestError>()("ForestError", { reason: Reason }) {
  override get message(): string {
    return this.reason.message
  }
}

/** Returns the text of the cause, with its file or row if they are known. */
const because = (cause: unknown): string => (cause instanceof Error ? `: ${cause.message}` : "")
