/** Anthropic's events, decoded into the parts of a reply, and what an answer's end means. Pure. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isObject, type JsonObject } from "../../message/Json.ts"
import * as Usage from "../../message/Usage.ts"
import { Blocked, ContextOverflow, InvalidRequest, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Tool } from "../../tool/Tool.ts"
import { argumentsOf } from "../shared/callArguments.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Endings from "../shared/unusable.ts"
import type { Decoder } from "../transport/attempt.ts"
import * as AnthropicMeta from "./metadata.ts"

/** Some back ends send null for what is not there. It is not made `undefined` here: that takes thrice the time. */
const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const Counts = Schema.Struct({
  input_tokens: field(Schema.Number),
  cache_read_input_tokens: field(Schema.Number),
  cache_creation_input_tokens: field(Schema.Number),
  output_tokens: field(Schema.Number),
  output_tokens_details: field(Schema.Struct({ thinking_tokens: field(Schema.Number) })),
})

const WireBlock = Schema.Struct({
  type: Schema.String,
  text: field(Schema.String),
  thinking: field(Schema.String),
  signature: field(Schema.String),
  /** Of redacted thinking. */
  data: field(Schema.String),
  id: field(Schema.String),
  name: field(Schema.String),
  input: field(Schema.Unknown),
})
type WireBlock = typeof WireBlock.Type

const stopping = {
  stop_reason: field(Schema.String),
  stop_details: field(Schema.Struct({ category: field(Schema.String), explanation: field(Schema.String) })),
}

const Stopping = Schema.Struct(stopping)
type Stopping = typeof Stopping.Type

const MessageStart = Schema.Struct({ message: field(Schema.Struct({ usage: field(Counts) })) })

/** Which block it is about; some servers send one after the other, and do not say. */
const index = field(Schema.Number)

const BlockStart = Schema.Struct({ index, content_block: WireBlock })

const BlockDelta = Schema.Struct({
  index,
  delta: Schema.Struct({
    text: field(Schema.String),
    thinking: field(Schema.String),
    signature: field(Schema.String),
    partial_json: field(Schema.String),
  }),
})

const BlockStop = Schema.Struct({ index })

const MessageDelta = Schema.Struct({ delta: field(Stopping), usage: field(Counts) })

/** A message that comes whole. */
const Message = Schema.Struct({ content: field(Schema.Array(WireBlock)), usage: field(Counts), ...stopping })

const decodeMessageStart = Schema.decodeUnknownEither(MessageStart)
const decodeBlockStart = Schema.decodeUnknownEither(BlockStart)
const decodeBlockDelta = Schema.decodeUnknownEither(BlockDelta)
const decodeBlockStop = Schema.decodeUnknownEither(BlockStop)
const decodeMessageDelta = Schema.decodeUnknownEither(MessageDelta)
const decodeMessage = Schema.decodeUnknownEither(Message)

/** What has been seen of an answer. */
export interface Answer {
  readonly spoke: boolean
  readonly called: boolean
  /** It held a call that cannot be read. */
  readonly garbled: boolean
  /** Blocks that have begun and not ended. */
  readonly open: ReadonlyMap<Index, Open>
  readonly stop: Stop | undefined
  /** The server has said that this was all. */
  readonly complete: boolean
  readonly counts: typeof Counts.Type
  readonly usage: Usage.Usage
}

/** A block as it began, with what has come since. */
interface Open {
  readonly block: WireBlock
  readonly thinking: string
  readonly signature: string
  readonly json: string
}

interface Stop {
  readonly reason: string
  readonly details: string | undefined
}

export const start: Answer = {
  spoke: false,
  called: false,
  garbled: false,
  open: new Map(),
  stop: undefined,
  complete: false,
  counts: {},
  usage: Usage.none,
}

export interface Options {
  readonly model: string
  /** What the model was offered. */
  readonly tools: ReadonlyArray<Tool>
  /** Why an answer broke off, by what the server says in its midst. */
  readonly broken: (error: unknown) => Reason
}

type Index = number | null | undefined

type Told = readonly [Answer, ReadonlyArray<Part>]
type Step = Either.Either<Told, Reason>
type Read = (answer: Answer, event: unknown) => Step

