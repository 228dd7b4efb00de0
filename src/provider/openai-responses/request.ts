/** Encodes a request for OpenAI's Responses API, as a list of items. Pure. */

import * as Schema from "effect/Schema"
import type { JsonObject } from "../../base/Json.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { Request } from "../../model/Request.ts"
import { isStrict, restrictSchema } from "../shared/answerSchema.ts"
import { type Declaration, declarations, reasoningEffort } from "../shared/openAiRequest.ts"
import { toWireName } from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { metadataOf } from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wireJson.ts"

/**
 * The ways to encode the messages of the model:
 * - `full`: with its encrypted reasoning
 * - `plain`: without it, after the provider rejected it because a key or a route has changed
 */
export type Form = "full" | "plain"

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
  /** OpenAI stores nothing, since each request contains the whole conversation. */
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
  readonly reasoning?: { readonly effort: string }
}

/**
 * Encodes the successive requests to one model. `reasons` marks a reasoning model, which accepts no temperature and
 * requires its reasoning back.
 */
export const makeEncoder = (model: string, reasons: boolean): ((request: Request, form: Form) => Body) => {
  const itemsIn = {
    full: Turns.makeEncoder(rules, itemsOf(reasons ? model : undefined)),
    plain: Turns.makeEncoder(rules, itemsOf(undefined)),
  }
  return (
    { answerSchema, maxOutputTokens, messages, system, temperature, thinking, toolChoice = "auto", tools },
    form,
  ) => ({
    model,
    stream: true,
    store: false,
    // Models that do not reason reject this field.
    ...(reasons && { include: ["reasoning.encrypted_content"] }),
    ...(system !== "" && { instructions: system.toWellFormed() }),
    input: itemsIn[form](messages),
    ...(tools.length > 0 && {
      tools: declarations(tools).map((declaration) => ({ type: "function", strict: false, ...declaration })),
      ...(toolChoice === "none" && { tool_choice: "none" }),
      ...(typeof toolChoice === "object" && { tool_choice: { type: "function", name: toWireName(toolChoice.tool) } }),
    }),
    ...(answerSchema !== undefined && { text: { format: toJsonSchemaFormat(answerSchema) } }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: Math.max(MIN_OUTPUT_TOKENS, maxOutputTokens) }),
    ...(temperature !== undefined && !reasons && { temperature }),
    ...(reasons && toReasoning(model, thinking)),
  })
}

const toReasoning = (model: string, thinking: Request["thinking"]): Pick<Body, "reasoning"> => {
  const effort = reasoningEffort(model, thinking)
  return effort === undefined ? {} : { reasoning: { effort } }
}

const toJsonSchemaFormat = (answerSchema: JsonObject) => {
  const schema = restrictSchema(answerSchema)
  return { type: "json_schema" as const, name: "answer", strict: isStrict(schema), schema }
}

/** The smallest output limit that OpenAI accepts, in tokens. */
const MIN_OUTPUT_TOKENS = 16

/** Assistant messages cannot contain images. */
const rules: Turns.Rules = {
  callId: /^[\w-]{1,64}$/,
  block: (block) => (block.type === "image" ? Block.text("[a picture]") : block),
}

/** Sends back only the reasoning of `model`, or none if it is `undefined`. */
const itemsOf =
  (model: string | undefined) =>
  (turn: Turns.Turn): ReadonlyArray<Item> => {
    if (turn.role === "assistant")
      return dropTrailingReasoning(turn.blocks.flatMap((block) => assistantItem(block, model)))
    const content = turn.content.map(contentPart)
    return [...turn.results.map(resultItem), ...(content.length > 0 ? [{ role: "user" as const, content }] : [])]
  }

const resultItem = ({ call, message }: Turns.CallResult): Item => ({
  type: "function_call_output",
  call_id: call.id,
  output: Message.text(message).toWellFormed(),
})

/** A notice becomes a text of the user. */
const contentPart = ({ block }: Turns.UserContent): ContentPart =>
  block.type === "image"
    ? { type: "input_image", image_url: `data:${block.media_type};base64,${block.data}`, detail: "auto" }
    : { type: "input_text", text: block.text.toWellFormed() }

/** Item ids are omitted: OpenAI rejects reasoning with an id if the item after it is not the original one. */
const assistantItem = (block: Block.Block, model: string | undefined): ReadonlyArray<Item> => {
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
          name: toWireName(block.name),
          arguments: JSON.stringify(wellFormedIn(block.parameters)),
        },
      ]
    case "thinking": {
      const meta = model === undefined ? undefined : metadata.read(block.meta, model)
      return meta === undefined ? [] : [reasoning(meta)]
    }
    case "image":
      return []
  }
}

const reasoning = ({ encrypted, summary }: typeof ResponsesMetadata.Type): Reasoning => ({
  type: "reasoning",
  encrypted_content: encrypted,
  summary: summary.map((text) => ({ type: "summary_text", text: text.toWellFormed() })),
})

/** OpenAI rejects reasoning without a following item. */
const dropTrailingReasoning = (items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.slice(0, items.findLastIndex((item) => !("type" in item) || item.type !== "reasoning") + 1)

const ResponsesMetadata = Schema.Struct({
  /** The model that produced it; another one cannot decrypt it. */
  model: Schema.String,
  encrypted: Schema.String,
  summary: Schema.Array(Schema.String),
})

/** The data that OpenAI requires back with reasoning. */
export const metadata = metadataOf(ResponsesMetadata)("openai-responses")
