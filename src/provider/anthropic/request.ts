/** Encodes a request for Anthropic's Messages API. Pure. */
import * as Schema from "effect/Schema"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { Request } from "../../model/Request.ts"
import { restrictSchema } from "../shared/answerSchema.ts"
import { toWireName } from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { metadataOf } from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wireJson.ts"
import { type Declaration, declarations, declarationsOfCalls } from "./tools.ts"

/**
 * The ways to encode the messages of the model:
 * - `signed`: with its thinking and signatures
 * - `unsigned`: without them, after the provider rejected them because a key or a route has changed
 */
export type Form = "signed" | "unsigned"

export interface Body {
  readonly model: string
  readonly stream: true
  readonly max_tokens: number
  readonly system?: ReadonlyArray<Content>
  readonly messages: ReadonlyArray<WireMessage>
  readonly tools?: ReadonlyArray<Declaration & Breakpoint>
  readonly tool_choice?: { readonly type: "none" } | { readonly type: "tool"; readonly name: string }
  readonly output_config?: {
    readonly format: { readonly type: "json_schema"; readonly schema: Record<string, unknown> }
  }
  readonly temperature?: number
  readonly thinking?: { readonly type: "enabled"; readonly budget_tokens: number }
}

interface WireMessage {
  readonly role: "user" | "assistant"
  readonly content: ReadonlyArray<Content>
}

/** Marks the end of the prefix that the provider caches. */
interface Breakpoint {
  readonly cache_control?: { readonly type: "ephemeral" }
}

export type Content = Breakpoint &
  (
    | { readonly type: "text"; readonly text: string }
    | {
        readonly type: "image"
        readonly source: { readonly type: "base64"; readonly media_type: string; readonly data: string }
      }
    | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
    | { readonly type: "redacted_thinking"; readonly data: string }
    | {
        readonly type: "tool_use"
        readonly id: string
        readonly name: string
        readonly input: Record<string, unknown>
      }
    | {
        readonly type: "tool_result"
        readonly tool_use_id: string
        readonly content?: string
        readonly is_error?: true
      }
  )

