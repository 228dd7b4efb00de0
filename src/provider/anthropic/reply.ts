/** Decodes Anthropic's events into the parts of a reply, and interprets the end of an answer. Pure. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isObject, type JsonObject } from "../../base/Json.ts"
import * as Usage from "../../message/Usage.ts"
import { ContextOverflow, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Tool } from "../../tool/Tool.ts"
import { type Finish, toFinishPart } from "../shared/finish.ts"
import * as ToolNames from "../shared/toolNames.ts"
import { count, field, lenientField, parseArguments } from "../shared/wireJson.ts"
import type { Decoder } from "../transport/attempt.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import { metadata } from "./request.ts"

const Counts = Schema.Struct({
  input_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  output_tokens: count,
  output_tokens_details: lenientField(Schema.Struct({ thinking_tokens: count })),
})

const WireBlock = Schema.Struct({
  type: Schema.String,
  text: field(Schema.String),
  thinking: field(Schema.String),
  signature: lenientField(Schema.String),
  /** The encrypted text of redacted thinking. */
  data: field(Schema.String),
  id: field(Schema.String),
  name: field(Schema.String),
  input: field(Schema.Unknown),
})
type WireBlock = typeof WireBlock.Type

const stopping = {
  stop_reason: lenientField(Schema.String),
  stop_details: lenientField(
    Schema.Struct({ category: lenientField(Schema.String), explanation: lenientField(Schema.String) }),
  ),
}

const Stopping = Schema.Struct(stopping)
type Stopping = typeof Stopping.Type

const MessageStart = Schema.Struct({ message: field(Schema.Struct({ usage: lenientField(Counts) })) })

/** The index of the block; some servers omit it, since they send one block after the other. */
const index = count

const BlockStart = Schema.Struct({ index, content_block: WireBlock })

const BlockDelta = Schema.Struct({
  index,
  delta: Schema.Struct({
    text: field(Schema.String),
    thinking: field(Schema.String),
    signature: lenientField(Schema.String),
    partial_json: field(Schema.String),
  }),
})

const BlockStop = Schema.Struct({ index })

const MessageDelta = Schema.Struct({ delta: field(Stopping), usage: lenientField(Counts) })

/** A message that is not streamed. */
const Message = Schema.Struct({ content: field(Schema.Array(WireBlock)), usage: lenientField(Counts), ...stopping })

const decodeMessageStart = Schema.decodeUnknownEither(MessageStart)
const decodeBlockStart = Schema.decodeUnknownEither(BlockStart)
const decodeBlockDelta = Schema.decodeUnknownEither(BlockDelta)
const decodeBlockStop = Schema.decodeUnknownEither(BlockStop)
const decodeMessageDelta = Schema.decodeUnknownEither(MessageDelta)
const decodeMessage = Schema.decodeUnknownEither(Message)

/** Parser state. */
interface ParserState {
  readonly hasContent: boolean
  readonly hasToolCall: boolean
  /** True if a tool call could not be parsed. */
  readonly hasMalformedCall: boolean
  /** Started blocks that have not ended. */
  readonly open: ReadonlyMap<Index, Open>
  readonly stop: Stop | undefined
  /** True if the final event was received. */
  readonly complete: boolean
  readonly counts: typeof Counts.Type
  readonly usage: Usage.Usage
}

/** The first event of a block, and the text that later events have appended to it. */
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

const initialState: ParserState = {
  hasContent: false,
  hasToolCall: false,
  hasMalformedCall: false,
  open: new Map(),
  stop: undefined,
  complete: false,
  counts: {},
  usage: Usage.none,
}

export interface Options {
  readonly model: string
  /** The offered tools. */
  readonly tools: ReadonlyArray<Tool>
  /** Maps an error event within the stream. */
  readonly streamError: (error: unknown) => Reason
}

type Index = number | null | undefined

type Decoded = readonly [ParserState, ReadonlyArray<Part>]
type DecodeResult = Either.Either<Decoded, Reason>
type EventDecoder = (state: ParserState, event: unknown) => DecodeResult

