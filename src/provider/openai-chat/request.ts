/** A request in the shape that servers take who speak chat completions. Pure. */
import * as Block from "../../message/Block.ts"
import type { JsonObject } from "../../message/Json.ts"
import * as Message from "../../message/Message.ts"
import type { Request } from "../../model/Request.ts"
import { held, isStrict } from "../shared/answerSchema.ts"
import { type Declaration, declarations } from "../shared/openAiTools.ts"
import { onWire } from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wellFormed.ts"
import * as ChatMeta from "./metadata.ts"
import type { Dialect } from "./servers.ts"

/**
 * How what the model did is told:
 * - `whole`: with what it wants back of its own
 * - `plain`: without, since the provider refused it: a key, a route or a version has changed
 */
export type Form = "whole" | "plain"

export type WireMessage =
  | { readonly role: "system" | "developer"; readonly content: string }
  | { readonly role: "user"; readonly content: string | ReadonlyArray<ContentPart> }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }
  | AssistantMessage

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }

interface AssistantMessage {
  readonly role: "assistant"
  /** `null` beside calls alone. The parts of thinking are Mistral's. */
  readonly content:
    | string
    | null
    | ReadonlyArray<ContentPart | { readonly type: "thinking"; readonly thinking: ReadonlyArray<ContentPart> }>
  readonly tool_calls?: ReadonlyArray<WireCall>
  readonly reasoning?: string
  readonly reasoning_content?: string
  readonly reasoning_details?: ReadonlyArray<unknown>
}

interface WireCall {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
  readonly extra_content?: unknown
}

export interface Body {
  readonly model: string
  readonly stream: true
  readonly stream_options?: { readonly include_usage: true }
  readonly messages: ReadonlyArray<WireMessage>
  readonly tools?: ReadonlyArray<{ readonly type: "function"; readonly function: Declaration }>
  readonly tool_choice?: "none" | { readonly type: "function"; readonly function: { readonly name: string } }
  readonly response_format?: {
    readonly type: "json_schema"
    readonly json_schema: { readonly name: string; readonly strict: boolean; readonly schema: Record<string, unknown> }
  }
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly temperature?: number
}

/** Encodes the requests to one model, one after the other. */
export const encoder = (dialect: Dialect, model: string): ((request: Request, form: Form) => Body) => {
  const messagesIn = {
    whole: Turns.encoder(rules(dialect), messagesOf(dialect, model, "whole")),
    plain: Turns.encoder(rules(dialect), messagesOf(dialect, model, "plain")),
  }
  const reasons = dialect.reasons?.(model) === true
  return ({ answerSchema, maxOutputTokens, messages, system, temperature, toolChoice = "auto", tools }, form) => ({
    model,
    stream: true,
    ...(dialect.asksForUsage && { stream_options: { include_usage: true } }),
    messages: [
      ...(system === ""
        ? []
        : [{ role: reasons ? ("developer" as const) : ("system" as const), content: system.toWellFormed() }]),
      ...messagesIn[form](messages),
    ],
    ...(tools.length > 0 && {
      tools: declarations(tools).map((declaration) => ({ type: "function" as const, function: declaration })),
      ...(toolChoice === "none" && { tool_choice: "none" }),
      ...(typeof toolChoice === "object" && {
        tool_choice: { type: "function", function: { name: onWire(toolChoice.tool) } },
      }),
    }),
    ...(answerSchema !== undefined && { response_format: { type: "json_schema", json_schema: format(answerSchema) } }),
    ...(maxOutputTokens !== undefined && { [dialect.longest]: maxOutputTokens }),
    ...(temperature !== undefined && !reasons && { temperature }),
  })
}

const format = (answerSchema: JsonObject) => {
  const schema = held(answerSchema)
  return { name: "answer", strict: isStrict(schema), schema }
}

/** Stands for one where there is no place for it. */
const picture = Block.text("[a picture]")

