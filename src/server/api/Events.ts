/** Defines the events that the server sends to pages: one stream for all events, by server-sent events. */
import * as Schema from "effect/Schema"
import { Answer, Document, Message, Summary, Waiting } from "./Conversations.ts"

/**
 * No event is repeated: a page that connects late, or again, asks for the state first. `conversation` is the id of the
 * conversation that an event belongs to.
 */
export const Event = Schema.Union(
  /** The first event of each connection. If `server` differs from before, the server was started again. */
  Schema.Struct({ type: Schema.Literal("hello"), server: Schema.String }),
  /** A message was stored. */
  Schema.Struct({ type: Schema.Literal("message"), conversation: Schema.String, message: Message }),
  /** An answer has begun, has come to another state, or has ended. */
  Schema.Struct({ type: Schema.Literal("answer"), conversation: Schema.String, answer: Answer }),
  /**
   * An answer in progress has more text, which begins at `at`, in UTF-16 units. A page that has less asks for the state
   * again.
   */
  Schema.Struct({
    type: Schema.Literal("delta"),
    conversation: Schema.String,
    answer: Schema.String,
    at: Schema.Int,
    text: Schema.String,
  }),
  Schema.Struct({ type: Schema.Literal("document"), conversation: Schema.String, document: Document }),
  Schema.Struct({ type: Schema.Literal("waiting"), conversation: Schema.String, waiting: Schema.Array(Waiting) }),
  /** A conversation is new, or has a new title or last message. */
  Schema.Struct({ type: Schema.Literal("conversation"), conversation: Schema.String, summary: Summary }),
  /** The forest was changed otherwise: nodes were removed, undone or moved. */
  Schema.Struct({ type: Schema.Literal("forest") }),
  /** The index has changed, or an exploration has made progress. */
  Schema.Struct({ type: Schema.Literal("index") }),
)
export type Event = typeof Event.Type
