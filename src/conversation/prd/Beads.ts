/** The port of the issue tracker Beads. Its adapter runs the program `bd`. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

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
export class NotInstalled extends Schema.TaggedError<NotInstalled>()("NotInstalled", {}) {
  override get message() {
    return "the program bd of Beads is not installed"
  }
}

/** An error: the program has failed, or has not answered. */
export class NotMade extends Schema.TaggedError<NotMade>()("NotMade", {
  /** The message of `bd`, or a description. */
  why: Schema.String,
}) {
  override get message() {
    return this.why
  }
}

export class BeadsError extends Schema.TaggedError<BeadsError>()("BeadsError", {
  reason: Schema.Union(NotInstalled, NotMade),
  /** The issues that were created before, such as `bd-1 (US-001)`. */
  made: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
}) {
  override get message() {
    const { made, reason } = this
    return made.length === 0 ? reason.message : `${reason.message}; made are ${made.join(", ")}`
  }
}
