/** The contract of conversations: a chat, and the text beside it that the user and models edit. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { NodeId } from "../../message/NodeId.ts"
import { Deprecation } from "../../model/ModelEntry.ts"

/** The longest message, in UTF-16 units. */
export const MAX_MESSAGE = 1_000_000

/** The longest text beside a conversation, in UTF-16 units. */
export const MAX_DOCUMENT = 2_000_000

/** A tool that a model has called. */
export const Call = Schema.Struct({ id: Schema.String, tool: Schema.String, arguments: Schema.String })
export type Call = typeof Call.Type

export const Result = Schema.Struct({ call: Schema.String, text: Schema.String, failed: Schema.Boolean })
export type Result = typeof Result.Type

/** A node of the forest as a page shows it. */
export const Message = Schema.Struct({
  id: NodeId,
  parent: NodeId,
  /** `notice` is what vibe sent to the model, such as an edit of the document. */
  kind: Schema.Literal("user", "assistant", "tool", "notice", "summary", "unreadable"),
  text: Schema.String,
  thinking: Schema.optional(Schema.String),
  calls: Schema.Array(Call),
  results: Schema.Array(Result),
  /** `provider/name`, of an assistant. */
  model: Schema.optional(Schema.String),
  finish: Schema.optional(Schema.String),
  tokens: Schema.optional(Schema.Struct({ input: Schema.Int, output: Schema.Int })),
  /** In US dollars; none where the price is unknown. */
  cost: Schema.optional(Schema.Number),
  /** `tokens` and `cost` are estimates: the answer was stopped before its provider had counted it. */
  estimated: Schema.optional(Schema.Boolean),
  /** Milliseconds since the epoch. */
  at: Schema.Number,
  /** Milliseconds from the request to the end of the reply, where they are known. */
  took: Schema.optional(Schema.Number),
  /**
   * The children of its parent, oldest first, itself among them: other answers, or other versions of a message. Where an edit
   * has divided one, the ends of its versions are here in place of their beginning.
   */
  siblings: Schema.Array(NodeId),
  /** Its text continues that of the message before: an edit has divided the message. */
  continues: Schema.optional(Schema.Boolean),
})
export type Message = typeof Message.Type

/** An answer in the making, or one that has ended without being stored. */
export const Answer = Schema.Struct({
  id: Schema.String,
  /** The last message that it answers. */
  after: NodeId,
  model: Schema.String,
  state: Schema.Literal("running", "done", "stopped", "failed"),
  /** The part of the reply that has arrived so far. */
  text: Schema.String,
  /** What the answer waits for: a tool that runs, a retry. */
  activity: Schema.optional(Schema.String),
  error: Schema.optional(Schema.String),
  cost: Schema.optional(Schema.Number),
  /** `cost` has an estimate in it: of the reply that was stopped. */
  estimated: Schema.optional(Schema.Boolean),
  /** Milliseconds since the epoch. */
  startedAt: Schema.Number,
  endedAt: Schema.optional(Schema.Number),
  /** Its last stored message. */
  message: Schema.optional(NodeId),
})
export type Answer = typeof Answer.Type

/** A message that waits until the answer in progress has ended, or is read with the results of its tools. */
export const Waiting = Schema.Struct({ id: Schema.String, text: Schema.String })
export type Waiting = typeof Waiting.Type

/** The result of sending a message: either the message that is stored, or the one that waits. */
export const SayResult = Schema.Struct({ message: Schema.optional(Message), waiting: Schema.optional(Waiting) })
export type SayResult = typeof SayResult.Type

/** A text that the user and models edit together. */
export const Document = Schema.Struct({
  text: Schema.String,
  /** Counts its changes. */
  version: Schema.Int,
  /** Whether the user has changed it since the model last had it. */
  edited: Schema.Boolean,
  /** Places that the user and the model have changed differently at the same time; the text has the user's lines. */
  conflicts: Schema.Int,
  /** The file that it is kept in, as a path in the folder that is served. */
  file: Schema.optional(Schema.String),
})
export type Document = typeof Document.Type

