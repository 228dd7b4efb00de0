/** The events of OpenAI's Responses, decoded into the parts of a reply, and what an answer's end means. Pure. */
import * as Either from "effect/Either"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isObject } from "../../message/Json.ts"
import * as Usage from "../../message/Usage.ts"
import { Blocked, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import { parametersOf } from "../shared/openAiCalls.ts"
import * as Ending from "../shared/openAiFinish.ts"
import { mostBlocks } from "../shared/unusable.ts"
import type { Decoder } from "../transport/attempt.ts"
import { done } from "../transport/sse.ts"
import type { Item, Place } from "./item.ts"
import * as ResponsesItem from "./item.ts"
import * as ResponsesMeta from "./metadata.ts"

/** Null stands for what is not there. */
const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

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
  output: field(Schema.Array(Schema.Unknown).pipe(Schema.maxItems(mostBlocks))),
  usage: field(Counts),
})
type Response = typeof Response.Type

const Event = Schema.Struct({
  type: field(Schema.String),
  output_index: field(Schema.Number),
  item_id: field(Schema.String),
  summary_index: field(Schema.Number),
  delta: field(Schema.Unknown),
  text: field(Schema.Unknown),
  arguments: field(Schema.Unknown),
  item: field(Schema.Unknown),
  response: field(Schema.Unknown),
})

const decodeEvent = Schema.decodeUnknownEither(Event)

const decodeResponse = Schema.decodeUnknownEither(Response)

