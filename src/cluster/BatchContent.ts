/** The content of a batch and of its answer in the tables, as compressed JSON. */
import { gunzip, gzip } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Json from "../base/Json.ts"
import * as Text from "../base/Text.ts"
import { IndexEntry, kinds, origins } from "../index/IndexEntry.ts"
import * as Block from "../message/Block.ts"
import { ModelId } from "../message/ModelId.ts"
import { FinishReason, Usage } from "../message/Usage.ts"
import { Price } from "../model/ModelEntry.ts"
import { ModelError } from "../model/ModelError.ts"
import * as Thinking from "../model/Thinking.ts"

const Purpose = Schema.Struct({
  text: Schema.NonEmptyString,
  origin: Schema.Literal(...origins),
  model: Schema.optional(Schema.String),
  node: Schema.optional(Schema.String),
  stale: Schema.Boolean,
  weak: Schema.optional(Schema.NonEmptyString),
  confirmed: Schema.optional(Schema.Boolean),
  lines: Schema.optional(Schema.Array(Schema.Number)),
})

const Entry = Schema.Struct({
  path: Schema.String,
  name: Schema.String,
  container: Schema.optional(Schema.String),
  kind: Schema.Literal(...kinds),
  startLine: Schema.Number,
  endLine: Schema.Number,
  signature: Schema.String,
  doc: Schema.optional(Schema.String),
  exported: Schema.Boolean,
  usedBy: Schema.Number,
  isMajor: Schema.Boolean,
  hash: Schema.String,
  tokens: Schema.optional(Schema.String),
  purpose: Schema.optional(Purpose),
}).pipe(
  Schema.transform(Schema.instanceOf(IndexEntry), {
    strict: true,
    decode: (fields) => new IndexEntry(fields),
    encode: (entry) => entry,
  }),
)

const Model = Schema.Struct({ provider: Schema.NonEmptyString, name: Schema.NonEmptyString }).pipe(
  Schema.transform(Schema.instanceOf(ModelId), {
    strict: true,
    decode: (id) => new ModelId(id),
    encode: (id) => id,
  }),
)

/** A batch as it was sent. `message` is everything that the model reads of it. */
export const BatchContent = Schema.Struct({
  area: Schema.String,
  text: Schema.String,
  message: Schema.String,
  entries: Schema.Array(Entry),
})
export type BatchContent = typeof BatchContent.Type

const Reply = Schema.Struct({
  blocks: Schema.NonEmptyArray(Block.Block),
  finish: FinishReason,
  usage: Usage,
  model: Model,
  cost: Schema.optional(Schema.Number),
})

/** The reply of the model, or the error if there is none. */
export const Answer = Schema.Union(
  Schema.TaggedStruct("Replied", { reply: Reply }),
  Schema.TaggedStruct("Refused", { error: ModelError }),
)
export type Answer = typeof Answer.Type

/** A JSON Schema. It was JSON before it was stored, so nothing more is checked. */
const JsonObject = Schema.declare((value): value is Json.JsonObject => Json.isObject(value))

/** The parts that all requests of a run share, and facts that its starter has already found out. */
export const Sent = Schema.Struct({
  system: Schema.String,
  tools: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      description: Schema.String,
      parameters: JsonObject,
    }),
  ),
  toolChoice: Schema.Union(Schema.Literal("auto", "none"), Schema.Struct({ tool: Schema.String })),
  thinking: Schema.optional(Schema.Literal(...Thinking.levels)),
  /**
   * The prices that the starter knows, by the id of the model. So the limit of cost works even if a worker knows no
   * price.
   */
  prices: Schema.Record({ key: Schema.String, value: Price }),
  /** The map of the project, which the messages contain. */
  map: Schema.optional(Schema.String),
})
export type Sent = typeof Sent.Type

/**
 * Returns the key of a batch within its run, from the model and everything that it reads. `attempt` is 0 for a batch of
 * the plan, else the number of times that a starter has sent this message anew. A repeated request may have the same
 * message, and starters still share it.
 */
export const digestOf = (model: string, message: string, attempt: number): string =>
  Text.sha256(`${model}\0${attempt}\0${message}`)

export const pack = <A, I>(schema: Schema.Schema<A, I>, value: A): Effect.Effect<Buffer> =>
  Effect.orDie(Schema.encode(schema)(value)).pipe(
    Effect.flatMap((encoded) =>
      Effect.async<Buffer>((resume) =>
        gzip(JSON.stringify(encoded), { level: 3 }, (error, packed) =>
          resume(error === null ? Effect.succeed(packed) : Effect.die(error)),
        ),
      ),
    ),
  )

/**
 * Unpacks a row. One that cannot be read was not written by this version, and other versions are refused before, so
 * this is a defect.
 */
export const unpack = <A, I>(schema: Schema.Schema<A, I>, packed: Uint8Array): Effect.Effect<A> =>
  Effect.async<Buffer>((resume) =>
    gunzip(packed, (error, text) => resume(error === null ? Effect.succeed(text) : Effect.die(error))),
  ).pipe(
    Effect.flatMap((text) => Effect.try(() => JSON.parse(text.toString("utf8")))),
    Effect.flatMap(Schema.decodeUnknown(schema)),
    Effect.orDie,
  )
