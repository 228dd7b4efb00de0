/** The errors that only commands have. Each has its exit code and its advice in `Failure`. */
import * as Data from "effect/Data"
import { plural } from "../base/Prose.ts"

/** An answer does not validate against the schema of `vibe ask --schema`. */
export class InvalidAnswer extends Data.TaggedError("InvalidAnswer")<{
  readonly issues: readonly [string, ...ReadonlyArray<string>]
}> {
  override get message(): string {
    return `the answer is not valid by the schema: ${this.issues.join("; ")}`
  }
}

interface Problem {
  readonly subject: string
  readonly what: string
  readonly isMendable?: boolean
}

/** `vibe loom verify` found damage in the stored forest. */
export class Unsound extends Data.TaggedError("Unsound")<{ readonly problems: ReadonlyArray<Problem> }> {
  override get message(): string {
    const what = this.isMendable ? "an index of the forest" : "the forest"
    return `${what} is damaged: ${plural(this.problems.length, "problem")}`
  }

  /** True if only derived data is damaged, and no message. */
  get isMendable(): boolean {
    return this.problems.length > 0 && this.problems.every(({ isMendable }) => isMendable)
  }
}

/** `vibe check --strict` has findings. */
export class NotClean extends Data.TaggedError("NotClean")<{ readonly findings: number }> {
  override get message(): string {
    return plural(this.findings, "finding")
  }
}

/** `vibe affected --strict` cannot know all tests that a change reaches. */
export class TestsNotKnown extends Data.TaggedError("TestsNotKnown")<{
  readonly reasons: ReadonlyArray<string>
}> {
  override get message(): string {
    return "the change may reach tests that are not known: run all of them"
  }
}

/** `vibe index` has sent batches, but none was explained, or several failed in a row, which ended the run. */
export class NothingExplained extends Data.TaggedError("NothingExplained")<{
  readonly message: string
}> {}

/** `vibe merge-driver` has merged all but some lines, which it could not read. */
export class DamagedPurposes extends Data.TaggedError("DamagedPurposes")<{
  readonly lines: number
  readonly file: string
}> {
  override get message(): string {
    const { file, lines } = this
    return `${file}: ${lines === 1 ? "a line is" : `${lines} lines are`} no purpose, and stand${lines === 1 ? "s" : ""} between conflict markers at its end`
  }
}

/** A defect of vibe itself: no input, setting, file or provider is to blame. */
export class Crash extends Data.TaggedError("Crash")<{ readonly cause: unknown }> {
  override get message(): string {
    const { cause } = this
    return `a mistake in vibe itself: ${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}`
  }
}
