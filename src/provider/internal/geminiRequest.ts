/** A request in the shape Gemini takes: its rules of history, and the thought signatures it wants back. Pure. */
import type { Content, GenerateContentConfig, Part } from "@google/genai"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { Request } from "../../model/Request.ts"
import { declarations } from "./geminiDeclarations.ts"
import * as GeminiMeta from "./geminiMeta.ts"

/**
 * How what the model did is told:
 * - `signed`: as it came, signatures included, but for those of another model
 * - `unsigned`: without them, since the provider refused one: a key or a route has changed
 * - `told`: calls and their answers in words, since the provider refused the order of them
 */
export type Form = "signed" | "unsigned" | "told"

export interface Encoded {
  readonly contents: Array<Content>
  readonly config: GenerateContentConfig
}

/**
 * Encodes the requests to one model, one after the other. What a request has in common with the one before it is not
 * encoded again: a run sends all of its history with each.
 *
 * Roles alternate, the user begins and ends, all answers to one turn's calls stand in one content, in the order of
 * the calls and before any text. A notice becomes a text of the user's. Thinking goes back only where it is signed.
 */
export const encoder = (model: string): ((request: Request, form: Form) => Encoded) => {
  let before: Before | undefined

  const contentsOf = (messages: ReadonlyArray<Message.Message>, form: Form): ReadonlyArray<Content> => {
    if (before?.form !== form || !isPrefix(before.messages, messages)) return contentsOfAll(model, messages, form)
    const added = contentsOfAll(model, messages.slice(before.messages.length), form)
    // Else an answer would not see its call, or one speaker have two contents in a row.
    const fits = added.length === 0 || (before.contents.at(-1)?.role === "user" && added[0]?.role === "model")
    return fits ? before.contents.concat(added) : contentsOfAll(model, messages, form)
  }

  return (request, form) => {
    const contents = contentsOf(request.messages, form)
    before = { form, messages: request.messages, contents }
    return {
      contents: (contents[0]?.role === "user" ? [] : [nudge]).concat(
        contents,
        contents.at(-1)?.role === "model" ? [nudge] : [],
      ),
      config: {
        ...(request.system !== "" && { systemInstruction: request.system.toWellFormed() }),
        ...(request.tools.length > 0 && { tools: [{ functionDeclarations: declarations(request.tools) }] }),
        ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
        ...(request.temperature !== undefined && { temperature: request.temperature }),
      },
    }
  }
}

/** A request's messages, and what became of them. */
interface Before {
  readonly form: Form
  readonly messages: ReadonlyArray<Message.Message>
  readonly contents: ReadonlyArray<Content>
}

const isPrefix = (prefix: ReadonlyArray<Message.Message>, messages: ReadonlyArray<Message.Message>): boolean =>
  prefix.length <= messages.length && prefix.every((message, index) => message === messages[index])

const contentsOfAll = (model: string, messages: ReadonlyArray<Message.Message>, form: Form): ReadonlyArray<Content> => {
  const contents = grouped(pieces(model, form === "told" ? messages.map(inWords) : messages, form))
  return needsSignature(model) || form === "unsigned" ? contents.map(excused) : contents
}

/** Roughly how many tokens that is: four characters each. */
export const tokensOf = (encoded: Encoded): number => Math.ceil(JSON.stringify(encoded).length / 4)

const inWords = (message: Message.Message): Message.Message => {
  switch (message.role) {
    case "assistant": {
      const [first, ...rest] = message.content
      return { role: "assistant", content: [callInWords(first), ...rest.map(callInWords)] }
    }
    case "tool":
      return Message.user(`[${message.name} answered] ${Message.text(message)}`)
    default:
      return message
  }
}

const callInWords = (block: Block.Block): Block.Block =>
  block.type === "tool-use" ? Block.text(`[${block.name} was called with ${JSON.stringify(block.parameters)}]`) : block

