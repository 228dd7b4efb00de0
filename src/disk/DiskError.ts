/** Why something that is kept on disk cannot be used. */
import * as Data from "effect/Data"

/** Its content is not what was written there. */
export class Damaged extends Data.TaggedError("Damaged")<{ readonly cause: unknown }> {
  override get message() {
    return "is damaged"
  }
}

/** It is nothing that this program has written. */
export class Foreign extends Data.TaggedError("Foreign") {
  override get message() {
    return "is another program's"
  }
}

/** It holds what this program does not put there, and would execute: a view or a trigger, or a table of another form. */
export class Altered extends Data.TaggedError("Altered")<{
  /** The type and the name of one such object, or of one that is missing. */
  readonly object: string
}> {
  override get message() {
    return `was altered by another program: ${this.object}`
  }
}

/** A folder, a device or a pipe in the place of a file. */
export class NotAFile extends Data.TaggedError("NotAFile") {
  override get message() {
    return "is not a regular file"
  }
}

/** Written by a later version of this program. */
export class TooNew extends Data.TaggedError("TooNew")<{ readonly version: number }> {
  override get message() {
    return `was written by a newer version of vibe (format ${this.version})`
  }
}

/** Another process did not let go of it in time. */
export class Busy extends Data.TaggedError("Busy")<{
  /** Its id, where that is known. */
  readonly process?: number | undefined
}> {
  override get message() {
    return "is in use by another process"
  }
}

export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly cause: unknown }> {
  override get message() {
    return "cannot be read"
  }
}

/** No permission, a read-only disk, a folder that cannot be one. */
export class Unwritable extends Data.TaggedError("Unwritable")<{ readonly cause: unknown }> {
  override get message() {
    return "cannot be written"
  }
}

/** No room is left for it. */
export class Full extends Data.TaggedError("Full")<{ readonly cause: unknown }> {
  override get message() {
    return "cannot be written: the disk is full"
  }
}

/** Somebody took it away, or put another in its place, while it was open here. */
export class Removed extends Data.TaggedError("Removed") {
  override get message() {
    return "was removed while it was in use"
  }
}

export type Reason = Damaged | Foreign | Altered | NotAFile | TooNew | Busy | Unreadable | Unwritable | Full | Removed

export class DiskError extends Data.TaggedError("DiskError")<{
  /** The file or folder that is in the way. */
  readonly path: string
  readonly reason: Reason
}> {
  override get message(): string {
    return `${this.path}: ${this.reason.message}`
  }
}

/** What a write to `path` failed with, as `node:fs` throws it. */
export const toWriteError = (path: string, cause: unknown): DiskError => {
  const isFull = cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT")
  return new DiskError({ path, reason: isFull ? new Full({ cause }) : new Unwritable({ cause }) })
}
