/** Encodes a request for Chat Completions. Pure. */

import * as Schema from "effect/Schema"
import type { JsonObject } from "../../base/Json.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { CompatibleServer } from "../../model/CompatibleServers.ts"
import type { Request } from "../../model/Request.ts"
import { isStrict, restrictSchema } from "../shared/answerSchema.ts"
import { type Declaration, declarations, reasoningEffort } from "../shared/openAiRequest.ts"
import { toWireName } from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { metadataOf } from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wireJson.ts"

/**
 * The ways to encode the messages of the model:
 * - `full`: with the provider metadata that it requires back
 * - `plain`: without it, after the provider rejected it because a key, a route or a version has changed
 */
export type Form = "full" | "plain"

type WireMessage =
  | { readonly role: "system" | "developer"; readonly content: string }
  | { readonly role: "user"; readonly content: string | ReadonlyArray<ContentPart> }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }
  | AssistantMessage

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } }

interface AssistantMessage {
  readonly role: "assistant"
  /** The text, or `null` for a message that only has calls. Only Mistral has thinking parts. */
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
  readonly reasoning_effort?: string
  /** OpenRouter's parameter for the models of all providers. */
  readonly reasoning?: { readonly effort: string }
}

/** Encodes the successive requests to one model. */
export const makeEncoder = (server: CompatibleServer, model: string): ((request: Request, form: Form) => Body) => {
  const messagesIn = {
    full: Turns.makeEncoder(rules(server), messagesOf(server, model, "full")),
    plain: Turns.makeEncoder(rules(server), messagesOf(server, model, "plain")),
  }
  const reasons = server.reasons?.(model) === true
  return (
    { answerSchema, maxOutputTokens, messages, system, temperature, thinking, toolChoice = "auto", tools },
    form,
  ) => ({
    model,
    stream: true,
    ...(server.asksForUsage && { stream_options: { include_usage: true } }),
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
        tool_choice: { type: "function", function: { name: toWireName(toolChoice.tool) } },
      }),
    }),
    ...(answerSchema !== undefined && {
      response_format: { type: "json_schema", json_schema: toJsonSchemaFormat(answerSchema) },
    }),
    ...(maxOutputTokens !== undefined && { [server.maxTokensField]: maxOutputTokens }),
    ...(temperature !== undefined && !reasons && { temperature }),
    ...toReasoning(model, reasons ? thinking : undefined),
    ...(server.name === "openrouter" && thinking !== undefined && { reasoning: { effort: toEffort(thinking) } }),
  })
}

const toReasoning = (model: string, thinking: Request["thinking"]): Pick<Body, "reasoning_effort"> => {
  const effort = reasoningEffort(model, thinking)
  return effort === undefined ? {} : { reasoning_effort: effort }
}

/** OpenRouter maps the effort to what the model's own provider supports. */
const toEffort = (thinking: NonNullable<Request["thinking"]>): string => (thinking === "off" ? "none" : thinking)

const toJsonSchemaFormat = (answerSchema: JsonObject) => {
  const schema = restrictSchema(answerSchema)
  return { name: "answer", strict: isStrict(schema), schema }
}

/** This text replaces an image if the server supports none. */
const imagePlaceholder = Block.text("[a picture]")

/** Assistant messages cannot contain images. */
const rules = ({ callId }: CompatibleServer): Turns.Rules => ({
  callId,
  block: (block) => (block.type === "image" ? imagePlaceholder : block),
})

const messagesOf =
  (server: CompatibleServer, model: string, form: Form) =>
  (turn: Turns.Turn): ReadonlyArray<WireMessage> =>
    turn.role === "user"
      ? [...turn.results.map(toolMessage), ...userMessages(server, turn.content)]
      : assistantMessages(server, turn.blocks, form === "full" ? model : undefined)

const toolMessage = ({ call, message }: Turns.CallResult): WireMessage => ({
  role: "tool",
  tool_call_id: call.id,
  content: Message.text(message).toWellFormed(),
})

/** A notice becomes a text of the user, since some servers accept no system messages within a conversation. */
const contentPart = ({ takesParts }: CompatibleServer, block: Turns.UserContent["block"]): ContentPart => {
  if (block.type === "text") return { type: "text", text: block.text.toWellFormed() }
  return takesParts
    ? { type: "image_url", image_url: { url: `data:${block.media_type};base64,${block.data}` } }
    : imagePlaceholder
}

const userMessages = (
  server: CompatibleServer,
  content: ReadonlyArray<Turns.UserContent>,
): ReadonlyArray<WireMessage> => {
  const parts = content.map(({ block }) => contentPart(server, block))
  if (parts.length > 1 && server.takesParts) return [{ role: "user", content: parts }]
  return parts.map((part) => ({ role: "user", content: part.type === "text" ? part.text : [part] }))
}

/** Sends back only the metadata of `model`, or none if it is `undefined`. */
const assistantMessages = (
  server: CompatibleServer,
  blocks: ReadonlyArray<Block.Block>,
  model: string | undefined,
): ReadonlyArray<WireMessage> => {
  const text = blocks
    .flatMap((block) => (block.type === "text" && block.text !== "" ? [block.text.toWellFormed()] : []))
    .join("\n")
  const calls = blocks.filter(Block.isToolUse).map((call) => toWireCall(server, call, model))
  if (text === "" && calls.length === 0) return []
  const thinking = model === undefined ? {} : thinkingIn(server, blocks, model)
  const { parts, ...fields } = { parts: undefined, ...thinking }
  const content = text === "" ? [] : [{ type: "text" as const, text }]
  return [
    {
      role: "assistant",
      content: parts === undefined ? text || null : [...parts, ...content],
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(calls.length > 0 && server.missesThinking === true && { reasoning_content: "" }),
      ...fields,
    },
  ]
}

const toWireCall = (server: CompatibleServer, call: Block.ToolUse, model: string | undefined): WireCall => {
  const extra = model === undefined ? undefined : metadataFor(server.name).read(call.meta, model)?.extra
  return {
    id: call.id,
    type: "function",
    function: { name: toWireName(call.name), arguments: JSON.stringify(wellFormedIn(call.parameters)) },
    ...(extra !== undefined && { extra_content: extra }),
  }
}

/** Returns the thinking of this model in the form that its metadata requires. */
const thinkingIn = ({ name, thinking }: CompatibleServer, blocks: ReadonlyArray<Block.Block>, model: string) => {
  const { read } = metadataFor(name)
  const at = blocks.findLastIndex((block) => block.type === "thinking" && read(block.meta, model) !== undefined)
  const { details, thinking: field } = read(blocks[at]?.meta, model) ?? {}
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

const ChatMetadata = Schema.Struct({
  /** The model that produced it; it is not sent to another model. */
  model: Schema.String,
  /** The field in which thinking arrived, kept in a block after that thinking. */
  thinking: Schema.optional(Schema.Literal("reasoning", "reasoning_content", "parts")),
  /** OpenRouter's `reasoning_details`, joined. They replace the field of the thinking. */
  details: Schema.optional(Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown }))),
  /** The `extra_content` of a call, which holds the signature of Google's models. */
  extra: Schema.optional(Schema.Unknown),
})
export type ChatMetadata = typeof ChatMetadata.Type

/** The data that a server requires back with a block. */
export const metadataFor = metadataOf(ChatMetadata)
