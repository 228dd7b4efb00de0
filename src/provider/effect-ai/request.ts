/** A request in the words of `@effect/ai`: its prompt and its tools. Pure. */
import type * as Prompt from "@effect/ai/Prompt"
import * as AiTool from "@effect/ai/Tool"
import type * as Toolkit from "@effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { Request } from "../../model/Request.ts"
import type { ToolChoice } from "../../tool/ToolChoice.ts"
import { type Declaration, declarations } from "../shared/openAiTools.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Turns from "../shared/turns.ts"
import { wellFormedIn } from "../shared/wellFormed.ts"
import * as EffectAiMeta from "./metadata.ts"

/** Encodes the requests to one model, one after the other. */
export const encoder = (model: string): ((request: Request) => ReadonlyArray<Prompt.MessageEncoded>) => {
  const encode = Turns.encoder(rules(model), messagesIn(model))
  return ({ messages, system }) => [
    ...(system === "" ? [] : [{ role: "system" as const, content: system.toWellFormed() }]),
    ...encode(messages),
  ]
}

/** What a request offers, and what is to be called of it. Calls are never run here: whoever asked runs them. */
export const toolsOf = (request: Request): { readonly toolkit: AnyToolkit; readonly toolChoice: ToolChoice } => {
  const { toolChoice = "auto" } = request
  return {
    toolkit: {
      tools: Object.fromEntries(declarationsFor(request).map((tool) => [tool.name, declared(tool)])),
      handle: () => Effect.dieMessage("a tool was to be run by @effect/ai"),
    },
    toolChoice: typeof toolChoice === "object" ? { tool: ToolNames.onWire(toolChoice.tool) } : toolChoice,
  }
}

type AnyToolkit = Toolkit.WithHandler<Record<string, AiTool.Any>>

/** Anthropic refuses a history with a call where there is no tool: then those are told of that were called. */
const declarationsFor = ({ messages, tools }: Request): ReadonlyArray<Declaration> =>
  tools.length > 0
    ? declarations(tools)
    : Array.from(new Set(messages.flatMap(Message.toolUses).map(({ name }) => ToolNames.onWire(name))), (name) => ({
        name,
        description: "No longer offered.",
        parameters: { type: "object", properties: {} },
      }))

/** Its arguments are taken as they come: they are checked where the tool is run. */
const declared = ({ description, name, parameters }: Declaration): AiTool.Any => {
  const schema = Schema.Unknown.annotations({ jsonSchema: parameters })
  // The type wants the schema of a struct; it is used to decode calls and to tell its JSON Schema, whatever it is of.
  const accepted = schema as unknown as AiTool.AnyStructSchema
  return AiTool.make(name, { description }).setParameters(accepted)
}

/** What stands behind the layer is not known, so these are the rules of the strictest. */
const rules = (model: string): Turns.Rules => ({
  block: (block) => {
    if (block.type === "image") return undefined
    if (block.type === "tool-use" || EffectAiMeta.read(model, block.meta) !== undefined) return block
    return block.text.trim() === "" ? undefined : block
  },
  callId: /^[\w-]{1,64}$/,
})

const messagesIn =
  (model: string) =>
  (turn: Turns.Turn): ReadonlyArray<Prompt.MessageEncoded> => {
    if (turn.role === "assistant") {
      const content = sealed(model, turn.blocks)
      return content.length === 0 ? [] : [{ role: "assistant", content }]
    }
    const answers = turn.answers.map(answer)
    return [
      ...(answers.length === 0 ? [] : [{ role: "tool" as const, content: answers }]),
      ...(turn.said.length === 0
        ? []
        : [{ role: "user" as const, content: turn.said.map(({ block }) => word(block)) }]),
    ]
  }

const answer = ({ call, message }: Turns.Answer): Prompt.ToolResultPartEncoded => ({
  type: "tool-result",
  id: call.id,
  name: ToolNames.onWire(call.name),
  isFailure: message.isError === true,
  result: Message.text(message).toWellFormed(),
  providerExecuted: false,
})

const word = (block: Turns.Said["block"]): Prompt.TextPartEncoded | Prompt.FilePartEncoded =>
  block.type === "image"
    ? { type: "file", mediaType: block.media_type, data: Buffer.from(block.data, "base64") }
    : { type: "text", text: block.text.toWellFormed() }

/**
 * A part with what was said of it: that comes last, in an empty block behind its words (`effectAiReply`). Calls follow
 * the words, since some wires refuse words behind a call.
 */
const sealed = (
  model: string,
  blocks: ReadonlyArray<Block.Block>,
): ReadonlyArray<Prompt.AssistantMessagePartEncoded> => {
  const parts: Array<Prompt.AssistantMessagePartEncoded> = []
  const calls: Array<Prompt.AssistantMessagePartEncoded> = []
  for (const block of blocks) {
    const options = EffectAiMeta.read(model, block.meta)
    if (block.type === "tool-use") calls.push(callPart(block, options))
    else if (block.type !== "image") {
      const type = block.type === "text" ? "text" : "reasoning"
      const last = parts.at(-1)
      const isSeal = block.text === "" && last?.type === type && last.options === undefined
      const text = isSeal && "text" in last ? last.text : block.text.toWellFormed()
      if (isSeal) parts.pop()
      parts.push({ type, text, ...(options && { options }) })
    }
  }
  // Thoughts that nobody signed are not taken back, nor are those that led to nothing.
  const sent = [...parts.filter(({ options, type }) => type !== "reasoning" || options !== undefined), ...calls]
  return sent.slice(0, sent.findLastIndex(({ type }) => type !== "reasoning") + 1)
}

const callPart = (
  { id, name, parameters }: Block.ToolUse,
  options: EffectAiMeta.ProviderMetadata | undefined,
): Prompt.ToolCallPartEncoded => ({
  type: "tool-call",
  id,
  name: ToolNames.onWire(name),
  params: wellFormedIn(parameters),
  providerExecuted: false,
  ...(options && { options }),
})
