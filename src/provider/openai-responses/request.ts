/** A request in the shape that OpenAI's Responses take: a list of items. Pure. */
import * as Block from "../../message/Block.ts"
import type { JsonObject } from "../../message/Json.ts"
import * as Message from "../../message/Message.ts"
import type { Request } from "../../model/Request.ts"
import { held, isStrict } from "../shared/answerSchema.ts"
import { type Declaration, declarations } from "../shared/openAiTools.ts"
import { onWire } from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wellFormed.ts"
import * as ResponsesMeta from "./metadata.ts"

/**
 * How what the model did is told:
 * - `whole`: with its reasoning, encrypted as it came
 * - `plain`: without, since the provider refused it: a key or a route has changed
 */
export type Form = "whole" | "plain"

export type Item =
  | { readonly role: "user"; readonly content: ReadonlyArray<ContentPart> }
  | {
      readonly role: "assistant"
      readonly content: ReadonlyArray<{ readonly type: "output_text"; readonly text: string }>
    }
  | { readonly type: "function_call"; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: "function_call_output"; readonly call_id: string; readonly output: string }
  | Reasoning

interface Reasoning {
  readonly type: "reasoning"
  readonly encrypted_content: string
  readonly summary: ReadonlyArray<{ readonly type: "summary_text"; readonly text: string }>
}

type ContentPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string; readonly detail: "auto" }

export interface Body {
  readonly model: string
  readonly stream: true
  /** Nothing is kept at OpenAI: what it is to know comes with each request. */
  readonly store: false
  readonly include?: ReadonlyArray<"reasoning.encrypted_content">
  readonly instructions?: string
  readonly input: ReadonlyArray<Item>
  readonly tools?: ReadonlyArray<Declaration & { readonly type: "function"; readonly strict: false }>
  readonly tool_choice?: "none" | { readonly type: "function"; readonly name: string }
  readonly text?: {
    readonly format: {
      readonly type: "json_schema"
      readonly name: string
      readonly strict: boolean
      readonly schema: Record<string, unknown>
    }
  }
  readonly max_output_tokens?: number
  readonly temperature?: number
}

/** Encodes the requests to one model, one after the other. `reasons`: it takes no temperature, and wants its reasoning back. */
export const encoder = (model: string, reasons: boolean): ((request: Request, form: Form) => Body) => {
  const itemsIn = {
    whole: Turns.encoder(rules, itemsOf(reasons ? model : undefined)),
    plain: Turns.encoder(rules, itemsOf(undefined)),
  }
  return ({ answerSchema, maxOutputTokens, messages, system, temperature, toolChoice = "auto", tools }, form) => ({
    model,
    stream: true,
    store: false,
    // A model that does not reason refuses it.
    ...(reasons && { include: ["reasoning.encrypted_content"] }),
    ...(system !== "" && { instructions: system.toWellFormed() }),
    input: itemsIn[form](messages),
    ...(tools.length > 0 && {
      tools: declarations(tools).map((declaration) => ({ type: "function", strict: false, ...declaration })),
      ...(toolChoice === "none" && { tool_choice: "none" }),
      ...(typeof toolChoice === "object" && { tool_choice: { type: "function", name: onWire(toolChoice.tool) } }),
    }),
    ...(answerSchema !== undefined && { text: { format: format(answerSchema) } }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: Math.max(fewest, maxOutputTokens) }),
    ...(temperature !== undefined && !reasons && { temperature }),
  })
}

const format = (answerSchema: JsonObject) => {
  const schema = held(answerSchema)
  return { type: "json_schema" as const, name: "answer", strict: isStrict(schema), schema }
}

/** A shorter answer cannot be asked for. */
const fewest = 16

/** There is no place for a picture in what the model said. */
const rules: Turns.Rules = {
  callId: /^[\w-]{1,64}$/,
  block: (block) => (block.type === "image" ? Block.text("[a picture]") : block),
}

/** `model`: the one that gets its reasoning back; none where nobody does. */
const itemsOf =
  (model: string | undefined) =>
  (turn: Turns.Turn): ReadonlyArray<Item> => {
    if (turn.role === "assistant") return followed(turn.blocks.flatMap((block) => saidItem(block, model)))
    const content = turn.said.map(contentPart)
    return [...turn.answers.map(answerItem), ...(content.length > 0 ? [{ role: "user" as const, content }] : [])]
  }

const answerItem = ({ call, message }: Turns.Answer): Item => ({
  type: "function_call_output",
  call_id: call.id,
  output: Message.text(message).toWellFormed(),
})

/** A notice becomes a text of the user's. */
const contentPart = ({ block }: Turns.Said): ContentPart =>
  block.type === "image"
    ? { type: "input_image", image_url: `data:${block.media_type};base64,${block.data}`, detail: "auto" }
    : { type: "input_text", text: block.text.toWellFormed() }

/** The ids of items stay behind: with one, reasoning would be refused whose next item is not the one it came with. */
const saidItem = (block: Block.Block, model: string | undefined): ReadonlyArray<Item> => {
  switch (block.type) {
    case "text":
      return block.text === ""
        ? []
        : [{ role: "assistant", content: [{ type: "output_text", text: block.text.toWellFormed() }] }]
    case "tool-use":
      return [
        {
          type: "function_call",
          call_id: block.id,
          name: onWire(block.name),
          arguments: JSON.stringify(wellFormedIn(block.parameters)),
        },
      ]
    case "thinking": {
      const meta = model === undefined ? undefined : ResponsesMeta.read(block.meta, model)
      return meta === undefined ? [] : [reasoning(meta)]
    }
    case "image":
      return []
  }
}

const reasoning = ({ encrypted, summary }: ResponsesMeta.ResponsesMeta): Reasoning => ({
  type: "reasoning",
  encrypted_content: encrypted,
  summary: summary.map((text) => ({ type: "summary_text", text: text.toWellFormed() })),
})

/** Reasoning is refused without what it led to. */
const followed = (items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.slice(0, items.findLastIndex((item) => !("type" in item) || item.type !== "reasoning") + 1)
