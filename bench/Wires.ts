/** A server that answers in the wire of each provider, so that what an answer costs can be measured without a model. */
import { once } from "node:events"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { setImmediate } from "node:timers/promises"

export const names = ["Gemini", "Anthropic", "OpenAI chat", "OpenAI Responses", "Ollama"] as const
export type Name = (typeof names)[number]

/** What each token of an answer says. */
export const token = " word"

/** Whether the events of an answer come in one piece, or each is written for itself. */
export type Pace = "at once" | "one by one"

export interface Server {
  /** Where answers have so many tokens and come at this pace. */
  readonly url: (tokens: number, pace: Pace) => string
  readonly close: () => void
}

export const serve = async (): Promise<Server> => {
  const server = http.createServer(async (request, response) => {
    const [, tokens, pace, ...path] = (request.url ?? "").split("/")
    const wire = wires.find(({ ends }) => ends.test(path.join("/")))
    request.resume()
    await once(request, "end")
    if (wire === undefined) return response.writeHead(404).end()
    response.writeHead(200, { "content-type": wire.type })
    const events = eventsOf(wire, Number(tokens))
    if (pace === "one-by-one") {
      for (const event of events) {
        if (response.destroyed) return
        if (!response.write(event)) await once(response, "drain")
        await setImmediate()
      }
      return response.end()
    }
    return response.end(events.join(""))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // Of a server that listens on TCP it is no string.
  const { port } = server.address() as AddressInfo
  return {
    url: (tokens, pace) => `http://127.0.0.1:${port}/${tokens}/${pace.replaceAll(" ", "-")}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Wire {
  /** The path of its requests. */
  readonly ends: RegExp
  readonly type: string
  readonly events: (tokens: number) => ReadonlyArray<string>
}

const eventStream = "text/event-stream"

const eventsOf = (wire: Wire, tokens: number): ReadonlyArray<string> => {
  const known = made.get(wire)?.get(tokens)
  if (known !== undefined) return known
  const events = wire.events(tokens)
  made.set(wire, new Map(made.get(wire)).set(tokens, events))
  return events
}

const made = new Map<Wire, ReadonlyMap<number, ReadonlyArray<string>>>()

const each = (tokens: number, event: (at: number) => string): ReadonlyArray<string> =>
  Array.from({ length: tokens }, (_, at) => event(at))

const data = (event: object): string => `data: ${JSON.stringify(event)}\n\n`

interface Event {
  readonly type: string
  readonly [about: string]: unknown
}

/** With its type on a line of its own. */
const named = (event: Event): string => `event: ${event.type}\n${data(event)}`

const gemini = (tokens: number): ReadonlyArray<string> =>
  each(tokens, (at) =>
    data({
      candidates: [
        {
          content: { parts: [{ text: token }], role: "model" },
          ...(at === tokens - 1 && { finishReason: "STOP" }),
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 100,
        candidatesTokenCount: at + 1,
        totalTokenCount: at + 101,
        promptTokensDetails: [{ modality: "TEXT", tokenCount: 100 }],
      },
      modelVersion: "gemini-2.5-flash",
      responseId: "cmVzcG9uc2UgMDAwMQ",
    }),
  )

const anthropic = (tokens: number): ReadonlyArray<string> => {
  const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 }
  const message = { id: "msg_01", type: "message", role: "assistant", model: "claude", content: [], stop_reason: null }
  return [
    named({ type: "message_start", message: { ...message, usage } }),
    named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...each(tokens, () => named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: token } })),
    named({ type: "content_block_stop", index: 0 }),
    named({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { ...usage, output_tokens: tokens },
    }),
    named({ type: "message_stop" }),
  ]
}

const openAiChat = (tokens: number): ReadonlyArray<string> => {
  const chunk = { id: "chatcmpl-0001", object: "chat.completion.chunk", created: 1_760_000_000, model: "gpt-4o-mini" }
  const about = { service_tier: "default", system_fingerprint: "fp_0001" }
  const choice = (delta: object, finish_reason: string | null) =>
    data({ ...chunk, ...about, choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null })
  return [
    choice({ role: "assistant", content: "", refusal: null }, null),
    ...each(tokens, () => choice({ content: token }, null)),
    choice({}, "stop"),
    data({
      ...chunk,
      ...about,
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: tokens, total_tokens: 100 + tokens },
    }),
    "data: [DONE]\n\n",
  ]
}

const openAiResponses = (tokens: number): ReadonlyArray<string> => {
  const text = token.repeat(tokens)
  const response = { id: "resp_0001", object: "response", created_at: 1_760_000_000, model: "gpt-5", output: [] }
  const item = { id: "msg_0001", type: "message", role: "assistant", content: [] }
  const place = { item_id: item.id, output_index: 0, content_index: 0 }
  const part = { type: "output_text", annotations: [], logprobs: [], text: "" }
  const whole = { ...item, status: "completed", content: [{ ...part, text }] }
  const usage = { input_tokens: 100, output_tokens: tokens, total_tokens: 100 + tokens }
  const events: ReadonlyArray<Event> = [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    { type: "response.in_progress", response: { ...response, status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
    { type: "response.content_part.added", ...place, part },
    ...Array.from({ length: tokens }, () => ({
      type: "response.output_text.delta",
      ...place,
      delta: token,
      logprobs: [],
    })),
    { type: "response.output_text.done", ...place, text, logprobs: [] },
    { type: "response.content_part.done", ...place, part: { ...part, text } },
    { type: "response.output_item.done", output_index: 0, item: whole },
    { type: "response.completed", response: { ...response, status: "completed", output: [whole], usage } },
  ]
  return events.map((event, sequence_number) => named({ ...event, sequence_number }))
}

const ollama = (tokens: number): ReadonlyArray<string> => {
  const about = { model: "qwen3:8b", created_at: "2026-01-01T00:00:00.000000Z" }
  const line = (chunk: object) => `${JSON.stringify({ ...about, ...chunk })}\n`
  return [
    ...each(tokens, () => line({ message: { role: "assistant", content: token }, done: false })),
    line({
      message: { role: "assistant", content: "" },
      done: true,
      done_reason: "stop",
      prompt_eval_count: 100,
      eval_count: tokens,
    }),
  ]
}

const wires: ReadonlyArray<Wire> = [
  { ends: /:streamGenerateContent/, type: eventStream, events: gemini },
  { ends: /v1\/messages$/, type: eventStream, events: anthropic },
  { ends: /chat\/completions$/, type: eventStream, events: openAiChat },
  { ends: /responses$/, type: eventStream, events: openAiResponses },
  { ends: /api\/chat$/, type: "application/x-ndjson", events: ollama },
]
