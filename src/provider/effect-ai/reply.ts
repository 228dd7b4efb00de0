/** What a model says through `@effect/ai`, as the parts of a reply, and what its end means. Pure. */
import type * as AiResponse from "@effect/ai/Response"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { withinLevels } from "../../message/Json.ts"
import * as Usage from "../../message/Usage.ts"
import { Blocked, InvalidRequest, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Tool } from "../../tool/Tool.ts"
import { argumentsOf } from "../shared/callArguments.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Endings from "../shared/unusable.ts"
import type { Decoder } from "../transport/attempt.ts"
import * as EffectAiMeta from "./metadata.ts"

export interface Options {
  readonly model: string
  readonly tools: ReadonlyArray<Tool>
  /** Why an answer broke off, by what the model's provider says in its midst. */
  readonly broken: (error: unknown) => Reason
}

/** With tools whose arguments are what they are. */
export type StreamPart = AiResponse.StreamPart<Record<string, never>> | AiResponse.ToolCallPart<string, unknown>

/** How far an answer has come, the layers see for themselves. */
export const decoder = ({ broken, model, tools }: Options): Omit<Decoder<Answer, StreamPart>, "progress"> => {
  const nameOf = ToolNames.reader(tools)
  const names = tools.map(({ name }) => name)

  /** Words come piece by piece, and what is said of them at last, in an empty block behind them. */
  const seal = (answer: Answer, id: string, kind: "Text" | "Thinking"): readonly [Answer, ReadonlyArray<Part>] => {
    const { [id]: metadata = {}, ...open } = answer.open
    // A name says nothing, but of words behind thoughts: those are refused without the very words that followed.
    const isNothing = kind === "Text" && !answer.thought && EffectAiMeta.isName(metadata)
    const meta = isNothing ? undefined : EffectAiMeta.write(model, metadata)
    return [{ ...answer, open }, meta === undefined ? [] : [Part[kind]({ text: "", meta })]]
  }

  const noted = (answer: Answer, { id, metadata }: { readonly id: string; readonly metadata: object }): Answer => {
    // By provider, as `@effect/ai` has decoded it.
    const later = metadata as EffectAiMeta.ProviderMetadata
    if (EffectAiMeta.isEmpty(later)) return answer
    return { ...answer, open: { ...answer.open, [id]: EffectAiMeta.merge(answer.open[id] ?? {}, later) } }
  }

  const said = (answer: Answer, part: Part): readonly [Answer, ReadonlyArray<Part>] => [
    { ...answer, spoke: answer.spoke || (part._tag === "Text" && part.text.trim() !== "") },
    [part],
  ]

  const step = (answer: Answer, part: StreamPart): Either.Either<readonly [Answer, ReadonlyArray<Part>], Reason> => {
    switch (part.type) {
      case "text-start":
        return Either.right([noted(answer, part), []])
      case "reasoning-start":
        return Either.right([{ ...noted(answer, part), thought: true }, []])
      case "text-delta":
        return Either.right(said(noted(answer, part), Part.Text({ text: part.delta })))
      case "reasoning-delta": {
        const next = noted(answer, part)
        return Either.right(part.delta === "" ? [next, []] : said(next, Part.Thinking({ text: part.delta })))
      }
      case "text-end":
        return Either.right(seal(noted(answer, part), part.id, "Text"))
      case "reasoning-end":
        return Either.right(seal(noted(answer, part), part.id, "Thinking"))
      case "tool-call": {
        // Its provider has run it, and tells the result in words.
        if (part.providerExecuted) return Either.right([answer, []])
        const name = nameOf(part.name)
        if (!names.includes(name)) return Either.left(Endings.unexpected(name, names))
        const parameters = argumentsOf(part.params)
        if (parameters === undefined) return Either.right([{ ...answer, garbled: true }, []])
        const meta = EffectAiMeta.write(model, part.metadata)
        const call = Part.ToolUse({ id: part.id || undefined, name, parameters, meta })
        return Either.right([{ ...answer, called: true }, [call]])
      }
      case "file":
        return Either.right(
          part.mediaType.startsWith("image/")
            ? [
                { ...answer, spoke: true },
                [Part.Image({ media_type: part.mediaType, data: Buffer.from(part.data).toString("base64") })],
              ]
            : [answer, []],
        )
      case "error":
        return Either.left(broken(withinLevels(part.error)))
      case "finish":
        return Either.right([{ ...answer, finish: part.reason, usage: usageOf(part) }, []])
      default:
        return Either.right([answer, []])
    }
  }

  return { start, step, end: (answer) => Either.map(end(answer), (part) => [part]) }
}

/** What has been seen of an answer. */
export interface Answer {
  /** What was said of the parts that have not ended. */
  readonly open: Readonly<Record<string, EffectAiMeta.ProviderMetadata>>
  readonly thought: boolean
  readonly spoke: boolean
  readonly called: boolean
  readonly garbled: boolean
  readonly finish: AiResponse.FinishReason | undefined
  readonly usage: Usage.Usage
}

const start: Answer = {
  open: {},
  thought: false,
  spoke: false,
  called: false,
  garbled: false,
  finish: undefined,
  usage: Usage.none,
}

const end = ({ called, finish, garbled, spoke, usage }: Answer): Either.Either<Part, Reason> => {
  const finished = (reason: "stop" | "tool_calls" | "length" | "error") => Either.right(Part.Finish({ reason, usage }))
  switch (finish) {
    case undefined:
      return Either.left(new StreamIncomplete({ message: "the answer ended early" }))
    case "stop":
    case "pause":
    case "tool-calls":
      if (garbled) return Either.left(Endings.unreadable("its arguments are no object"))
      return finished(called ? "tool_calls" : "stop")
    case "length":
      if (called || garbled) return Either.left(Endings.cut)
      return spoke ? finished("length") : Either.left(Endings.exhausted(usage))
    case "content-filter":
      return Either.left(new Blocked({ message: "blocked by the provider" }))
    default:
      return spoke && !called && !garbled
        ? finished("error")
        : Either.left(new InvalidRequest({ message: `the model stopped without an answer: ${finish}` }))
  }
}

const usageOf = ({ metadata, usage }: AiResponse.FinishPart): Usage.Usage => ({
  inputTokens: (usage.inputTokens ?? 0) + countedApart(metadata),
  outputTokens: usage.outputTokens ?? 0,
  cachedTokens: usage.cachedInputTokens ?? 0,
  thinkingTokens: usage.reasoningTokens ?? 0,
})

/** Anthropic's layer counts what was read from the cache, or written to it, apart from the rest of the prompt. */
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
