/** Decodes Ollama's chunks into the parts of a reply, and interprets the end of an answer. Pure. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isObject } from "../../base/Json.ts"
import * as Usage from "../../message/Usage.ts"
import type { Reason } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Tool } from "../../tool/Tool.ts"
import { toFinishPart } from "../shared/finish.ts"
import * as TextToolCalls from "../shared/textToolCalls.ts"
import * as ToolNames from "../shared/toolNames.ts"
import { count, field, lenientField, parseArguments } from "../shared/wireJson.ts"
import type { Decoder } from "../transport/attempt.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import { metadata } from "./request.ts"

const ToolCall = Schema.Struct({
  id: lenientField(Schema.String),
  function: field(Schema.Struct({ name: field(Schema.String), arguments: field(Schema.Unknown) })),
})

const Chunk = Schema.Struct({
  message: field(
    Schema.Struct({
      content: field(Schema.String),
      thinking: lenientField(Schema.String),
      tool_calls: field(Schema.Array(Schema.NullOr(ToolCall))),
    }),
  ),
  done: field(Schema.Boolean),
  done_reason: lenientField(Schema.String),
  prompt_eval_count: count,
  eval_count: count,
  error: field(Schema.Unknown),
})

const parseChunk = Schema.decodeUnknownEither(Chunk)

export interface Options {
  readonly model: string
  /** The offered tools. */
  readonly tools: ReadonlyArray<Tool>
  /** Maps an error within the stream. */
  readonly streamError: (error: unknown) => Reason
}

/** Decodes a reply, including tool calls written as text. */
export const decoder = ({ streamError, model, tools }: Options): Decoder<ParserState, unknown> => {
  const nameOf = ToolNames.makeReader(tools)
  const names = tools.map(({ name }) => name)
  const meta = metadata.write({ model })

  const toToolUse = ({ function: call, id }: typeof ToolCall.Type): Part | "malformed" => {
    const parameters = parseArguments(call?.arguments)
    if (!call?.name || parameters === undefined) return "malformed"
    return Part.ToolUse({ id: id || undefined, name: nameOf(call.name), parameters, meta })
  }

  /**
   * Returns the text that can be emitted, and the text held back because it may be a call. No text is held back once
   * the model has made a real call.
   */
  const splitHeldText = (state: ParserState, content: string): readonly [words: string, heldText: string] => {
    const text = state.heldText + content
    if (names.length === 0 || state.hasToolCall) return [text, ""]
    // Text that is held until the end of the answer is not scanned again with each chunk.
    if (state.isHeld) return ["", text]
    const until = TextToolCalls.findCallStart(text, state.lead)
    return [text.slice(0, until), text.slice(until)]
  }

  const decodeText = (state: ParserState, content: string): readonly [ParserState, ReadonlyArray<Part>] => {
    const [words, heldText] = splitHeldText(state, content)
    const hasContent = state.hasContent || words.trim() !== ""
    const lead = TextToolCalls.extendLead(state.lead, words)
    const isHeld = heldText !== "" && (state.isHeld || TextToolCalls.needsWholeText(heldText, lead))
    const next =
      hasContent === state.hasContent && heldText === state.heldText && lead === state.lead
        ? state
        : { ...state, hasContent, heldText, isHeld, lead }
    return [next, words === "" ? [] : [Part.Text({ text: words })]]
  }

  const decodeChunk = (
    previous: ParserState,
    { message, ...chunk }: typeof Chunk.Type,
  ): readonly [ParserState, ReadonlyArray<Part>] => {
    const read = (message?.tool_calls ?? []).filter((call) => call !== null).map(toToolUse)
    const calls = read.filter((part) => part !== "malformed")
    const [state, words] = decodeText(
      { ...previous, hasToolCall: previous.hasToolCall || calls.length > 0 },
      message?.content ?? "",
    )
    return [
      {
        ...state,
        hasMalformedCall: state.hasMalformedCall || calls.length < read.length,
        done: chunk.done === true ? chunk.done_reason || "stop" : state.done,
        usage: {
          ...state.usage,
          inputTokens: chunk.prompt_eval_count ?? state.usage.inputTokens,
          outputTokens: chunk.eval_count ?? state.usage.outputTokens,
        },
      },
      [...(message?.thinking ? [Part.Thinking({ text: message.thinking })] : []), ...words, ...calls],
    ]
  }

  /** Returns the held text as calls or as text. */
  const releaseHeld = ({ hasToolCall, done, heldText }: ParserState): ReadonlyArray<Part> => {
    if (heldText === "") return []
    const calls = hasToolCall || done !== "stop" ? [] : TextToolCalls.parseCalls(heldText, names, nameOf)
    if (calls.length > 0) return calls.map((call) => Part.ToolUse({ ...call, meta }))
    return [Part.Text({ text: heldText })]
  }

  return {
    initial: initialState,
    decodeChunk: (state, chunk) => {
      const plain = asPlainChunk(chunk)
      if (plain !== undefined)
        return Either.right(plain.done ? decodeChunk(state, plain) : decodeText(state, plain.message.content))
      return Either.flatMap(
        Either.mapLeft(parseChunk(chunk), () => UnusableAnswer.notAnApiResponse),
        (chunk) =>
          chunk.error == null ? Either.right(decodeChunk(state, chunk)) : Either.left(streamError(chunk.error)),
      )
    },
    streamState: ({ done }) => (done === undefined ? "streaming" : "closed"),
    end: (state) => {
      const heldText = releaseHeld(state)
      const hasToolCall = state.hasToolCall || heldText.some((part) => part._tag === "ToolUse")
      const hasContent = state.hasContent || heldText.some((part) => part._tag === "Text" && part.text.trim() !== "")
      return Either.map(end({ ...state, hasToolCall, hasContent }), (finish) => [...heldText, finish])
    },
  }
}

