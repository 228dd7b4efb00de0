/** The reasons why a file or folder cannot be read or written. */
import * as Data from "effect/Data"
import { reason } from "../base/reason.ts"
import type { Full, Unwritable } from "../disk/DiskError.ts"

export type { Full, Unwritable }

/** Nothing of that name exists, or nothing that may be read. */
export class NotFound extends Data.TaggedError("NotFound")<{
  /** The most similar paths that exist, best first; empty if no search for them was made. */
  readonly nearest?: ReadonlyArray<string>
}> {
  constructor(facts: { readonly nearest?: ReadonlyArray<string> } = {}) {
    super(facts)
  }

  override get message() {
    return `no such file or folder${this.hint}`
  }

  /** Returns `; nearest: src/a.ts`, or nothing. */
  get hint() {
    return this.nearest === undefined || this.nearest.length === 0 ? "" : `; nearest: ${this.nearest.join(", ")}`
  }
}

/**
 * The path is outside the root, a secret, or a device. There is one message for all, so that it reveals nothing about
 * what exists.
 */
export class Refused extends reason("Refused", "outside the workspace or not allowed") {}

/** The path is inside the workspace, but ignored by its ignore files: such files are often private. */
export class Ignored extends reason("Ignored", "left out by ignore rules") {}

/** The path leads to a folder, a link that is not followed, or something that is neither. */
export class NotAFile extends reason("NotAFile", "not a file") {}

export class NotAFolder extends reason("NotAFolder", "not a folder") {}

export class Binary extends Data.TaggedError("Binary")<{ readonly bytes: number }> {
  override get message() {
    return `binary, ${this.bytes} bytes`
  }
}

export class TooLarge extends Data.TaggedError("TooLarge")<{ readonly limit: number }> {
  override get message() {
    return `larger than ${this.limit} bytes`
  }
}

/** The file was written since it was read. */
export class Changed extends reason("Changed", "was changed meanwhile") {}

/** The folder that was in use is no longer at its path. */
export class Moved extends reason("Moved", "was moved or removed") {}

export class Unreadable extends reason("Unreadable", "cannot be read")<{ readonly cause: unknown }> {}

export type Reason =
  | NotFound
  | Refused
  | Ignored
  | NotAFile
  | NotAFolder
  | Binary
  | TooLarge
  | Changed
  | Moved
  | Unreadable
  | Unwritable
  | Full

export class FileError extends Data.TaggedError("FileError")<{
  /** The path as the caller gave it. */
  readonly path: string
  readonly reason: Reason
}> {
  override get message(): string {
    return `${this.path}: ${this.reason.message}`
  }
}
