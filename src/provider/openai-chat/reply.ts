/** The chunks of a chat completion, decoded into the parts of a reply, and what an answer's end means. Pure. */
import * as Either from "effect/Either"
import * as Block from "../../message/Block.ts"
import { isObject, type JsonObject } from "../../message/Json.ts"
import * as Usage from "../../message/Usage.ts"
import { Blocked, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Tool } from "../../tool/Tool.ts"
import { isFirst } from "../shared/alternatives.ts"
import * as Calls from "../shared/openAiCalls.ts"
import * as Ending from "../shared/openAiFinish.ts"
import * as WrittenCalls from "../shared/textToolCalls.ts"
import * as ThinkTags from "../shared/thinkTags.ts"
import * as ToolNames from "../shared/toolNames.ts"
import type { Decoder } from "../transport/attempt.ts"
import { done } from "../transport/sse.ts"
import * as ChatChunk from "./chunk.ts"
import * as ChatMeta from "./metadata.ts"
import type { Dialect } from "./servers.ts"

/** Reads what `model` says in this dialect to a request with these tools. */
export const decoder = (dialect: Dialect, model: string, tools: ReadonlyArray<Tool>): Decoder<Answer, unknown> => {
  const names = dialect.writesCalls === true ? tools.map(({ name }) => ToolNames.onWire(name)) : []
  const reader: Reader = { dialect, model, names, nameOf: ToolNames.reader(tools) }
  return {
    start,
    step: (answer, chunk) => step(reader, answer, chunk),
    progress: ({ done, finish }) => (done ? "over" : finish === undefined ? "open" : "whole"),
    kept: ({ calls, details }) => calls.length + details.length,
    end: (answer) => end(reader, answer),
  }
}

interface Reader {
  readonly dialect: Dialect
  readonly model: string
  /** Of the tools whose calls may be written among the words. */
  readonly names: ReadonlyArray<string>
  /** Gives a tool its own name back. */
  readonly nameOf: (name: string) => string
}

/** What has been seen of an answer. */
export interface Answer {
  readonly begun: boolean
  readonly spoke: boolean
  readonly tags: ThinkTags.State
  /** Words that may turn out to be a call. */
  readonly held: string
  /** They are held to the end of the answer: only the whole of it tells. */
  readonly isHeld: boolean
  /** Said last: until the answer is complete they may not run. */
  readonly calls: ReadonlyArray<Calls.Call>
  /** Where thinking came in. */
  readonly thinking: ChatMeta.ChatMeta["thinking"]
  /** OpenRouter's, pieces put together. */
  readonly details: ReadonlyArray<ChatChunk.Detail>
  readonly refusal: string
  readonly finish: string | undefined
  /** In the words of whoever stands behind the server. */
  readonly native: string | undefined
  readonly done: boolean
  readonly usage: Usage.Usage
}

const start: Answer = {
  begun: false,
  spoke: false,
  tags: ThinkTags.start,
  held: "",
  isHeld: false,
  calls: [],
  thinking: undefined,
  details: [],
  refusal: "",
  finish: undefined,
  native: undefined,
  done: false,
  usage: Usage.none,
}

/** The parts of one chunk; `Left` where it is no chunk at all. */
const step = (
  reader: Reader,
  answer: Answer,
  chunk: unknown,
): Either.Either<readonly [Answer, ReadonlyArray<Part>], Reason> => {
  // An answer without a finish reason may be complete all the same.
  if (chunk === done) return Either.right([{ ...answer, done: true }, []])
  const words = wordsOf(chunk)
  if (words !== undefined) return Either.right(spoken(reader, { ...answer, begun: true }, words))
  return Either.mapBoth(ChatChunk.decode(chunk), {
    onLeft: () => new StreamIncomplete({ message: "the answer holds something that is not an API response" }),
    onRight: ({ choices, usage, x_groq }) => {
      // Copilot says words in one of them and calls in the next.
      const ours = (choices ?? []).filter(isFirst)
      const counts = usage ?? x_groq?.usage ?? ours.find(({ usage }) => usage != null)?.usage
      const counted = counts == null ? answer : { ...answer, usage: usageOf(reader.dialect, counts) }
      return ours.reduce<Heard>(
        ([answer, parts], choice) => {
          const [next, more] = hear(reader, answer, choice)
          return [next, [...parts, ...more]]
        },
        [counted, []],
      )
    },
  })
}

