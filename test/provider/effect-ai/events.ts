/** Answers of a server that EffectAi asks, made event by event. */
import { block } from "../../utils/Anthropic.ts"
import type * as FakeServer from "../../utils/FakeServer.ts"

export const messageStart = (usage: object = {}) => ({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    context_management: null,
    container: null,
    usage: {
      input_tokens: 3,
      output_tokens: 1,
      cache_creation: null,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      server_tool_use: null,
      service_tier: "standard",
      ...usage,
    },
  },
})

export const text = (index: number, text: string) =>
  block(index, { type: "text", text: "", citations: null }, { type: "text_delta", text })

export const call = (index: number, name: string, json = '{"path":"a.ts"}') =>
  block(
    index,
    { type: "tool_use", id: `toolu_${index}`, name, input: {} },
    { type: "input_json_delta", partial_json: json },
  )

export const stop = (stop_reason: string) => [
  {
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null, container: null },
    context_management: null,
    usage: {
      input_tokens: null,
      output_tokens: 7,
      cache_creation_input_tokens: null,
      cache_read_input_tokens: null,
      server_tool_use: null,
    },
  },
  { type: "message_stop" },
]

/** As streamed by Anthropic, with every field that the layer requires. */
export const streamOf = (...events: ReadonlyArray<object>): FakeServer.Answer => ({
  body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
})

export const fine = streamOf(messageStart(), ...text(0, "fine"), ...stop("end_turn"))

export const errorResponse = (
  status: number,
  error: object,
  headers: Record<string, string> = {},
): FakeServer.Answer => ({
  status,
  body: JSON.stringify({ type: "error", error }),
  headers: { "content-type": "application/json", ...headers },
})
