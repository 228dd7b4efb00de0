/**
 * The reasons that a tool call failed. The model receives the message as the result of the call, and the run continues.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Inspectable from "effect/Inspectable"
import { reason } from "../base/reason.ts"

export class UnknownTool extends Data.TaggedError("UnknownTool")<{ readonly known: ReadonlyArray<string> }> {
  override get message() {
    return this.known.length === 0
      ? "not found: there are no tools here"
      : `not found. The tools are: ${this.known.join(", ")}`
  }
}

export class InvalidArguments extends Data.TaggedError("InvalidArguments")<{
  /** The issues, one a line: the path of each, and what is wrong. */
  readonly issues: readonly [string, ...ReadonlyArray<string>]
}> {
  override get message() {
    return this.issues.map((issue) => `- ${issue}`).join("\n")
  }
}

/** The tool failed with a message for the model. */
export class Failed extends Data.TaggedError("Failed")<{ readonly message: string }> {
  /** Returns the same failure with a line before the message, if there is one. */
  withNotice(notice: string | undefined): Failed {
    return notice === undefined ? this : new Failed({ message: `${notice}\n${this.message}` })
  }
}

/** The tool threw or died. */
export class Crashed extends Data.TaggedError("Crashed")<{ readonly cause: unknown }> {
  override get message() {
    return this.cause instanceof Error ? this.cause.message : Inspectable.toStringUnknown(this.cause)
  }
}

export class TimedOut extends Data.TaggedError("TimedOut")<{ readonly seconds: number }> {
  override get message() {
    return `gave no result within ${this.seconds} s`
  }
}

/** The run was interrupted, or the tool interrupted itself. */
export class Interrupted extends reason("Interrupted", "was interrupted; it may or may not have run") {}

export type Reason = UnknownTool | InvalidArguments | Failed | Crashed | TimedOut | Interrupted

export class ToolError extends Data.TaggedError("ToolError")<{ readonly tool: string; readonly reason: Reason }> {
  override get message(): string {
    const { reason, tool } = this
    switch (reason._tag) {
      case "InvalidArguments":
        return `invalid arguments for tool '${tool}':\n${reason.message}`
      case "Failed":
      case "Crashed":
        return `tool '${tool}' failed: ${reason.message}`
      default:
        return `tool '${tool}' ${reason.message}`
    }
  }

  /**
   * Returns the same error with a line before the tool's own message, if there is one. Other reasons stay as they are,
   * because the line is about something that the tool has read.
   */
  withNotice(notice: string | undefined): ToolError {
    const { reason, tool } = this
    return reason._tag === "Failed" ? new ToolError({ tool, reason: reason.withNotice(notice) }) : this
  }
}

/** Ends a tool's run with a message for the model. */
export const fail = (message: string): Effect.Effect<never, Failed> => Effect.fail(new Failed({ message }))

/** Turns an error into a failure of the tool with the error's message. */
export const orFail = <A, R>(effect: Effect.Effect<A, { readonly message: string }, R>): Effect.Effect<A, Failed, R> =>
  Effect.mapError(effect, ({ message }) => new Failed({ message }))
