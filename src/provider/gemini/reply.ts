/** Gemini's chunks, decoded into the parts of a reply, and what an answer's end means. Pure. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Usage from "../../message/Usage.ts"
import { Blocked, InvalidRequest, type Reason, StreamIncomplete, Unusable } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Tool } from "../../tool/Tool.ts"
import { isFirst } from "../shared/alternatives.ts"
import { argumentsOf } from "../shared/callArguments.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Endings from "../shared/unusable.ts"
import type { Decoder } from "../transport/attempt.ts"
import * as GeminiMeta from "./metadata.ts"

/** Some back ends send null for what is not there. It is not made `undefined` here: that takes thrice the time. */
const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const FunctionCall = Schema.Struct({
  id: field(Schema.String),
  name: field(Schema.String),
  args: field(Schema.Unknown),
  /** Arguments in pieces, which we never ask for. */
  partialArgs: field(Schema.Unknown),
  willContinue: field(Schema.Boolean),
})

const WirePart = Schema.Struct({
  text: field(Schema.String),
  thought: field(Schema.Boolean),
  thoughtSignature: field(Schema.String),
  functionCall: field(FunctionCall),
  inlineData: field(Schema.Struct({ mimeType: field(Schema.String), data: field(Schema.String) })),
})

const Candidate = Schema.Struct({
  index: field(Schema.Unknown),
  content: field(Schema.Struct({ parts: field(Schema.Array(WirePart)) })),
  finishReason: field(Schema.String),
  finishMessage: field(Schema.String),
})

const Chunk = Schema.Struct({
  candidates: field(Schema.Array(Candidate)),
  promptFeedback: field(Schema.Struct({ blockReason: field(Schema.String), blockReasonMessage: field(Schema.String) })),
  usageMetadata: field(
    Schema.Struct({
      promptTokenCount: field(Schema.Number),
      candidatesTokenCount: field(Schema.Number),
      thoughtsTokenCount: field(Schema.Number),
      cachedContentTokenCount: field(Schema.Number),
    }),
  ),
})

const decodeChunk = Schema.decodeUnknownEither(Chunk)

/** Reads what the model `model` says to a request with the tools `tools`. */
export const decoder = (model: string, tools: ReadonlyArray<Tool>): Decoder<Answer, unknown> => {
  const nameOf = ToolNames.reader(tools)
  const named = (part: Part): Part =>
    part._tag === "ToolUse" ? Part.ToolUse({ ...part, name: nameOf(part.name) }) : part
  const names = tools.map(({ name }) => ToolNames.onWire(name))
  return {
    start,
    step: (answer, chunk) => Either.map(step(model, answer, chunk), ([next, parts]) => [next, parts.map(named)]),
    progress: ({ blocked, finish }) => (blocked === undefined && finish === undefined ? "open" : "whole"),
    end: (answer) => Either.map(end(answer, names), (part) => [part]),
  }
}

/** What has been seen of an answer. */
export interface Answer {
  readonly spoke: boolean
  readonly called: boolean
  /** It held a call that cannot be read. */
  readonly garbled: boolean
  readonly finish: Ending | undefined
  /** The prompt was not let through. */
  readonly blocked: Ending | undefined
  readonly usage: Usage.Usage
}

interface Ending {
  readonly reason: string
  readonly message: string | undefined
}

export const start: Answer = {
  spoke: false,
  called: false,
  garbled: false,
  finish: undefined,
  blocked: undefined,
  usage: Usage.none,
}

/** The parts of one chunk, with what the model `model` wants back with them; `Left` where it is no chunk at all. */
export const step = (
  model: string,
  answer: Answer,
  chunk: unknown,
): Either.Either<readonly [Answer, ReadonlyArray<Part>], Reason> =>
  Either.mapBoth(decodeChunk(chunk), {
    onLeft: () => new StreamIncomplete({ message: "the answer holds something that is not an API response" }),
    onRight: ({ candidates, promptFeedback, usageMetadata }) => {
      const candidate = candidates?.find(isFirst)
      const read = (candidate?.content?.parts ?? []).map((part) => partOf(model, part))
      const parts = read.flatMap((part) => (part === "garbled" || part === undefined ? [] : [part]))
      return [
        {
          spoke: answer.spoke || parts.some(isSpoken),
          called: answer.called || parts.some((part) => part._tag === "ToolUse"),
          garbled: answer.garbled || read.includes("garbled"),
          finish: ending(candidate?.finishReason, candidate?.finishMessage) ?? answer.finish,
          blocked: ending(promptFeedback?.blockReason, promptFeedback?.blockReasonMessage) ?? answer.blocked,
          usage: usageMetadata == null ? answer.usage : usageOf(usageMetadata),
        },
        parts,
      ]
    },
  })

