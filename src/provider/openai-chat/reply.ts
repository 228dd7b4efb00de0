/** Decodes the chunks of a chat completion into the parts of a reply, and interprets the end of an answer. Pure. */
import * as Either from "effect/Either"
import { isObject, type JsonObject } from "../../base/Json.ts"
import * as Block from "../../message/Block.ts"
import * as Usage from "../../message/Usage.ts"
import type { CompatibleServer } from "../../model/CompatibleServers.ts"
import { Blocked, type Reason } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Tool } from "../../tool/Tool.ts"
import * as Finish from "../shared/finish.ts"
import * as OpenAiCalls from "../shared/openAiCalls.ts"
import * as TextToolCalls from "../shared/textToolCalls.ts"
import * as ThinkTags from "../shared/thinkTags.ts"
import * as ToolNames from "../shared/toolNames.ts"
import { isFirstChoice } from "../shared/wireJson.ts"
import type { Decoder } from "../transport/attempt.ts"
import { DONE } from "../transport/sse.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import * as ChatChunk from "./chunk.ts"
import { type ChatMetadata, metadataFor } from "./request.ts"

/** Decodes the reply of `model` to a request with these tools. */
export const decoder = (
  server: CompatibleServer,
  model: string,
  tools: ReadonlyArray<Tool>,
): Decoder<ParserState, unknown> => {
  const names = server.writesCalls === true ? tools.map(({ name }) => name) : []
  const context: Context = { server, model, names, nameOf: ToolNames.makeReader(tools) }
  return {
    initial: initialState,
    decodeChunk: (state, chunk) => decodeChunk(context, state, chunk),
    streamState: ({ done, finish }) => (done ? "closed" : finish === undefined ? "streaming" : "complete"),
    pendingBlocks: ({ calls, details }) => calls.length + details.length,
    end: (state) => end(context, state),
  }
}

interface Context {
  readonly server: CompatibleServer
  readonly model: string
  /** Names of the tools that may be called in the text of a reply. */
  readonly names: ReadonlyArray<string>
  /** Maps wire names to tool names. */
  readonly nameOf: (name: string) => string
}

/** Parser state. */
interface ParserState {
  readonly hasStarted: boolean
  readonly hasContent: boolean
  readonly tags: ThinkTags.State
  /** The end of the emitted text. */
  readonly lead: string
  /** Text that may be a call. */
  readonly heldText: string
  /** True if the text is held until the end of the answer, when it can be classified. */
  readonly isHeld: boolean
  /** The calls, emitted at the end since those of an incomplete answer must not run. */
  readonly calls: ReadonlyArray<OpenAiCalls.Call>
  /** The field in which thinking arrived. */
  readonly thinking: ChatMetadata["thinking"]
  /** OpenRouter's `reasoning_details`, joined. */
  readonly details: ReadonlyArray<ChatChunk.Detail>
  readonly refusal: string
  readonly finish: string | undefined
  /** The finish reason of the upstream provider. */
  readonly nativeFinish: string | undefined
  readonly done: boolean
  readonly usage: Usage.Usage
}

const initialState: ParserState = {
  hasStarted: false,
  hasContent: false,
  tags: ThinkTags.initialState,
  lead: "",
  heldText: "",
  isHeld: false,
  calls: [],
  thinking: undefined,
  details: [],
  refusal: "",
  finish: undefined,
  nativeFinish: undefined,
  done: false,
  usage: Usage.none,
}

/** Decodes the parts of one chunk. Returns `Left` if the value is not a chunk. */
const decodeChunk = (
  context: Context,
  state: ParserState,
  chunk: unknown,
): Either.Either<readonly [ParserState, ReadonlyArray<Part>], Reason> => {
  // The sentinel makes an answer complete even if no finish reason has arrived.
  if (chunk === DONE) return Either.right([{ ...state, done: true }, []])
  const words = textDeltaOf(chunk)
  if (words !== undefined) return Either.right(decodeText(context, { ...state, hasStarted: true }, words))
  return Either.mapBoth(ChatChunk.decode(chunk), {
    onLeft: () => UnusableAnswer.notAnApiResponse,
    onRight: ({ choices, usage, x_groq }) => {
      // Copilot sends text in one choice and calls in the next.
      const firstChoices = (choices ?? []).filter(isFirstChoice)
      const counts = usage ?? x_groq?.usage ?? firstChoices.find(({ usage }) => usage != null)?.usage
      const counted = counts == null ? state : { ...state, usage: usageOf(context.server, counts) }
      return firstChoices.reduce<Decoded>(
        ([state, parts], choice) => {
          const [next, more] = decodeChoice(context, state, choice)
          return [next, [...parts, ...more]]
        },
        [counted, []],
      )
    },
  })
}