/** There is no place for a picture in what the model said. */
const rules = ({ callId }: Dialect): Turns.Rules => ({
  callId,
  block: (block) => (block.type === "image" ? picture : block),
})

const messagesOf =
  (dialect: Dialect, model: string, form: Form) =>
  (turn: Turns.Turn): ReadonlyArray<WireMessage> =>
    turn.role === "user"
      ? [...turn.answers.map(answerMessage), ...userMessages(dialect, turn.said)]
      : assistantMessages(dialect, turn.blocks, form === "whole" ? model : undefined)

const answerMessage = ({ call, message }: Turns.Answer): WireMessage => ({
  role: "tool",
  tool_call_id: call.id,
  content: Message.text(message).toWellFormed(),
})

/** A notice becomes a text of the user's: not every server takes a system message in mid-conversation. */
const contentPart = ({ takesParts }: Dialect, block: Turns.Said["block"]): ContentPart => {
  if (block.type === "text") return { type: "text", text: block.text.toWellFormed() }
  return takesParts
    ? { type: "image_url", image_url: { url: `data:${block.media_type};base64,${block.data}` } }
    : picture
}

const userMessages = (dialect: Dialect, said: ReadonlyArray<Turns.Said>): ReadonlyArray<WireMessage> => {
  const parts = said.map(({ block }) => contentPart(dialect, block))
  if (parts.length > 1 && dialect.takesParts) return [{ role: "user", content: parts }]
  return parts.map((part) => ({ role: "user", content: part.type === "text" ? part.text : [part] }))
}

/** `model`: the one that gets back what it wants of its own; none where nobody does. */
const assistantMessages = (
  dialect: Dialect,
  blocks: ReadonlyArray<Block.Block>,
  model: string | undefined,
): ReadonlyArray<WireMessage> => {
  const text = blocks
    .flatMap((block) => (block.type === "text" && block.text !== "" ? [block.text.toWellFormed()] : []))
    .join("\n")
  const calls = blocks.filter(Block.isToolUse).map((call) => callOf(dialect, call, model))
  if (text === "" && calls.length === 0) return []
  const thinking = model === undefined ? {} : thinkingIn(dialect, blocks, model)
  const { parts, ...fields } = { parts: undefined, ...thinking }
  const said = text === "" ? [] : [{ type: "text" as const, text }]
  return [
    {
      role: "assistant",
      content: parts === undefined ? text || null : [...parts, ...said],
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(calls.length > 0 && dialect.missesThinking === true && { reasoning_content: "" }),
      ...fields,
    },
  ]
}

const callOf = (dialect: Dialect, call: Block.ToolUse, model: string | undefined): WireCall => {
  const extra = model === undefined ? undefined : ChatMeta.read(call.meta, dialect.name, model)?.extra
  return {
    id: call.id,
    type: "function",
    function: { name: onWire(call.name), arguments: JSON.stringify(wellFormedIn(call.parameters)) },
    ...(extra !== undefined && { extra_content: extra }),
  }
}

/** What this model thought, as it wants it back: what stands behind its thinking says how. */
const thinkingIn = ({ name, thinking }: Dialect, blocks: ReadonlyArray<Block.Block>, model: string) => {
  const at = blocks.findLastIndex(
    (block) => block.type === "thinking" && ChatMeta.read(block.meta, name, model) !== undefined,
  )
  const { details, thinking: field } = ChatMeta.read(blocks[at]?.meta, name, model) ?? {}
  if (thinking === "details") return details === undefined ? {} : { reasoning_details: details }
  const text = blocks
    .slice(0, at)
    .flatMap((block) => (block.type === "thinking" ? [block.text.toWellFormed()] : []))
    .join("")
  if (thinking === "none" || field === undefined || text === "") return {}
  if (thinking === "parts")
    return { parts: [{ type: "thinking" as const, thinking: [{ type: "text" as const, text }] }] }
  return field === "parts" ? {} : { [field]: text }
}
