/** The reason why `vibe install` changes nothing, or nothing more. */
import * as Data from "effect/Data"

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
