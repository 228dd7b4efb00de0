/** Why a session does not take a message. Nothing was asked of a model then, and nothing was kept. */
import * as Schema from "effect/Schema"

/** `respond` before `start`. */
export class SessionNotStarted extends Schema.TaggedError<SessionNotStarted>()("SessionNotStarted", {}) {
  override get message() {
    return "the session has not been started"
  }
}

/** A second `start`: it would begin another conversation in place of this one. */
export class SessionAlreadyStarted extends Schema.TaggedError<SessionAlreadyStarted>()("SessionAlreadyStarted", {}) {
  override get message() {
    return "the session has been started already"
  }
}

/** The message before is still being answered. */
export class SessionBusy extends Schema.TaggedError<SessionBusy>()("SessionBusy", {}) {
  override get message() {
    return "the message before is still being answered"
  }
}

/** Nothing but white space. */
export class BlankMessage extends Schema.TaggedError<BlankMessage>()("BlankMessage", {}) {
  override get message() {
    return "the message is blank"
  }
}

export const Reason = Schema.Union(SessionNotStarted, SessionAlreadyStarted, SessionBusy, BlankMessage)
export type Reason = typeof Reason.Type

export class SessionError extends Schema.TaggedError<SessionError>()("SessionError", { reason: Reason }) {
  override get message(): string {
    return this.reason.message
  }
}
