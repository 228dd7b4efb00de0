/** The contract of conversations: a chat, and the text beside it that the user and models edit. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { NodeId } from "../../message/NodeId.ts"
import { MAX_PICTURES } from "../../message/Picture.ts"
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
  /** Its pictures, each as `image/png, 12 kB`. Their contents are at `/conversations/ID/pictures`. */
  pictures: Schema.optional(Schema.Array(Schema.String)),
  thinking: Schema.optional(Schema.String),
  calls: Schema.Array(Call),
  results: Schema.Array(Result),
  /** The model of an assistant's message, as `provider/name`. */
  model: Schema.optional(Schema.String),
  finish: Schema.optional(Schema.String),
  tokens: Schema.optional(Schema.Struct({ input: Schema.Int, output: Schema.Int })),
  /** The cost in US dollars; missing if the price is unknown. */
  cost: Schema.optional(Schema.Number),
  /** `tokens` and `cost` are estimates: the answer was stopped before its provider had counted it. */
  estimated: Schema.optional(Schema.Boolean),
  /** Milliseconds since the epoch. */
  at: Schema.Number,
  /** Milliseconds from the request to the end of the reply, if they are known. */
  took: Schema.optional(Schema.Number),
  /**
   * The children of its parent including itself, oldest first: other answers, or other versions of a message. If an
   * edit has divided one, the ends of its versions stand here in place of their beginning.
   */
  siblings: Schema.Array(NodeId),
  /** True if its text continues that of the message before, because an edit has divided the message. */
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
  /** The work that the answer waits for: a tool that runs, a retry. */
  activity: Schema.optional(Schema.String),
  error: Schema.optional(Schema.String),
  cost: Schema.optional(Schema.Number),
  /** True if `cost` includes an estimate, for the reply that was stopped. */
  estimated: Schema.optional(Schema.Boolean),
  /** Milliseconds since the epoch. */
  startedAt: Schema.Number,
  endedAt: Schema.optional(Schema.Number),
  /** Its last stored message. */
  message: Schema.optional(NodeId),
})
export type Answer = typeof Answer.Type

/**
 * A message that waits until the answer in progress has ended, or until the model reads it with the results of its
 * tools.
 */
export const Waiting = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  /** Its pictures, as those of a message. */
  pictures: Schema.optional(Schema.Array(Schema.String)),
})
export type Waiting = typeof Waiting.Type

/** The result of sending a message: either the message that is stored, or the one that waits. */
export const SayResult = Schema.Struct({ message: Schema.optional(Message), waiting: Schema.optional(Waiting) })
export type SayResult = typeof SayResult.Type

/** A text that the user and models edit together. */
export const Document = Schema.Struct({
  text: Schema.String,
  /** The number of its changes. */
  version: Schema.Int,
  /** True if the user has changed the text since the model last received it. */
  edited: Schema.Boolean,
  /** Places that the user and the model have changed differently at the same time; the text has the user's lines. */
  conflicts: Schema.Int,
  /** The file that the text is kept in, as a path in the folder that is served. */
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
  /** The message after which the conversation continues, or the root. */
  leaf: NodeId,
  /** The messages that follow `leaf` already, oldest first: answers to choose from. */
  children: Schema.Array(NodeId),
  document: Document,
  answers: Schema.Array(Answer),
  waiting: Schema.Array(Waiting),
  /** The part of the model's context that the next request takes, in tokens; missing if it is unknown. */
  context: Schema.optional(Schema.Struct({ used: Schema.Int, window: Schema.Int })),
  /** The model that answers if a request names none. */
  model: Schema.optional(Schema.String),
  /** If there is no such model: why, and what to do about it. */
  refusal: Schema.optional(Schema.String),
  /** True if models may call tools, which read the folder that is served. */
  hasTools: Schema.Boolean,
})
export type State = typeof State.Type

export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 404 }),
) {}

/** The request cannot be carried out, with the reason in a sentence. */
export class Refused extends Schema.TaggedError<Refused>()(
  "Refused",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 400 }),
) {}

/** The text was changed since `version`. `document` is the current one: merge it, and send again. */
export class Outdated extends Schema.TaggedError<Outdated>()(
  "Outdated",
  { document: Document },
  HttpApiSchema.annotations({ status: 409 }),
) {}

/**
 * Data could not be stored or read, for example because the disk is full or the forest is damaged. Nothing was
 * acknowledged.
 */
export class NotKept extends Schema.TaggedError<NotKept>()(
  "NotKept",
  { message: Schema.String },
  HttpApiSchema.annotations({ status: 507 }),
) {}

const id = HttpApiSchema.param("id", NodeId)

const Session = Schema.Struct({ conversation: NodeId })

const Text = Schema.String.pipe(
  Schema.maxLength(MAX_MESSAGE, {
    message: () => `a message has at most ${MAX_MESSAGE.toLocaleString("en")} characters`,
  }),
)

/**
 * A picture of a new message: its bytes in base64, which must be PNG, JPEG, GIF or WebP, or the number of one that a
 * message of the conversation has, for another version of that message.
 */