/** One part, who says it, and where in its content it has to stand. */
interface Piece {
  readonly role: "user" | "model"
  readonly rank: number
  readonly part: Part
}

/** The calls of a history by their id, each with its place among all of them. */
type Calls = ReadonlyMap<string, { readonly call: Block.ToolUse; readonly rank: number }>

const pieces = (model: string, messages: ReadonlyArray<Message.Message>, form: Form): ReadonlyArray<Piece> => {
  const calls: Calls = new Map(messages.flatMap(Message.toolUses).map((call, rank) => [call.id, { call, rank }]))
  return messages.flatMap((message) => {
    if (message.role === "tool") return [answer(message, calls)]
    if (message.role === "assistant") {
      return message.content
        .flatMap((block) => modelParts(block, signatureOf(block, model, form)))
        .map((part): Piece => ({ role: "model", rank: 0, part }))
    }
    return message.content
      .flatMap(({ text }) => textParts(text, undefined))
      .map((part): Piece => ({ role: "user", rank: Number.POSITIVE_INFINITY, part }))
  })
}

const answer = (message: Message.Tool, calls: Calls): Piece => {
  const { call, rank } = calls.get(message.tool_call_id) ?? { call: undefined, rank: calls.size }
  const { id } = GeminiMeta.read(call?.meta)
  const text = Message.text(message).toWellFormed()
  const response = message.isError === true ? { error: text } : { output: text }
  const functionResponse = { ...(id !== undefined && { id }), name: call?.name ?? message.name, response }
  return { role: "user", rank, part: { functionResponse } }
}

const modelParts = (block: Block.Block, thoughtSignature: string | undefined): ReadonlyArray<Part> => {
  switch (block.type) {
    case "text":
      return textParts(block.text, thoughtSignature)
    case "thinking":
      return thoughtSignature === undefined
        ? []
        : [{ text: block.text.toWellFormed(), thought: true, thoughtSignature }]
    case "tool-use": {
      const { id } = GeminiMeta.read(block.meta)
      const functionCall = { ...(id !== undefined && { id }), name: block.name, args: wellFormedIn(block.parameters) }
      return [{ functionCall, ...(thoughtSignature !== undefined && { thoughtSignature }) }]
    }
  }
}

/** Some back ends refuse an empty text; with a signature it is what the model said. */
const textParts = (text: string, thoughtSignature: string | undefined): ReadonlyArray<Part> =>
  thoughtSignature !== undefined
    ? [{ text: text.toWellFormed(), thoughtSignature }]
    : text === ""
      ? []
      : [{ text: text.toWellFormed() }]

const grouped = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Content> => {
  const groups: Array<Array<Piece>> = []
  for (const piece of pieces) {
    const last = groups.at(-1)
    if (last?.[0]?.role === piece.role) last.push(piece)
    else groups.push([piece])
  }
  return groups.flatMap((group) => {
    const parts = group.toSorted((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0)).map(({ part }) => part)
    return group[0] === undefined ? [] : [{ role: group[0].role, parts }]
  })
}

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
const excused = (content: Content): Content => {
  const parts = content.parts ?? []
  const first = parts.findIndex((part) => part.functionCall !== undefined)
  return first === -1 || parts[first]?.thoughtSignature !== undefined
    ? content
    : {
        ...content,
        parts: parts.with(first, { ...parts[first], thoughtSignature: "skip_thought_signature_validator" }),
      }
}

/** Where history begins or ends with the model, since a request may not. */
const nudge: Content = { role: "user", parts: [{ text: "Please continue." }] }

const wellFormedIn = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toWellFormed(), wellFormed(value)]))

/** A lone surrogate has no UTF-8: it would reach the provider as something else, or not at all. */
const wellFormed = (value: unknown): unknown =>
  typeof value === "string"
    ? value.toWellFormed()
    : Array.isArray(value)
      ? value.map(wellFormed)
      : typeof value === "object" && value !== null
        ? wellFormedIn(value)
        : value
