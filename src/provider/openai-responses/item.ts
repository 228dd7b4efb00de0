/** The schema of an output item, with all known deviations of servers. Pure. */
import * as Either from "effect/Either"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isObject } from "../../base/Json.ts"
import { toJson } from "../shared/openAiCalls.ts"
import { field, lenientField } from "../shared/wireJson.ts"

const TextOrRefusal = Schema.Struct({ text: field(Schema.String), refusal: field(Schema.String) })

/** Some servers send the text itself. */
const Content = Schema.Union(Schema.String, Schema.Array(Schema.NullOr(TextOrRefusal)))

const id = lenientField(Schema.String)

/** The supported item types. Others, such as provider-side tools, are ignored. */
const Item = Schema.Union(
  Schema.Struct({ type: Schema.Literal("message"), id, content: field(Content) }),
  Schema.Struct({
    type: Schema.Literal("reasoning"),
    id,
    content: field(Content),
    summary: lenientField(Content),
    encrypted_content: lenientField(Schema.String),
  }),
  Schema.Struct({
    type: Schema.Literal("function_call"),
    id,
    status: lenientField(Schema.String),
    call_id: field(Schema.String),
    name: field(Schema.String),
    /** The arguments as JSON. Some servers send the object itself. */
    arguments: field(Schema.Unknown),
  }),
  Schema.Struct({
    type: Schema.Literal("image_generation_call"),
    id,
    /** The image in Base64. */
    result: field(Schema.String),
    output_format: field(Schema.String),
  }),
)
export type Item = typeof Item.Type

const types = new Set<unknown>(Item.members.flatMap(({ fields }) => fields.type.literals))

const decode = Schema.decodeUnknownEither(Item)

/** Returns `undefined` if the type of the item is not supported. */
export const decodeItem = (item: unknown): Either.Either<Item | undefined, ParseError> =>
  isObject(item) && types.has(item.type) ? decode(item) : Either.right(undefined)

/**
 * The position of an item in the output. Servers that omit the index may send the item's id. It is empty if neither is
 * known.
 */
export type Place = number | string

const partsIn = (content: typeof Content.Type | null | undefined): ReadonlyArray<typeof TextOrRefusal.Type> =>
  typeof content === "string" ? [{ text: content }] : (content ?? []).filter((part) => part !== null)

export const textsIn = (content: typeof Content.Type | null | undefined): ReadonlyArray<string> =>
  partsIn(content).map(({ text }) => text ?? "")

/** Returns the refusal text that takes the place of an answer. */
export const refusalIn = ({ content }: Extract<Item, { type: "message" }>): string =>
  partsIn(content)
    .map(({ refusal }) => refusal ?? "")
    .join("")

/** Returns the content of an item as text. */
export const contentOf = (item: Item): string => {
  switch (item.type) {
    case "message":
      return textsIn(item.content).join("")
    case "reasoning":
      return textsIn(item.summary).join("\n\n") || textsIn(item.content).join("")
    case "function_call":
      return toJson(item.arguments)
    case "image_generation_call":
      return item.result ?? ""
  }
}

/** Returns keys that identify an item when it is sent again: some servers change its index, some its ids. */
export const identityKeys = (at: Place, item: Item): ReadonlyArray<string> => {
  const [call, content] =
    item.type === "function_call" ? [item.call_id, `${item.name} ${contentOf(item)}`] : [undefined, contentOf(item)]
  const keys = [item.id && `id ${item.id}`, call && `call ${call}`, content && `says ${content}`]
  return [`at ${at}`, ...keys].flatMap((key) => (key ? [`${item.type} ${key}`] : []))
}
