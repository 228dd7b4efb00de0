/** Encodes a request as prompt and tools of `@effect/ai`. Pure. */
import type * as Prompt from "@effect/ai/Prompt"
import * as AiTool from "@effect/ai/Tool"
import type * as Toolkit from "@effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { Request, ToolChoice } from "../../model/Request.ts"
import { type Declaration, declarations } from "../shared/openAiRequest.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wireJson.ts"
import * as EffectAiMetadata from "./metadata.ts"

/** Encodes the successive requests to one model. */
export const makeEncoder = (model: string): ((request: Request) => ReadonlyArray<Prompt.MessageEncoded>) => {
  const encode = Turns.makeEncoder(rules(model), messagesIn(model))
  return ({ messages, system }) => [
    ...(system === "" ? [] : [{ role: "system" as const, content: system.toWellFormed() }]),
    ...encode(messages),
  ]
}

/** Returns the tools and the tool choice of a request. Calls are never run here; the caller runs them. */
export const toolsOf = (request: Request): { readonly toolkit: AnyToolkit; readonly toolChoice: ToolChoice } => {
  const { toolChoice = "auto" } = request
  return {
    toolkit: {
      tools: Object.fromEntries(declarationsFor(request).map((tool) => [tool.name, toAiTool(tool)])),
      handle: () => Effect.dieMessage("a tool was to be run by @effect/ai"),
    },
    toolChoice: typeof toolChoice === "object" ? { tool: ToolNames.toWireName(toolChoice.tool) } : toolChoice,
  }
}

type AnyToolkit = Toolkit.WithHandler<Record<string, AiTool.Any>>

/** Anthropic rejects a history with calls if there are no tools. In that case the called tools are declared. */
const declarationsFor = ({ messages, tools }: Request): ReadonlyArray<Declaration> =>
  tools.length > 0
    ? declarations(tools)
    : Array.from(new Set(messages.flatMap(Message.toolUses).map(({ name }) => ToolNames.toWireName(name))), (name) => ({
        name,
        description: "No longer offered.",
        parameters: { type: "object", properties: {} },
      }))

/** Arguments are accepted unchanged. They are validated where the tool runs. */
const toAiTool = ({ description, name, parameters }: Declaration): AiTool.Any => {
  const schema = Schema.Unknown.annotations({ jsonSchema: parameters })
  // The type requires a struct schema, but it is only used to decode calls and to print the JSON Schema.
  const accepted = schema as unknown as AiTool.AnyStructSchema
  return AiTool.make(name, { description }).setParameters(accepted)
}

/** The provider behind the layer is unknown, so the strictest rules apply. */
const rules = (model: string): Turns.Rules => ({
  block: (block) => {
    if (block.type === "image") return undefined
    if (block.type === "tool-use" || EffectAiMetadata.read(model, block.meta) !== undefined) return block
    return block.text.trim() === "" ? undefined : block
  },
  callId: /^[\w-]{1,64}$/,
})

const messagesIn =
  (model: string) =>
  (turn: Turns.Turn): ReadonlyArray<Prompt.MessageEncoded> => {
    if (turn.role === "assistant") {
      const content = toAssistantParts(model, turn.blocks)
      return content.length === 0 ? [] : [{ role: "assistant", content }]
    }
    const results = turn.results.map(toResultPart)
    return [
      ...(results.length === 0 ? [] : [{ role: "tool" as const, content: results }]),
      ...(turn.content.length === 0
        ? []
        : [{ role: "user" as const, content: turn.content.map(({ block }) => toUserPart(block)) }]),
    ]
  }

const toResultPart = ({ call, message }: Turns.CallResult): Prompt.ToolResultPartEncoded => ({
  type: "tool-result",
  id: call.id,
  name: ToolNames.toWireName(call.name),
  isFailure: message.isError === true,
  result: Message.text(message).toWellFormed(),
  providerExecuted: false,
})

const toUserPart = (block: Turns.UserContent["block"]): Prompt.TextPartEncoded | Prompt.FilePartEncoded =>
  block.type === "image"
    ? { type: "file", mediaType: block.media_type, data: Buffer.from(block.data, "base64") }
    : { type: "text", text: block.text.toWellFormed() }

/**
 * Moves the metadata of the empty block after a text to that text. Moves calls after the text, since some providers
 * reject text after a call.
 */
const toAssistantParts = (
  model: string,
  blocks: ReadonlyArray<Block.Block>,
): ReadonlyArray<Prompt.AssistantMessagePartEncoded> => {
  const parts: Array<Prompt.AssistantMessagePartEncoded> = []
  const calls: Array<Prompt.AssistantMessagePartEncoded> = []
  for (const block of blocks) {
    const options = EffectAiMetadata.read(model, block.meta)
    if (block.type === "tool-use") calls.push(callPart(block, options))
    else if (block.type !== "image") {
      const type = block.type === "text" ? "text" : "reasoning"
      const last = parts.at(-1)
      const isMetadataBlock = block.text === "" && last?.type === type && last.options === undefined
      const text = isMetadataBlock && "text" in last ? last.text : block.text.toWellFormed()
      if (isMetadataBlock) parts.pop()
      parts.push({ type, text, ...(options && { options }) })
    }
  }
  // Thinking is not sent back if it is unsigned or if nothing follows it.
  const sent = [...parts.filter(({ options, type }) => type !== "reasoning" || options !== undefined), ...calls]
  return sent.slice(0, sent.findLastIndex(({ type }) => type !== "reasoning") + 1)
}

const callPart = (
  { id, name, parameters }: Block.ToolUse,
  options: EffectAiMetadata.ProviderMetadata | undefined,
): Prompt.ToolCallPartEncoded => ({
  type: "tool-call",
  id,
  name: ToolNames.toWireName(name),
  params: wellFormedIn(parameters),
  providerExecuted: false,
  ...(options && { options }),
})
