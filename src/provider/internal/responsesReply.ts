/** The events of OpenAI's Responses, decoded into the parts of a reply, and what an answer's end means. Pure. */
import * as Either from "effect/Either"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isObject } from "../../message/Json.ts"
import * as Usage from "../../message/Usage.ts"
import { Blocked, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Decoder } from "./adapter.ts"
import { jsonOf, parametersOf } from "./chatCalls.ts"
import { done } from "./events.ts"
import * as Ending from "./openAiEnding.ts"
import * as ResponsesMeta from "./responsesMeta.ts"

/** Null stands for what is not there. */
const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const Words = Schema.Struct({ text: field(Schema.String), refusal: field(Schema.String) })

/** Some servers send the text itself. */
const Content = Schema.Union(Schema.String, Schema.Array(Words))

/** What we read. Of items of other types, tools that run at the provider's among them, there is nothing to know. */
const Item = Schema.Union(
  Schema.Struct({ type: Schema.Literal("message"), content: field(Content) }),
  Schema.Struct({
    type: Schema.Literal("reasoning"),
    content: field(Content),
    summary: field(Content),
    encrypted_content: field(Schema.String),
  }),
  Schema.Struct({
    type: Schema.Literal("function_call"),
    status: field(Schema.String),
    call_id: field(Schema.String),
    name: field(Schema.String),
    /** JSON; some servers send the object itself. */
    arguments: field(Schema.Unknown),
  }),
  Schema.Struct({
    type: Schema.Literal("image_generation_call"),
    /** Base64. */
    result: field(Schema.String),
    output_format: field(Schema.String),
  }),
)
type Item = typeof Item.Type

const types = new Set<unknown>(Item.members.flatMap(({ fields }) => fields.type.literals))

const Counts = Schema.Struct({
  input_tokens: field(Schema.Number),
  output_tokens: field(Schema.Number),
  input_tokens_details: field(Schema.Struct({ cached_tokens: field(Schema.Number) })),
  output_tokens_details: field(Schema.Struct({ reasoning_tokens: field(Schema.Number) })),
})

const Response = Schema.Struct({
  object: field(Schema.String),
  status: field(Schema.String),
  incomplete_details: field(Schema.Struct({ reason: field(Schema.String) })),
  output: field(Schema.Array(Schema.Unknown)),
  usage: field(Counts),
})
type Response = typeof Response.Type

const Event = Schema.Struct({
  type: field(Schema.String),
  output_index: field(Schema.Number),
  summary_index: field(Schema.Number),
  delta: field(Schema.Unknown),
  item: field(Schema.Unknown),
  response: field(Schema.Unknown),
})

const decodeEvent = Schema.decodeUnknownEither(Event)

const decodeResponse = Schema.decodeUnknownEither(Response)

const decodeItem = Schema.decodeUnknownEither(Item)

/** `undefined` for one of a type that we do not read. */
const itemOf = (value: unknown): Either.Either<Item | undefined, ParseError> =>
  isObject(value) && types.has(value.type) ? decodeItem(value) : Either.right(undefined)

/** Reads what `model` says; `nameOf` gives tools their own names back. */
export const decoder = (model: string, nameOf: (name: string) => string): Decoder<Answer, unknown> => ({
  start,
  step: (answer, event) => step({ model, nameOf }, answer, event),
  end,
})

interface Reader {
  readonly model: string
  readonly nameOf: (name: string) => string
}

/** What has been seen of an answer. */
export interface Answer {
  readonly spoke: boolean
  readonly called: boolean
  readonly garbled: boolean
  readonly refusal: string
  /** The text of each item so far, by its place. */
  readonly texts: ReadonlyMap<number, string>
  /** The places of the items that are complete. */
  readonly complete: ReadonlySet<number>
  /** Its status, and why it is incomplete where it says that. */
  readonly ending: { readonly status: string; readonly why: string | undefined } | undefined
  readonly usage: Usage.Usage
}

export const start: Answer = {
  spoke: false,
  called: false,
  garbled: false,
  refusal: "",
  texts: new Map(),
  complete: new Set(),
  ending: undefined,
  usage: Usage.none,
}

type Heard = readonly [Answer, ReadonlyArray<Part>]

/** The parts of one event, or of a whole response; `Left` where it is neither. */
const step = (reader: Reader, answer: Answer, event: unknown): Either.Either<Heard, Reason> => {
  if (event === done) return Either.right([answer, []])
  const added = wordsOf(event)
  if (added !== undefined) return Either.right(words(answer, added.at, added.text))
  return Either.mapLeft(
    Either.flatMap(decodeEvent(event), (decoded) => {
      const { delta, item, output_index, response, summary_index, type } = decoded
      const at = output_index ?? 0
      switch (type) {
        case "response.output_text.delta":
          return Either.right(words(answer, at, textOf(delta)))
        case "response.reasoning_summary_text.delta":
        case "response.reasoning_text.delta":
          return Either.right(thoughts(answer, at, textOf(delta)))
        case "response.reasoning_summary_part.added":
          return Either.right(summary_index ? thoughts(answer, at, "\n\n") : [answer, []])
        case "response.output_item.done":
          return Either.map(itemOf(item), (item) => whole(reader, answer, at, item))
        case "response.completed":
        case "response.incomplete":
        case "response.cancelled":
          return Either.flatMap(decodeResponse(response ?? {}), (response) =>
            last(reader, answer, response, type.slice("response.".length)),
          )
        default:
          return isObject(event) && event.object === "response"
            ? Either.flatMap(decodeResponse(event), (response) => last(reader, answer, response, ""))
            : Either.right([answer, []])
      }
    }),
    () => new StreamIncomplete({ message: "the answer holds something that is not an API response" }),
  )
}

