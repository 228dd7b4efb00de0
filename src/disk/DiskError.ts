/** The reasons for which a file or a database cannot be used. */
import * as Data from "effect/Data"
import { reason } from "../base/reason.ts"

/** Its content is not what was written there. */
export class Damaged extends reason("Damaged", "is damaged")<{ readonly cause: unknown }> {}

/**
 * The database has no bytes. This program never leaves one like that: a power cut or another program has emptied it.
 */
export class Emptied extends reason(
  "Emptied",
  "is empty, so that what was in it is lost: bring back a copy of it, or move it away to begin anew",
) {}

/** A rollback journal is of another origin; SQLite would change the database and remove files by it. */
export class StrayJournal extends reason(
  "StrayJournal",
  "was not left by vibe, and SQLite would change the database by it: move it away",
) {}

/** It was written by another program. */
export class Foreign extends reason("Foreign", "is another program's") {}

/** Another program has changed its schema: by a view or a trigger, which SQLite would execute, or by another table. */
export class Altered extends Data.TaggedError("Altered")<{
  /** The type and name of an unexpected or missing object. */
  readonly object: string
}> {
  override get message() {
    return `was altered by another program: ${this.object}`
  }
}

/** A folder, a device or a pipe is in the place of a file. */
export class NotAFile extends reason("NotAFile", "is not a regular file") {}

/** A file or a link is in the place of a folder. */
export class NotAFolder extends reason("NotAFolder", "is not a folder") {}

/** It was written by a later version of this program. */
export class TooNew extends Data.TaggedError("TooNew")<{ readonly version: number }> {
  override get message() {
    return `was written by a newer version of vibe (format ${this.version})`
  }
}

/** Another process has had it locked for too long. */
export class Busy extends reason("Busy", "is in use by another process")<{
  /** The id of that process, if it is known. */
  readonly process?: number | undefined
}> {}

export class Unreadable extends reason("Unreadable", "cannot be read")<{ readonly cause: unknown }> {}

/** There is no permission, the disk is read-only, or a folder cannot be made. */
export class Unwritable extends reason("Unwritable", "cannot be written")<{ readonly cause: unknown }> {}

/** The disk or a quota is full. */
export class Full extends reason("Full", "cannot be written: the disk is full")<{ readonly cause: unknown }> {}

/** It was removed or replaced while it was open. */
export class Removed extends reason("Removed", "was removed while it was in use") {}

export type Reason =
  | Damaged
  | Emptied
  | StrayJournal
  | Foreign
  | Altered
  | NotAFile
  | NotAFolder
  | TooNew
  | Busy
  | Unreadable
  | Unwritable
  | Full
  | Removed

export class DiskError extends Data.TaggedError("DiskError")<{
  /** The file or folder that is in the way. */
  readonly path: string
  readonly reason: Reason
}> {
  override get message(): string {
    return `${this.path}: ${this.reason.message}`
  }
}

/** Makes the error for a value that `node:fs` has thrown for a write to `path`. */
export const toWriteError = (path: string, cause: unknown): DiskError => {
  const isFull = cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT")
  return new DiskError({ path, reason: isFull ? new Full({ cause }) : new Unwritable({ cause }) })
}