export const decoder = ({ streamError, model, tools }: Options): Decoder<ParserState, unknown> => {
  const nameOf = ToolNames.makeReader(tools)

  const startBlock = (state: ParserState, index: Index, block: WireBlock): Decoded => {
    const thinking = block.thinking ?? ""
    const open = { block, thinking, signature: block.signature ?? "", json: "" }
    const started = { ...state, open: new Map(state.open).set(index, open) }
    return block.type === "text" ? appendText(started, block.text ?? "") : [started, thinkingParts(thinking)]
  }

  const extendBlock = (state: ParserState, { delta, index }: typeof BlockDelta.Type): Decoded => {
    if (delta.text != null) return appendText(state, delta.text)
    const open = state.open.get(index)
    const thinking = delta.thinking ?? ""
    if (open === undefined) return [state, thinkingParts(thinking)]
    const longer = {
      block: open.block,
      thinking: open.thinking + thinking,
      signature: open.signature + (delta.signature ?? ""),
      json: open.json + (delta.partial_json ?? ""),
    }
    return [{ ...state, open: new Map(state.open).set(index, longer) }, thinkingParts(thinking)]
  }

  const endBlock = (state: ParserState, index: Index): Decoded => {
    const open = state.open.get(index)
    if (open === undefined) return [state, []]
    const rest = new Map(state.open)
    rest.delete(index)
    const last = toPart(open)
    return [
      {
        ...state,
        open: rest,
        hasToolCall: state.hasToolCall || (last !== undefined && last !== "malformed" && last._tag === "ToolUse"),
        hasMalformedCall: state.hasMalformedCall || last === "malformed",
      },
      last === undefined || last === "malformed" ? [] : [last],
    ]
  }

  /**
   * Returns the part that is known only at the end of a block. A signature follows the thinking already emitted, in an
   * empty block. Blocks of tools that run at the provider are ignored.
   */
  const toPart = ({ block, json, signature, thinking }: Open): Part | "malformed" | undefined => {
    switch (block.type) {
      case "thinking":
        return signature === ""
          ? undefined
          : Part.Thinking({ text: "", meta: metadata.write({ model, thinking, signature }) })
      case "redacted_thinking":
        return block.data == null
          ? undefined
          : Part.Thinking({ text: "", meta: metadata.write({ model, redacted: block.data }) })
      case "tool_use": {
        const parameters = parseArguments(json.trim() === "" ? block.input : json)
        if (!block.name || parameters === undefined) return "malformed"
        return Part.ToolUse({ id: block.id || undefined, name: nameOf(block.name), parameters })
      }
      default:
        return undefined
    }
  }

  const decodeWhole = (state: ParserState, message: typeof Message.Type): Decoded => {
    let read = { ...withStopReason(withUsage(state, message.usage), message), complete: true }
    const parts: Array<Part> = []
    for (const [index, block] of (message.content ?? []).entries()) {
      const [started, first] = startBlock(read, index, block)
      const [ended, last] = endBlock(started, index)
      read = { ...ended, complete: true }
      parts.push(...first, ...last)
    }
    return [read, parts]
  }

  /** The decoders by event type. Other events are ignored. */
  const readers = new Map<unknown, EventDecoder>([
    ["message_start", decodeWith(decodeMessageStart, startMessage)],
    [
      "content_block_start",
      decodeWith(decodeBlockStart, (state, { content_block, index }) =>
        succeed(startBlock(state, index, content_block)),
      ),
    ],
    ["content_block_delta", decodeWith(decodeBlockDelta, (state, event) => succeed(extendBlock(state, event)))],
    ["content_block_stop", decodeWith(decodeBlockStop, (state, { index }) => succeed(endBlock(state, index)))],
    [
      "message_delta",
      decodeWith(decodeMessageDelta, (state, { delta, usage }) =>
        succeed([withStopReason(withUsage(state, usage), delta ?? {}), []]),
      ),
    ],
    ["message_stop", (state) => succeed([{ ...state, complete: true }, []])],
    ["message", decodeWith(decodeMessage, (state, message) => succeed(decodeWhole(state, message)))],
  ])

  return {
    initial: initialState,
    decodeChunk: (state, event) => {
      if (!isObject(event)) return notAnApiResponse
      const error = event.error ?? (typeof event.message === "string" ? event : undefined)
      if (error !== undefined) return Either.left(streamError(error))
      const words = textDeltaOf(event)
      if (words !== undefined) return succeed(appendText(state, words))
      return readers.get(event.type)?.(state, event) ?? succeed([state, []])
    },
    streamState: ({ complete }) => (complete ? "closed" : "streaming"),
    pendingBlocks: ({ open }) => open.size,
    end: (state) => Either.map(end(state), (part) => [part]),
  }
}

