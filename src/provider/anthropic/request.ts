/** A request in the shape that Anthropic's Messages take: its rules of history, and the thinking it wants back. Pure. */
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { Request } from "../../model/Request.ts"
import { held } from "../shared/answerSchema.ts"
import { onWire } from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wellFormed.ts"
import * as AnthropicMeta from "./metadata.ts"
import { type Declaration, declarations, remembered } from "./tools.ts"

/**
 * How what the model did is told:
 * - `signed`: with its thinking, as it came
 * - `unsigned`: without, since the provider refused it: a key or a route has changed
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
}

export interface WireMessage {
  readonly role: "user" | "assistant"
  readonly content: ReadonlyArray<Content>
}

/** Up to here a request begins as the one before it did: the provider keeps what it made of that, and asks less for it. */
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

/** Encodes the requests to one model, one after the other. `longest`: the answer to ask for where a request does not say. */
export const encoder = (model: string, longest: number): ((request: Request, form: Form) => Body) => {
  const messagesIn = {
    signed: Turns.encoder(rules(model, "signed"), messageOf(model)),
    unsigned: Turns.encoder(rules(model, "unsigned"), messageOf(model)),
  }
  return (request, form) => ({
    model,
    stream: true,
    max_tokens: request.maxOutputTokens ?? longest,
    ...(request.system.trim() !== "" && {
      system: [{ type: "text", text: request.system.toWellFormed(), ...breakpoint }],
    }),
    messages: marked(messagesIn[form](request.messages)),
    ...toolsOf(request),
    ...(request.answerSchema !== undefined && {
      output_config: { format: { type: "json_schema", schema: held(request.answerSchema) } },
    }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
  })
}

/** Roughly how many tokens that is: four characters each. */
export const tokensOf = (body: Body): number => Math.ceil(JSON.stringify(body).length / 4)

const breakpoint = { cache_control: { type: "ephemeral" } } as const

const toolsOf = ({ messages, toolChoice = "auto", tools }: Request): Pick<Body, "tools" | "tool_choice"> => {
  const calls = tools.length === 0 ? messages.flatMap(Message.toolUses) : []
  const declared = tools.length === 0 ? remembered(calls) : declarations(tools)
  const last = declared.at(-1)
  if (last === undefined) return {}
  return {
    tools: declared.with(-1, { ...last, ...breakpoint }),
    ...((tools.length === 0 || toolChoice === "none") && { tool_choice: { type: "none" } }),
    ...(typeof toolChoice === "object" && { tool_choice: { type: "tool", name: onWire(toolChoice.tool) } }),
  }
}

/**
 * With a breakpoint at the end, for the next request, and one where the request before this one had it. With those of
 * tools and system prompt these are the four that Anthropic allows.
 */
const marked = (messages: ReadonlyArray<WireMessage>): ReadonlyArray<WireMessage> =>
  messages.map((message, index) =>
    index === messages.length - 1 || index === messages.length - 3 ? ended(message) : message,
  )

const ended = (message: WireMessage): WireMessage => {
  const last = message.content.at(-1)
  return last === undefined ? message : { ...message, content: message.content.with(-1, { ...last, ...breakpoint }) }
}

/** Thinking goes back only where the same model signed it. There is no place for a picture in what the model said. */
const rules = (model: string, form: Form): Turns.Rules => ({
  callId: /^[\w-]{1,64}$/,
  block: (block) => {
    switch (block.type) {
      case "text":
        return block.text.trim() === "" ? undefined : block
      case "image":
        return Block.text("[a picture]")
      case "thinking":
        return form === "signed" && AnthropicMeta.read(block.meta, model) !== undefined ? block : undefined
      case "tool-use":
        return block
    }
  },
})

const messageOf =
  (model: string) =>
  (turn: Turns.Turn): ReadonlyArray<WireMessage> =>
    turn.role === "user"
      ? [{ role: "user", content: [...turn.answers.map(answered), ...turn.said.map(said)] }]
      : [{ role: "assistant", content: callsLast(turn.blocks.flatMap((block) => contentOf(block, model))) }]

const answered = ({ call, message }: Turns.Answer): Content => {
  const text = Message.text(message)
  return {
    type: "tool_result",
    tool_use_id: call.id,
    ...(text.trim() !== "" && { content: text.toWellFormed() }),
    ...(message.isError === true && { is_error: true }),
  }
}

/** A notice becomes a text of the user's. */
const said = ({ block }: Turns.Said): Content => {
  if (block.type === "text") return { type: "text", text: block.text.toWellFormed() }
  const { data, media_type } = block
  return seen.has(media_type)
    ? { type: "image", source: { type: "base64", media_type, data } }
    : { type: "text", text: `[a picture that cannot be shown here: ${media_type}]` }
}

/** Pictures that Anthropic takes. */
const seen = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"])

const contentOf = (block: Block.Block, model: string): ReadonlyArray<Content> => {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text.toWellFormed() }]
    case "tool-use":
      return [{ type: "tool_use", id: block.id, name: onWire(block.name), input: wellFormedIn(block.parameters) }]
    case "thinking": {
      const meta = AnthropicMeta.read(block.meta, model)
      if (meta === undefined) return []
      return "redacted" in meta
        ? [{ type: "redacted_thinking", data: meta.redacted }]
        : [{ type: "thinking", thinking: meta.thinking, signature: meta.signature }]
    }
    case "image":
      return []
  }
}

/** Words after a call are refused: they move before the first. What a model of Anthropic's said stays as it came. */
const callsLast = (content: ReadonlyArray<Content>): ReadonlyArray<Content> => {
  const first = content.findIndex(({ type }) => type === "tool_use")
  const late = first === -1 ? [] : content.slice(first).filter(({ type }) => type === "text")
  return late.length === 0
    ? content
    : [...content.slice(0, first), ...late, ...content.slice(first).filter(({ type }) => type !== "text")]
}
