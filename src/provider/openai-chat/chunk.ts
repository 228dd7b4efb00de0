/** A chunk of a chat completion as servers send it, or a whole one: every deviation of theirs has its place here. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { mostBlocks } from "../shared/unusable.ts"

/** Many servers send null for what is not there. It is not made `undefined` here: that takes thrice the time. */
const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** Of another shape it is taken for nothing. */
const lenient = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.NullOr(schema).annotations({ decodingFallback: () => Either.right(null) })

/** What stands beside an answer, and is not to end it, whatever it is. */
const side = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(lenient(schema))

/** What is put together piece by piece, which takes time quadratic to their number. */
const list = <A, I>(schema: Schema.Schema<A, I>) => Schema.Array(schema).pipe(Schema.maxItems(mostBlocks))

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

/** Of OpenRouter's `reasoning_details`. */
const Detail = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type Detail = typeof Detail.Type

const Message = Schema.Struct({
  content: field(Schema.Union(Schema.String, Schema.Array(Piece))),
  refusal: field(Schema.String),
  reasoning: field(Schema.String),
  reasoning_content: field(Schema.String),
  reasoning_details: side(list(lenient(Detail))),
  tool_calls: field(list(Called)),
  /** What calls were before there could be several. */
  function_call: field(Schema.Struct({ name: field(Schema.String), arguments: field(Schema.Unknown) })),
  images: side(Schema.Array(Picture)),
})
export type Message = typeof Message.Type

const Counts = Schema.Struct({
  prompt_tokens: field(Schema.Number),
  completion_tokens: field(Schema.Number),
  prompt_tokens_details: side(Schema.Struct({ cached_tokens: field(Schema.Number) })),
  /** DeepSeek's word for it. */
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
