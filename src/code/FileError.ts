/** Why a file or folder cannot be had. */
import * as Schema from "effect/Schema"
import { Full, Unwritable } from "../disk/DiskError.ts"

/** There is nothing of that name, or nothing that may be seen. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {
  override get message() {
    return "no such file or folder"
  }
}

/** Outside the root, a secret, a device: refused with one text, so that it tells nothing about what is there. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {
  override get message() {
    return "outside the workspace or not allowed"
  }
}

/** Inside the workspace, and kept out by its ignore files: such files are often private. */
export class Ignored extends Schema.TaggedError<Ignored>()("Ignored", {}) {
  override get message() {
    return "left out by ignore rules"
  }
}

/** A folder, or a link where a file is asked for, or something that is neither. */
export class NotAFile extends Schema.TaggedError<NotAFile>()("NotAFile", {}) {
  override get message() {
    return "not a file"
  }
}

export class NotAFolder extends Schema.TaggedError<NotAFolder>()("NotAFolder", {}) {
  override get message() {
    return "not a folder"
  }
}

export class Binary extends Schema.TaggedError<Binary>()("Binary", { bytes: Schema.Number }) {
  override get message() {
    return `binary, ${this.bytes} bytes`
  }
}

export class TooLarge extends Schema.TaggedError<TooLarge>()("TooLarge", { limit: Schema.Number }) {
  override get message() {
    return `larger than ${this.limit} bytes`
  }
}

/** Somebody has written it since it was read. */
export class Changed extends Schema.TaggedError<Changed>()("Changed", {}) {
  override get message() {
    return "was changed meanwhile"
  }
}

export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { cause: Schema.Defect }) {
  override get message() {
    return "cannot be read"
  }
}

export const Reason = Schema.Union(
  NotFound,
  Refused,
  Ignored,
  NotAFile,
  NotAFolder,
  Binary,
  TooLarge,
  Changed,
  Unreadable,
  Unwritable,
  Full,
)
export type Reason = typeof Reason.Type

export class FileError extends Schema.TaggedError<FileError>()("FileError", {
  /** As it was asked for. */
  path: Schema.String,
  // By its type side, which is compiled once: each of ten thousand binary files makes one of these.
  reason: Schema.typeSchema(Reason),
}) {
  override get message(): string {
    return `${this.path}: ${this.reason.message}`
  }
}
