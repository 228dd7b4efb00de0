/** Anthropic's adapter with a server of the test, and the answers and requests of such a server. */
import { Effect, Redacted } from "effect"
import { Part } from "../../src/model/Reply.ts"
import * as Anthropic from "../../src/provider/anthropic/Anthropic.ts"
import type { Adapter, Refusal, SentTurn } from "../model/LanguageModel.adapter.ts"
import * as AnthropicRules from "./AnthropicRules.ts"
import { hello, key } from "./Asking.ts"
import type * as FakeServer from "./FakeServer.ts"

export const sonnet = "claude-sonnet-4-5"

export const options = (url: string, model = sonnet): Anthropic.Options => ({
  apiKey: Redacted.make(key),
  model,
  baseUrl: url,
})

/** All parts of one attempt. */
export const parts = (url: string, request = hello, model = sonnet) =>
  Effect.suspend(() => {
    const said: Array<Part> = []
    const say = (parts: ReadonlyArray<Part>) => Effect.sync(() => void said.push(...parts))
    return Effect.as(Anthropic.attempt(options(url, model))(request, say), said)
  })

/** Why one attempt failed. */
export const failure = (url: string, request = hello) =>
  Effect.map(Effect.flip(parts(url, request)), ({ reason }) => reason)

/** As Anthropic frames them. */
export const events = (...values: ReadonlyArray<{ readonly type: string }>): string =>
  values.map((value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`).join("")

export const messageStart = {
  type: "message_start",
  message: { type: "message", role: "assistant", content: [], usage: { input_tokens: 3, output_tokens: 1 } },
}

/** A block in an event for each of its deltas. */
export const block = (index: number, content_block: object, ...deltas: ReadonlyArray<object>) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
]

export const messageStop = (stop_reason: string, more: object = {}, usage: object = { output_tokens: 1 }) => [
  { type: "message_delta", delta: { stop_reason, ...more }, usage },
  { type: "message_stop" },
]

/** In the midst of an answer. */
export const failing = (error: object) => ({ type: "error", error })

export const fine: FakeServer.Answer = {
  body: events(
    messageStart,
    ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "fine" }),
    ...messageStop("end_turn"),
  ),
}

export const refusing = (status: number, error: object, headers: Record<string, string> = {}): FakeServer.Answer => ({
  status,
  body: JSON.stringify({ type: "error", error, request_id: "req_1" }),
  headers: { "content-type": "application/json", ...headers },
})

const finishes = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
  interrupted: "new_reason",
  error: "new_reason",
}

/** As the SDK signs it for us. */
const signature = "c2lnbmVk"

const streamedPart = (part: Part, index: number): ReadonlyArray<{ readonly type: string }> =>
  Part.$match(part, {
    Text: ({ text }) => block(index, { type: "text", text: "" }, { type: "text_delta", text }),
    Thinking: ({ text }) =>
      block(
        index,
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: text },
        { type: "signature_delta", signature },
      ),
    Image: () => [],
    ToolUse: ({ id, name, parameters }) =>
      block(index, { type: "tool_use", id, name, input: {} }, ...inTwo(JSON.stringify(parameters))),
    Finish: ({ reason, usage }) => messageStop(finishes[reason], {}, counts(usage)),
  })

/** The arguments of a call in two pieces; without arguments one empty piece, as Anthropic sends it. */
const inTwo = (json: string) =>
  (json === "{}" ? [""] : [json.slice(0, 5), json.slice(5)]).map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }))

const counts = (usage: Extract<Part, { _tag: "Finish" }>["usage"]) => ({
  input_tokens: usage.inputTokens - usage.cachedTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage.cachedTokens,
  output_tokens: usage.outputTokens,
  output_tokens_details: { thinking_tokens: usage.thinkingTokens },
})

const wholePart = Part.$match({
  Text: ({ text }): object => ({ type: "text", text }),
  Thinking: ({ text }) => ({ type: "thinking", thinking: text, signature }),
  Image: () => ({}),
  ToolUse: ({ id, name, parameters }) => ({ type: "tool_use", id, name, input: parameters }),
  Finish: ({ reason, usage }) => ({ stop_reason: finishes[reason], usage: counts(usage) }),
})

const refusals: Record<Refusal, (message: string) => FakeServer.Answer> = {
  key: (message) => refusing(401, { type: "authentication_error", message }),
  model: (message) => refusing(404, { type: "not_found_error", message }),
  quota: (message) =>
    refusing(429, { type: "rate_limit_error", message, details: { error_code: "enforced_spend_limit_reached" } }),
  rate: (message) => refusing(429, { type: "rate_limit_error", message }, { "retry-after": "5" }),
  overload: (message) => refusing(529, { type: "overloaded_error", message }),
  invalid: (message) => refusing(400, { type: "invalid_request_error", message }),
  overflow: (message) =>
    refusing(400, {
      type: "invalid_request_error",
      message: `prompt is too long: 213462 tokens > 200000 maximum. ${message}`,
    }),
}

const turn = ({ content, role }: AnthropicRules.WireMessage): SentTurn => ({
  role,
  texts: content.flatMap((block) => (block.type === "text" ? [block.text ?? ""] : [])),
  images: content.flatMap(({ source }) => (source === undefined ? [] : [source.data])),
  calls: content.flatMap(({ input, name, type }) =>
    type === "tool_use" ? [{ name: name ?? "", arguments: input }] : [],
  ),
  results: content.flatMap((block) => (block.type === "tool_result" ? [JSON.stringify(block.content ?? "")] : [])),
})

/** Under the contract of all adapters. */
export const anthropic: Adapter = {
  name: "anthropic",
  models: [sonnet, "claude-opus-4-5"],
  open: (model, url) => Anthropic.make(options(url, model)),
  wire: {
    streamed: (parts) => ({ body: events(messageStart, ...parts.flatMap(streamedPart)) }),
    whole: (parts) => {
      const isFinish = Part.$is("Finish")
      const content = parts.filter((part) => !isFinish(part)).map(wholePart)
      const message = { type: "message", role: "assistant", content, ...parts.filter(isFinish).map(wholePart)[0] }
      return { body: JSON.stringify(message, null, 2), headers: { "content-type": "application/json" } }
    },
    breakdown: (message) => events(failing({ type: "overloaded_error", message })),
    refusal: (why, message) => refusals[why](message),
    sent: ({ body }) => {
      const { messages, output_config, system = [], tools = [] } = AnthropicRules.read(body)
      return {
        system: system.map(({ text }) => text).join(""),
        tools: tools.map(({ input_schema, name }) => ({ name, schema: input_schema })),
        turns: messages.map(turn),
        schema: output_config?.format.schema,
      }
    },
    broken: ({ body }) => AnthropicRules.broken(AnthropicRules.read(body)),
    lacks: ["images drawn"],
  },
}
