/** Why something that is kept on disk cannot be used. */
import * as Schema from "effect/Schema"

/** Its content is not what was written there. */
export class Damaged extends Schema.TaggedError<Damaged>()("Damaged", { cause: Schema.Defect }) {
  override get message() {
    return "is damaged"
  }
}

/** Written by a later version of this program. */
export class TooNew extends Schema.TaggedError<TooNew>()("TooNew", { version: Schema.Number }) {
  override get message() {
    return `was written by a newer version of vibe (format ${this.version})`
  }
}

/** Another process did not let go of it in time. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", {
  /** Its id, where that is known. */
  process: Schema.optional(Schema.Number),
}) {
  override get message() {
    return "is in use by another process"
  }
}

export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { cause: Schema.Defect }) {
  override get message() {
    return "cannot be read"
  }
}

/** No permission, a read-only disk, a folder that cannot be one. */
export class Unwritable extends Schema.TaggedError<Unwritable>()("Unwritable", { cause: Schema.Defect }) {
  override get message() {
    return "cannot be written"
  }
}

/** No room is left for it. */
export class Full extends Schema.TaggedError<Full>()("Full", { cause: Schema.Defect }) {
  override get message() {
    return "cannot be written: the disk is full"
  }
}

/** Somebody took it away, or put another in its place, while it was open here. */
export class Removed extends Schema.TaggedError<Removed>()("Removed", {}) {
  override get message() {
    return "was removed while it was in use"
  }
}

export const Reason = Schema.Union(Damaged, TooNew, Busy, Unreadable, Unwritable, Full, Removed)
export type Reason = typeof Reason.Type

export class DiskError extends Schema.TaggedError<DiskError>()("DiskError", {
  /** The file or folder that is in the way. */
  path: Schema.String,
  reason: Reason,
}) {
  override get message(): string {
    return `${this.path}: ${this.reason.message}`
  }
}

/** What a write to `path` failed with, as `node:fs` throws it. */
export const unwritten = (path: string, cause: unknown): DiskError => {
  const isFull = cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT")
  return new DiskError({ path, reason: isFull ? new Full({ cause }) : new Unwritable({ cause }) })
}
