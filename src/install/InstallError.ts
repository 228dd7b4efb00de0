/** Why `vibe install` changes nothing, or no more. */
import * as Data from "effect/Data"

export class InstallError extends Data.TaggedError("InstallError")<{
  /** The file that cannot be changed, as the agent names it. */
  readonly path: string
  readonly problem: string
  /** What the user can do. */
  readonly advice: string
}> {
  override get message(): string {
    return `${this.path}: ${this.problem}`
  }
}
