/** The port of the issue tracker Beads. Its adapter runs the program `bd`. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

export class Beads extends Context.Tag("vibe/conversation/prd/Beads")<Beads, Service>() {}

/** The command that installs its program `bd`. */
export const INSTALL_COMMAND = "npm install --global @beads/bd"

export interface Service {
  /** Creates an issue, and returns its id. */
  readonly create: (issue: Issue) => Effect.Effect<string, BeadsError>
  /** Records that an issue depends on another. */
  readonly depend: (id: string, on: string) => Effect.Effect<void, BeadsError>
}

export interface Issue {
  readonly title: string
  readonly description: string
  readonly acceptance: string
  /** The urgency: 0 is the most urgent, 4 the least. */
  readonly priority: number
  readonly labels: ReadonlyArray<string>
}

/** An error: the program is not installed. */
export class NotInstalled extends Data.TaggedError("NotInstalled") {
  override get message() {
    return "the program bd of Beads is not installed"
  }
}

/** An error: the program has failed, or has not answered. */
export class NotMade extends Data.TaggedError("NotMade")<{
  /** The message of `bd`, or a description. */
  readonly why: string
}> {
  override get message() {
    return this.why
  }
}

export class BeadsError extends Data.TaggedError("BeadsError")<{
  readonly reason: NotInstalled | NotMade
  /** The issues that were created before, such as `bd-1 (US-001)`. */
  readonly made?: ReadonlyArray<string> | undefined
}> {
  override get message() {
    const { made = [], reason } = this
    return made.length === 0 ? reason.message : `${reason.message}; made are ${made.join(", ")}`
  }
}
