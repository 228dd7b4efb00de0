/** Encodes a request for Gemini, with the thought signatures that it requires back. Pure. */
import type { Content, FunctionCallingConfigMode, GenerateContentConfig, Part, ThinkingLevel } from "@google/genai"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { Request } from "../../model/Request.ts"
import { restrictSchema } from "../shared/answerSchema.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wireJson.ts"
import * as GeminiMetadata from "./metadata.ts"
import { declarations } from "./tools.ts"

/**
 * The ways to encode the messages of the model:
 * - `signed`: as received, with the signatures of the same model
 * - `unsigned`: without signatures, after the provider rejected one because a key or a route has changed
 * - `asText`: calls and their results as text, after the provider rejected their order
 */
export type Form = "signed" | "unsigned" | "asText"

export interface Encoded {
  readonly contents: ReadonlyArray<Content>
  readonly config: GenerateContentConfig
}

/** Encodes the successive requests to one model. */
export const makeEncoder = (model: string): ((request: Request, form: Form) => Encoded) => {
  const contentsIn = {
    signed: Turns.makeEncoder(rules(model, "signed"), contentIn(model, "signed")),
    unsigned: Turns.makeEncoder(rules(model, "unsigned"), contentIn(model, "unsigned")),
    asText: Turns.makeEncoder(rules(model, "asText"), contentIn(model, "asText")),
  }
  return (request, form) => ({
    contents: contentsIn[form](request.messages),
    config: {
      ...(request.system !== "" && { systemInstruction: request.system.toWellFormed() }),
      ...(request.tools.length > 0 && {
        tools: [{ functionDeclarations: declarations(request.tools) }],
        ...toToolConfig(request.toolChoice),
      }),
      ...(request.answerSchema !== undefined && {
        responseMimeType: "application/json",
        responseJsonSchema: restrictSchema(request.answerSchema),
      }),
      ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...toThinkingConfig(model, request.thinking),
    },
  })
}

const toToolConfig = (toolChoice: Request["toolChoice"] = "auto"): Pick<GenerateContentConfig, "toolConfig"> => {
  if (toolChoice === "auto") return {}
  return {
    toolConfig: {
      functionCallingConfig:
        toolChoice === "none"
          ? { mode: mode("NONE") }
          : { mode: mode("ANY"), allowedFunctionNames: [ToolNames.toWireName(toolChoice.tool)] },
    },
  }
}

/**
 * Gemini 2.5 has a thinking budget in tokens; its Pro model needs at least 128. Later versions have levels; their Pro
 * models have no `MINIMAL`. Earlier versions, and models that are not Gemini, do not think. See
 * ai.google.dev/gemini-api/docs/thinking
 */
const toThinkingConfig = (
  model: string,
  thinking: Request["thinking"],
): Pick<GenerateContentConfig, "thinkingConfig"> => {
  const version = /\bgemini-(?:(\d+(?:\.\d+)?)|)/.exec(model)
  if (thinking === undefined || version === null) return {}
  const number = Number(version[1] ?? 3)
  const isPro = /\bpro\b/.test(model)
  if (number < 2.5) return {}
  if (number < 3) return { thinkingConfig: { thinkingBudget: isPro && thinking === "off" ? 128 : budgets[thinking] } }
  return { thinkingConfig: { thinkingLevel: level(isPro && thinking === "off" ? "LOW" : levels[thinking]) } }
}

/** The budgets of thinking in tokens. */
const budgets = { off: 0, low: 1_024, medium: 8_192, high: 24_576 }

const levels = { off: "MINIMAL", low: "LOW", medium: "MEDIUM", high: "HIGH" } as const

/** The members of the enums are these strings; importing an enum would load the SDK. */
const level = (value: `${ThinkingLevel}`) => value as ThinkingLevel

const mode = (value: `${FunctionCallingConfigMode}`) => value as FunctionCallingConfigMode

/** Estimates four characters per token. */
export const estimateTokens = (encoded: Encoded): number => Math.ceil(JSON.stringify(encoded).length / 4)

/** Thinking, and empty text, are sent back only with a signature. */
const rules = (model: string, form: Form): Turns.Rules => ({
  block: (block) =>
    block.type === "tool-use" ||
    block.type === "image" ||
    (block.type === "text" && block.text !== "") ||
    signatureOf(block, model, form) !== undefined
      ? block
      : undefined,
})