/** Of a chunk that adds words and nothing else, as nearly all do: to decode each would take as long as all else with it. */
const wordsOf = (chunk: unknown): string | undefined => {
  if (!isObject(chunk) || chunk.usage != null || chunk.x_groq != null || !Array.isArray(chunk.choices)) return undefined
  const [choice, another] = chunk.choices
  if (another !== undefined || !isObject(choice) || !isFirst(choice)) return undefined
  if (!holdsOnly(choice, ["index", "delta"])) return undefined
  const { delta } = choice
  if (!isObject(delta) || !holdsOnly(delta, ["role", "content"])) return undefined
  return typeof delta.content === "string" ? delta.content : undefined
}

const holdsOnly = (object: JsonObject, names: ReadonlyArray<string>): boolean =>
  Object.keys(object).every((name) => object[name] == null || names.includes(name))

const spoken = ({ names }: Reader, before: Answer, text: string): Heard => {
  const [tags, pieces] = ThinkTags.step(before.tags, text)
  const [answer, words] = speak(names, before, pieces)
  return [{ ...answer, tags }, words]
}

const hear = (reader: Reader, before: Answer, choice: ChatChunk.Choice): Heard => {
  const message = said(before, choice)
  const thought = thoughtIn(message)
  const [answer, words] = spoken(reader, before, textIn(message))
  const pictures = (message.images ?? []).flatMap(pictureIn)
  return [
    {
      ...answer,
      begun: true,
      spoke: answer.spoke || pictures.length > 0,
      calls: piecesIn(message).reduce(Calls.step, answer.calls),
      thinking: thought.field ?? answer.thinking,
      details: detailsIn(message).reduce(withDetail, answer.details),
      refusal: answer.refusal + (message.refusal ?? ""),
      finish: choice.finish_reason || answer.finish,
      native: choice.native_finish_reason || answer.native,
    },
    [...(thought.text === "" ? [] : [Part.Thinking({ text: thought.text })]), ...words, ...pictures],
  ]
}

type Heard = readonly [Answer, ReadonlyArray<Part>]

/** Says what can be said of the pieces; words that may be the beginning of a call of one of `names` are held back. */
const speak = (names: ReadonlyArray<string>, answer: Answer, pieces: ReadonlyArray<ThinkTags.Piece>): Heard =>
  pieces.reduce<Heard>(
    ([answer, parts], { text, thinking }) => {
      if (thinking) return [answer, [...parts, Part.Thinking({ text })]]
      const all = answer.held + text
      // What is held to the end is not looked through with each piece of it.
      if (answer.isHeld) return [{ ...answer, held: all }, parts]
      const until = names.length === 0 ? all.length : WrittenCalls.mayBegin(all, answer.spoke)
      const held = all.slice(until)
      const words = all.slice(0, until)
      const spoke = answer.spoke || words.trim() !== ""
      return [
        { ...answer, spoke, held, isHeld: WrittenCalls.isHeld(held) },
        words === "" ? parts : [...parts, Part.Text({ text: words })],
      ]
    },
    [answer, []],
  )

/** Some servers stream the message so far beside each delta, and the whole of one that is not streamed beside an empty one. */
const said = ({ begun }: Answer, { delta, finish_reason, message }: ChatChunk.Choice): ChatChunk.Message => {
  if (delta == null || message == null) return delta ?? message ?? {}
  return begun || finish_reason == null ? delta : message
}

