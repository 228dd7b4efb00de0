/** The reasons why the wiki of a folder cannot be read or written, beside those of its files (`FileError`). */
import * as Data from "effect/Data"

/** It was written by a newer version of vibe, and is left as it is. */
export class NewerWiki extends Data.TaggedError("NewerWiki")<{ readonly path: string; readonly version: number }> {
  override get message(): string {
    return `${this.path}: the wiki was written by a newer version of vibe (format ${this.version}), and is left as it is; install that version`
  }
}

/** A file of it is not what vibe has written, and would be lost if it were replaced. */
export class DamagedWiki extends Data.TaggedError("DamagedWiki")<{ readonly path: string; readonly flaw: string }> {
  override get message(): string {
    return `${this.path}: ${this.flaw}; mend it, or remove it to have it written anew`
  }
}

export type WikiError = NewerWiki | DamagedWiki
