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
  item_id: field(Schema.String),
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
  /** Items that have begun and are not complete. */
  readonly open: ReadonlyArray<Open>
  /** The marks of those that are. */
  readonly known: ReadonlySet<string>
  /** Its status, and why it is incomplete where it says that. */
  readonly ending: { readonly status: string; readonly why: string | undefined } | undefined
  readonly usage: Usage.Usage
}

/** An item as far as it has come. */
interface Open {
  readonly type: Item["type"]
  readonly at: Place
  readonly text: string
}

/** Where an item stands in the output. Servers that do not say so may say its id; the empty one where neither is said. */
type Place = number | string

export const start: Answer = {
  spoke: false,
  called: false,
  garbled: false,
  refusal: "",
  open: [],
  known: new Set(),
  ending: undefined,
  usage: Usage.none,
}

type Heard = readonly [Answer, ReadonlyArray<Part>]

/** The parts of one event, or of a whole response; `Left` where it is neither. */
const step = (reader: Reader, answer: Answer, event: unknown): Either.Either<Heard, Reason> => {
  if (event === done) return Either.right([answer, []])
  const added = wordsOf(event)
  if (added !== undefined) return Either.right(moreWords(answer, added.at, added.text))
  return Either.mapLeft(
    Either.flatMap(decodeEvent(event), (decoded) => {
      const { delta, item, item_id, output_index, response, summary_index, type } = decoded
      const at = output_index ?? item_id ?? ""
      switch (type) {
        case "response.output_text.delta":
          return Either.right(moreWords(answer, at, textOf(delta)))
        case "response.reasoning_summary_text.delta":
        case "response.reasoning_text.delta":
          return Either.right(moreThoughts(answer, at, textOf(delta)))
        case "response.reasoning_summary_part.added":
          return Either.right(summary_index ? moreThoughts(answer, at, "\n\n") : [answer, []])
        case "response.output_item.done":
          return Either.map(itemOf(item), (item) =>
            item === undefined ? [answer, []] : whole(reader, answer, output_index ?? item.id ?? "", item),
          )
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

const moreWords = (answer: Answer, at: Place, text: string): Heard => words(longer(answer, "message", at, text), text)

const moreThoughts = (answer: Answer, at: Place, text: string): Heard => [
  longer(answer, "reasoning", at, text),
  thoughts(text),
]

const words = (answer: Answer, text: string): Heard => [
  { ...answer, spoke: answer.spoke || text.trim() !== "" },
  text === "" ? [] : [Part.Text({ text })],
]

const thoughts = (text: string): ReadonlyArray<Part> => (text === "" ? [] : [Part.Thinking({ text })])

const longer = (answer: Answer, type: Item["type"], at: Place, text: string): Answer => {
  const index = answer.open.findIndex((open) => open.type === type && open.at === at)
  const open = answer.open[index]
  return {
    ...answer,
    open:
      open === undefined
        ? [...answer.open, { type, at, text }]
        : answer.open.with(index, { ...open, text: open.text + text }),
  }
}

/** An item as it is in the end: it has the last word on what came of it before. The very same is heard once. */
const whole = ({ model, nameOf }: Reader, before: Answer, at: Place, item: Item): Heard => {
  const marks = marksOf(at, item)
  if (marks.every((mark) => before.known.has(mark))) return [before, []]
  const open = openOf(before, at, item)
  const answer = {
    ...before,
    open: before.open.filter((other) => other !== open),
    known: new Set([...before.known, ...marks]),
  }
  switch (item.type) {
    case "message": {
      const refusal = wordsIn(item.content).map(({ refusal }) => refusal ?? "")
      const [heard, parts] = words(answer, missing(open, saidBy(item)))
      return [{ ...heard, refusal: answer.refusal + refusal.join("") }, parts]
    }
    case "reasoning": {
      const parts = thoughts(missing(open, saidBy(item)))
      const encrypted = item.encrypted_content
      const summary = textsIn(item.summary)
      return [
        answer,
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

const textsIn = (content: typeof Content.Type | null | undefined): ReadonlyArray<string> =>
  wordsIn(content).map(({ text }) => text ?? "")

/** An item in words, or in what stands for them. */
const saidBy = (item: Item): string => {
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

/** What came of an item before it was complete, at its place, or at another where some servers see it until then. */
const openOf = ({ open }: Answer, at: Place, item: Item): Open | undefined => {
  const alike = open.filter(({ type }) => type === item.type)
  const all = saidBy(item)
  return alike.find((open) => open.at === at) ?? alike.find(({ text }) => text !== "" && all.startsWith(text))
}

/** What a stream has left out of a text: some are shorter than the item. What was said otherwise cannot be taken back. */
const missing = (open: Open | undefined, text: string): string => {
  const said = open?.text ?? ""
  return text.startsWith(said) ? text.slice(said.length) : ""
}

/** What an item is known by when it comes again: until then some servers change its place, some its ids. */
const marksOf = (at: Place, item: Item): ReadonlyArray<string> => {
  const [call, says] =
    item.type === "function_call" ? [item.call_id, `${item.name} ${saidBy(item)}`] : [undefined, saidBy(item)]
  const marks = [item.id && `id ${item.id}`, call && `call ${call}`, says && `says ${says}`]
  return [`at ${at}`, ...marks].flatMap((mark) => (mark ? [`${item.type} ${mark}`] : []))
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
        if (item === undefined || marksOf(at, item).some((mark) => before.known.has(mark))) return [answer, parts]
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