const detailsIn = ({ reasoning_details }: ChatChunk.Message): ReadonlyArray<ChatChunk.Detail> =>
  (reasoning_details ?? []).filter((detail) => detail !== null)

const thoughtIn = (message: ChatChunk.Message) => {
  const { content, reasoning, reasoning_content } = message
  if (reasoning_content) return { text: reasoning_content, field: "reasoning_content" } as const
  if (reasoning) return { text: reasoning, field: "reasoning" } as const
  const parts = typeof content === "string" ? [] : (content ?? [])
  const text = parts.map(({ thinking }) => textOf(thinking)).join("")
  if (text !== "") return { text, field: "parts" } as const
  const details = detailsIn(message).map(({ summary, text }) => text ?? summary)
  return { text: details.filter((text) => typeof text === "string").join(""), field: undefined }
}

const textOf = (thinking: ChatChunk.Piece["thinking"]): string =>
  typeof thinking === "string" ? thinking : (thinking ?? []).map(({ text }) => text ?? "").join("")

const textIn = ({ content }: ChatChunk.Message): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("")

/** Of a data URL; what lies elsewhere is not fetched. */
const pictureIn = (picture: ChatChunk.Picture): ReadonlyArray<Part> => {
  const address = picture?.image_url
  const image = Block.imageIn((typeof address === "string" ? address : address?.url) ?? "")
  return image === undefined ? [] : [Part.Image({ media_type: image.media_type, data: image.data })]
}

const piecesIn = ({ function_call, tool_calls }: ChatChunk.Message): ReadonlyArray<Calls.Piece> => [
  ...(tool_calls ?? []).map(({ extra_content, function: called, id, index }) => ({
    index: index ?? undefined,
    id: id == null || id === "" ? undefined : String(id),
    name: called?.name || undefined,
    arguments: Calls.jsonOf(called?.arguments),
    extra: extra_content ?? undefined,
  })),
  ...(function_call == null
    ? []
    : [
        {
          index: undefined,
          id: undefined,
          name: function_call.name || undefined,
          arguments: Calls.jsonOf(function_call.arguments),
          extra: undefined,
        },
      ]),
]

/** Pieces of one detail have one index and type; their texts follow on one another, anything else comes once. */
const withDetail = (
  details: ReadonlyArray<ChatChunk.Detail>,
  piece: ChatChunk.Detail,
): ReadonlyArray<ChatChunk.Detail> => {
  const last = details.at(-1)
  if (last === undefined || !continues(last, piece)) return [...details, piece]
  const joined = { ...last, ...piece }
  const texts = ["text", "summary"].flatMap((name) =>
    typeof last[name] === "string" && typeof piece[name] === "string" ? [[name, last[name] + piece[name]]] : [],
  )
  return [...details.slice(0, -1), { ...joined, ...Object.fromEntries(texts) }]
}

const continues = (last: ChatChunk.Detail, piece: ChatChunk.Detail): boolean =>
  last.type === piece.type &&
  last.index !== undefined &&
  last.index === piece.index &&
  (piece.type === "reasoning.text" || piece.type === "reasoning.summary")

/** What is said last: calls, what the server wants back, and how it ended; or why it is of no use. */
const end = (reader: Reader, before: Answer): Either.Either<ReadonlyArray<Part>, Reason> => {
  const [answer, rest] = speak(reader.names, before, ThinkTags.end(before.tags))
  const { calls, finish, native, refusal, usage } = answer
  const held = heldBack(reader, answer)
  const spoke = answer.spoke || held.some((part) => part._tag === "Text" && part.text.trim() !== "")
  const called = calls.length > 0 || held.some((part) => part._tag === "ToolUse")
  if (finish === undefined && !(answer.done && (called || spoke))) {
    return Either.left(new StreamIncomplete({ message: "the answer ended early" }))
  }
  if (refusal !== "") return Either.left(new Blocked({ message: `the model refused: ${refusal}` }))
  const parts = calls.map((call, index) => callPart(reader, call, isRepeated(calls, index)))
  const garbled = parts.includes(undefined)
  const words = native === undefined || native === finish ? (finish ?? "nothing") : `${finish} (${native})`
  return Either.map(
    Ending.meaning(endingOf(finish ?? "stop", native, garbled), words, { spoke, called, garbled, usage }),
    (reason) => [
      ...rest,
      ...keepsake(reader, answer),
      ...held,
      ...parts.flatMap((part) => part ?? []),
      Part.Finish({ reason, usage }),
    ],
  )
}

