/** The error of a session that refuses a message. No request was sent, and nothing was stored. */
import * as Schema from "effect/Schema"

/** An error: `respond` was called before `start`. */
export class SessionNotStarted extends Schema.TaggedError<SessionNotStarted>()("SessionNotStarted", {}) {
  override get message() {
    return "the session has not been started"
  }
}

/** An error: a second `start` would replace the conversation. */
export class SessionAlreadyStarted extends Schema.TaggedError<SessionAlreadyStarted>()("SessionAlreadyStarted", {}) {
  override get message() {
    return "the session has been started already"
  }
}

/** An error: the previous message is still being answered. */
export class SessionBusy extends Schema.TaggedError<SessionBusy>()("SessionBusy", {}) {
  override get message() {
    return "the previous message is still being answered"
  }
}

/** An error: the message has only white space. */
export class BlankMessage extends Schema.TaggedError<BlankMessage>()("BlankMessage", {}) {
  override get message() {
    return "the message is blank"
  }
}

/** An error: the id of a session is empty, longer than 256 characters, or has a control character. */
export class BadSessionId extends Schema.TaggedError<BadSessionId>()("BadSessionId", {}) {
  override get message() {
    return "the id of a session has 1 to 256 characters, and no control characters"
  }
}

export const Reason = Schema.Union(SessionNotStarted, SessionAlreadyStarted, SessionBusy, BlankMessage, BadSessionId)
export type Reason = typeof Reason.Type

export class SessionError extends Schema.TaggedError<SessionError>()("SessionError", { reason: Reason }) {
  override get message(): string {
    return this.reason.message
  }
}