/** Reads what `model` says; `nameOf` gives tools their own names back. */
export const decoder = (model: string, nameOf: (name: string) => string): Decoder<Answer, unknown> => ({
  start,
  step: (answer, event) => step({ model, nameOf }, answer, event),
  progress: ({ ending }) => (ending === undefined ? "open" : "over"),
  kept: ({ known, open }) => known.size + open.length,
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
  /** Of a call: its arguments. */
  readonly text: string
  /** Of a call, as it began. */
  readonly item?: Item | undefined
}

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
      const { delta, response, summary_index, text, type } = decoded
      const at = placeOf(decoded)
      const rest = (item: Item) => unsaid(openOf(answer, at, item), item)
      switch (type) {
        case "response.output_text.delta":
          return Either.right(moreWords(answer, at, textOf(delta)))
        case "response.reasoning_summary_text.delta":
        case "response.reasoning_text.delta":
          return Either.right(moreThoughts(answer, at, textOf(delta)))
        case "response.reasoning_summary_part.added":
          return Either.right(summary_index ? moreThoughts(answer, at, "\n\n") : [answer, []])
        case "response.output_text.done":
          return Either.right(moreWords(answer, at, rest({ type: "message", content: textOf(text) })))
        case "response.output_item.added":
          return Either.map(ResponsesItem.read(decoded.item), (item) => [begun(answer, at, item), []])
        case "response.function_call_arguments.delta":
          return Either.right([longer(answer, "function_call", at, textOf(delta)), []])
        case "response.function_call_arguments.done": {
          const more = rest({ type: "function_call", arguments: decoded.arguments })
          return Either.right([longer(answer, "function_call", at, more), []])
        }
        case "response.output_item.done":
          return Either.map(ResponsesItem.read(decoded.item), (item) =>
            item === undefined ? [answer, []] : whole(reader, answer, at, item),
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

const placeOf = ({ item, item_id, output_index }: typeof Event.Type): Place =>
  output_index ?? item_id ?? (isObject(item) && typeof item.id === "string" ? item.id : "")

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

/** A call that begins says its name, which may not come again. Of other items there is nothing to know yet. */
const begun = (answer: Answer, at: Place, item: Item | undefined): Answer =>
  item?.type === "function_call"
    ? { ...answer, open: [...answer.open, { type: item.type, at, text: "", item }] }
    : answer

const longer = (answer: Answer, type: Item["type"], at: Place, text: string): Answer => {
  const index = answer.open.findLastIndex((open) => open.type === type && open.at === at)
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
  const marks = ResponsesItem.marksOf(at, item)
  if (marks.every((mark) => before.known.has(mark))) return [before, []]
  const open = openOf(before, at, item)
  const answer = {
    ...before,
    open: before.open.filter((other) => other !== open),
    known: new Set([...before.known, ...marks]),
  }
  switch (item.type) {
    case "message": {
      const [heard, parts] = words(answer, unsaid(open, item))
      return [{ ...heard, refusal: answer.refusal + ResponsesItem.refusalIn(item) }, parts]
    }
    case "reasoning": {
      const parts = thoughts(unsaid(open, item))
      const encrypted = item.encrypted_content
      const summary = ResponsesItem.textsIn(item.summary)
      return [
        answer,
        encrypted
          ? [...parts, Part.Thinking({ text: "", meta: ResponsesMeta.write({ model, encrypted, summary }) })]
          : parts,
      ]
    }
    case "function_call": {
      const parameters = parametersOf(ResponsesItem.saidBy(item) || (open?.text ?? ""))
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

/** What came of an item before it was complete, at its place, or at another where some servers see it until then. */
const openOf = ({ open }: Answer, at: Place, item: Item): Open | undefined => {
  const alike = open.filter(({ type }) => type === item.type)
  const all = ResponsesItem.saidBy(item)
  return alike.findLast((open) => open.at === at) ?? alike.find(({ text }) => text !== "" && all.startsWith(text))
}

/** What a stream has left out of a text: some are shorter than the item. What was said otherwise cannot be taken back. */
const unsaid = (open: Open | undefined, item: Item): string => {
  const said = open?.text ?? ""
  const all = ResponsesItem.saidBy(item)
  return all.startsWith(said) ? all.slice(said.length) : ""
}

/** The response itself, with any item that did not come apart; `otherwise` is its status where it has none. */
const last = (
  reader: Reader,
  before: Answer,
  { incomplete_details, output, status, usage }: Response,
  otherwise: string,
): Either.Either<Heard, ParseError> =>
  Either.map(Either.all((output ?? []).map(ResponsesItem.read)), (items) => {
    const [answer, parts] = unheard(
      reader,
      before,
      items.flatMap((item, at) => (item === undefined ? [] : [{ at, item }])),
    )
    const [ended, calls] = unheard(reader, answer, answer.open.flatMap(callIn))
    return [
      {
        ...ended,
        ending: { status: status ?? otherwise, why: incomplete_details?.reason ?? undefined },
        usage: usage == null ? answer.usage : usageOf(usage),
      },
      [...parts, ...calls],
    ]
  })

interface Placed {
  readonly at: Place
  readonly item: Item
}

/** Of these items those that are not known, whatever they are known by. */
const unheard = (reader: Reader, before: Answer, items: ReadonlyArray<Placed>): Heard =>
  items
    .filter(({ at, item }) => !ResponsesItem.marksOf(at, item).some((mark) => before.known.has(mark)))
    .reduce<Heard>(
      ([answer, parts], { at, item }) => {
        const [next, more] = whole(reader, answer, at, item)
        return [next, [...parts, ...more]]
      },
      [before, []],
    )

/** A call of which nothing came but its beginning and its arguments. */
const callIn = ({ at, item, text, type }: Open): ReadonlyArray<Placed> =>
  type === "function_call" && text !== "" ? [{ at, item: { ...item, type, arguments: text } }] : []

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
  if (why === "content_filter") return "content_filter"
  if (status === "completed") return "stop"
  if (status === "failed") return "failed"
  // Where a server does not say why an answer is incomplete, it was cut.
  return why === "max_output_tokens" || (status === "incomplete" && why === undefined) ? "length" : "other"
}

const usageOf = (counts: typeof Counts.Type): Usage.Usage => ({
  inputTokens: counts.input_tokens ?? 0,
  outputTokens: counts.output_tokens ?? 0,
  cachedTokens: counts.input_tokens_details?.cached_tokens ?? 0,
  thinkingTokens: counts.output_tokens_details?.reasoning_tokens ?? 0,
})
