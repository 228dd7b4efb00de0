/** The schema of a chunk, or of a whole response, of Chat Completions, with all known deviations of servers. */
import * as Schema from "effect/Schema"
import { count, field, lenient, lenientField } from "../shared/wireJson.ts"
import { MAX_BLOCKS } from "../transport/unusableAnswer.ts"

/** The decoder joins the items of this array one by one, which takes quadratic time, so their number is limited. */
const list = <A, I>(schema: Schema.Schema<A, I>) => Schema.Array(schema).pipe(Schema.maxItems(MAX_BLOCKS))

const WireCall = Schema.Struct({
  index: count,
  id: field(Schema.Union(Schema.String, Schema.Number)),
  function: field(
    Schema.Struct({
      name: field(Schema.String),
      /** The arguments as JSON. Some servers send the object itself. */
      arguments: field(Schema.Unknown),
    }),
  ),
  extra_content: field(Schema.Unknown),
})

const WireImage = lenient(
  Schema.Struct({ image_url: field(Schema.Union(Schema.String, Schema.Struct({ url: field(Schema.String) }))) }),
)
export type WireImage = typeof WireImage.Type

const ContentPart = Schema.Struct({
  text: field(Schema.String),
  thinking: lenientField(Schema.Union(Schema.String, Schema.Array(Schema.Struct({ text: field(Schema.String) })))),
  image_url: field(Schema.Unknown),
})
export type ContentPart = typeof ContentPart.Type

/** An entry of OpenRouter's `reasoning_details`. */
const Detail = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type Detail = typeof Detail.Type

const Message = Schema.Struct({
  content: field(Schema.Union(Schema.String, Schema.Array(Schema.NullOr(ContentPart)))),
  refusal: lenientField(Schema.String),
  reasoning: lenientField(Schema.String),
  reasoning_content: lenientField(Schema.String),
  reasoning_details: lenientField(list(lenient(Detail))),
  tool_calls: field(list(Schema.NullOr(WireCall))),
  /** The predecessor of `tool_calls`. */
  function_call: field(Schema.Struct({ name: field(Schema.String), arguments: field(Schema.Unknown) })),
  images: lenientField(Schema.Array(WireImage)),
})
export type Message = typeof Message.Type

const Counts = Schema.Struct({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: lenientField(Schema.Struct({ cached_tokens: count })),
  /** DeepSeek's name for the cached tokens. */
  prompt_cache_hit_tokens: count,
  completion_tokens_details: lenientField(Schema.Struct({ reasoning_tokens: count })),
})
export type Counts = typeof Counts.Type

const Choice = Schema.Struct({
  index: field(Schema.Unknown),
  delta: field(Message),
  message: field(Message),
  finish_reason: lenientField(Schema.String),
  native_finish_reason: lenientField(Schema.String),
  usage: lenientField(Counts),
})
export type Choice = typeof Choice.Type

const Chunk = Schema.Struct({
  choices: field(list(Choice)),
  usage: lenientField(Counts),
  x_groq: lenientField(Schema.Struct({ usage: lenientField(Counts) })),
})

export const decode = Schema.decodeUnknownEither(Chunk)
