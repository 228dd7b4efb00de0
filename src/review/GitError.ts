/** The reasons why Git cannot say what has changed. */
import * as Data from "effect/Data"

/** The program is not on PATH. */
export class NotInstalled extends Data.TaggedError("NotInstalled") {
  override get message() {
    return "the program git is not installed"
  }
}

/** The folder is in no working tree: outside of every repository, in a bare one, or in `.git`. */
export class NotARepository extends Data.TaggedError("NotARepository")<{ readonly folder: string }> {
  override get message() {
    return `${this.folder} is not in the working tree of a Git repository`
  }
}

/** Git refuses a repository of another user. */
export class OtherOwner extends Data.TaggedError("OtherOwner")<{ readonly folder: string }> {
  override get message() {
    return `the repository of ${this.folder} belongs to another user, and Git does not read it`
  }
}

/** No commit has that name here. */
export class NoSuchRevision extends Data.TaggedError("NoSuchRevision")<{
  readonly revision: string
  /** True if the clone has only a part of the history. */
  readonly isShallow: boolean
  /** True if the repository has no commit at all. */
  readonly isFirst?: boolean
  /** The arguments of `git fetch` for a branch of a remote: `origin X:refs/remotes/origin/X`. */
  readonly remote?: string | undefined
}> {
  override get message() {
    if (this.isFirst === true) return "there is no commit yet"
    return `there is no commit '${this.revision}' here`
  }
}

/** Two commits have no common ancestor, or none in this clone. */
export class NoMergeBase extends Data.TaggedError("NoMergeBase")<{
  readonly one: string
  readonly other: string
  readonly isShallow: boolean
}> {
  override get message() {
    const { isShallow, one, other } = this
    return `${one} and ${other} have no common ancestor${isShallow ? " in this shallow clone" : ""}`
  }
}

/** The clone has fetched no contents of earlier commits, and Git would have to ask its server for them. */
export class PartialClone extends Data.TaggedError("PartialClone") {
  override get message() {
    return "this is a partial clone, which lacks contents of earlier commits"
  }
}

/** Git has failed for another reason. */
export class Failed extends Data.TaggedError("Failed")<{ readonly detail: string }> {
  override get message() {
    return `git failed: ${this.detail}`
  }
}

export type Reason = NotInstalled | NotARepository | OtherOwner | NoSuchRevision | NoMergeBase | PartialClone | Failed

export class GitError extends Data.TaggedError("GitError")<{ readonly reason: Reason }> {
  override get message() {
    return this.reason.message
  }
}
