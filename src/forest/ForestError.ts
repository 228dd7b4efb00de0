/** Why an operation on the forest failed. */
import * as Schema from "effect/Schema"
import { DiskError } from "../disk/DiskError.ts"
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
    return "There is nothing to undo"
  }
}

/** What is to be undone was changed since, from another tree. */
export class Changed extends Schema.TaggedError<Changed>()("Changed", { what: Schema.String }) {
  override get message() {
    return `It cannot be undone: ${this.what} is no longer as it was left`
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
  Changed,
  Unreadable,
  Unwritable,
  Full,
  TooNew,
)
export type Reason = typeof Reason.Type

export class ForestError extends Schema.TaggedError<ForestError>()("ForestError", { reason: Reason }) {
  override get message(): string {
    return this.reason.message
  }
}

/** Which file is in the way, and how, where one is. */
const because = (cause: unknown): string => (cause instanceof DiskError ? `: ${cause.message}` : "")