/** Encodes the successive requests to one model. A request without an output limit gets `defaultMaxTokens`. */
export const makeEncoder = (model: string, defaultMaxTokens: number): ((request: Request, form: Form) => Body) => {
  const messagesIn = {
    signed: Turns.makeEncoder(rules(model, "signed"), messageOf(model)),
    unsigned: Turns.makeEncoder(rules(model, "unsigned"), messageOf(model)),
  }
  return (request, form) => ({
    model,
    stream: true,
    max_tokens: request.maxOutputTokens ?? defaultMaxTokens,
    ...(request.system.trim() !== "" && {
      system: [{ type: "text", text: request.system.toWellFormed(), ...breakpoint }],
    }),
    messages: withBreakpoints(messagesIn[form](request.messages)),
    ...toolsOf(request),
    ...(request.answerSchema !== undefined && {
      output_config: { format: { type: "json_schema", schema: restrictSchema(request.answerSchema) } },
    }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...toThinking(request, defaultMaxTokens),
  })
}

/**
 * Claude does not think unless asked. The budget counts towards the output limit. With a temperature or a required
 * tool, thinking is not allowed.
 */
const toThinking = (request: Request, defaultMaxTokens: number): Pick<Body, "thinking"> => {
  const { maxOutputTokens = defaultMaxTokens, temperature, thinking = "off", toolChoice } = request
  if (thinking === "off" || temperature !== undefined || typeof toolChoice === "object") return {}
  const budget = Math.min(budgets[thinking], Math.floor(maxOutputTokens / 2))
  return budget < MIN_BUDGET ? {} : { thinking: { type: "enabled", budget_tokens: budget } }
}

/** The budgets of thinking in tokens. */
const budgets = { low: 1_024, medium: 8_192, high: 24_576 }
const MIN_BUDGET = 1_024

/** Estimates four characters per token. */
export const estimateTokens = (body: Body): number => Math.ceil(JSON.stringify(body).length / 4)

const breakpoint = { cache_control: { type: "ephemeral" } } as const

const toolsOf = ({ messages, toolChoice = "auto", tools }: Request): Pick<Body, "tools" | "tool_choice"> => {
  const calls = tools.length === 0 ? messages.flatMap(Message.toolUses) : []
  const declared = tools.length === 0 ? declarationsOfCalls(calls) : declarations(tools)
  const last = declared.at(-1)
  if (last === undefined) return {}
  return {
    tools: declared.with(-1, { ...last, ...breakpoint }),
    ...((tools.length === 0 || toolChoice === "none") && { tool_choice: { type: "none" } }),
    ...(typeof toolChoice === "object" && { tool_choice: { type: "tool", name: toWireName(toolChoice.tool) } }),
  }
}

/**
 * Sets a cache breakpoint at the end for the next request, and another at the message that ended the previous request.
 * Together with those of the tools and the system prompt these are the four that Anthropic allows.
 */
const withBreakpoints = (messages: ReadonlyArray<WireMessage>): ReadonlyArray<WireMessage> =>
  messages.map((message, index) =>
    index === messages.length - 1 || index === messages.length - 3 ? withBreakpoint(message) : message,
  )

const withBreakpoint = (message: WireMessage): WireMessage => {
  const last = message.content.at(-1)
  return last === undefined ? message : { ...message, content: message.content.with(-1, { ...last, ...breakpoint }) }
}

/** Thinking is sent back only to the model that signed it. Assistant messages cannot contain images. */
const rules = (model: string, form: Form): Turns.Rules => ({
  callId: /^[\w-]{1,64}$/,
  block: (block) => {
    switch (block.type) {
      case "text":
        return block.text.trim() === "" ? undefined : block
      case "image":
        return Block.text("[a picture]")
      case "thinking":
        return form === "signed" && metadata.read(block.meta, model) !== undefined ? block : undefined
      case "tool-use":
        return block
    }
  },
})

const messageOf =
  (model: string) =>
  (turn: Turns.Turn): ReadonlyArray<WireMessage> =>
    turn.role === "user"
      ? [{ role: "user", content: [...turn.results.map(toToolResult), ...turn.content.map(toUserContent)] }]
      : [{ role: "assistant", content: moveTextBeforeCalls(turn.blocks.flatMap((block) => contentOf(block, model))) }]

const toToolResult = ({ call, message }: Turns.CallResult): Content => {
  const text = Message.text(message)
  return {
    type: "tool_result",
    tool_use_id: call.id,
    ...(text.trim() !== "" && { content: text.toWellFormed() }),
    ...(message.isError === true && { is_error: true }),
  }
}

/** A notice becomes a text of the user. */
const toUserContent = ({ block }: Turns.UserContent): Content => {
  if (block.type === "text") return { type: "text", text: block.text.toWellFormed() }
  const { data, media_type } = block
  return supportedImages.has(media_type)
    ? { type: "image", source: { type: "base64", media_type, data } }
    : { type: "text", text: `[a picture that cannot be shown here: ${media_type}]` }
}

/** Supported image types. */
const supportedImages = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"])

const contentOf = (block: Block.Block, model: string): ReadonlyArray<Content> => {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text.toWellFormed() }]
    case "tool-use":
      return [{ type: "tool_use", id: block.id, name: toWireName(block.name), input: wellFormedIn(block.parameters) }]
    case "thinking": {
      const meta = metadata.read(block.meta, model)
      if (meta === undefined) return []
      return "redacted" in meta
        ? [{ type: "redacted_thinking", data: meta.redacted }]
        : [{ type: "thinking", thinking: meta.thinking, signature: meta.signature }]
    }
    case "image":
      return []
  }
}

/** Moves text before the first tool call: Anthropic rejects text after a call. */
const moveTextBeforeCalls = (content: ReadonlyArray<Content>): ReadonlyArray<Content> => {
  const first = content.findIndex(({ type }) => type === "tool_use")
  const late = first === -1 ? [] : content.slice(first).filter(({ type }) => type === "text")
  return late.length === 0
    ? content
    : [...content.slice(0, first), ...late, ...content.slice(first).filter(({ type }) => type !== "text")]
}

const AnthropicMetadata = Schema.Union(
  Schema.Struct({
    /** The model that produced it; it is not sent to another model. */
    model: Schema.String,
    /** The signed text. It was already emitted in earlier blocks. */
    thinking: Schema.String,
    signature: Schema.String,
  }),
  Schema.Struct({
    model: Schema.String,
    /** The encrypted thinking. */
    redacted: Schema.String,
  }),
)

/** The data that Anthropic requires back with thinking. */
export const metadata = metadataOf(AnthropicMetadata)("anthropic")
