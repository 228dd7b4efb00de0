/** The details of an answer, of each wire, as values of other types. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { servers } from "../../../src/model/CompatibleServers.ts"
import { Overloaded } from "../../../src/model/ModelError.ts"
import * as Anthropic from "../../../src/provider/anthropic/reply.ts"
import * as Gemini from "../../../src/provider/gemini/reply.ts"
import * as Ollama from "../../../src/provider/ollama/reply.ts"
import * as Chat from "../../../src/provider/openai-chat/reply.ts"
import * as Responses from "../../../src/provider/openai-responses/reply.ts"
import type { Decoder } from "../../../src/provider/transport/attempt.ts"
import { DONE } from "../../../src/provider/transport/sse.ts"

/** Returns the text of an answer, or the message of why it cannot be used. */
const textOf = <State>({ decodeChunk, end, initial }: Decoder<State, unknown>, chunks: ReadonlyArray<unknown>) => {
  let state = initial
  let text = ""
  for (const chunk of chunks) {
    const decoded = decodeChunk(state, chunk)
    if (Either.isLeft(decoded)) return decoded.left.message
    const [next, parts] = decoded.right
    state = next
    for (const part of parts) if (part._tag === "Text") text += part.text
  }
  return Either.match(end(state), { onLeft: ({ message }) => message, onRight: () => text })
}

const streamError = () => new Overloaded({ message: "an error in the stream", retryAfter: undefined })

const odd = [null, 7, "x", true, [], {}, [null], { a: [1] }]

/** Answers with the text "Hi", which have one detail of any value. */
const answers: Readonly<Record<string, (value: unknown) => string>> = {
  ...Object.fromEntries(
    ["thoughtSignature", "inlineData", "executableCode", "videoMetadata"].map((name) => [
      `Gemini's ${name}`,
      (value: unknown) =>
        textOf(Gemini.decoder("gemini-2.5-flash", []), [
          { candidates: [{ content: { parts: [null, { text: "Hi", [name]: value }] }, finishReason: "STOP" }] },
        ]),
    ]),
  ),
  ...Object.fromEntries(
    ["finishMessage", "safetyRatings", "avgLogprobs", "groundingMetadata"].map((name) => [
      `Gemini's ${name}`,
      (value: unknown) =>
        textOf(Gemini.decoder("gemini-2.5-flash", []), [
          { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP", [name]: value }] },
        ]),
    ]),
  ),
  "Gemini's usage": (value) =>
    textOf(Gemini.decoder("gemini-2.5-flash", []), [
      { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }], usageMetadata: value },
    ]),
  ...Object.fromEntries(
    ["reasoning", "reasoning_content", "reasoning_details", "images", "role", "audio", "annotations"].map((name) => [
      `${name} of Chat Completions`,
      (value: unknown) =>
        textOf(Chat.decoder(servers.openai, "m", []), [
          { choices: [{ index: 0, delta: { content: "Hi", [name]: value } }] },
          { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
        ]),
    ]),
  ),
  "finish_reason of Chat Completions": (value) =>
    textOf(Chat.decoder(servers.openai, "m", []), [
      { choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: value }] },
      DONE,
    ]),
  "a part of the content of Chat Completions": (value) =>
    textOf(Chat.decoder(servers.openai, "m", []), [
      {
        choices: [{ delta: { content: [null, { type: "text", text: "Hi" }, { type: "thinking", thinking: value }] } }],
      },
      DONE,
    ]),
  "usage of Chat Completions": (value) =>
    textOf(Chat.decoder(servers.openai, "m", []), [
      { choices: [{ index: 0, delta: { content: "Hi" } }], usage: value, x_groq: value },
      DONE,
    ]),
  ...Object.fromEntries(
    ["thinking", "images", "role"].map((name) => [
      `Ollama's ${name}`,
      (value: unknown) =>
        textOf(Ollama.decoder({ model: "m", tools: [], streamError }), [
          { message: { content: "Hi", [name]: value }, done: true, done_reason: "stop" },
        ]),
    ]),
  ),
  "Ollama's done_reason": (value) =>
    textOf(Ollama.decoder({ model: "m", tools: [], streamError }), [
      { message: { content: "Hi" }, done: true, done_reason: value },
    ]),
  ...Object.fromEntries(
    ["stop_details", "stop_sequence", "container"].map((name) => [
      `Anthropic's ${name}`,
      (value: unknown) =>
        textOf(Anthropic.decoder({ model: "m", tools: [], streamError }), [
          { type: "message_start", message: { usage: value } },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "", signature: value } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi", signature: value } },
          { type: "content_block_stop", index: 0 },
          { type: "message_delta", delta: { stop_reason: "end_turn", [name]: value }, usage: value },
          { type: "message_stop" },
        ]),
    ]),
  ),
  ...Object.fromEntries(
    ["id", "status", "role", "phase"].map((name) => [
      `${name} of an item of Responses`,
      (value: unknown) => {
        const content = [null, { type: "output_text", text: "Hi", annotations: value }]
        const reasoning = { type: "reasoning", summary: value, encrypted_content: value, [name]: value }
        const item = { type: "message", content, [name]: value }
        return textOf(
          Responses.decoder("m", (name) => name),
          [
            { type: "response.output_item.done", output_index: 0, item: reasoning },
            { type: "response.output_item.done", output_index: 1, item },
            { type: "response.completed", response: { status: "completed", output: [reasoning, item], usage: value } },
          ],
        )
      },
    ]),
  ),
}

describe("an answer is not lost by a detail of another type", () => {
  it.each(Object.keys(answers))("%s", (name) => {
    for (const value of odd) assert.strictEqual(answers[name]?.(value), "Hi", JSON.stringify(value))
  })
})
