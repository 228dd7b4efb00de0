/** The reasons why a configuration file is not edited, and the error of `vibe install` that tells the user one. */
import * as Data from "effect/Data"

/** The file is not in the format that its agent reads. */
export class NotParsed extends Data.TaggedError("NotParsed")<{
  /** Counted from 1. */
  readonly line: number
  readonly column: number
  /** JSON or TOML. */
  readonly format: string
  readonly problem: string
}> {
  override get message() {
    return `not valid ${this.format} at ${this.line}:${this.column}: ${this.problem}`
  }
}

/** A value has another type than its agent reads. */
export class WrongType extends Data.TaggedError("WrongType")<{
  /** The keys joined by dots; empty for the whole file. */
  readonly key: string
  readonly format: string
  /** `a list` */
  readonly found: string
}> {
  override get message() {
    const wanted = this.format === "TOML" ? "a table" : "an object"
    return `${this.key === "" ? "the file" : `'${this.key}'`} is ${this.found} and not ${wanted}`
  }
}

/** A key is there more than once, and readers differ in which one they use. */
export class Repeated extends Data.TaggedError("Repeated")<{ readonly key: string }> {
  override get message() {
    return `'${this.key}' is there twice`
  }
}

/** The name belongs to another server. */
export class OtherServer extends Data.TaggedError("OtherServer")<{ readonly key: string }> {
  override get message() {
    return `'${this.key}' is another server`
  }
}

/** The user wrote the entry or added to it, so its removal would lose something. */
export class Edited extends Data.TaggedError("Edited")<{
  readonly key: string
  /** `env, timeout` */
  readonly what: string
}> {
  override get message() {
    return `'${this.key}' has ${this.what}, which vibe did not write`
  }
}

/** The file is valid, but in a form that no edit can change and take back byte for byte. */
export class Unsupported extends Data.TaggedError("Unsupported")<{ readonly key: string }> {
  override get message() {
    return `'${this.key}' is in a form that vibe does not change`
  }
}

export type EditProblem = NotParsed | WrongType | Repeated | OtherServer | Edited | Unsupported

export class InstallError extends Data.TaggedError("InstallError")<{
  /** The file that cannot be changed, as the agent names it. */
  readonly path: string
  readonly problem: string
  /** The way for the user to solve the problem. */
  readonly advice: string
}> {
  override get message(): string {
    return `${this.path}: ${this.problem}`
  }
}