/** What was held back, as what it turned out to be. */
const heldBack = ({ nameOf, names }: Reader, { calls, finish, held }: Answer): ReadonlyArray<Part> => {
  if (held === "") return []
  const written = calls.length > 0 || finish !== "stop" ? [] : WrittenCalls.read(held, names)
  if (written.length > 0) return written.map((call) => Part.ToolUse({ ...call, name: nameOf(call.name) }))
  return [Part.Text({ text: held })]
}

/** Stands behind the thinking that it is about, and makes it go back. */
const keepsake = ({ dialect, model }: Reader, { details, thinking: field }: Answer) => {
  const { name, thinking } = dialect
  const meta: ChatMeta.ChatMeta | undefined =
    thinking === "details" && details.length > 0
      ? { model, details }
      : field !== undefined && (thinking === "parts" ? field === "parts" : thinking === "field" && field !== "parts")
        ? { model, thinking: field }
        : undefined
  return meta === undefined ? [] : [Part.Thinking({ text: "", meta: ChatMeta.write(name, meta) })]
}

const callPart = (
  { dialect, model, nameOf }: Reader,
  { arguments: json, extra, id, name }: Calls.Call,
  repeated: boolean,
): Part | undefined => {
  const parameters = Calls.parametersOf(json)
  if (name === "" || parameters === undefined) return undefined
  const meta = isObject(extra) ? ChatMeta.write(dialect.name, { model, extra }) : undefined
  return Part.ToolUse({ id: repeated ? undefined : id, name: nameOf(name), parameters, meta })
}

const isRepeated = (calls: ReadonlyArray<Calls.Call>, at: number): boolean =>
  calls.findIndex(({ id }) => id === calls[at]?.id) < at

const endingOf = (finish: string, native: string | undefined, garbled: boolean): Ending.Ending => {
  if (native === "MALFORMED_FUNCTION_CALL") return "malformed"
  // OpenRouter says `tool_calls` of one that was cut, too.
  if (garbled && endings.get(native?.toLowerCase() ?? "") === "length") return "length"
  return endings.get(finish.toLowerCase()) ?? "other"
}

const endings: ReadonlyMap<string, Ending.Ending> = new Map([
  ["stop", "stop"],
  ["tool_calls", "stop"],
  ["function_call", "stop"],
  // Of servers that hand on the words of who stands behind them.
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "stop"],
  ["eos", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  // Mistral's, for the end of its window.
  ["model_length", "length"],
  ["content_filter", "content_filter"],
  ["error", "failed"],
  ["abort", "failed"],
  // DeepSeek's.
  ["insufficient_system_resource", "failed"],
])

const usageOf = ({ countsThinkingApart = false }: Dialect, counts: ChatChunk.Counts): Usage.Usage => {
  const thinkingTokens = counts.completion_tokens_details?.reasoning_tokens ?? 0
  return {
    inputTokens: counts.prompt_tokens ?? 0,
    outputTokens: (counts.completion_tokens ?? 0) + (countsThinkingApart ? thinkingTokens : 0),
    cachedTokens: counts.prompt_tokens_details?.cached_tokens ?? counts.prompt_cache_hit_tokens ?? 0,
    thinkingTokens,
  }
}