const contentIn =
  (model: string, form: Form) =>
  (turn: Turns.Turn): ReadonlyArray<Content> => {
    if (turn.role === "user") {
      const idOf = distinctIds(turn.results.map(({ call }) => call))
      const results = turn.results.flatMap((result) =>
        form === "asText" ? resultAsText(result) : resultParts(result, idOf(result.call)),
      )
      return [{ role: "user", parts: [...results, ...turn.content.flatMap(userParts)] }]
    }
    const idOf = distinctIds(turn.blocks.filter(Block.isToolUse))
    const parts = turn.blocks.flatMap((block) =>
      form === "asText" && block.type === "tool-use"
        ? textParts(`[${block.name} was called with ${JSON.stringify(block.parameters)}]`, undefined)
        : modelParts(block, signatureOf(block, model, form), idOf),
    )
    return [
      { role: "model", parts: needsSignature(model) || form === "unsigned" ? withPlaceholderSignature(parts) : parts },
    ]
  }

type IdOf = (call: Block.ToolUse) => string | undefined

/**
 * Returns the ids of the calls of one turn, which are the provider's, or undefined for a call without one. If the
 * provider has given several calls one id, the later ones have their own id in its place, so that each result is
 * matched with its own call.
 */
const distinctIds = (calls: ReadonlyArray<Block.ToolUse>): IdOf => {
  const taken = new Set<string>()
  const ids = new Map<string, string>()
  for (const call of calls) {
    const theirs = GeminiMetadata.read(call.meta).id
    if (theirs === undefined) continue
    const id = taken.has(theirs) ? call.id : theirs
    taken.add(id)
    ids.set(call.id, id)
  }
  return (call) => ids.get(call.id)
}

const resultParts = ({ call, message }: Turns.CallResult, id: string | undefined): ReadonlyArray<Part> => {
  const text = Message.text(message).toWellFormed()
  const response = message.isError === true ? { error: text } : { output: text }
  return [{ functionResponse: { ...(id !== undefined && { id }), name: ToolNames.toWireName(call.name), response } }]
}

const resultAsText = ({ call, message }: Turns.CallResult): ReadonlyArray<Part> =>
  textParts(`[${call.name} answered] ${Message.text(message)}`, undefined)

/** A notice becomes a text of the user. */
const userParts = ({ block }: Turns.UserContent): ReadonlyArray<Part> =>
  block.type === "image" ? [imagePart(block, undefined)] : textParts(block.text, undefined)

const modelParts = (block: Block.Block, thoughtSignature: string | undefined, idOf: IdOf): ReadonlyArray<Part> => {
  switch (block.type) {
    case "text":
      return textParts(block.text, thoughtSignature)
    case "image":
      return [imagePart(block, thoughtSignature)]
    case "thinking":
      return thoughtSignature === undefined
        ? []
        : [{ text: block.text.toWellFormed(), thought: true, thoughtSignature }]
    case "tool-use": {
      const id = idOf(block)
      const functionCall = {
        ...(id !== undefined && { id }),
        name: ToolNames.toWireName(block.name),
        args: wellFormedIn(block.parameters),
      }
      return [{ functionCall, ...(thoughtSignature !== undefined && { thoughtSignature }) }]
    }
  }
}

const imagePart = ({ data, media_type }: Block.Image, thoughtSignature: string | undefined): Part => ({
  inlineData: { mimeType: media_type, data },
  ...(thoughtSignature !== undefined && { thoughtSignature }),
})

/** Some back ends reject an empty text, so it is kept only with a signature. */
const textParts = (text: string, thoughtSignature: string | undefined): ReadonlyArray<Part> =>
  thoughtSignature !== undefined
    ? [{ text: text.toWellFormed(), thoughtSignature }]
    : text === ""
      ? []
      : [{ text: text.toWellFormed() }]

const signatureOf = ({ meta }: Block.Block, model: string, form: Form): string | undefined => {
  const signed = GeminiMetadata.read(meta)
  return form === "signed" && (signed.model ?? model) === model ? signed.thoughtSignature : undefined
}

/** Versions from 3 on reject calls without a signature. A name without a number belongs to a newer model. */
const needsSignature = (model: string): boolean => {
  const named = /\bgemini-(?:(\d+)|)/.exec(model)
  return named !== null && Number(named[1] ?? 3) >= 3
}

/**
 * Gives the first call of a content without a signature (history of another model) the placeholder that Google
 * documents: ai.google.dev/gemini-api/docs/thought-signatures. Parallel calls after the first never have one.
 */
const withPlaceholderSignature = (parts: ReadonlyArray<Part>): Array<Part> => {
  const first = parts.findIndex((part) => part.functionCall !== undefined)
  return first === -1 || parts[first]?.thoughtSignature !== undefined
    ? [...parts]
    : parts.with(first, { ...parts[first], thoughtSignature: "skip_thought_signature_validator" })
}