/**
 * A fast path for chunks with text alone, which are nearly all. Decoding each of them by the schema would double the
 * time.
 */
const textDeltaOf = (chunk: unknown): string | undefined => {
  if (!isObject(chunk) || chunk.usage != null || chunk.x_groq != null || !Array.isArray(chunk.choices)) return undefined
  const [choice, another] = chunk.choices
  if (another !== undefined || !isObject(choice) || !isFirstChoice(choice)) return undefined
  if (!holdsOnly(choice, ["index", "delta"])) return undefined
  const { delta } = choice
  if (!isObject(delta) || !holdsOnly(delta, ["role", "content"])) return undefined
  return typeof delta.content === "string" ? delta.content : undefined
}

const holdsOnly = (object: JsonObject, names: ReadonlyArray<string>): boolean =>
  Object.keys(object).every((name) => object[name] == null || names.includes(name))

const decodeText = ({ names }: Context, previous: ParserState, text: string): Decoded => {
  const [tags, pieces] = ThinkTags.decodeText(previous.tags, text)
  const [state, words] = emitPieces(names, previous, pieces)
  return [{ ...state, tags }, words]
}

const decodeChoice = (context: Context, previous: ParserState, choice: ChatChunk.Choice): Decoded => {
  const message = messageOf(previous, choice)
  const thought = thinkingIn(message)
  const [state, words] = decodeText(context, previous, textIn(message))
  const images = (message.images ?? []).flatMap(imagesIn)
  return [
    {
      ...state,
      hasStarted: true,
      hasContent: state.hasContent || images.length > 0,
      calls: callPiecesIn(message).reduce(OpenAiCalls.appendPiece, state.calls),
      thinking: thought.field ?? state.thinking,
      details: detailsIn(message).reduce(appendDetail, state.details),
      refusal: state.refusal + (message.refusal ?? ""),
      finish: choice.finish_reason || state.finish,
      nativeFinish: choice.native_finish_reason || state.nativeFinish,
    },
    [...(thought.text === "" ? [] : [Part.Thinking({ text: thought.text })]), ...words, ...images],
  ]
}

type Decoded = readonly [ParserState, ReadonlyArray<Part>]

/** Emits pieces. Text that may be the beginning of a call of one of `names` is held back. */
const emitPieces = (
  names: ReadonlyArray<string>,
  state: ParserState,
  pieces: ReadonlyArray<ThinkTags.Piece>,
): Decoded =>
  pieces.reduce<Decoded>(
    ([state, parts], { text, thinking }) => {
      if (thinking) return [state, [...parts, Part.Thinking({ text })]]
      const all = state.heldText + text
      // Text that is held until the end of the answer is not scanned again with each chunk.
      if (state.isHeld) return [{ ...state, heldText: all }, parts]
      const until = names.length === 0 ? all.length : TextToolCalls.findCallStart(all, state.lead)
      const heldText = all.slice(until)
      const words = all.slice(0, until)
      const hasContent = state.hasContent || words.trim() !== ""
      const lead = names.length === 0 ? "" : TextToolCalls.extendLead(state.lead, words)
      return [
        { ...state, hasContent, lead, heldText, isHeld: TextToolCalls.needsWholeText(heldText, lead) },
        words === "" ? parts : [...parts, Part.Text({ text: words })],
      ]
    },
    [state, []],
  )

/** Some servers send the accumulated message beside each delta, or a whole message beside an empty delta. */
const messageOf = (
  { hasStarted }: ParserState,
  { delta, finish_reason, message }: ChatChunk.Choice,
): ChatChunk.Message => {
  if (delta == null || message == null) return delta ?? message ?? {}
  return hasStarted || finish_reason == null ? delta : message
}

