/** Decodes Gemini's chunks into the parts of a reply, and interprets the end of an answer. Pure. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Usage from "../../message/Usage.ts"
import { Blocked, type Reason, Unusable } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Tool } from "../../tool/Tool.ts"
import { type Finish, toFinishPart } from "../shared/finish.ts"
import * as ToolNames from "../shared/toolNames.ts"
import { count, field, isFirstChoice, lenientField, parseArguments } from "../shared/wireJson.ts"
import type { Decoder } from "../transport/attempt.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import * as GeminiMetadata from "./metadata.ts"

const FunctionCall = Schema.Struct({
  id: lenientField(Schema.String),
  name: field(Schema.String),
  args: field(Schema.Unknown),
  /** Streamed arguments, which are never requested. */
  partialArgs: field(Schema.Unknown),
  willContinue: lenientField(Schema.Boolean),
})

const WirePart = Schema.Struct({
  text: field(Schema.String),
  thought: field(Schema.Boolean),
  thoughtSignature: lenientField(Schema.String),
  functionCall: field(FunctionCall),
  inlineData: lenientField(Schema.Struct({ mimeType: field(Schema.String), data: field(Schema.String) })),
})

const Candidate = Schema.Struct({
  index: field(Schema.Unknown),
  content: field(Schema.Struct({ parts: field(Schema.Array(Schema.NullOr(WirePart))) })),
  finishReason: lenientField(Schema.String),
  finishMessage: lenientField(Schema.String),
})

const Chunk = Schema.Struct({
  candidates: field(Schema.Array(Candidate)),
  promptFeedback: field(
    Schema.Struct({ blockReason: field(Schema.String), blockReasonMessage: lenientField(Schema.String) }),
  ),
  usageMetadata: lenientField(
    Schema.Struct({
      promptTokenCount: count,
      candidatesTokenCount: count,
      thoughtsTokenCount: count,
      cachedContentTokenCount: count,
    }),
  ),
})

const parseChunk = Schema.decodeUnknownEither(Chunk)

/** Decodes the reply of `model` to a request with these tools. */
export const decoder = (model: string, tools: ReadonlyArray<Tool>): Decoder<ParserState, unknown> => {
  const nameOf = ToolNames.makeReader(tools)
  const withToolName = (part: Part): Part =>
    part._tag === "ToolUse" ? Part.ToolUse({ ...part, name: nameOf(part.name) }) : part
  const names = tools.map(({ name }) => ToolNames.toWireName(name))
  return {
    initial: initialState,
    decodeChunk: (state, chunk) =>
      Either.map(decodeChunk(model, state, chunk), ([next, parts]) => [next, parts.map(withToolName)]),
    streamState: ({ blocked, finish }) => (blocked === undefined && finish === undefined ? "streaming" : "complete"),
    end: (state) => Either.map(end(state, names), (part) => [part]),
  }
}

/** Parser state. */
interface ParserState {
  readonly hasContent: boolean
  readonly hasToolCall: boolean
  /** True if a tool call could not be parsed. */
  readonly hasMalformedCall: boolean
  readonly finish: Ending | undefined
  /** The reason why the prompt was blocked, if it was. */
  readonly blocked: Ending | undefined
  readonly usage: Usage.Usage
}

interface Ending {
  readonly reason: string
  readonly message: string | undefined
}

export const initialState: ParserState = {
  hasContent: false,
  hasToolCall: false,
  hasMalformedCall: false,
  finish: undefined,
  blocked: undefined,
  usage: Usage.none,
}

/**
 * Decodes the parts of one chunk, with the metadata that `model` requires back. Returns `Left` if the value is not a
 * chunk.
 */