export const Summary = Schema.Struct({
  /** The root of its tree. */
  id: NodeId,
  title: Schema.String,
  folder: Schema.optional(Schema.String),
  /** Milliseconds since the epoch. */
  changed: Schema.Number,
  messages: Schema.Int,
  running: Schema.Boolean,
})
export type Summary = typeof Summary.Type

export const State = Schema.Struct({
  summary: Summary,
  /** The end of the path to `leaf`, oldest first. */
  messages: Schema.Array(Message),
  /** How many messages of the path come before them. */
  earlier: Schema.Int,
  /** Where the conversation continues: a message, or its root. */
  leaf: NodeId,
  /** What follows `leaf` already, oldest first: answers to choose from. */
  children: Schema.Array(NodeId),
  document: Document,
  answers: Schema.Array(Answer),
  waiting: Schema.Array(Waiting),
  /** How much of the model's context the next request takes, in tokens; none where it is unknown. */
  context: Schema.optional(Schema.Struct({ used: Schema.Int, window: Schema.Int })),
  /** The model that answers where none is named. */
  model: Schema.optional(Schema.String),
  /** Where there is no such model: why, and what to do about it. */
  refusal: Schema.optional(Schema.String),
  /** Whether models may call tools, which read the folder that is served. */
  hasTools: Schema.Boolean,
})
export type State = typeof State.Type

export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 404 }),
) {}

/** What was asked for cannot be done, with the reason in a sentence. */
export class Refused extends Schema.TaggedError<Refused>()(
  "Refused",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 400 }),
) {}

/** The text was changed since `version`: here is what it is now. Merge, and send again. */
export class Outdated extends Schema.TaggedError<Outdated>()(
  "Outdated",
  { document: Document },
  HttpApiSchema.annotations({ status: 409 }),
) {}

/** What could not be stored, or read: the disk is full, the forest is damaged. Nothing was acknowledged. */
export class NotKept extends Schema.TaggedError<NotKept>()(
  "NotKept",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 507 }),
) {}

const id = HttpApiSchema.param("id", NodeId)

const Session = Schema.Struct({ conversation: NodeId })

/** A message is an ordinary text that is not blank. */
const Text = Schema.String.pipe(
  Schema.maxLength(MAX_MESSAGE, {
    message: () => `a message has at most ${MAX_MESSAGE.toLocaleString("en")} characters`,
  }),
  Schema.filter((text) => text.trim() !== "" || "a message must not be blank"),
)

const DocumentText = Schema.String.pipe(
  Schema.maxLength(MAX_DOCUMENT, {
    message: () => `the text of a document has at most ${MAX_DOCUMENT.toLocaleString("en")} characters`,
  }),
)

const Key = Schema.String.pipe(Schema.minLength(8), Schema.maxLength(64))

/** `n` answers of each model; by default one answer of the conversation's model. */
const Asked = {
  models: Schema.optional(Schema.Array(Schema.String).pipe(Schema.maxItems(8))),
  n: Schema.optional(Schema.Int.pipe(Schema.between(1, 8))),
}