const detailsIn = ({ reasoning_details }: ChatChunk.Message): ReadonlyArray<ChatChunk.Detail> =>
  (reasoning_details ?? []).filter((detail) => detail !== null)

const thinkingIn = (message: ChatChunk.Message) => {
  const { content, reasoning, reasoning_content } = message
  if (reasoning_content) return { text: reasoning_content, field: "reasoning_content" } as const
  if (reasoning) return { text: reasoning, field: "reasoning" } as const
  const parts = typeof content === "string" ? [] : (content ?? [])
  const text = parts.map((part) => textOf(part?.thinking)).join("")
  if (text !== "") return { text, field: "parts" } as const
  const details = detailsIn(message).map(({ summary, text }) => text ?? summary)
  return { text: details.filter((text) => typeof text === "string").join(""), field: undefined }
}

const textOf = (thinking: ChatChunk.ContentPart["thinking"]): string =>
  typeof thinking === "string" ? thinking : (thinking ?? []).map(({ text }) => text ?? "").join("")

const textIn = ({ content }: ChatChunk.Message): string =>
  typeof content === "string" ? content : (content ?? []).map((part) => part?.text ?? "").join("")

/** Reads an image from a data URL. Other URLs are not fetched. */
const imagesIn = (wire: ChatChunk.WireImage): ReadonlyArray<Part> => {
  const address = wire?.image_url
  const image = Block.imageIn((typeof address === "string" ? address : address?.url) ?? "")
  return image === undefined ? [] : [Part.Image({ media_type: image.media_type, data: image.data })]
}

const callPiecesIn = ({ function_call, tool_calls }: ChatChunk.Message): ReadonlyArray<OpenAiCalls.Piece> => [
  ...(tool_calls ?? [])
    .filter((call) => call !== null)
    .map(({ extra_content, function: fn, id, index }) => ({
      index: index ?? undefined,
      id: id == null || id === "" ? undefined : String(id),
      name: fn?.name || undefined,
      arguments: OpenAiCalls.toJson(fn?.arguments),
      extra: extra_content ?? undefined,
    })),
  ...(function_call == null
    ? []
    : [
        {
          index: undefined,
          id: undefined,
          name: function_call.name || undefined,
          arguments: OpenAiCalls.toJson(function_call.arguments),
          extra: undefined,
        },
      ]),
]

/** Fragments of one detail share index and type: their texts are concatenated, other fields are replaced. */
const appendDetail = (
  details: ReadonlyArray<ChatChunk.Detail>,
  piece: ChatChunk.Detail,
): ReadonlyArray<ChatChunk.Detail> => {
  const last = details.at(-1)
  if (last === undefined || !isContinuation(last, piece)) return [...details, piece]
  const joined = { ...last, ...piece }
  const texts = ["text", "summary"].flatMap((name) =>
    typeof last[name] === "string" && typeof piece[name] === "string" ? [[name, last[name] + piece[name]]] : [],
  )
  return [...details.slice(0, -1), { ...joined, ...Object.fromEntries(texts) }]
}

const isContinuation = (last: ChatChunk.Detail, piece: ChatChunk.Detail): boolean =>
  last.type === piece.type &&
  last.index !== undefined &&
  last.index === piece.index &&
  (piece.type === "reasoning.text" || piece.type === "reasoning.summary")

