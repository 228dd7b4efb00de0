/** The issues of a project that Beads keeps: a port, whose adapter runs the program `bd`. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export class Beads extends Context.Tag("vibe/session/prd/Beads")<Beads, Service>() {}

export interface Service {
  /** Makes an issue; gives the id that Beads gave it. */
  readonly create: (issue: Issue) => Effect.Effect<string, BeadsError>
  /** An issue waits for another. */
  readonly depend: (id: string, on: string) => Effect.Effect<void, BeadsError>
}

export interface Issue {
  readonly title: string
  readonly description: string
  readonly acceptance: string
  /** 0 is the most urgent, 4 the least. */
  readonly priority: number
  readonly labels: ReadonlyArray<string>
}

/** The program is not there. */
export class NotInstalled extends Schema.TaggedError<NotInstalled>()("NotInstalled", {}) {
  override get message() {
    return "the program bd of Beads is not installed"
  }
}

/** It has refused, or has not answered. */
export class NotMade extends Schema.TaggedError<NotMade>()("NotMade", {
  /** In bd's words, or about it. */
  why: Schema.String,
}) {
  override get message() {
    return this.why
  }
}

export class BeadsError extends Schema.TaggedError<BeadsError>()("BeadsError", {
  reason: Schema.Union(NotInstalled, NotMade),
  /** What was made all the same: `bd-1 (US-001)`. */
  made: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
}) {
  override get message() {
    const { made, reason } = this
    return made.length === 0 ? reason.message : `${reason.message}; made are ${made.join(", ")}`
  }
}
