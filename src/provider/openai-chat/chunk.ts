/** The schema of a chunk, or of a whole response, of Chat Completions, with all known deviations of servers. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { MAX_BLOCKS } from "../shared/unusableAnswer.ts"

/** Many servers send null for missing fields. Converting it to `undefined` here would triple the decoding time. */
const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** A value of another shape is ignored. */
const lenient = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.NullOr(schema).annotations({ decodingFallback: () => Either.right(null) })

/** An optional detail, which must not fail the answer. */
const side = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(lenient(schema))

/** An array whose items are joined one by one, which takes quadratic time. */
const list = <A, I>(schema: Schema.Schema<A, I>) => Schema.Array(schema).pipe(Schema.maxItems(MAX_BLOCKS))

const Called = Schema.Struct({
  index: field(Schema.Number),
  id: field(Schema.Union(Schema.String, Schema.Number)),
  function: field(
    Schema.Struct({
      name: field(Schema.String),
      /** JSON; some servers send the object itself. */
      arguments: field(Schema.Unknown),
    }),
  ),
  extra_content: field(Schema.Unknown),
})

const Picture = lenient(
  Schema.Struct({ image_url: field(Schema.Union(Schema.String, Schema.Struct({ url: field(Schema.String) }))) }),
)
export type Picture = typeof Picture.Type

const Piece = Schema.Struct({
  type: field(Schema.String),
  text: field(Schema.String),
  thinking: field(Schema.Union(Schema.String, Schema.Array(Schema.Struct({ text: field(Schema.String) })))),
  image_url: field(Schema.Unknown),
})
export type Piece = typeof Piece.Type

/** An entry of OpenRouter's `reasoning_details`. */
const Detail = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type Detail = typeof Detail.Type

const Message = Schema.Struct({
  content: field(Schema.Union(Schema.String, Schema.Array(Piece))),
  refusal: field(Schema.String),
  reasoning: field(Schema.String),
  reasoning_content: field(Schema.String),
  reasoning_details: side(list(lenient(Detail))),
  tool_calls: field(list(Called)),
  /** The predecessor of `tool_calls`. */
  function_call: field(Schema.Struct({ name: field(Schema.String), arguments: field(Schema.Unknown) })),
  images: side(Schema.Array(Picture)),
})
export type Message = typeof Message.Type

const Counts = Schema.Struct({
  prompt_tokens: field(Schema.Number),
  completion_tokens: field(Schema.Number),
  prompt_tokens_details: side(Schema.Struct({ cached_tokens: field(Schema.Number) })),
  /** DeepSeek's name for it. */
  prompt_cache_hit_tokens: field(Schema.Number),
  completion_tokens_details: side(Schema.Struct({ reasoning_tokens: field(Schema.Number) })),
})
export type Counts = typeof Counts.Type

const Choice = Schema.Struct({
  index: field(Schema.Unknown),
  delta: field(Message),
  message: field(Message),
  finish_reason: field(Schema.String),
  native_finish_reason: side(Schema.String),
  usage: side(Counts),
})
export type Choice = typeof Choice.Type

const Chunk = Schema.Struct({
  choices: field(list(Choice)),
  usage: side(Counts),
  x_groq: side(Schema.Struct({ usage: field(Counts) })),
})

export const decode = Schema.decodeUnknownEither(Chunk)
