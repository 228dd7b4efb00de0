/** A request in the shape Ollama takes, and how much it comes to. Pure. */
import type * as Block from "../../message/Block.ts"
import type { JsonObject } from "../../message/Json.ts"
import * as Message from "../../message/Message.ts"
import * as Tokens from "../../message/Tokens.ts"
import type { Request } from "../../model/Request.ts"
import { held } from "../shared/answerSchema.ts"
import { onWire } from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wellFormed.ts"
import * as OllamaMeta from "./metadata.ts"
import { type Declaration, declarations } from "./tools.ts"

export interface WireMessage {
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly content: string
  readonly thinking?: string
  /** Base64. */
  readonly images?: Array<string>
  readonly tool_calls?: Array<WireCall>
  /** Which call a tool answers; servers that know no ids go by the name and the order. */
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
  readonly options: { readonly num_predict?: number; readonly temperature?: number }
}

/** Encodes the requests to one model, one after the other. */
export const encoder = (model: string): ((request: Request) => Encoded) => {
  const encode = Turns.encoder(rules, messagesIn(model))
  let opening: WireMessage = { role: "system", content: "" }
  return ({ answerSchema, maxOutputTokens, messages, system, temperature, toolChoice, tools }) => {
    // The same for all requests of a run, so that it is counted once.
    if (opening.content !== system.toWellFormed()) opening = { role: "system", content: system.toWellFormed() }
    return {
      messages: [...(system === "" ? [] : [opening]), ...encode(messages)],
      tools: declarations(offered(tools, toolChoice)),
      ...(answerSchema !== undefined && { format: held(answerSchema) }),
      options: {
        ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
        ...(temperature !== undefined && { temperature }),
      },
    }
  }
}

/** There is no word here for a choice: what is not to be called is not offered. */
const offered = (tools: Request["tools"], toolChoice: Request["toolChoice"] = "auto"): Request["tools"] =>
  toolChoice === "auto" ? tools : tools.filter(({ name }) => toolChoice !== "none" && name === toolChoice.tool)

/** How many tokens the model has to read, estimated. */
export const tokensOf = ({ messages, tools }: Encoded): number =>
  Tokens.tokens({
    characters: messages.reduce((sum, message) => sum + charactersOf(message), JSON.stringify(tools).length),
    messages: messages.length,
  })

/** Counted once a message: the next request holds it again. */
const charactersOf = (message: WireMessage): number => {
  const known = counts.get(message)
  if (known !== undefined) return known
  const { images = [], ...words } = message
  const count = Tokens.lengthOf(JSON.stringify(words)) + images.length * Tokens.PICTURE
  counts.set(message, count)
  return count
}

const counts = new WeakMap<WireMessage, number>()

/** What a model drew has no place on this wire. */
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
    turn.role === "user" ? [...turn.answers.map(answer), ...words(turn.said)] : said(model, turn.blocks)

const answer = ({ call, message }: Turns.Answer): WireMessage => ({
  role: "tool",
  content: Message.text(message).toWellFormed(),
  tool_call_id: call.id,
  tool_name: onWire(call.name),
})

/** A notice is a message of its own, and the user's: some models read a system message in mid-history as the first. */
const words = (said: ReadonlyArray<Turns.Said>): ReadonlyArray<WireMessage> =>
  runs(said).map((run) => {
    const texts = run.flatMap(({ block }) => (block.type === "text" ? [block.text.toWellFormed()] : []))
    const images = run.flatMap(({ block }) => (block.type === "image" ? [block.data] : []))
    return { role: "user", content: texts.join("\n\n"), ...(images.length > 0 && { images }) }
  })

/** What one speaker said without the other in between. */
const runs = (said: ReadonlyArray<Turns.Said>): ReadonlyArray<ReadonlyArray<Turns.Said>> => {
  const runs: Array<Array<Turns.Said>> = []
  for (const one of said) {
    const last = runs.at(-1)
    if (last?.[0]?.by === one.by) last.push(one)
    else runs.push([one])
  }
  return runs
}

/** Thoughts go back to the model that had them, as long as it waits for the results of its calls. */
const said = (model: string, blocks: ReadonlyArray<Block.Block>): ReadonlyArray<WireMessage> => {
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text.toWellFormed()] : []))
  const thoughts = blocks.flatMap((block) => (block.type === "thinking" ? [block.text.toWellFormed()] : []))
  const calls = blocks.filter((block) => block.type === "tool-use")
  if (texts.length === 0 && calls.length === 0) return []
  const isOurs = calls.some(({ meta }) => OllamaMeta.isOf(model, meta))
  return [
    {
      role: "assistant",
      content: texts.join(""),
      ...(isOurs && thoughts.length > 0 && { thinking: thoughts.join("") }),
      ...(calls.length > 0 && { tool_calls: calls.map(wireCall) }),
    },
  ]
}

const wireCall = ({ id, name, parameters }: Block.ToolUse): WireCall => ({
  id,
  function: { name: onWire(name), arguments: wellFormedIn(parameters) },
})
