/** Why an operation on the forest failed. */
import * as Schema from "effect/Schema"
import { NodeId } from "../message/NodeId.ts"

export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { id: NodeId }) {
  override get message() {
    return `Node not found: ${this.id}`
  }
}

/** A root is the system prompt that a tree stands on: it stays as it is. */
export class IsRoot extends Schema.TaggedError<IsRoot>()("IsRoot", {
  id: NodeId,
  operation: Schema.Literal("edit", "split", "delete", "bookmark"),
}) {
  override get message() {
    return `Cannot ${this.operation} root node: ${this.id}. It is the system prompt of its tree, which never changes`
  }
}

/** What holds more than text belongs to what stands around it. */
export class NotText extends Schema.TaggedError<NotText>()("NotText", {
  id: NodeId,
  operation: Schema.Literal("edit", "split"),
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
}) {
  override get message() {
    return `Cannot split ${this.id} at ${this.position}: both parts need text, and it is ${this.length} characters long`
  }
}

/** Bookmarks die with their nodes, so whoever deletes those has to say that this is meant. */
export class Bookmarked extends Schema.TaggedError<Bookmarked>()("Bookmarked", {
  id: NodeId,
  titles: Schema.Array(Schema.String),
}) {
  override get message() {
    return `Deleting ${this.id} would take bookmarks with it: ${this.titles.join(", ")}`
  }
}

/** An answer alone does not go: what follows would stand on a call without its answer. */
export class Answering extends Schema.TaggedError<Answering>()("Answering", {
  id: NodeId,
  /** The node that holds the call. */
  call: NodeId,
}) {
  override get message() {
    return `Cannot delete ${this.id} alone: it answers a call of ${this.call}`
  }
}

/** What was to be stored could not be read again. */
export class Invalid extends Schema.TaggedError<Invalid>()("Invalid", {
  what: Schema.Literal("message", "tree"),
  /** A line for each place: where, and what is wrong there. */
  issues: Schema.Array(Schema.String),
}) {
  override get message() {
    return `The ${this.what} cannot be stored: ${this.issues.join("; ")}`
  }
}

export class BadTitle extends Schema.TaggedError<BadTitle>()("BadTitle", { title: Schema.String }) {
  override get message() {
    return `"${this.title}" cannot name a bookmark`
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

/** It is undone already, or is an undo or a redo itself. */
export class NotUndoable extends Schema.TaggedError<NotUndoable>()("NotUndoable", {
  operation: Schema.Number,
  is: Schema.Literal("undone already", "an undo", "a redo", "still under way"),
}) {
  override get message() {
    return `Operation ${this.operation} cannot be undone: it is ${this.is}`
  }
}

/** Later changes stand on what is to be undone or redone. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  operation: Schema.Number,
  isRedo: Schema.Boolean,
  /** What is no longer as the operation left it: a node, or a bookmark. */
  why: Schema.String,
  /** The operation that changed it, where that is known. */
  by: Schema.optional(Schema.Number),
}) {
  override get message() {
    const by = this.by === undefined ? "" : ` (operation ${this.by})`
    return `Operation ${this.operation} cannot be ${this.isRedo ? "redone" : "undone"}: ${this.why}${by}`
  }
}

/** A call without its answer would be left, and the call is of an operation that was not named. */
export class OpenCall extends Schema.TaggedError<OpenCall>()("OpenCall", {
  operation: Schema.Number,
  /** The node that holds the call. */
  call: NodeId,
  /** The operation that the call is of, where that is known. */
  of: Schema.optional(Schema.Number),
}) {
  override get message() {
    const of = this.of === undefined ? "" : ` of operation ${this.of}`
    return `Operation ${this.operation} cannot be undone alone: it answers a call${of} (node ${this.call})`
  }
}

/** A change does not fit the forest: what it is about is not there, or is there already. */
export class Changed extends Schema.TaggedError<Changed>()("Changed", { what: Schema.String }) {
  override get message() {
    return `It cannot be undone: ${this.what} is no longer as it was left`
  }
}

/** What is to be undone was removed for good. */
export class Purged extends Schema.TaggedError<Purged>()("Purged", {}) {
  override get message() {
    return "It cannot be undone: what it changed was purged"
  }
}

/** A purge has removed what it was to remove, and the file may still hold traces of that. */
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

export class Full extends Schema.TaggedError<Full>()("Full", { cause: Schema.Defect }) {
  override get message() {
    return "the conversation cannot be saved: the disk is full"
  }
}

/** The file is no longer the one that was opened, and no other could be begun in its place. */
export class Removed extends Schema.TaggedError<Removed>()("Removed", { path: Schema.String, cause: Schema.Defect }) {
  override get message() {
    const why = this.cause instanceof Error ? `: ${this.cause.message}` : ""
    return `the conversation cannot be saved: ${this.path} was removed while it was in use, and cannot be made again${why}`
  }
}

/** Written by a newer vibe, and left as it is. */
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

/** Which file, or which row of it, is in the way, and how, where that is known. */
const because = (cause: unknown): string => (cause instanceof Error ? `: ${cause.message}` : "")
