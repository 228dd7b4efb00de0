/** Servers of chat completions under the contract of all adapters: their answers, and the requests they receive. */
import { Redacted } from "effect"
import { Part } from "../../src/model/Reply.ts"
import * as OpenAiCompatible from "../../src/provider/openai-chat/OpenAiCompatible.ts"
import type { Adapter, Refusal, SentTurn, Wire } from "../model/LanguageModel.adapter.ts"
import { key } from "./Asking.ts"
import * as ChatRules from "./ChatRules.ts"
import * as FakeServer from "./FakeServer.ts"

export const error = (message: string, more: object = {}) => JSON.stringify({ error: { message, type: "x", ...more } })

export const refusing = (status: number, body: string, headers: Record<string, string> = {}): FakeServer.Answer => ({
  status,
  body,
  headers: { "content-type": "application/json", ...headers },
})

const finishes = {
  stop: "stop",
  tool_calls: "tool_calls",
  length: "length",
  content_filter: "content_filter",
  interrupted: "a_new_reason",
  error: "a_new_reason",
}

/** The thinking as each server sends it. */
const thinking = (how: OpenAiCompatible.CompatibleServer["thinking"], text: string): object => {
  switch (how) {
    case "details":
      return { reasoning: text, reasoning_details: [{ type: "reasoning.text", text, index: 0, format: "x-v1" }] }
    case "parts":
      return { content: [{ type: "thinking", thinking: [{ type: "text", text }] }] }
    default:
      return { reasoning_content: text }
  }
}

const delta = (how: OpenAiCompatible.CompatibleServer["thinking"], part: Part, index: number): object =>
  Part.$match(part, {
    Text: ({ text }): object => ({ content: text }),
    Thinking: ({ text }) => thinking(how, text),
    Image: ({ data, media_type }) => ({
      images: [{ type: "image_url", image_url: { url: `data:${media_type};base64,${data}` } }],
    }),
    ToolUse: ({ id, name, parameters }) => ({
      tool_calls: [{ index, id, type: "function", function: { name, arguments: JSON.stringify(parameters) } }],
    }),
    Finish: () => ({}),
  })

const usageOf = (part: Part | undefined) =>
  part?._tag === "Finish"
    ? {
        usage: {
          prompt_tokens: part.usage.inputTokens,
          completion_tokens: part.usage.outputTokens,
          prompt_tokens_details: { cached_tokens: part.usage.cachedTokens },
          completion_tokens_details: { reasoning_tokens: part.usage.thinkingTokens },
        },
      }
    : {}

const finishOf = (part: Part | undefined) => (part?._tag === "Finish" ? finishes[part.reason] : null)

/** A chunk of a stream that holds this delta. */
export const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})

export const streamed = (parts: ReadonlyArray<Part>, how: OpenAiCompatible.CompatibleServer["thinking"] = "field") => {
  const chunks = parts.map((part, index) => chunk(delta(how, part, index), finishOf(part), usageOf(part)))
  const isComplete = parts.at(-1)?._tag === "Finish"
  return { body: `${FakeServer.events(...chunks)}${isComplete ? "data: [DONE]\n\n" : ""}` }
}

/** The deltas of the parts, put together. */
const message = (how: OpenAiCompatible.CompatibleServer["thinking"], parts: ReadonlyArray<Part>) => {
  const texts = parts.flatMap((part) => (part._tag === "Text" ? [part.text] : [])).join("")
  const thoughts = parts.flatMap((part) => (part._tag === "Thinking" ? [part.text] : [])).join("")
  const calls = parts.filter(Part.$is("ToolUse"))
  const { content, ...rest }: { content?: ReadonlyArray<object> } = thoughts === "" ? {} : thinking(how, thoughts)
  return {
    role: "assistant",
    content: content === undefined ? texts : [...content, { type: "text", text: texts }],
    ...rest,
    tool_calls: calls.map(({ id, name, parameters }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(parameters) },
    })),
  }
}

const refusals: Record<Refusal, (message: string) => FakeServer.Answer> = {
  key: (message) => refusing(401, error(message, { code: "invalid_api_key" })),
  model: (message) => refusing(404, error(message, { code: "model_not_found" })),
  quota: (message) => refusing(429, error(message, { code: "insufficient_quota" })),
  rate: (message) => refusing(429, error(message, { code: "rate_limit_exceeded" }), { "retry-after": "5" }),
  overload: (message) => refusing(503, error(message)),
  invalid: (message) => refusing(400, error(message, { code: "decimal_below_min_value" })),
  overflow: (message) => refusing(400, error(message, { code: "context_length_exceeded" })),
}

/** As OpenAI refuses on both of its wires. */
export const refusal = (why: Refusal, message: string): FakeServer.Answer => refusals[why](message)

/** Messages of one speaker are one turn; answers are the user's. */
const turnsOf = (messages: ReadonlyArray<ChatRules.Message>): ReadonlyArray<SentTurn> => {
  const turns: Array<SentTurn> = []
  for (const { content, role, tool_calls = [] } of messages) {
    const speaker = role === "assistant" ? "assistant" : "user"
    const last = turns.at(-1)?.role === speaker ? turns.pop() : undefined
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? [])
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : []))
    const images = parts.flatMap((part) => ("image_url" in part ? [part.image_url?.url.split(",")[1] ?? ""] : []))
    turns.push({
      role: speaker,
      texts: [...(last?.texts ?? []), ...(role === "tool" ? [] : texts)],
      images: [...(last?.images ?? []), ...images],
      calls: [
        ...(last?.calls ?? []),
        ...tool_calls.map((call) => ({ name: call.function.name, arguments: JSON.parse(call.function.arguments) })),
      ],
      results: [...(last?.results ?? []), ...(role === "tool" ? texts : [])],
    })
  }
  return turns
}

const wire = (server: OpenAiCompatible.CompatibleServer): Wire => ({
  streamed: (parts) => streamed(parts, server.thinking),
  whole: (parts) => ({
    body: JSON.stringify(
      {
        object: "chat.completion",
        choices: [{ index: 0, message: message(server.thinking, parts), finish_reason: finishOf(parts.at(-1)) }],
        ...usageOf(parts.at(-1)),
      },
      null,
      2,
    ),
    headers: { "content-type": "application/json" },
  }),
  breakdown: (message) => `data: ${error(message, { code: 502 })}\n\n`,
  refusal,
  sent: (request) => {
    const { messages, response_format, tools = [] } = ChatRules.bodyOf(request)
    const [first, ...others] = messages
    const isSystem = first?.role === "system" || first?.role === "developer"
    return {
      system: isSystem ? String(first.content) : "",
      tools: tools.map((tool) => ({ name: tool.function.name, schema: tool.function.parameters })),
      turns: turnsOf(isSystem ? others : messages),
      schema: response_format?.json_schema.schema,
    }
  },
  broken: (request) => ChatRules.broken(server, ChatRules.bodyOf(request)),
  lacks: server.takesParts ? [] : ["pictures shown"],
})

export const adapter = (
  server: OpenAiCompatible.CompatibleServer,
  models: Adapter["models"] = ["gpt-5-mini", "gpt-4o-mini"],
): Adapter => ({
  name: server.name,
  models,
  open: (model, url) => OpenAiCompatible.make({ server, apiKey: Redacted.make(key), model, baseUrl: url }),
  wire: wire(server),
})