/** How an answer ended, once its stream has; the reason why it failed where it is of no use. `tools`: their names. */
export const end = (answer: Answer, tools: ReadonlyArray<string>): Either.Either<Part, Reason> => {
  const { blocked, called, finish, garbled, spoke, usage } = answer
  const finished = (reason: "stop" | "tool_calls" | "length" | "error") => Either.right(Part.Finish({ reason, usage }))
  if (blocked !== undefined && !(finish !== undefined && unspecified.test(blocked.reason))) {
    return Either.left(new Blocked({ message: `the prompt was blocked: ${named(blocked)}` }))
  }
  if (finish === undefined) return Either.left(new StreamIncomplete({ message: "the answer ended early" }))
  if (refusals.has(finish.reason)) return Either.left(new Blocked({ message: `blocked: ${named(finish)}` }))
  switch (finish.reason) {
    case "STOP":
    // Google says `STOP` of calls, too; servers that only speak as it does may not (aimock).
    case "FUNCTION_CALL":
      return garbled ? Either.left(Endings.unreadable(named(finish))) : finished(called ? "tool_calls" : "stop")
    case "MAX_TOKENS":
      if (called || garbled) return Either.left(Endings.cut)
      return spoke ? finished("length") : Either.left(Endings.exhausted(usage))
    case "MALFORMED_FUNCTION_CALL":
      return Either.left(Endings.unreadable(named(finish)))
    case "UNEXPECTED_TOOL_CALL":
      return Either.left(Endings.unexpected(named(finish), tools))
    case "TOO_MANY_TOOL_CALLS":
      return Either.left(tooMany)
    default:
      // A reason we do not know: its words stand, with a finish that warns; its calls do not run.
      return spoke && !called && !garbled
        ? finished("error")
        : Either.left(new InvalidRequest({ message: `the model stopped without an answer: ${named(finish)}` }))
  }
}

/** What some back ends say beside an answer, of a prompt that was let through. */
const unspecified = /^BLOCK(ED)?_REASON_UNSPECIFIED$/

const isSpoken = (part: Part): boolean => part._tag === "Image" || (part._tag === "Text" && part.text.trim() !== "")

const refusals = new Set([
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
])

const ending = (reason: string | null | undefined, message: string | null | undefined): Ending | undefined =>
  reason == null ? undefined : { reason, message: message ?? undefined }

const named = ({ message, reason }: Ending): string => (message === undefined ? reason : `${reason} (${message})`)

const tooMany = new Unusable({
  message: "the model made too many tool calls at once",
  correction:
    "Your last answer made too many tool calls, so nothing was run. Make a few calls at a time, or answer in words.",
})

const usageOf = (counts: NonNullable<(typeof Chunk.Type)["usageMetadata"]>): Usage.Usage => ({
  inputTokens: counts.promptTokenCount ?? 0,
  outputTokens: (counts.candidatesTokenCount ?? 0) + (counts.thoughtsTokenCount ?? 0),
  cachedTokens: counts.cachedContentTokenCount ?? 0,
  thinkingTokens: counts.thoughtsTokenCount ?? 0,
})

/** `undefined` for a part that says nothing to us: sound, or code that ran at the provider's. */
const partOf = (
  model: string,
  { functionCall, inlineData, text, thought, thoughtSignature }: typeof WirePart.Type,
): Part | "garbled" | undefined => {
  // Some back ends send an empty id for none.
  const id = functionCall?.id || undefined
  const meta = GeminiMeta.write(model, { id, thoughtSignature: thoughtSignature ?? undefined })
  if (functionCall != null) {
    const { args, name, partialArgs, willContinue } = functionCall
    const parameters = argumentsOf(args)
    if (!name || parameters === undefined || partialArgs != null || willContinue === true) return "garbled"
    return Part.ToolUse({ id, name, parameters, meta })
  }
  if (inlineData?.data && inlineData.mimeType?.startsWith("image/")) {
    return Part.Image({ media_type: inlineData.mimeType, data: inlineData.data, meta })
  }
  if (text == null || (text === "" && meta === undefined)) return undefined
  return thought === true ? Part.Thinking({ text, meta }) : Part.Text({ text, meta })
}
