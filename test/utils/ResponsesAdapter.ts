/** OpenAI's Responses under the contract of all adapters: the answers, and the requests. */
import { Redacted } from "effect"
import { Part } from "../../src/model/Reply.ts"
import * as OpenAiResponses from "../../src/provider/openai-responses/OpenAiResponses.ts"
import type { Adapter, SentTurn } from "../model/LanguageModel.adapter.ts"
import { key } from "./Asking.ts"
import * as Chat from "./ChatAdapter.ts"
import * as FakeServer from "./FakeServer.ts"
import * as ResponsesRules from "./ResponsesRules.ts"

/** An item of the output, as it is in the end. */
export const item = Part.$match({
  Text: ({ text }): object => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] }),
  Thinking: ({ text }) => ({ type: "reasoning", summary: [{ type: "summary_text", text }], encrypted_content: "ZW5j" }),
  Image: ({ data, media_type }) => ({
    type: "image_generation_call",
    result: data,
    output_format: media_type.slice("image/".length),
  }),
  ToolUse: ({ id, name, parameters }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: JSON.stringify(parameters),
  }),
  Finish: () => ({}),
})

const endings = {
  stop: { status: "completed" },
  tool_calls: { status: "completed" },
  length: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
  content_filter: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
  interrupted: { status: "incomplete", incomplete_details: { reason: "a_new_reason" } },
  error: { status: "incomplete", incomplete_details: { reason: "a_new_reason" } },
}

/** The response that an answer ends with; none if its end was not announced. */
const response = (parts: ReadonlyArray<Part>): ReadonlyArray<{ readonly status: string }> => {
  const finish = parts.at(-1)
  if (finish?._tag !== "Finish") return []
  const { reason, usage } = finish
  return [
    {
      ...{ object: "response", output: parts.slice(0, -1).map(item) },
      ...endings[reason],
      ...{
        usage: {
          input_tokens: usage.inputTokens,
          output_tokens: usage.outputTokens,
          input_tokens_details: { cached_tokens: usage.cachedTokens },
          output_tokens_details: { reasoning_tokens: usage.thinkingTokens },
        },
      },
    },
  ]
}

const delta = (part: Part, output_index: number): ReadonlyArray<object> => {
  if (part._tag === "Text") return [{ type: "response.output_text.delta", output_index, delta: part.text }]
  if (part._tag === "Thinking") {
    return [{ type: "response.reasoning_summary_text.delta", output_index, delta: part.text }]
  }
  return []
}

/** The events of an answer. */
export const events = (parts: ReadonlyArray<Part>): ReadonlyArray<object> => [
  { type: "response.created", response: { object: "response", status: "in_progress", output: [] } },
  ...parts.flatMap((part, output_index) =>
    part._tag === "Finish"
      ? []
      : [...delta(part, output_index), { type: "response.output_item.done", output_index, item: item(part) }],
  ),
  ...response(parts).map((response) => ({ type: `response.${response.status}`, response })),
]

const turnsOf = (input: ReadonlyArray<ResponsesRules.Item>): ReadonlyArray<SentTurn> => {
  const turns: Array<SentTurn> = []
  for (const { arguments: json, content = [], name, output, role, type } of input) {
    const isAnswer = type === "function_call_output"
    const speaker = role === "user" || isAnswer ? "user" : "assistant"
    const last = turns.at(-1)?.role === speaker ? turns.pop() : undefined
    turns.push({
      role: speaker,
      texts: [...(last?.texts ?? []), ...content.flatMap(({ text }) => (text === undefined ? [] : [text]))],
      images: [...(last?.images ?? []), ...content.flatMap(({ image_url }) => image_url?.split(",")[1] ?? [])],
      calls: [
        ...(last?.calls ?? []),
        ...(type === "function_call" ? [{ name: name ?? "", arguments: JSON.parse(json ?? "") }] : []),
      ],
      results: [...(last?.results ?? []), ...(isAnswer ? [output ?? ""] : [])],
    })
  }
  return turns
}

export const responses: Adapter = {
  name: "openai-responses",
  models: ["gpt-5-mini", "gpt-4o-mini"],
  open: (model, url) => OpenAiResponses.make({ apiKey: Redacted.make(key), model, baseUrl: url }),
  wire: {
    streamed: (parts) => ({ body: FakeServer.events(...events(parts)) }),
    whole: (parts) => ({
      body: JSON.stringify(response(parts)[0], null, 2),
      headers: { "content-type": "application/json" },
    }),
    breakdown: (message) =>
      `event: error\ndata: ${JSON.stringify({ type: "error", code: "server_error", message, sequence_number: 9 })}\n\n`,
    refusal: Chat.refusal,
    sent: (request) => {
      const { input, instructions = "", text, tools = [] } = ResponsesRules.bodyOf(request)
      return {
        system: instructions,
        tools: tools.map(({ name, parameters }) => ({ name, schema: parameters })),
        turns: turnsOf(input),
        schema: text?.format.schema,
      }
    },
    broken: (request) => ResponsesRules.broken(ResponsesRules.bodyOf(request)),
    lacks: [],
  },
}