export const SentPicture = Schema.Union(
  Schema.Struct({ data: Schema.String }),
  Schema.Struct({ message: NodeId, number: Schema.NonNegativeInt }),
)
export type SentPicture = typeof SentPicture.Type

const SentPictures = Schema.Array(SentPicture).pipe(
  Schema.maxItems(MAX_PICTURES, { message: () => `a message has at most ${MAX_PICTURES} pictures` }),
)

const DocumentText = Schema.String.pipe(
  Schema.maxLength(MAX_DOCUMENT, {
    message: () => `the text of a document has at most ${MAX_DOCUMENT.toLocaleString("en")} characters`,
  }),
)

const Key = Schema.String.pipe(Schema.minLength(8), Schema.maxLength(64))

/** A request for `n` answers of each model; by default for one answer of the conversation's model. */
const Asked = {
  models: Schema.optional(Schema.Array(Schema.String).pipe(Schema.maxItems(8))),
  n: Schema.optional(Schema.Int.pipe(Schema.between(1, 8))),
}

const NewMessage = Schema.Struct({
  parent: NodeId,
  text: Text,
  pictures: Schema.optional(SentPictures),
  key: Schema.optional(Key),
  ...Asked,
}).pipe(
  Schema.filter(({ pictures = [], text }) =>
    text.trim() !== "" || pictures.length > 0 ? undefined : { path: ["text"], message: "a message must not be blank" },
  ),
)

export class Conversations extends HttpApiGroup.make("conversations")
  /** Returns the conversation that this browser has visited last; its first request makes one. A cookie names it. */
  .add(HttpApiEndpoint.get("session", "/session").addSuccess(Session))
  /** Records that this browser has opened a conversation, or written in it. */
  .add(HttpApiEndpoint.put("visit", "/session").setPayload(Session).addSuccess(Session))
  /** Returns the folder that is served, as an absolute path. */
  .add(HttpApiEndpoint.get("folder", "/folder").addSuccess(Schema.Struct({ folder: Schema.String })))
  /** Lists conversations, newest first. `before` is the `changed` of the last one that the page has. */
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
  /** Starts a new conversation; it is about the file that is served, if there is one. */
  .add(HttpApiEndpoint.post("create", "/conversations").setPayload(Schema.Struct({})).addSuccess(Summary))
  /**
   * Returns the state at the message `leaf`, with `whole` at the end of its answer, and by default at the message at
   * which the conversation was left.
   */
  .add(
    HttpApiEndpoint.get("state")`/conversations/${id}`
      .setUrlParams(Schema.Struct({ leaf: Schema.optional(NodeId), whole: Schema.optional(Schema.Literal("true")) }))
      .addSuccess(State),
  )
  /** Returns the messages above one, oldest first: at most 200. */
  .add(
    HttpApiEndpoint.get("earlier")`/conversations/${id}/earlier`
      .setUrlParams(Schema.Struct({ before: NodeId }))
      .addSuccess(Schema.Struct({ messages: Schema.Array(Message), earlier: Schema.Int })),
  )
  /** Returns a picture of a message, or of one that waits, by its number from 0. */
  .add(
    HttpApiEndpoint.get("picture")`/conversations/${id}/pictures`
      .setUrlParams(
        Schema.Struct({
          message: Schema.optional(NodeId),
          waiting: Schema.optional(Schema.String),
          number: Schema.NumberFromString,
        }),
      )
      .addSuccess(HttpApiSchema.Uint8Array({ contentType: "application/octet-stream" })),
  )
  /**
   * Stores a message after `parent` and has it answered. Its text may be blank only if it has pictures. While an answer
   * is in progress the message waits instead. A request that is sent again because its answer was lost has the same
   * `key` (random, at most 64 characters): it stores nothing twice.
   */
  .add(HttpApiEndpoint.post("say")`/conversations/${id}/messages`.setPayload(NewMessage).addSuccess(SayResult))
  /** Has a message answered again; the existing answers stay. */
  .add(
    HttpApiEndpoint.post("answer")`/conversations/${id}/answers`
      .setPayload(Schema.Struct({ after: NodeId, ...Asked }))
      .addSuccess(Schema.Array(Answer)),
  )
  /**
   * Stops one answer, or all that are running. The part that has arrived is kept. Messages that wait go on waiting
   * until the user sends one or asks for an answer.
   */
  .add(
    HttpApiEndpoint.post("stop")`/conversations/${id}/stop`
      .setPayload(Schema.Struct({ answer: Schema.optional(Schema.String) }))
      .addSuccess(Schema.Struct({ stopped: Schema.Int })),
  )
  /**
   * Continues after another message of its tree: an answer that was chosen, or a version of a message. With `below` it
   * continues at the end of the newest branch below that message.
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
  /** Lists the texts that the document had after each message that changed it, newest first. */
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
          /** True if its provider has a key or needs none, or its server answers. */
          usable: Schema.Boolean,
          /** The environment variable of the key that is missing. */
          needs: Schema.optional(Schema.String),
          /** The size of its context window in tokens. */
          context: Schema.optional(Schema.Int),
          /** The price of a million input tokens in US dollars; `output` likewise. */
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