export const decoder = ({ broken, model, tools }: Options): Decoder<Answer, unknown> => {
  const nameOf = ToolNames.reader(tools)

  const opened = (answer: Answer, index: Index, block: WireBlock): Told => {
    const thinking = block.thinking ?? ""
    const open = { block, thinking, signature: block.signature ?? "", json: "" }
    const begun = { ...answer, open: new Map(answer.open).set(index, open) }
    return block.type === "text" ? spoken(begun, block.text ?? "") : [begun, thoughtParts(thinking)]
  }

  const continued = (answer: Answer, { delta, index }: typeof BlockDelta.Type): Told => {
    if (delta.text != null) return spoken(answer, delta.text)
    const open = answer.open.get(index)
    const thinking = delta.thinking ?? ""
    if (open === undefined) return [answer, thoughtParts(thinking)]
    const longer = {
      block: open.block,
      thinking: open.thinking + thinking,
      signature: open.signature + (delta.signature ?? ""),
      json: open.json + (delta.partial_json ?? ""),
    }
    return [{ ...answer, open: new Map(answer.open).set(index, longer) }, thoughtParts(thinking)]
  }

  const closed = (answer: Answer, index: Index): Told => {
    const open = answer.open.get(index)
    if (open === undefined) return [answer, []]
    const rest = new Map(answer.open)
    rest.delete(index)
    const last = partOf(open)
    return [
      {
        ...answer,
        open: rest,
        called: answer.called || (last !== undefined && last !== "garbled" && last._tag === "ToolUse"),
        garbled: answer.garbled || last === "garbled",
      },
      last === undefined || last === "garbled" ? [] : [last],
    ]
  }

  /**
   * What is known of a block only once it has ended. Its signature comes behind the thinking that was shown as it came,
   * on a block without words; what ran at the provider's says nothing to us.
   */
  const partOf = ({ block, json, signature, thinking }: Open): Part | "garbled" | undefined => {
    switch (block.type) {
      case "thinking":
        return signature === ""
          ? undefined
          : Part.Thinking({ text: "", meta: AnthropicMeta.write({ model, thinking, signature }) })
      case "redacted_thinking":
        return block.data == null
          ? undefined
          : Part.Thinking({ text: "", meta: AnthropicMeta.write({ model, redacted: block.data }) })
      case "tool_use": {
        const parameters = argumentsOf(json.trim() === "" ? block.input : json)
        if (!block.name || parameters === undefined) return "garbled"
        return Part.ToolUse({ id: block.id || undefined, name: nameOf(block.name), parameters })
      }
      default:
        return undefined
    }
  }

  const whole = (answer: Answer, message: typeof Message.Type): Told => {
    let read = { ...stopped(counted(answer, message.usage), message), complete: true }
    const parts: Array<Part> = []
    for (const [index, block] of (message.content ?? []).entries()) {
      const [begun, first] = opened(read, index, block)
      const [ended, last] = closed(begun, index)
      read = { ...ended, complete: true }
      parts.push(...first, ...last)
    }
    return [read, parts]
  }

  /** By the types of events; of others there is nothing to know. */
  const readers = new Map<unknown, Read>([
    ["message_start", on(decodeMessageStart, begun)],
    [
      "content_block_start",
      on(decodeBlockStart, (answer, { content_block, index }) => told(opened(answer, index, content_block))),
    ],
    ["content_block_delta", on(decodeBlockDelta, (answer, event) => told(continued(answer, event)))],
    ["content_block_stop", on(decodeBlockStop, (answer, { index }) => told(closed(answer, index)))],
    [
      "message_delta",
      on(decodeMessageDelta, (answer, { delta, usage }) => told([stopped(counted(answer, usage), delta ?? {}), []])),
    ],
    ["message_stop", (answer) => told([{ ...answer, complete: true }, []])],
    ["message", on(decodeMessage, (answer, message) => told(whole(answer, message)))],
  ])

  return {
    start,
    step: (answer, event) => {
      if (!isObject(event)) return foreign
      const error = event.error ?? (typeof event.message === "string" ? event : undefined)
      if (error !== undefined) return Either.left(broken(error))
      const words = wordsOf(event)
      if (words !== undefined) return told(spoken(answer, words))
      return readers.get(event.type)?.(answer, event) ?? told([answer, []])
    },
    progress: ({ complete }) => (complete ? "over" : "open"),
    kept: ({ open }) => open.size,
    end: (answer) => Either.map(end(answer), (part) => [part]),
  }
}

const told: (told: Told) => Step = Either.right