export const decodeChunk = (
  model: string,
  state: ParserState,
  chunk: unknown,
): Either.Either<readonly [ParserState, ReadonlyArray<Part>], Reason> =>
  Either.mapBoth(parseChunk(chunk), {
    onLeft: () => UnusableAnswer.notAnApiResponse,
    onRight: ({ candidates, promptFeedback, usageMetadata }) => {
      const candidate = candidates?.find(isFirstChoice)
      const read = (candidate?.content?.parts ?? []).flatMap((part) => (part === null ? [] : [toPart(model, part)]))
      const parts = read.flatMap((part) => (part === "malformed" || part === undefined ? [] : [part]))
      return [
        {
          hasContent: state.hasContent || parts.some(isContent),
          hasToolCall: state.hasToolCall || parts.some((part) => part._tag === "ToolUse"),
          hasMalformedCall: state.hasMalformedCall || read.includes("malformed"),
          finish: toEnding(candidate?.finishReason, candidate?.finishMessage) ?? state.finish,
          blocked: toEnding(promptFeedback?.blockReason, promptFeedback?.blockReasonMessage) ?? state.blocked,
          usage: usageMetadata == null ? state.usage : usageOf(usageMetadata),
        },
        parts,
      ]
    },
  })

/**
 * Returns the finish part once the stream has ended, or why the answer cannot be used. `tools` are the names of the
 * offered tools.
 */
export const end = (state: ParserState, tools: ReadonlyArray<string>): Either.Either<Part, Reason> => {
  const { blocked, finish } = state
  if (blocked !== undefined && !(finish !== undefined && unspecified.test(blocked.reason))) {
    return Either.left(new Blocked({ message: `the prompt was blocked: ${describeFinish(blocked)}` }))
  }
  if (finish === undefined) return Either.left(UnusableAnswer.endedEarly)
  switch (finish.reason) {
    case "UNEXPECTED_TOOL_CALL":
      return Either.left(UnusableAnswer.unknownTool(describeFinish(finish), tools))
    case "TOO_MANY_TOOL_CALLS":
      return Either.left(tooMany)
    default:
      return toFinishPart(finishReasons.get(finish.reason) ?? "other", describeFinish(finish), state)
  }
}

const finishReasons: ReadonlyMap<string, Finish> = new Map([
  ["STOP", "stop"],
  // Google reports calls with `STOP`, but compatible servers may not.
  ["FUNCTION_CALL", "stop"],
  ["MAX_TOKENS", "length"],
  ["MALFORMED_FUNCTION_CALL", "malformed"],
  ["SAFETY", "content_filter"],
  ["RECITATION", "content_filter"],
  ["BLOCKLIST", "content_filter"],
  ["PROHIBITED_CONTENT", "content_filter"],
  ["SPII", "content_filter"],
  ["IMAGE_SAFETY", "content_filter"],
  ["IMAGE_PROHIBITED_CONTENT", "content_filter"],
  ["IMAGE_RECITATION", "content_filter"],
])

/** Some back ends send this reason with the answer to a prompt that was not blocked. */
const unspecified = /^BLOCK(ED)?_REASON_UNSPECIFIED$/

const isContent = (part: Part): boolean => part._tag === "Image" || (part._tag === "Text" && part.text.trim() !== "")

const toEnding = (reason: string | null | undefined, message: string | null | undefined): Ending | undefined =>
  reason == null ? undefined : { reason, message: message ?? undefined }

const describeFinish = ({ message, reason }: Ending): string =>
  message === undefined ? reason : `${reason} (${message})`

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

/** Returns `undefined` for parts that are not supported: audio, and code that ran at the provider. */
const toPart = (
  model: string,
  { functionCall, inlineData, text, thought, thoughtSignature }: typeof WirePart.Type,
): Part | "malformed" | undefined => {
  // Some back ends send an empty id instead of none.
  const id = functionCall?.id || undefined
  const meta = GeminiMetadata.write(model, { id, thoughtSignature: thoughtSignature ?? undefined })
  if (functionCall != null) {
    const { args, name, partialArgs, willContinue } = functionCall
    const parameters = parseArguments(args)
    if (!name || parameters === undefined || partialArgs != null || willContinue === true) return "malformed"
    return Part.ToolUse({ id, name, parameters, meta })
  }
  if (inlineData?.data && inlineData.mimeType?.startsWith("image/")) {
    return Part.Image({ media_type: inlineData.mimeType, data: inlineData.data, meta })
  }
  if (text == null || (text === "" && meta === undefined)) return undefined
  return thought === true ? Part.Thinking({ text, meta }) : Part.Text({ text, meta })
}
