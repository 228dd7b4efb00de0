/** An item of a response, as servers send it: every deviation of theirs has its place here. Pure. */
import * as Either from "effect/Either"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isObject } from "../../message/Json.ts"
import { jsonOf } from "../shared/openAiCalls.ts"

/** Null stands for what is not there. */
const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const Words = Schema.Struct({ text: field(Schema.String), refusal: field(Schema.String) })

/** Some servers send the text itself. */
const Content = Schema.Union(Schema.String, Schema.Array(Words))

const id = field(Schema.String)

/** What we read. Of items of other types, tools that run at the provider's among them, there is nothing to know. */
const Item = Schema.Union(
  Schema.Struct({ type: Schema.Literal("message"), id, content: field(Content) }),
  Schema.Struct({
    type: Schema.Literal("reasoning"),
    id,
    content: field(Content),
    summary: field(Content),
    encrypted_content: field(Schema.String),
  }),
  Schema.Struct({
    type: Schema.Literal("function_call"),
    id,
    status: field(Schema.String),
    call_id: field(Schema.String),
    name: field(Schema.String),
    /** JSON; some servers send the object itself. */
    arguments: field(Schema.Unknown),
  }),
  Schema.Struct({
    type: Schema.Literal("image_generation_call"),
    id,
    /** Base64. */
    result: field(Schema.String),
    output_format: field(Schema.String),
  }),
)
export type Item = typeof Item.Type

const types = new Set<unknown>(Item.members.flatMap(({ fields }) => fields.type.literals))

const decode = Schema.decodeUnknownEither(Item)

/** `undefined` for one of a type that we do not read. */
export const read = (item: unknown): Either.Either<Item | undefined, ParseError> =>
  isObject(item) && types.has(item.type) ? decode(item) : Either.right(undefined)

/** Where an item stands in the output. Servers that do not say so may say its id; the empty one where neither is said. */
export type Place = number | string

const wordsIn = (content: typeof Content.Type | null | undefined): ReadonlyArray<typeof Words.Type> =>
  typeof content === "string" ? [{ text: content }] : (content ?? [])

export const textsIn = (content: typeof Content.Type | null | undefined): ReadonlyArray<string> =>
  wordsIn(content).map(({ text }) => text ?? "")

/** What the model says in place of an answer. */
export const refusalIn = ({ content }: Extract<Item, { type: "message" }>): string =>
  wordsIn(content)
    .map(({ refusal }) => refusal ?? "")
    .join("")

/** An item in words, or in what stands for them. */
export const saidBy = (item: Item): string => {
  switch (item.type) {
    case "message":
      return textsIn(item.content).join("")
    case "reasoning":
      return textsIn(item.summary).join("\n\n") || textsIn(item.content).join("")
    case "function_call":
      return jsonOf(item.arguments)
    case "image_generation_call":
      return item.result ?? ""
  }
}

/** What an item is known by when it comes again: until then some servers change its place, some its ids. */
export const marksOf = (at: Place, item: Item): ReadonlyArray<string> => {
  const [call, says] =
    item.type === "function_call" ? [item.call_id, `${item.name} ${saidBy(item)}`] : [undefined, saidBy(item)]
  const marks = [item.id && `id ${item.id}`, call && `call ${call}`, says && `says ${says}`]
  return [`at ${at}`, ...marks].flatMap((mark) => (mark ? [`${item.type} ${mark}`] : []))
}