const foreign: Step = Either.left(
  new StreamIncomplete({ message: "the answer holds something that is not an API response" }),
)

/** An event that is not of its type's shape is foreign. */
const on =
  <A, E>(decode: (event: unknown) => Either.Either<A, E>, read: (answer: Answer, event: A) => Step): Read =>
  (answer, event) => {
    const decoded = decode(event)
    return Either.isRight(decoded) ? read(answer, decoded.right) : foreign
  }

/** Of an event that adds words, as nearly all do: to decode each would take as long as all else that is done with it. */
const wordsOf = ({ delta, type }: JsonObject): string | undefined => {
  if (type !== "content_block_delta" || !isObject(delta)) return undefined
  return delta.type === "text_delta" && typeof delta.text === "string" ? delta.text : undefined
}

/** A fallback of the provider's may begin the message anew. What was said of the first cannot be unsaid. */
const begun = (answer: Answer, { message }: typeof MessageStart.Type): Step =>
  answer.spoke || answer.called
    ? Either.left(new StreamIncomplete({ message: "the answer was begun a second time" }))
    : Either.right([counted({ ...answer, garbled: false, open: new Map() }, message?.usage), []])

const spoken = (answer: Answer, text: string): Told => [
  answer.spoke || text.trim() === "" ? answer : { ...answer, spoke: true },
  text === "" ? [] : [Part.Text({ text })],
]

const thoughtParts = (text: string): ReadonlyArray<Part> => (text === "" ? [] : [Part.Thinking({ text })])

const stopped = (answer: Answer, { stop_details, stop_reason }: Stopping): Answer => {
  if (stop_reason == null) return answer
  const details = [stop_details?.category, stop_details?.explanation].filter((words) => words != null).join(": ")
  return { ...answer, stop: { reason: stop_reason, details: details === "" ? undefined : details } }
}

/** Counts grow; an event tells those that it knows. Input apart from the cache is counted apart here, too. */
const counted = (answer: Answer, news: typeof Counts.Type | null | undefined): Answer => {
  if (news == null) return answer
  const told = Object.fromEntries(Object.entries(news).filter(([, count]) => count != null))
  const counts: typeof Counts.Type = { ...answer.counts, ...told }
  const cached = counts.cache_read_input_tokens ?? 0
  return {
    ...answer,
    counts,
    usage: {
      inputTokens: (counts.input_tokens ?? 0) + cached + (counts.cache_creation_input_tokens ?? 0),
      outputTokens: counts.output_tokens ?? 0,
      cachedTokens: cached,
      thinkingTokens: counts.output_tokens_details?.thinking_tokens ?? 0,
    },
  }
}

/**
 * How an answer ended, once its stream has; the reason why it failed where it is of no use. Only tools that run at the
 * provider's have a turn pause, and we offer none: what was said until then stands.
 */
const end = ({ called, complete, garbled, open, spoke, stop, usage }: Answer): Either.Either<Part, Reason> => {
  const finished = (reason: "stop" | "tool_calls" | "length" | "error") => Either.right(Part.Finish({ reason, usage }))
  if (stop === undefined || !complete) return Either.left(new StreamIncomplete({ message: "the answer ended early" }))
  const broken = garbled || [...open.values()].some(({ block }) => block.type === "tool_use")
  switch (stop.reason) {
    case "end_turn":
    case "tool_use":
    case "stop_sequence":
    case "pause_turn":
      return broken ? Either.left(Endings.unreadable(named(stop))) : finished(called ? "tool_calls" : "stop")
    case "max_tokens":
      if (called || broken) return Either.left(Endings.cut)
      return spoke ? finished("length") : Either.left(Endings.exhausted(usage))
    case "model_context_window_exceeded":
      // A shorter conversation leaves room for the rest.
      return spoke && !called && !broken
        ? finished("length")
        : Either.left(new ContextOverflow({ message: "the model's context was full before its answer was complete" }))
    case "refusal":
    case "content_filter":
      return Either.left(new Blocked({ message: `blocked: ${named(stop)}` }))
    default:
      // A reason we do not know: its words stand, with a finish that warns; its calls do not run.
      return spoke && !called && !broken
        ? finished("error")
        : Either.left(new InvalidRequest({ message: `the model stopped without an answer: ${named(stop)}` }))
  }
}

const named = ({ details, reason }: Stop): string => (details === undefined ? reason : `${reason} (${details})`)
