/** Encodes a request for Ollama, and estimates its size. Pure. */

import * as Schema from "effect/Schema"
import type { JsonObject } from "../../base/Json.ts"
import type * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import * as Tokens from "../../message/Tokens.ts"
import type { Request } from "../../model/Request.ts"
import { restrictSchema } from "../shared/answerSchema.ts"
import { toWireName } from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { metadataOf } from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wireJson.ts"
import { type Declaration, declarations } from "./tools.ts"

interface WireMessage {
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly content: string
  readonly thinking?: string
  /** The images in Base64. */
  readonly images?: Array<string>
  readonly tool_calls?: Array<WireCall>
  /** The id of the answered call. Older servers use the name and the order. */
  readonly tool_call_id?: string
  readonly tool_name?: string
}

interface WireCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: Record<string, unknown> }
}

export interface Encoded {
  readonly messages: Array<WireMessage>
  readonly tools: Array<Declaration>
  readonly format?: JsonObject
  readonly think?: boolean | string
  readonly options: { readonly num_predict?: number; readonly temperature?: number }
}

/** Encodes the successive requests to one model. */
export const makeEncoder = (model: string): ((request: Request) => Encoded) => {
  const encode = Turns.makeEncoder(rules, messagesIn(model))
  let opening: WireMessage = { role: "system", content: "" }
  return ({ answerSchema, maxOutputTokens, messages, system, temperature, thinking, toolChoice, tools }) => {
    // All requests of a run share one object, so that its size is computed once.
    if (opening.content !== system.toWellFormed()) opening = { role: "system", content: system.toWellFormed() }
    return {
      messages: [...(system === "" ? [] : [opening]), ...encode(messages)],
      tools: declarations(chosenTools(tools, toolChoice)),
      ...(answerSchema !== undefined && { format: restrictSchema(answerSchema) }),
      ...(thinking !== undefined && { think: toThink(model, thinking) }),
      options: {
        ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
        ...(temperature !== undefined && { temperature }),
      },
    }
  }
}

/** Only gpt-oss has levels, but it cannot turn thinking off. Other models either think or do not. */
const toThink = (model: string, thinking: NonNullable<Request["thinking"]>): boolean | string =>
  /\bgpt-oss\b/.test(model) ? (thinking === "off" ? "low" : thinking) : thinking !== "off"

/** The API has no tool choice: tools that must not be called are not offered. */
const chosenTools = (tools: Request["tools"], toolChoice: Request["toolChoice"] = "auto"): Request["tools"] =>
  toolChoice === "auto" ? tools : tools.filter(({ name }) => toolChoice !== "none" && name === toolChoice.tool)

/** Estimates the tokens of the prompt. */
export const estimateTokens = ({ messages, tools }: Encoded): number =>
  Tokens.tokens({
    characters: messages.reduce((sum, message) => sum + charactersOf(message), JSON.stringify(tools).length),
    messages: messages.length,
  })

/** The count is cached by message, since the next request contains the message again. */
const charactersOf = (message: WireMessage): number => {
  const known = counts.get(message)
  if (known !== undefined) return known
  const { images = [], ...words } = message
  const count = Tokens.lengthOf(JSON.stringify(words)) + images.length * Tokens.PICTURE
  counts.set(message, count)
  return count
}

const counts = new WeakMap<WireMessage, number>()

/** The API has no place for images of the assistant. */
const rules: Turns.Rules = {
  block: (block) =>
    block.type === "tool-use" || ((block.type === "text" || block.type === "thinking") && block.text.trim() !== "")
      ? block
      : undefined,
  callId: /^[\w-]{1,64}$/,
}

const messagesIn =
  (model: string) =>
  (turn: Turns.Turn): ReadonlyArray<WireMessage> =>
    turn.role === "user"
      ? [...turn.results.map(toToolMessage), ...toUserMessages(turn.content)]
      : toAssistantMessages(model, turn.blocks)

const toToolMessage = ({ call, message }: Turns.CallResult): WireMessage => ({
  role: "tool",
  content: Message.text(message).toWellFormed(),
  tool_call_id: call.id,
  tool_name: toWireName(call.name),
})

/**
 * A notice is a separate user message: some models move a system message from the middle of the history to the
 * beginning.
 */
const toUserMessages = (content: ReadonlyArray<Turns.UserContent>): ReadonlyArray<WireMessage> =>
  runs(content).map((run) => {
    const texts = run.flatMap(({ block }) => (block.type === "text" ? [block.text.toWellFormed()] : []))
    const images = run.flatMap(({ block }) => (block.type === "image" ? [block.data] : []))
    return { role: "user", content: texts.join("\n\n"), ...(images.length > 0 && { images }) }
  })

/** Groups consecutive contents of one role. */
const runs = (content: ReadonlyArray<Turns.UserContent>): ReadonlyArray<ReadonlyArray<Turns.UserContent>> => {
  const runs: Array<Array<Turns.UserContent>> = []
  for (const one of content) {
    const last = runs.at(-1)
    if (last?.[0]?.role === one.role) last.push(one)
    else runs.push([one])
  }
  return runs
}

/** Thinking is sent back to the model that produced it while it waits for tool results. */
const toAssistantMessages = (model: string, blocks: ReadonlyArray<Block.Block>): ReadonlyArray<WireMessage> => {
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text.toWellFormed()] : []))
  const thinking = blocks.flatMap((block) => (block.type === "thinking" ? [block.text.toWellFormed()] : []))
  const calls = blocks.filter((block) => block.type === "tool-use")
  if (texts.length === 0 && calls.length === 0) return []
  const isOurs = calls.some(({ meta }) => metadata.read(meta, model) !== undefined)
  return [
    {
      role: "assistant",
      content: texts.join(""),
      ...(isOurs && thinking.length > 0 && { thinking: thinking.join("") }),
      ...(calls.length > 0 && { tool_calls: calls.map(wireCall) }),
    },
  ]
}

const wireCall = ({ id, name, parameters }: Block.ToolUse): WireCall => ({
  id,
  function: { name: toWireName(name), arguments: wellFormedIn(parameters) },
})

/** The name of the model that made a call. That model gets its preceding thinking back. */
export const metadata = metadataOf(Schema.Struct({ model: Schema.String }))("ollama")
