/**
 * The reasons that a tool call failed. The model receives the message as the result of the call, and the run continues.
 */
import * as Inspectable from "effect/Inspectable"
import * as Schema from "effect/Schema"

export class UnknownTool extends Schema.TaggedError<UnknownTool>()("UnknownTool", {
  known: Schema.Array(Schema.String),
}) {
  override get message() {
    return this.known.length === 0
      ? "not found: there are no tools here"
      : `not found. The tools are: ${this.known.join(", ")}`
  }
}

export class InvalidArguments extends Schema.TaggedError<InvalidArguments>()("InvalidArguments", {
  /** The issues, one a line: the path of each, and what is wrong. */
  issues: Schema.NonEmptyArray(Schema.String),
}) {
  override get message() {
    return this.issues.map((issue) => `- ${issue}`).join("\n")
  }
}

/** The tool failed with a message for the model. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", { message: Schema.String }) {
  /** Returns the same failure with a line before the message, if there is one. */
  withNotice(notice: string | undefined): Failed {
    return notice === undefined ? this : new Failed({ message: `${notice}\n${this.message}` })
  }
}

/** The tool threw or died. */
export class Crashed extends Schema.TaggedError<Crashed>()("Crashed", { cause: Schema.Defect }) {
  override get message() {
    return this.cause instanceof Error ? this.cause.message : Inspectable.toStringUnknown(this.cause)
  }
}

export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", { seconds: Schema.Number }) {
  override get message() {
    return `gave no result within ${this.seconds} s`
  }
}

/** The run was interrupted, or the tool interrupted itself. */
export class Interrupted extends Schema.TaggedError<Interrupted>()("Interrupted", {}) {
  override get message() {
    return "was interrupted; it may or may not have run"
  }
}

export const Reason = Schema.Union(UnknownTool, InvalidArguments, Failed, Crashed, TimedOut, Interrupted)
export type Reason = typeof Reason.Type

export class ToolError extends Schema.TaggedError<ToolError>()("ToolError", {
  tool: Schema.String,
  reason: Reason,
}) {
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
