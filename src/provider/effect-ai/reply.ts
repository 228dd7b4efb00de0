/** Decodes the stream parts of `@effect/ai` into the parts of a reply, and interprets the end of an answer. Pure. */
import type * as AiResponse from "@effect/ai/Response"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { withinLevels } from "../../base/Json.ts"
import * as Usage from "../../message/Usage.ts"
import { Blocked, type Reason } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Tool } from "../../tool/Tool.ts"
import { toFinishPart } from "../shared/finish.ts"
import * as ToolNames from "../shared/toolNames.ts"
import { parseArguments } from "../shared/wireJson.ts"
import type { Decoder } from "../transport/attempt.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import * as EffectAiMetadata from "./metadata.ts"

export interface Options {
  readonly model: string
  readonly tools: ReadonlyArray<Tool>
  /** Maps an error within the answer. */
  readonly streamError: (error: unknown) => Reason
}

/** A part of a stream whose tools receive their arguments undecoded. */
export type StreamPart = AiResponse.StreamPart<Record<string, never>> | AiResponse.ToolCallPart<string, unknown>

/** The layers of `@effect/ai` track the state of the stream, so this decoder does not. */
export const decoder = ({
  streamError,
  model,
  tools,
}: Options): Omit<Decoder<ParserState, StreamPart>, "streamState"> => {
  const nameOf = ToolNames.makeReader(tools)
  const names = tools.map(({ name }) => name)

  /** Text is emitted as it arrives; its metadata follows in an empty block. */
  const endPart = (
    state: ParserState,
    id: string,
    kind: "Text" | "Thinking",
  ): readonly [ParserState, ReadonlyArray<Part>] => {
    const { [id]: metadata = {}, ...open } = state.open
    // An item id alone is dropped, except after thinking: OpenAI rejects reasoning without the item that followed it.
    const isNothing = kind === "Text" && !state.thought && EffectAiMetadata.isName(metadata)
    const meta = isNothing ? undefined : EffectAiMetadata.write(model, metadata)
    return [{ ...state, open }, meta === undefined ? [] : [Part[kind]({ text: "", meta })]]
  }

  const withMetadata = (
    state: ParserState,
    { id, metadata }: { readonly id: string; readonly metadata: object },
  ): ParserState => {
    // The metadata is by provider, as `@effect/ai` decodes it.
    const later = metadata as EffectAiMetadata.ProviderMetadata
    if (EffectAiMetadata.isEmpty(later)) return state
    return { ...state, open: { ...state.open, [id]: EffectAiMetadata.merge(state.open[id] ?? {}, later) } }
  }

  const appendPart = (state: ParserState, part: Part): readonly [ParserState, ReadonlyArray<Part>] => [
    { ...state, hasContent: state.hasContent || (part._tag === "Text" && part.text.trim() !== "") },
    [part],
  ]

  const decodeChunk = (
    state: ParserState,
    part: StreamPart,
  ): Either.Either<readonly [ParserState, ReadonlyArray<Part>], Reason> => {
    switch (part.type) {
      case "text-start":
        return Either.right([withMetadata(state, part), []])
      case "reasoning-start":
        return Either.right([{ ...withMetadata(state, part), thought: true }, []])
      case "text-delta":
        return Either.right(appendPart(withMetadata(state, part), Part.Text({ text: part.delta })))
      case "reasoning-delta": {
        const next = withMetadata(state, part)
        return Either.right(part.delta === "" ? [next, []] : appendPart(next, Part.Thinking({ text: part.delta })))
      }
      case "text-end":
        return Either.right(endPart(withMetadata(state, part), part.id, "Text"))
      case "reasoning-end":
        return Either.right(endPart(withMetadata(state, part), part.id, "Thinking"))
      case "tool-call": {
        // The provider has run the tool and sends the result as text.
        if (part.providerExecuted) return Either.right([state, []])
        const name = nameOf(part.name)
        if (!names.includes(name)) return Either.left(UnusableAnswer.unknownTool(name, names))
        const parameters = parseArguments(part.params)
        if (parameters === undefined) return Either.right([{ ...state, hasMalformedCall: true }, []])
        const meta = EffectAiMetadata.write(model, part.metadata)
        const call = Part.ToolUse({ id: part.id || undefined, name, parameters, meta })
        return Either.right([{ ...state, hasToolCall: true }, [call]])
      }
      case "file":
        return Either.right(
          part.mediaType.startsWith("image/")
            ? [
                { ...state, hasContent: true },
                [Part.Image({ media_type: part.mediaType, data: Buffer.from(part.data).toString("base64") })],
              ]
            : [state, []],
        )
      case "error":
        return Either.left(streamError(withinLevels(part.error)))
      case "finish":
        return Either.right([{ ...state, finish: part.reason, usage: usageOf(part) }, []])
      default:
        return Either.right([state, []])
    }
  }

  return { initial: initialState, decodeChunk, end: (state) => Either.map(end(state), (part) => [part]) }
}

/** Parser state. */
interface ParserState {
  /** Metadata of the parts that have not ended, by part id. */
  readonly open: Readonly<Record<string, EffectAiMetadata.ProviderMetadata>>
  readonly thought: boolean
  readonly hasContent: boolean
  readonly hasToolCall: boolean
  readonly hasMalformedCall: boolean
  readonly finish: AiResponse.FinishReason | undefined
  readonly usage: Usage.Usage
}

const initialState: ParserState = {
  open: {},
  thought: false,
  hasContent: false,
  hasToolCall: false,
  hasMalformedCall: false,
  finish: undefined,
  usage: Usage.none,
}

const end = (state: ParserState): Either.Either<Part, Reason> => {
  switch (state.finish) {
    case undefined:
      return Either.left(UnusableAnswer.endedEarly)
    case "stop":
    case "pause":
    case "tool-calls":
      return toFinishPart("stop", "its arguments are no object", state)
    case "length":
      return toFinishPart("length", state.finish, state)
    case "content-filter":
      return Either.left(new Blocked({ message: "blocked by the provider" }))
    default:
      return toFinishPart("other", state.finish, state)
  }
}

const usageOf = ({ metadata, usage }: AiResponse.FinishPart): Usage.Usage => ({
  inputTokens: (usage.inputTokens ?? 0) + countedApart(metadata),
  outputTokens: usage.outputTokens ?? 0,
  cachedTokens: usage.cachedInputTokens ?? 0,
  thinkingTokens: usage.reasoningTokens ?? 0,
})

/** Anthropic's layer reports cached input separately from other input. */
const countedApart = (metadata: unknown): number => {
  const { anthropic } = Either.getOrElse(decodeApart(metadata), () => ({ anthropic: undefined }))
  const { cache_creation_input_tokens: written, cache_read_input_tokens: read } = anthropic?.usage ?? {}
  return (written ?? 0) + (read ?? 0)
}

const tokens = Schema.optional(Schema.NullOr(Schema.Number))

const decodeApart = Schema.decodeUnknownEither(
  Schema.Struct({
    anthropic: Schema.optional(
      Schema.Struct({
        usage: Schema.optional(Schema.Struct({ cache_creation_input_tokens: tokens, cache_read_input_tokens: tokens })),
      }),
    ),
  }),
)
