import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { InvalidRequest, type Reason } from "../../../src/model/ModelError.ts"
import { Part } from "../../../src/model/Reply.ts"
import { decoder } from "../../../src/provider/anthropic/reply.ts"
import { block, messageStart, messageStop } from "../../utils/Anthropic.ts"

const {
  end,
  initial: initialState,
  decodeChunk,
} = decoder({
  model: "claude-sonnet-4-5",
  tools: [],
  streamError: (error) => new InvalidRequest({ message: JSON.stringify(error) }),
})

/** The parts of a whole answer, or why it cannot be used. */
const read = (...chunks: ReadonlyArray<unknown>): Either.Either<ReadonlyArray<Part>, Reason> =>
  Either.gen(function* () {
    let state = initialState
    const decoded: Array<Part> = []
    for (const chunk of chunks) {
      const [next, parts] = yield* decodeChunk(state, chunk)
      state = next
      decoded.push(...parts)
    }
    return [...decoded, ...(yield* end(state))]
  })

const parts = (...chunks: ReadonlyArray<unknown>) => Either.getOrThrow(read(...chunks))

const reason = (...chunks: ReadonlyArray<unknown>) => Either.getOrThrow(Either.flip(read(...chunks)))

const text = (text: string) => block(0, { type: "text", text: "" }, { type: "text_delta", text })

const call = (...json: ReadonlyArray<string>) =>
  block(
    1,
    { type: "tool_use", id: "toolu_1", name: "look", input: {} },
    ...json.map((partial_json) => ({ type: "input_json_delta", partial_json })),
  )

const finishOf = (...chunks: ReadonlyArray<unknown>) => {
  const last = parts(...chunks).at(-1)
  return last?._tag === "Finish" ? last : assert.fail("it has no end")
}

describe("decoder", () => {
  it("decodes missing arguments as an empty object", () => {
    for (const json of [[], [""], ["{}"], ["", " "]]) {
      assert.deepStrictEqual(parts(messageStart, ...call(...json), ...messageStop("tool_use"))[0], {
        ...Part.ToolUse({ id: "toolu_1", name: "look", parameters: {} }),
      })
    }
  })

  it("decodes arguments that arrive with the start of a call", () => {
    const [started] = parts(
      messageStart,
      ...block(0, { type: "tool_use", id: "toolu_1", name: "look", input: { path: "a" } }),
      ...messageStop("tool_use"),
    )
    assert.deepStrictEqual(started, Part.ToolUse({ id: "toolu_1", name: "look", parameters: { path: "a" } }))
  })

  it("emits no call with truncated arguments", () => {
    for (const json of ['{"path":"a', '{"path":', "[1]", '"a"']) {
      assert.strictEqual(reason(messageStart, ...call(json), ...messageStop("max_tokens"))._tag, "OutputLimit")
      assert.strictEqual(reason(messageStart, ...call(json), ...messageStop("tool_use"))._tag, "Unusable")
    }
    const unended = call('{"path":"a"}').slice(0, -1)
    assert.strictEqual(reason(messageStart, ...unended, ...messageStop("tool_use"))._tag, "Unusable")
  })

  it("interprets the stop reasons", () => {
    for (const [wire, finish] of [
      ["end_turn", "stop"],
      ["stop_sequence", "stop"],
      ["pause_turn", "stop"],
      ["tool_use", "stop"],
      ["max_tokens", "length"],
      ["model_context_window_exceeded", "length"],
      ["never_heard_of", "error"],
    ] as const) {
      assert.strictEqual(finishOf(messageStart, ...text("fine"), ...messageStop(wire)).reason, finish)
    }
    assert.strictEqual(finishOf(messageStart, ...call("{}"), ...messageStop("pause_turn")).reason, "tool_calls")
    for (const decoded of [[], call("{}")]) {
      const full = reason(messageStart, ...decoded, ...messageStop("model_context_window_exceeded"))
      assert.strictEqual(full._tag, "ContextOverflow")
      assert.strictEqual(reason(messageStart, ...decoded, ...messageStop("never_heard_of"))._tag, "InvalidRequest")
    }
  })

  it("reports the category of a refusal", () => {
    const refusal = { stop_details: { type: "refusal", category: "cyber", explanation: "It is harmful." } }
    const { _tag, message } = reason(messageStart, ...text("Once"), ...messageStop("refusal", refusal))
    assert.strictEqual(_tag, "Blocked")
    assert.strictEqual(message, "blocked: refusal (cyber: It is harmful.)")
    assert.strictEqual(reason(messageStart, ...messageStop("refusal")).message, "blocked: refusal")
    const filtered = reason(messageStart, ...text("Once"), ...messageStop("content_filter"))
    assert.deepInclude(filtered, { _tag: "Blocked", message: "blocked: content_filter" })
  })

  it("completes an answer only after its stop reason and its last event", () => {
    const [delta, stop] = messageStop("end_turn")
    for (const ending of [[], [delta], [stop]]) {
      assert.strictEqual(reason(messageStart, ...text("fine"), ...ending)._tag, "StreamIncomplete")
    }
  })

  it("adds cached and other input, and replaces counts by later ones", () => {
    const first = { input_tokens: 10, cache_read_input_tokens: 20, cache_creation_input_tokens: 30, output_tokens: 1 }
    const { usage } = finishOf(
      { type: "message_start", message: { usage: first } },
      ...text("fine"),
      ...messageStop(
        "end_turn",
        {},
        {
          input_tokens: 11,
          cache_read_input_tokens: null,
          output_tokens: 7,
          output_tokens_details: { thinking_tokens: 5 },
        },
      ),
    )
    assert.deepStrictEqual(usage, { inputTokens: 61, outputTokens: 7, cachedTokens: 20, thinkingTokens: 5 })
  })

  it("ignores provider-side tools and unknown events", () => {
    assert.deepStrictEqual(
      parts(
        messageStart,
        { type: "ping" },
        ...block(
          0,
          { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} },
          {
            type: "input_json_delta",
            partial_json: '{"query',
          },
        ),
        ...block(1, { type: "web_search_tool_result", tool_use_id: "srv_1", content: [] }),
        { type: "never_heard_of", delta: null },
        ...block(2, { type: "text", text: "fine" }, { type: "citations_delta", citation: {} }),
        ...messageStop("end_turn"),
      ).map(({ _tag }) => _tag),
      ["Text", "Finish"],
    )
  })

  it("fails on anything but an event", () => {
    for (const chunk of [null, 7, "a", [], { type: "content_block_delta", index: "0" }])
      assert.strictEqual(reason(chunk)._tag, "StreamIncomplete")
  })
})
