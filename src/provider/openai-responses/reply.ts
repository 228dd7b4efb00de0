/** Decodes the events of OpenAI's Responses into the parts of a reply, and interprets the end of an answer. Pure. */
import * as Either from "effect/Either"
import * as HashSet from "effect/HashSet"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isObject } from "../../base/Json.ts"
import * as Usage from "../../message/Usage.ts"
import { Blocked, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import * as Finish from "../shared/finish.ts"
import { parseParameters } from "../shared/openAiCalls.ts"
import { count, field, lenientField } from "../shared/wireJson.ts"
import type { Decoder } from "../transport/attempt.ts"
import { DONE } from "../transport/sse.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import type { Item, Place } from "./item.ts"
import * as ResponsesItem from "./item.ts"
import { metadata } from "./request.ts"

const Counts = Schema.Struct({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: lenientField(Schema.Struct({ cached_tokens: count })),
  output_tokens_details: lenientField(Schema.Struct({ reasoning_tokens: count })),
})

const Response = Schema.Struct({
  object: lenientField(Schema.String),
  status: field(Schema.String),
  incomplete_details: lenientField(Schema.Struct({ reason: lenientField(Schema.String) })),
  output: field(Schema.Array(Schema.Unknown).pipe(Schema.maxItems(UnusableAnswer.MAX_BLOCKS))),
  usage: lenientField(Counts),
})
type Response = typeof Response.Type

const Event = Schema.Struct({
  type: field(Schema.String),
  output_index: count,
  item_id: lenientField(Schema.String),
  summary_index: count,
  delta: field(Schema.Unknown),
  text: field(Schema.Unknown),
  arguments: field(Schema.Unknown),
  item: field(Schema.Unknown),
  response: field(Schema.Unknown),
})

const decodeEvent = Schema.decodeUnknownEither(Event)

const decodeResponse = Schema.decodeUnknownEither(Response)

/** Decodes the reply of `model`; `nameOf` maps wire names to tool names. */
export const decoder = (model: string, nameOf: (name: string) => string): Decoder<ParserState, unknown> => ({
  initial: initialState,
  decodeChunk: (state, event) => decodeChunk({ model, nameOf }, state, event),
  streamState: ({ ending }) => (ending === undefined ? "streaming" : "closed"),
  pendingBlocks: ({ seenKeys, open }) => HashSet.size(seenKeys) + open.length,
  end,
})

interface Context {
  readonly model: string
  readonly nameOf: (name: string) => string
}

/** Parser state. */
interface ParserState {
  readonly hasContent: boolean
  readonly hasToolCall: boolean
  readonly hasMalformedCall: boolean
  readonly refusal: string
  /** Started items that are not complete. */
  readonly open: ReadonlyArray<Open>
  /** Identity keys of the complete items. */
  readonly seenKeys: HashSet.HashSet<string>
  /** The status of the response, and why it is incomplete. */
  readonly ending: { readonly status: string; readonly why: string | undefined } | undefined
  readonly usage: Usage.Usage
}

/** An item as received so far. */
interface Open {
  readonly type: Item["type"]
  readonly at: Place
  /** The text received so far, or the arguments if the item is a call. */
  readonly text: string
  /** The first event of a call. */
  readonly item?: Item | undefined
}

const initialState: ParserState = {
  hasContent: false,
  hasToolCall: false,
  hasMalformedCall: false,
  refusal: "",
  open: [],
  seenKeys: HashSet.empty(),
  ending: undefined,
  usage: Usage.none,
}

type Decoded = readonly [ParserState, ReadonlyArray<Part>]

/** Decodes the parts of one event or of a whole response. Returns `Left` if the value is neither. */
const decodeChunk = (context: Context, state: ParserState, event: unknown): Either.Either<Decoded, Reason> => {
  if (event === DONE) return Either.right([state, []])
  const added = textDeltaOf(event)
  if (added !== undefined) return Either.right(appendText(state, added.at, added.text))
  return Either.mapLeft(
    Either.flatMap(decodeEvent(event), (decoded) => {
      const { delta, response, summary_index, text, type } = decoded
      const at = placeOf(decoded)
      const rest = (item: Item) => remainingText(findOpenItem(state, at, item), item)
      switch (type) {
        case "response.output_text.delta":
          return Either.right(appendText(state, at, textOf(delta)))
        case "response.reasoning_summary_text.delta":
        case "response.reasoning_text.delta":
          return Either.right(appendThinking(state, at, textOf(delta)))
        case "response.reasoning_summary_part.added":
          return Either.right(summary_index ? appendThinking(state, at, "\n\n") : [state, []])
        case "response.output_text.done":
          return Either.right(appendText(state, at, rest({ type: "message", content: textOf(text) })))
        case "response.output_item.added":
          return Either.map(ResponsesItem.decodeItem(decoded.item), (item) => [startItem(state, at, item), []])
        case "response.function_call_arguments.delta":
          return Either.right([extendItem(state, "function_call", at, textOf(delta)), []])
        case "response.function_call_arguments.done": {
          const more = rest({ type: "function_call", arguments: decoded.arguments })
          return Either.right([extendItem(state, "function_call", at, more), []])
        }
        case "response.output_item.done":
          return Either.map(ResponsesItem.decodeItem(decoded.item), (item) =>
            item === undefined ? [state, []] : completeItem(context, state, at, item),
          )
        case "response.completed":
        case "response.incomplete":
        case "response.cancelled":
          return Either.flatMap(decodeResponse(response ?? {}), (response) =>
            completeResponse(context, state, response, type.slice("response.".length)),
          )
        default:
          return isObject(event) && event.object === "response"
            ? Either.flatMap(decodeResponse(event), (response) => completeResponse(context, state, response, ""))
            : Either.right([state, []])
      }
    }),
    () => UnusableAnswer.notAnApiResponse,
  )
}

/**
 * A fast path for text deltas, which are nearly all events. Decoding each of them by the schema would double the time.
 */
const textDeltaOf = (event: unknown): { readonly at: number; readonly text: string } | undefined => {
  if (!isObject(event) || event.type !== "response.output_text.delta") return undefined
  const { delta, output_index } = event
  return typeof delta === "string" && typeof output_index === "number" ? { at: output_index, text: delta } : undefined
}

const placeOf = ({ item, item_id, output_index }: typeof Event.Type): Place =>
  output_index ?? item_id ?? (isObject(item) && typeof item.id === "string" ? item.id : "")

const textOf = (delta: unknown): string => (typeof delta === "string" ? delta : "")

const appendText = (state: ParserState, at: Place, text: string): Decoded =>
  emitText(extendItem(state, "message", at, text), text)

const appendThinking = (state: ParserState, at: Place, text: string): Decoded => [
  extendItem(state, "reasoning", at, text),
  thinkingParts(text),
]

const emitText = (state: ParserState, text: string): Decoded => [
  { ...state, hasContent: state.hasContent || text.trim() !== "" },
  text === "" ? [] : [Part.Text({ text })],
]

const thinkingParts = (text: string): ReadonlyArray<Part> => (text === "" ? [] : [Part.Thinking({ text })])

/** Keeps the name of a call, which may not be sent again. The start of other items holds nothing of use. */
const startItem = (state: ParserState, at: Place, item: Item | undefined): ParserState =>
  item?.type === "function_call" ? { ...state, open: [...state.open, { type: item.type, at, text: "", item }] } : state

const extendItem = (state: ParserState, type: Item["type"], at: Place, text: string): ParserState => {
  const index = state.open.findLastIndex((open) => open.type === type && open.at === at)
  const open = state.open[index]
  return {
    ...state,
    open:
      open === undefined
        ? [...state.open, { type, at, text }]
        : state.open.with(index, { ...open, text: open.text + text }),
  }
}

/** Completes an item and emits what its deltas left out. A repeated item is ignored. */
const completeItem = ({ model, nameOf }: Context, previous: ParserState, at: Place, item: Item): Decoded => {
  const keys = ResponsesItem.identityKeys(at, item)
  if (keys.every((key) => HashSet.has(previous.seenKeys, key))) return [previous, []]
  const open = findOpenItem(previous, at, item)
  const state = {
    ...previous,
    open: previous.open.filter((other) => other !== open),
    seenKeys: keys.reduce((seen, key) => HashSet.add(seen, key), previous.seenKeys),
  }
  switch (item.type) {
    case "message": {
      const [next, parts] = emitText(state, remainingText(open, item))
      return [{ ...next, refusal: state.refusal + ResponsesItem.refusalIn(item) }, parts]
    }
    case "reasoning": {
      const parts = thinkingParts(remainingText(open, item))
      const encrypted = item.encrypted_content
      const summary = ResponsesItem.textsIn(item.summary)
      return [
        state,
        encrypted
          ? [...parts, Part.Thinking({ text: "", meta: metadata.write({ model, encrypted, summary }) })]
          : parts,
      ]
    }
    case "function_call": {
      const parameters = parseParameters(ResponsesItem.contentOf(item) || (open?.text ?? ""))
      if (!item.name || parameters === undefined || item.status === "incomplete") {
        return [{ ...state, hasMalformedCall: true }, []]
      }
      const call = Part.ToolUse({ id: item.call_id || undefined, name: nameOf(item.name), parameters })
      return [{ ...state, hasToolCall: true }, [call]]
    }
    case "image_generation_call":
      return item.result
        ? [
            { ...state, hasContent: true },
            [Part.Image({ media_type: `image/${item.output_format ?? "png"}`, data: item.result })],
          ]
        : [state, []]
  }
}

/** Finds the open item at this position, or at another one if the server changed it. */
const findOpenItem = ({ open }: ParserState, at: Place, item: Item): Open | undefined => {
  const alike = open.filter(({ type }) => type === item.type)
  const all = ResponsesItem.contentOf(item)
  return alike.findLast((open) => open.at === at) ?? alike.find(({ text }) => text !== "" && all.startsWith(text))
}

/** Returns the end of a text that its deltas left out. Text that differs from what was emitted cannot be retracted. */
const remainingText = (open: Open | undefined, item: Item): string => {
  const emitted = open?.text ?? ""
  const all = ResponsesItem.contentOf(item)
  return all.startsWith(emitted) ? all.slice(emitted.length) : ""
}

/**
 * Decodes the final response, with any item that had no event of its own. If it has no status, `otherwise` is its
 * status.
 */
const completeResponse = (
  context: Context,
  previous: ParserState,
  { incomplete_details, output, status, usage }: Response,
  otherwise: string,
): Either.Either<Decoded, ParseError> =>
  Either.map(Either.all((output ?? []).map(ResponsesItem.decodeItem)), (items) => {
    const [state, parts] = decodeNewItems(
      context,
      previous,
      items.flatMap((item, at) => (item === undefined ? [] : [{ at, item }])),
    )
    const [ended, calls] = decodeNewItems(context, state, state.open.flatMap(unfinishedCall))
    return [
      {
        ...ended,
        ending: { status: status ?? otherwise, why: incomplete_details?.reason ?? undefined },
        usage: usage == null ? state.usage : usageOf(usage),
      },
      [...parts, ...calls],
    ]
  })

interface PlacedItem {
  readonly at: Place
  readonly item: Item
}

/** Completes the items that were not received before. Any of their identity keys tells that they were. */
const decodeNewItems = (context: Context, previous: ParserState, items: ReadonlyArray<PlacedItem>): Decoded =>
  items
    .filter(({ at, item }) => !ResponsesItem.identityKeys(at, item).some((key) => HashSet.has(previous.seenKeys, key)))
    .reduce<Decoded>(
      ([state, parts], { at, item }) => {
        const [next, more] = completeItem(context, state, at, item)
        return [next, [...parts, ...more]]
      },
      [previous, []],
    )

/** Completes a call of which only the start and the arguments were received. */
const unfinishedCall = ({ at, item, text, type }: Open): ReadonlyArray<PlacedItem> =>
  type === "function_call" && text !== "" ? [{ at, item: { ...item, type, arguments: text } }] : []

/** Returns the finish part once the stream has ended, or why the answer cannot be used. */
const end = (state: ParserState): Either.Either<ReadonlyArray<Part>, Reason> => {
  const { ending, refusal } = state
  if (ending === undefined || ending.status === "in_progress" || ending.status === "queued") {
    return Either.left(UnusableAnswer.endedEarly)
  }
  if (ending.status === "cancelled") {
    return Either.left(new StreamIncomplete({ message: "the provider cancelled the answer" }))
  }
  if (refusal !== "") return Either.left(new Blocked({ message: `the model refused: ${refusal}` }))
  return Either.map(Finish.toFinishPart(finishOf(ending), ending.why ?? ending.status, state), (part) => [part])
}

const finishOf = ({ status, why }: NonNullable<ParserState["ending"]>): Finish.Finish => {
  if (why === "content_filter") return "content_filter"
  if (status === "completed") return "stop"
  if (status === "failed") return "failed"
  // An incomplete answer without a reason was truncated.
  return why === "max_output_tokens" || (status === "incomplete" && why === undefined) ? "length" : "other"
}

const usageOf = (counts: typeof Counts.Type): Usage.Usage => ({
  inputTokens: counts.input_tokens ?? 0,
  outputTokens: counts.output_tokens ?? 0,
  cachedTokens: counts.input_tokens_details?.cached_tokens ?? 0,
  thinkingTokens: counts.output_tokens_details?.reasoning_tokens ?? 0,
})
