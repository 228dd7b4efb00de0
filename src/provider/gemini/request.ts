/** A request in the shape Gemini takes: its rules of history, and the thought signatures it wants back. Pure. */
import type { Content, FunctionCallingConfigMode, GenerateContentConfig, Part } from "@google/genai"
import type * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { Request } from "../../model/Request.ts"
import { held } from "../shared/answerSchema.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wellFormed.ts"
import * as GeminiMeta from "./metadata.ts"
import { declarations } from "./tools.ts"

/**
 * How what the model did is told:
 * - `signed`: as it came, signatures included, but for those of another model
 * - `unsigned`: without them, since the provider refused one: a key or a route has changed
 * - `told`: calls and their answers in words, since the provider refused the order of them
 */
export type Form = "signed" | "unsigned" | "told"

export interface Encoded {
  readonly contents: ReadonlyArray<Content>
  readonly config: GenerateContentConfig
}

/** Encodes the requests to one model, one after the other. */
export const encoder = (model: string): ((request: Request, form: Form) => Encoded) => {
  const contentsIn = {
    signed: Turns.encoder(rules(model, "signed"), contentIn(model, "signed")),
    unsigned: Turns.encoder(rules(model, "unsigned"), contentIn(model, "unsigned")),
    told: Turns.encoder(rules(model, "told"), contentIn(model, "told")),
  }
  return (request, form) => ({
    contents: contentsIn[form](request.messages),
    config: {
      ...(request.system !== "" && { systemInstruction: request.system.toWellFormed() }),
      ...(request.tools.length > 0 && {
        tools: [{ functionDeclarations: declarations(request.tools) }],
        ...choice(request.toolChoice),
      }),
      ...(request.answerSchema !== undefined && {
        responseMimeType: "application/json",
        responseJsonSchema: held(request.answerSchema),
      }),
      ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
      ...(request.temperature !== undefined && { temperature: request.temperature }),
    },
  })
}

const choice = (toolChoice: Request["toolChoice"] = "auto"): Pick<GenerateContentConfig, "toolConfig"> => {
  if (toolChoice === "auto") return {}
  return {
    toolConfig: {
      functionCallingConfig:
        toolChoice === "none"
          ? { mode: mode("NONE") }
          : { mode: mode("ANY"), allowedFunctionNames: [ToolNames.onWire(toolChoice.tool)] },
    },
  }
}

/** Its members are these strings, and to name one of them would load the SDK. */
const mode = (value: `${FunctionCallingConfigMode}`) => value as FunctionCallingConfigMode

/** Roughly how many tokens that is: four characters each. */
export const tokensOf = (encoded: Encoded): number => Math.ceil(JSON.stringify(encoded).length / 4)

/** Thinking, and words without a text, go back only where they are signed. */
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
      const answers = turn.answers.flatMap(form === "told" ? answerInWords : answerPart)
      return [{ role: "user", parts: [...answers, ...turn.said.flatMap(word)] }]
    }
    const parts = turn.blocks.flatMap((block) =>
      form === "told" && block.type === "tool-use"
        ? textParts(`[${block.name} was called with ${JSON.stringify(block.parameters)}]`, undefined)
        : modelParts(block, signatureOf(block, model, form)),
    )
    return [{ role: "model", parts: needsSignature(model) || form === "unsigned" ? excused(parts) : parts }]
  }

const answerPart = ({ call, message }: Turns.Answer): ReadonlyArray<Part> => {
  const { id } = GeminiMeta.read(call.meta)
  const text = Message.text(message).toWellFormed()
  const response = message.isError === true ? { error: text } : { output: text }
  return [{ functionResponse: { ...(id !== undefined && { id }), name: ToolNames.onWire(call.name), response } }]
}

const answerInWords = ({ call, message }: Turns.Answer): ReadonlyArray<Part> =>
  textParts(`[${call.name} answered] ${Message.text(message)}`, undefined)

/** A notice becomes a text of the user's. */
const word = ({ block }: Turns.Said): ReadonlyArray<Part> =>
  block.type === "image" ? [imagePart(block, undefined)] : textParts(block.text, undefined)

const modelParts = (block: Block.Block, thoughtSignature: string | undefined): ReadonlyArray<Part> => {
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
      const { id } = GeminiMeta.read(block.meta)
      const functionCall = {
        ...(id !== undefined && { id }),
        name: ToolNames.onWire(block.name),
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

/** Some back ends refuse an empty text; with a signature it is what the model said. */
const textParts = (text: string, thoughtSignature: string | undefined): ReadonlyArray<Part> =>
  thoughtSignature !== undefined
    ? [{ text: text.toWellFormed(), thoughtSignature }]
    : text === ""
      ? []
      : [{ text: text.toWellFormed() }]

const signatureOf = ({ meta }: Block.Block, model: string, form: Form): string | undefined => {
  const signed = GeminiMeta.read(meta)
  return form === "signed" && (signed.model ?? model) === model ? signed.thoughtSignature : undefined
}

/** From version 3 on a call without a signature is refused; the names without a number are newer models' too. */
const needsSignature = (model: string): boolean => {
  const named = /\bgemini-(?:(\d+)|)/.exec(model)
  return named !== null && Number(named[1] ?? 3) >= 3
}

/**
 * Excuses the first call of a content for having no signature (history of another model), in the words Google set
 * down for that: ai.google.dev/gemini-api/docs/thought-signatures. The calls beside the first never have one.
 */
const excused = (parts: ReadonlyArray<Part>): Array<Part> => {
  const first = parts.findIndex((part) => part.functionCall !== undefined)
  return first === -1 || parts[first]?.thoughtSignature !== undefined
    ? [...parts]
    : parts.with(first, { ...parts[first], thoughtSignature: "skip_thought_signature_validator" })
}
