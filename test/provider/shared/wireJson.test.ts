import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { servers } from "../../../src/model/CompatibleServers.ts"
import { InvalidRequest, type Reason } from "../../../src/model/ModelError.ts"
import type * as Reply from "../../../src/model/Reply.ts"
import * as AnthropicReply from "../../../src/provider/anthropic/reply.ts"
import * as GeminiReply from "../../../src/provider/gemini/reply.ts"
import * as OllamaReply from "../../../src/provider/ollama/reply.ts"
import * as ChatReply from "../../../src/provider/openai-chat/reply.ts"
import * as ResponsesReply from "../../../src/provider/openai-responses/reply.ts"
import type { Decoder } from "../../../src/provider/transport/attempt.ts"

const decode = <State>(
  decoder: Decoder<State, unknown>,
  chunks: ReadonlyArray<unknown>,
): Either.Either<ReadonlyArray<Reply.Part>, Reason> =>
  Either.gen(function* () {
    let state = decoder.initial
    const parts: Array<Reply.Part> = []
    for (const chunk of chunks) {
      const [next, decoded] = yield* decoder.decodeChunk(state, chunk)
      state = next
      parts.push(...decoded)
    }
    return [...parts, ...(yield* decoder.end(state))]
  })

const streamError = (error: unknown) => new InvalidRequest({ message: JSON.stringify(error) })

/** An answer on each wire, with this count of input tokens, and this index. */
const wires: Readonly<
  Record<string, (count: unknown, index: unknown) => Either.Either<ReadonlyArray<Reply.Part>, Reason>>
> = {
  anthropic: (count, index) =>
    decode(AnthropicReply.decoder({ model: "m", tools: [], streamError }), [
      { type: "message_start", message: { usage: { input_tokens: count, output_tokens_details: count } } },
      { type: "content_block_start", index, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index, delta: { type: "text_delta", text: "fine" } },
      { type: "content_block_stop", index },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: count } },
      { type: "message_stop" },
    ]),
  gemini: (count, index) =>
    decode(GeminiReply.decoder("m", []), [
      {
        candidates: [{ index, content: { parts: [{ text: "fine" }] }, finishReason: "STOP" }],
        usageMetadata: { promptTokenCount: count, thoughtsTokenCount: count },
      },
    ]),
  ollama: (count) =>
    decode(OllamaReply.decoder({ model: "m", tools: [], streamError }), [
      { message: { content: "fine" }, done: true, done_reason: "stop", prompt_eval_count: count, eval_count: count },
    ]),
  "openai-chat": (count, index) =>
    decode(ChatReply.decoder(servers.openai, "m", []), [
      { choices: [{ index, delta: { content: "fine" } }] },
      {
        choices: [{ index, delta: {}, finish_reason: "stop" }],
        usage: { prompt_tokens: count, completion_tokens: count },
      },
    ]),
  "openai-responses": (count, index) =>
    decode(
      ResponsesReply.decoder("m", (name) => name),
      [
        { type: "response.output_text.delta", output_index: index, delta: "fine" },
        { type: "response.completed", response: { status: "completed", usage: { input_tokens: count } } },
      ],
    ),
}

describe.each(Object.entries(wires))("an answer of %s", (_, answer) => {
  const read = (count: unknown, index: unknown = 0) => {
    const parts = Either.getOrThrow(answer(count, index))
    const last = parts.at(-1)
    const text = parts.map((part) => (part._tag === "Text" ? part.text : "")).join("")
    return { text, tokens: last?._tag === "Finish" ? last.usage.inputTokens : undefined }
  }

  it("may have counts that are strings", () => {
    assert.deepStrictEqual(read("5"), read(5))
    assert.deepStrictEqual(read(" 5 "), { text: "fine", tokens: 5 })
  })

  it.each([["many"], [""], ["NaN"], ["Infinity"], [true], [{}], [[5]], [null], [-1], ["-1"], [1e20]])(
    "is kept if a count is %j",
    (count) => {
      assert.deepStrictEqual(read(count), { text: "fine", tokens: 0 })
    },
  )

  it("may have an index that is a string", () => {
    assert.deepStrictEqual(read(5, "0"), { text: "fine", tokens: 5 })
  })
})

describe("two calls on the wire of Chat Completions", () => {
  it("may have indices that are strings", () => {
    const piece = (index: string, part: object) => ({
      choices: [{ index: "0", delta: { tool_calls: [{ index, ...part }] } }],
    })
    const parts = Either.getOrThrow(
      decode(ChatReply.decoder(servers.openai, "m", []), [
        piece("0", { id: "a", function: { name: "look", arguments: "" } }),
        piece("1", { id: "b", function: { name: "look", arguments: "" } }),
        piece("0", { function: { arguments: '{"x":1}' } }),
        piece("1", { function: { arguments: '{"x":2}' } }),
        { choices: [{ index: "0", delta: {}, finish_reason: "tool_calls" }] },
      ]),
    )
    assert.deepStrictEqual(
      parts.flatMap((part) => (part._tag === "ToolUse" ? [part.parameters] : [])),
      [{ x: 1 }, { x: 2 }],
    )
  })
})
