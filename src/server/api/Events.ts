/** The events that the server sends to pages: one stream for all of them, by server-sent events. */
import * as Schema from "effect/Schema"
import { Answer, Document, Message, Summary, Waiting } from "./Conversations.ts"

/**
 * Nothing is repeated: a page that comes late, or again, asks for the state first. `conversation` is the id of the
 * conversation that an event belongs to.
 */
export const Event = Schema.Union(
  /** The first event of each connection. Another `server` than before: it was started anew. */
  Schema.Struct({ type: Schema.Literal("hello"), server: Schema.String }),
  /** A message was stored. */
  Schema.Struct({ type: Schema.Literal("message"), conversation: Schema.String, message: Message }),
  /** An answer has begun, has come to another state, or has ended. */
  Schema.Struct({ type: Schema.Literal("answer"), conversation: Schema.String, answer: Answer }),
  /** More text of an answer that is running. `at` is where it begins, in UTF-16 units: a page that has less asks again. */
  Schema.Struct({
    type: Schema.Literal("delta"),
    conversation: Schema.String,
    answer: Schema.String,
    at: Schema.Int,
    text: Schema.String,
  }),
  Schema.Struct({ type: Schema.Literal("document"), conversation: Schema.String, document: Document }),
  Schema.Struct({ type: Schema.Literal("waiting"), conversation: Schema.String, waiting: Schema.Array(Waiting) }),
  /** A conversation is new, or its title or last message is. */
  Schema.Struct({ type: Schema.Literal("conversation"), conversation: Schema.String, summary: Summary }),
  /** The forest was changed otherwise: nodes were removed, undone or moved. */
  Schema.Struct({ type: Schema.Literal("forest") }),
  /** The index has changed, or a run that explores has come further. */
  Schema.Struct({ type: Schema.Literal("index") }),
)
export type Event = typeof Event.Type