const succeed: (decoded: Decoded) => DecodeResult = Either.right

const notAnApiResponse: DecodeResult = Either.left(UnusableAnswer.notAnApiResponse)

/** Fails if an event does not have the shape of its type. */
const decodeWith =
  <A, E>(
    decode: (event: unknown) => Either.Either<A, E>,
    read: (state: ParserState, event: A) => DecodeResult,
  ): EventDecoder =>
  (state, event) => {
    const decoded = decode(event)
    return Either.isRight(decoded) ? read(state, decoded.right) : notAnApiResponse
  }

/**
 * A fast path for text deltas, which are nearly all events. Decoding each of them by the schema would double the time.
 */
const textDeltaOf = ({ delta, type }: JsonObject): string | undefined => {
  if (type !== "content_block_delta" || !isObject(delta)) return undefined
  return delta.type === "text_delta" && typeof delta.text === "string" ? delta.text : undefined
}

/** A fallback at the provider may start the message again, but emitted text cannot be retracted. */
const startMessage = (state: ParserState, { message }: typeof MessageStart.Type): DecodeResult =>
  state.hasContent || state.hasToolCall
    ? Either.left(new StreamIncomplete({ message: "the answer started a second time" }))
    : Either.right([withUsage({ ...state, hasMalformedCall: false, open: new Map() }, message?.usage), []])

const appendText = (state: ParserState, text: string): Decoded => [
  state.hasContent || text.trim() === "" ? state : { ...state, hasContent: true },
  text === "" ? [] : [Part.Text({ text })],
]

const thinkingParts = (text: string): ReadonlyArray<Part> => (text === "" ? [] : [Part.Thinking({ text })])

const withStopReason = (state: ParserState, { stop_details, stop_reason }: Stopping): ParserState => {
  if (stop_reason == null) return state
  const details = [stop_details?.category, stop_details?.explanation].filter((words) => words != null).join(": ")
  return { ...state, stop: { reason: stop_reason, details: details === "" ? undefined : details } }
}

/**
 * Counts are cumulative, and an event has only some of them. Anthropic reports cached input separately from other
 * input.
 */
const withUsage = (state: ParserState, update: typeof Counts.Type | null | undefined): ParserState => {
  if (update == null) return state
  const defined = Object.fromEntries(Object.entries(update).filter(([, count]) => count != null))
  const counts: typeof Counts.Type = { ...state.counts, ...defined }
  const cached = counts.cache_read_input_tokens ?? 0
  return {
    ...state,
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
 * Returns the finish part once the stream has ended, or why the answer cannot be used. Only tools that run at the
 * provider make a turn pause. None are ever offered, so the text of such an answer is kept.
 */
const end = (state: ParserState): Either.Either<Part, Reason> => {
  const { complete, open, stop } = state
  if (stop === undefined || !complete) return Either.left(UnusableAnswer.endedEarly)
  const hasMalformedCall = state.hasMalformedCall || [...open.values()].some(({ block }) => block.type === "tool_use")
  const finish = finishReasons.get(stop.reason) ?? "other"
  return stop.reason === "model_context_window_exceeded" && (!state.hasContent || state.hasToolCall || hasMalformedCall)
    ? // A shorter conversation leaves room for the answer.
      Either.left(new ContextOverflow({ message: "the model's context was full before its answer was complete" }))
    : toFinishPart(finish, describeStop(stop), { ...state, hasMalformedCall })
}

const finishReasons: ReadonlyMap<string, Finish> = new Map([
  ["end_turn", "stop"],
  ["tool_use", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "content_filter"],
  ["content_filter", "content_filter"],
])

const describeStop = ({ details, reason }: Stop): string => (details === undefined ? reason : `${reason} (${details})`)
