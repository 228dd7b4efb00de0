/** Why the index of a folder cannot be used. */
import * as Schema from "effect/Schema"

export class NotIndexed extends Schema.TaggedError<NotIndexed>()("NotIndexed", {}) {
  override get message() {
    return "there is no index here yet"
  }
}

/** There is no file in the folder, or none that may be seen. */
export class NothingToIndex extends Schema.TaggedError<NothingToIndex>()("NothingToIndex", {}) {
  override get message() {
    return "there are no files to index here"
  }
}

/** Written by a newer vibe; it is left untouched. */
export class TooNew extends Schema.TaggedError<TooNew>()("TooNew", { version: Schema.Number }) {
  override get message() {
    return `the index was written by a newer version of vibe (format ${this.version})`
  }
}

export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { cause: Schema.Defect }) {
  override get message() {
    return "the index cannot be read"
  }
}

export class Unwritable extends Schema.TaggedError<Unwritable>()("Unwritable", { cause: Schema.Defect }) {
  override get message() {
    return "the index cannot be written"
  }
}

/** What was to be written now is not; what was written before is kept. */
export class Full extends Schema.TaggedError<Full>()("Full", { cause: Schema.Defect }) {
  override get message() {
    return "the index cannot be written: the disk is full"
  }
}

/** Taken away while it was open, and again when it was made anew. */
export class Removed extends Schema.TaggedError<Removed>()("Removed", {}) {
  override get message() {
    return "the index was removed while it was in use"
  }
}

/** Another run explores the folder. */
export class AtWork extends Schema.TaggedError<AtWork>()("AtWork", {
  /** Its process, where that is known. */
  process: Schema.optional(Schema.Number),
}) {
  override get message() {
    return `another vibe index is at work here${this.process === undefined ? "" : ` (process ${this.process})`}`
  }
}

export const Reason = Schema.Union(NotIndexed, NothingToIndex, TooNew, Unreadable, Unwritable, Full, Removed, AtWork)
export type Reason = typeof Reason.Type

export class IndexError extends Schema.TaggedError<IndexError>()("IndexError", {
  /** The file or folder that is in the way. */
  path: Schema.String,
  reason: Reason,
}) {
  override get message(): string {
    return `${this.path}: ${this.reason.message}`
  }
}