/** Of an event that adds words, as nearly all do: to decode each would take as long as all else that is done with it. */
const wordsOf = (event: unknown): { readonly at: number; readonly text: string } | undefined => {
  if (!isObject(event) || event.type !== "response.output_text.delta") return undefined
  const { delta, output_index } = event
  return typeof delta === "string" && typeof output_index === "number" ? { at: output_index, text: delta } : undefined
}

const textOf = (delta: unknown): string => (typeof delta === "string" ? delta : "")

const words = (answer: Answer, at: number, text: string): Heard => [
  { ...said(answer, at, text), spoke: answer.spoke || text.trim() !== "" },
  text === "" ? [] : [Part.Text({ text })],
]

const thoughts = (answer: Answer, at: number, text: string): Heard => [
  said(answer, at, text),
  text === "" ? [] : [Part.Thinking({ text })],
]

const said = (answer: Answer, at: number, text: string): Answer => ({
  ...answer,
  texts: new Map(answer.texts).set(at, (answer.texts.get(at) ?? "") + text),
})

/** An item as it is in the end: it has the last word on what came of it before. */
const whole = ({ model, nameOf }: Reader, before: Answer, at: number, item: Item | undefined): Heard => {
  if (item === undefined || before.complete.has(at)) return [before, []]
  const answer = { ...before, complete: new Set(before.complete).add(at) }
  switch (item.type) {
    case "message": {
      const content = wordsIn(item.content)
      const refusal = content.map(({ refusal }) => refusal ?? "").join("")
      const [heard, parts] = words(answer, at, missing(answer, at, textsIn(content).join("")))
      return [{ ...heard, refusal: answer.refusal + refusal }, parts]
    }
    case "reasoning": {
      const summary = textsIn(wordsIn(item.summary))
      const text = summary.length > 0 ? summary.join("\n\n") : textsIn(wordsIn(item.content)).join("")
      const [heard, parts] = thoughts(answer, at, missing(answer, at, text))
      const encrypted = item.encrypted_content
      return [
        heard,
        encrypted
          ? [...parts, Part.Thinking({ text: "", meta: ResponsesMeta.write({ model, encrypted, summary }) })]
          : parts,
      ]
    }
    case "function_call": {
      const parameters = parametersOf(jsonOf(item.arguments))
      if (!item.name || parameters === undefined || item.status === "incomplete") {
        return [{ ...answer, garbled: true }, []]
      }
      const call = Part.ToolUse({ id: item.call_id || undefined, name: nameOf(item.name), parameters })
      return [{ ...answer, called: true }, [call]]
    }
    case "image_generation_call":
      return item.result
        ? [
            { ...answer, spoke: true },
            [Part.Image({ media_type: `image/${item.output_format ?? "png"}`, data: item.result })],
          ]
        : [answer, []]
  }
}

const wordsIn = (content: typeof Content.Type | null | undefined): ReadonlyArray<typeof Words.Type> =>
  typeof content === "string" ? [{ text: content }] : (content ?? [])

const textsIn = (content: ReadonlyArray<typeof Words.Type>): ReadonlyArray<string> =>
  content.map(({ text }) => text ?? "")

/** What a stream has left out of a text: some are shorter than the item. What was said otherwise cannot be taken back. */
const missing = ({ texts }: Answer, at: number, text: string): string => {
  const said = texts.get(at) ?? ""
  return text.startsWith(said) ? text.slice(said.length) : ""
}

/** The response itself, with any item that did not come apart; `otherwise` is its status where it has none. */
const last = (
  reader: Reader,
  before: Answer,
  { incomplete_details, output, status, usage }: Response,
  otherwise: string,
): Either.Either<Heard, ParseError> =>
  Either.map(Either.all((output ?? []).map(itemOf)), (items) => {
    const [answer, parts] = items.reduce<Heard>(
      ([answer, parts], item, at) => {
        const [next, more] = whole(reader, answer, at, item)
        return [next, [...parts, ...more]]
      },
      [before, []],
    )
    return [
      {
        ...answer,
        ending: { status: status ?? otherwise, why: incomplete_details?.reason ?? undefined },
        usage: usage == null ? answer.usage : usageOf(usage),
      },
      parts,
    ]
  })

/** How an answer ended, once its stream has; the reason why it failed where it is of no use. */
export const end = (answer: Answer): Either.Either<ReadonlyArray<Part>, Reason> => {
  const { ending, refusal, usage } = answer
  if (ending === undefined || ending.status === "in_progress" || ending.status === "queued") {
    return Either.left(new StreamIncomplete({ message: "the answer ended early" }))
  }
  if (ending.status === "cancelled") {
    return Either.left(new StreamIncomplete({ message: "the provider cancelled the answer" }))
  }
  if (refusal !== "") return Either.left(new Blocked({ message: `the model refused: ${refusal}` }))
  return Either.map(Ending.meaning(endingOf(ending), ending.why ?? ending.status, answer), (reason) => [
    Part.Finish({ reason, usage }),
  ])
}

const endingOf = ({ status, why }: NonNullable<Answer["ending"]>): Ending.Ending => {
  if (status === "completed") return "stop"
  if (why === "max_output_tokens") return "length"
  return why === "content_filter" ? "content_filter" : "other"
}

const usageOf = (counts: typeof Counts.Type): Usage.Usage => ({
  inputTokens: counts.input_tokens ?? 0,
  outputTokens: counts.output_tokens ?? 0,
  cachedTokens: counts.input_tokens_details?.cached_tokens ?? 0,
  thinkingTokens: counts.output_tokens_details?.reasoning_tokens ?? 0,
})
