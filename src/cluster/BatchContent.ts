/** What the tables hold of a batch and of its answer, as compressed JSON. */
import { gunzip, gzip } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Digest from "../indexing/Digest.ts"
import { IndexEntry } from "../indexing/IndexEntry.ts"
import * as Block from "../message/Block.ts"
import { FinishReason } from "../message/FinishReason.ts"
import * as Json from "../message/Json.ts"
import { ModelId } from "../message/ModelId.ts"
import { Usage } from "../message/Usage.ts"
import { Price } from "../model/ModelEntry.ts"
import { ModelError } from "../model/ModelError.ts"
import * as Thinking from "../model/Thinking.ts"

/** A batch as it was sent: `message` is all that the model reads of it. */
export const BatchContent = Schema.Struct({
  area: Schema.String,
  text: Schema.String,
  message: Schema.String,
  entries: Schema.Array(IndexEntry),
})
export type BatchContent = typeof BatchContent.Type

const Reply = Schema.Struct({
  blocks: Schema.NonEmptyArray(Block.Block),
  finish: FinishReason,
  usage: Usage,
  model: ModelId,
  cost: Schema.optional(Schema.Number),
})

/** The reply of the model, or why there is none. */
export const Answer = Schema.Union(
  Schema.TaggedStruct("Replied", { reply: Reply }),
  Schema.TaggedStruct("Refused", { error: ModelError }),
)
export type Answer = typeof Answer.Type

/** A JSON Schema, which comes from JSON and was one before. */
const JsonObject = Schema.declare((value): value is Json.JsonObject => Json.isObject(value))

/** What all batches of a run are sent with, and what its starter has found out before. */
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
  /** By the id of the model, as the starter knows them: the limit of cost holds also where a worker does not. */
  prices: Schema.Record({ key: Schema.String, value: Price }),
  /** That of the project, which the messages contain. */
  map: Schema.optional(Schema.String),
})
export type Sent = typeof Sent.Type

/**
 * The key of a batch within its run: the model and all that it reads. `attempt`: 0 of the plan, then how often a starter has sent this
 * message anew. What is asked for once more may have the same message, and starters share it all the same.
 */
export const digestOf = (model: string, message: string, attempt: number): string =>
  Digest.sha256(`${model}\0${attempt}\0${message}`)

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

/** A row that cannot be read was not written by this version, which is refused before: a defect. */
export const unpack = <A, I>(schema: Schema.Schema<A, I>, packed: Uint8Array): Effect.Effect<A> =>
  Effect.async<Buffer>((resume) =>
    gunzip(packed, (error, text) => resume(error === null ? Effect.succeed(text) : Effect.die(error))),
  ).pipe(
    Effect.flatMap((text) => Effect.try(() => JSON.parse(text.toString("utf8")))),
    Effect.flatMap(Schema.decodeUnknown(schema)),
    Effect.orDie,
  )