export class Conversations extends HttpApiGroup.make("conversations")
  /** The conversation that this browser has visited last; one of its own is made at its first request. A cookie names it. */
  .add(HttpApiEndpoint.get("session", "/session").addSuccess(Session))
  /** This browser has opened a conversation, or written in it. */
  .add(HttpApiEndpoint.put("visit", "/session").setPayload(Session).addSuccess(Session))
  /** The folder that is served, absolute. */
  .add(HttpApiEndpoint.get("folder", "/folder").addSuccess(Schema.Struct({ folder: Schema.String })))
  /** Newest first; `before` is the `changed` of the last one that the page has. */
  .add(
    HttpApiEndpoint.get("list", "/conversations")
      .setUrlParams(
        Schema.Struct({
          search: Schema.optional(Schema.String),
          all: Schema.optional(Schema.Literal("true")),
          before: Schema.optional(Schema.NumberFromString),
        }),
      )
      .addSuccess(Schema.Array(Summary)),
  )
  /** A new conversation; about the file that is served, where there is one. */
  .add(HttpApiEndpoint.post("create", "/conversations").setPayload(Schema.Struct({})).addSuccess(Summary))
  /** With `leaf` at that message, or with `whole` at the end of its answer; else where it was left. */
  .add(
    HttpApiEndpoint.get("state")`/conversations/${id}`
      .setUrlParams(Schema.Struct({ leaf: Schema.optional(NodeId), whole: Schema.optional(Schema.Literal("true")) }))
      .addSuccess(State),
  )
  /** The messages above one, oldest first: at most 200. */
  .add(
    HttpApiEndpoint.get("earlier")`/conversations/${id}/earlier`
      .setUrlParams(Schema.Struct({ before: NodeId }))
      .addSuccess(Schema.Struct({ messages: Schema.Array(Message), earlier: Schema.Int })),
  )
  /**
   * Stores a message after `parent` and has it answered; while an answer is running it waits instead. A request that is
   * sent again, since its answer was lost, has the same `key` (random, of at most 64 characters): it stores nothing twice.
   */
  .add(
    HttpApiEndpoint.post("say")`/conversations/${id}/messages`
      .setPayload(Schema.Struct({ parent: NodeId, text: Text, key: Schema.optional(Key), ...Asked }))
      .addSuccess(SayResult),
  )
  /** Has a message answered again; the answers that are there stay. */
  .add(
    HttpApiEndpoint.post("answer")`/conversations/${id}/answers`
      .setPayload(Schema.Struct({ after: NodeId, ...Asked }))
      .addSuccess(Schema.Array(Answer)),
  )
  /**
   * Stops one answer, or all that are running. The part that has arrived is kept. Messages that wait go on waiting, until one is
   * sent or an answer is asked for.
   */
  .add(
    HttpApiEndpoint.post("stop")`/conversations/${id}/stop`
      .setPayload(Schema.Struct({ answer: Schema.optional(Schema.String) }))
      .addSuccess(Schema.Struct({ stopped: Schema.Int })),
  )
  /**
   * Continues after another message of its tree: an answer that was chosen, or a version of a message. With `below` where
   * the newest branch below that message ends.
   */
  .add(
    HttpApiEndpoint.put("move")`/conversations/${id}/leaf`
      .setPayload(Schema.Struct({ leaf: NodeId, below: Schema.optional(Schema.Boolean) }))
      .addSuccess(State),
  )
  .add(
    HttpApiEndpoint.put("rename")`/conversations/${id}/title`
      .setPayload(Schema.Struct({ title: Schema.String }))
      .addSuccess(Summary),
  )
  .add(
    HttpApiEndpoint.del(
      "unqueue",
    )`/conversations/${id}/waiting/${HttpApiSchema.param("waiting", Schema.String)}`.addSuccess(Schema.Array(Waiting)),
  )
  .add(
    HttpApiEndpoint.put("edit")`/conversations/${id}/document`
      .setPayload(Schema.Struct({ text: DocumentText, version: Schema.Int }))
      .addSuccess(Document)
      .addError(Outdated),
  )
  /** The texts that the document had, newest first: at each message that changed it. */
  .add(
    HttpApiEndpoint.get("versions")`/conversations/${id}/document/versions`.addSuccess(
      Schema.Array(
        Schema.Struct({ message: NodeId, by: Schema.Literal("user", "model"), at: Schema.Number, text: Schema.String }),
      ),
    ),
  )
  .add(
    HttpApiEndpoint.get("models", "/models").addSuccess(
      Schema.Array(
        Schema.Struct({
          id: Schema.String,
          /** Its provider has a key or needs none, or its server answers. */
          usable: Schema.Boolean,
          /** The environment variable of the key that is missing. */
          needs: Schema.optional(Schema.String),
          /** Tokens. */
          context: Schema.optional(Schema.Int),
          /** US dollars for a million tokens. */
          input: Schema.optional(Schema.Number),
          output: Schema.optional(Schema.Number),
          deprecation: Schema.optional(Deprecation),
        }),
      ),
    ),
  )
  .addError(NotFound)
  .addError(Refused)
  .addError(NotKept) {}