/**
 * A fast path for chunks that have only text and counts, which are nearly all. Decoding each of them by the schema
 * would double the time.
 */
const asPlainChunk = (chunk: unknown) => {
  if (!isObject(chunk) || chunk.error !== undefined || !isObject(chunk.message)) return undefined
  const { done, done_reason, eval_count, message, prompt_eval_count } = chunk
  if (message.thinking !== undefined || message.tool_calls !== undefined) return undefined
  return typeof message.content === "string" &&
    typeof done === "boolean" &&
    (done_reason === undefined || typeof done_reason === "string") &&
    isCountOrAbsent(eval_count) &&
    isCountOrAbsent(prompt_eval_count)
    ? { message: { content: message.content }, done, done_reason, eval_count, prompt_eval_count }
    : undefined
}

const isCountOrAbsent = (value: unknown): value is number | undefined =>
  value === undefined || (typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER)

/** Parser state. */
interface ParserState {
  readonly hasContent: boolean
  /** The end of the emitted text. */
  readonly lead: string
  /** Text that may be a call. */
  readonly heldText: string
  /** True if the text is held until the end of the answer, when it can be classified. */
  readonly isHeld: boolean
  readonly hasToolCall: boolean
  /** True if a tool call could not be parsed. */
  readonly hasMalformedCall: boolean
  readonly done: string | undefined
  /** Thinking counts as output, and cached tokens are not reported. */
  readonly usage: Usage.Usage
}

const initialState: ParserState = {
  hasContent: false,
  lead: "",
  heldText: "",
  isHeld: false,
  hasToolCall: false,
  hasMalformedCall: false,
  done: undefined,
  usage: Usage.none,
}

const end = (state: ParserState): Either.Either<Part, Reason> => {
  switch (state.done) {
    case undefined:
      return Either.left(UnusableAnswer.endedEarly)
    case "stop":
      return toFinishPart("stop", "it has no name, or its arguments are no object", state)
    default:
      return toFinishPart(state.done === "length" ? "length" : "other", state.done, state)
  }
}
