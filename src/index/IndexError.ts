/** The reasons why the index of a folder cannot be used. */
import * as Data from "effect/Data"
import { reason } from "../base/reason.ts"

export class NotIndexed extends reason("NotIndexed", "there is no index here yet") {}

/** The `.vibe` folder belongs to another user, and the settings do not name it as safe. */
export class NotOwned extends Data.TaggedError("NotOwned")<{
  /** The id of the other user. */
  readonly owner: number
}> {
  override get message() {
    return `the index belongs to another user (${this.owner}), and is not used`
  }
}

/** There is no file in the folder, or all are ignored. */
export class NothingToIndex extends reason("NothingToIndex", "there are no files to index here") {}

/** The index was written by a newer version; it is not changed. */
export class TooNew extends Data.TaggedError("TooNew")<{ readonly version: number }> {
  override get message() {
    return `the index was written by a newer version of vibe (format ${this.version})`
  }
}

export class Unreadable extends reason("Unreadable", "the index cannot be read")<{ readonly cause: unknown }> {}

/** A folder, a link, a pipe or a device is in the place of one of its files. */
export class NotAFile extends reason("NotAFile", "is not a regular file, so the index cannot be read") {}

/** A file or a link is in the place of its folder: a foreign repository could point one at any folder of the user. */
export class NotAFolder extends reason("NotAFolder", "is not a folder, so there can be no index in it") {}

export class Unwritable extends reason("Unwritable", "the index cannot be written")<{ readonly cause: unknown }> {}

/** The disk is full. Data that was written before is not lost. */
export class Full extends reason("Full", "the index cannot be written: the disk is full")<{
  readonly cause: unknown
}> {}

/** The index was removed while it was open, and once more after it had been made again. */
export class Removed extends reason("Removed", "the index was removed while it was in use") {}

/** Another run is exploring the folder. */
export class AtWork extends Data.TaggedError("AtWork")<{
  /** The process id of the other run, if it is known. */
  readonly process?: number | undefined
}> {
  override get message() {
    return `another vibe index is at work here${this.process === undefined ? "" : ` (process ${this.process})`}`
  }
}

export type Reason =
  | NotIndexed
  | NotOwned
  | NothingToIndex
  | TooNew
  | Unreadable
  | NotAFile
  | NotAFolder
  | Unwritable
  | Full
  | Removed
  | AtWork

export class IndexError extends Data.TaggedError("IndexError")<{
  /** The file or folder that is in the way. */
  readonly path: string
  readonly reason: Reason
}> {
  override get message(): string {
    return `${this.path}: ${this.reason.message}`
  }
}