/** Returns the last parts (metadata, calls and the finish part), or why the answer cannot be used. */
const end = (context: Context, previous: ParserState): Either.Either<ReadonlyArray<Part>, Reason> => {
  const [state, rest] = emitPieces(context.names, previous, ThinkTags.flush(previous.tags))
  const { calls, finish, nativeFinish, refusal, usage } = state
  const heldText = releaseHeld(context, state)
  const hasContent = state.hasContent || heldText.some((part) => part._tag === "Text" && part.text.trim() !== "")
  const hasToolCall = calls.length > 0 || heldText.some((part) => part._tag === "ToolUse")
  if (finish === undefined && !(state.done && (hasToolCall || hasContent))) {
    return Either.left(UnusableAnswer.endedEarly)
  }
  if (refusal !== "") return Either.left(new Blocked({ message: `the model refused: ${refusal}` }))
  const parts = calls.map((call, index) => toToolUse(context, call, hasRepeatedId(calls, index)))
  const hasMalformedCall = parts.includes(undefined)
  const words =
    nativeFinish === undefined || nativeFinish === finish ? (finish ?? "nothing") : `${finish} (${nativeFinish})`
  return Either.map(
    Finish.toFinishPart(finishOf(finish ?? "stop", nativeFinish, hasMalformedCall), words, {
      hasContent,
      hasToolCall,
      hasMalformedCall,
      usage,
    }),
    (last) => [...rest, ...thinkingMetadata(context, state), ...heldText, ...parts.flatMap((part) => part ?? []), last],
  )
}

/** Returns the held text as calls or as text. */
const releaseHeld = ({ nameOf, names }: Context, { calls, finish, heldText }: ParserState): ReadonlyArray<Part> => {
  if (heldText === "") return []
  const written = calls.length > 0 || finish !== "stop" ? [] : TextToolCalls.parseCalls(heldText, names, nameOf)
  if (written.length > 0) return written.map((call) => Part.ToolUse(call))
  return [Part.Text({ text: heldText })]
}

/** An empty block after the thinking. Its metadata makes requests send the thinking back. */
const thinkingMetadata = ({ server, model }: Context, { details, thinking: field }: ParserState) => {
  const { name, thinking } = server
  const meta: ChatMetadata | undefined =
    thinking === "details" && details.length > 0
      ? { model, details }
      : field !== undefined && (thinking === "parts" ? field === "parts" : thinking === "field" && field !== "parts")
        ? { model, thinking: field }
        : undefined
  return meta === undefined ? [] : [Part.Thinking({ text: "", meta: metadataFor(name).write(meta) })]
}

const toToolUse = (
  { server, model, nameOf }: Context,
  { arguments: json, extra, id, name }: OpenAiCalls.Call,
  repeated: boolean,
): Part | undefined => {
  const parameters = OpenAiCalls.parseParameters(json)
  if (name === "" || parameters === undefined) return undefined
  const meta = isObject(extra) ? metadataFor(server.name).write({ model, extra }) : undefined
  return Part.ToolUse({ id: repeated ? undefined : id, name: nameOf(name), parameters, meta })
}

const hasRepeatedId = (calls: ReadonlyArray<OpenAiCalls.Call>, at: number): boolean =>
  calls.findIndex(({ id }) => id === calls[at]?.id) < at

const finishOf = (finish: string, nativeFinish: string | undefined, hasMalformedCall: boolean): Finish.Finish => {
  if (nativeFinish === "MALFORMED_FUNCTION_CALL") return "malformed"
  // OpenRouter reports truncated calls as `tool_calls`.
  if (hasMalformedCall && finishReasons.get(nativeFinish?.toLowerCase() ?? "") === "length") return "length"
  return finishReasons.get(finish.toLowerCase()) ?? "other"
}

const finishReasons: ReadonlyMap<string, Finish.Finish> = new Map([
  ["stop", "stop"],
  ["tool_calls", "stop"],
  ["function_call", "stop"],
  // Some servers pass on the reason of the upstream provider.
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "stop"],
  ["eos", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  // Mistral sends this if the context is full.
  ["model_length", "length"],
  ["content_filter", "content_filter"],
  ["error", "failed"],
  ["abort", "failed"],
  // DeepSeek sends this.
  ["insufficient_system_resource", "failed"],
])

const usageOf = ({ countsThinkingApart = false }: CompatibleServer, counts: ChatChunk.Counts): Usage.Usage => {
  const thinkingTokens = counts.completion_tokens_details?.reasoning_tokens ?? 0
  return {
    inputTokens: counts.prompt_tokens ?? 0,
    outputTokens: (counts.completion_tokens ?? 0) + (countsThinkingApart ? thinkingTokens : 0),
    cachedTokens: counts.prompt_tokens_details?.cached_tokens ?? counts.prompt_cache_hit_tokens ?? 0,
    thinkingTokens,
  }
}
