import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as Usage from "../../../src/message/Usage.ts"
import { Part } from "../../../src/model/Reply.ts"
import * as GeminiReply from "../../../src/provider/gemini/reply.ts"

const name = "gemini-3-pro-preview"

const saying = (...parts: ReadonlyArray<unknown>) => ({ candidates: [{ content: { role: "model", parts } }] })

const ending = (finishReason: string, finishMessage?: string) => ({ candidates: [{ finishReason, finishMessage }] })

/** All decoded parts, and the end. */
const decode = (...chunks: ReadonlyArray<unknown>) => {
  let state = GeminiReply.initialState
  const parts: Array<Part> = []
  for (const chunk of chunks) {
    const [next, decoded] = Either.getOrThrow(GeminiReply.decodeChunk(name, state, chunk))
    state = next
    parts.push(...decoded)
  }
  return { parts, end: GeminiReply.end(state, ["read_file", "list_files"]) }
}

const finished = (...chunks: ReadonlyArray<unknown>) => {
  const part = Either.getOrThrow(decode(...chunks).end)
  return part._tag === "Finish" ? part.reason : assert.fail(part._tag)
}

const failed = (...chunks: ReadonlyArray<unknown>) => Either.getOrThrow(Either.flip(decode(...chunks).end))

const words = saying({ text: "It works." })
const call = saying({ functionCall: { name: "read_file", args: { path: "a.ts" } } })

describe("decodeChunk", () => {
  it("decodes an image, which counts as content", () => {
    const picture = saying({ inlineData: { mimeType: "image/png", data: "aGVsbG8=" } })
    assert.deepStrictEqual(decode(picture).parts, [
      Part.Image({ media_type: "image/png", data: "aGVsbG8=", meta: undefined }),
    ])
    assert.strictEqual(finished(picture, ending("MAX_TOKENS")), "length")
  })

  it("decodes text, thinking and calls in order, with their metadata", () => {
    const { parts } = decode(
      saying(
        { text: "hm", thought: true },
        { text: "Let ", thoughtSignature: "AAAA" },
        { text: "me see." },
        { functionCall: { name: "read_file", args: { path: "a.ts" }, id: "fc-1" }, thoughtSignature: "BBBB" },
        { functionCall: { name: "list_files" } },
        { text: "", thoughtSignature: "CCCC" },
      ),
    )
    assert.deepStrictEqual(parts, [
      Part.Thinking({ text: "hm", meta: undefined }),
      Part.Text({ text: "Let ", meta: { google: { thoughtSignature: "AAAA", model: name } } }),
      Part.Text({ text: "me see.", meta: undefined }),
      Part.ToolUse({
        id: "fc-1",
        name: "read_file",
        parameters: { path: "a.ts" },
        meta: { google: { thoughtSignature: "BBBB", model: name, id: "fc-1" } },
      }),
      Part.ToolUse({ id: undefined, name: "list_files", parameters: {}, meta: undefined }),
      Part.Text({ text: "", meta: { google: { thoughtSignature: "CCCC", model: name } } }),
    ])
  })

  it("ignores empty, missing and null parts, and parts without text", () => {
    const { parts } = decode(
      {},
      { candidates: null, usageMetadata: null, promptFeedback: {} },
      { candidates: [] },
      { candidates: [{}] },
      { candidates: [{ content: {} }, { content: { parts: [{ text: "a second candidate" }] } }] },
      saying(
        {},
        { text: "" },
        { inlineData: { mimeType: "image/png", data: "" } },
        { executableCode: { code: "1" }, thoughtSignature: "AAAA" },
      ),
    )
    assert.deepStrictEqual(parts, [])
  })

  it("emits only the first of several candidates", () => {
    const candidate = (index: number, text: string, finishReason?: string) => ({
      candidates: [{ index, content: { parts: [{ text }] }, finishReason }],
    })
    const chunks = [
      candidate(1, "Why "),
      candidate(0, "Yes, "),
      candidate(0, "it is.", "STOP"),
      candidate(1, "not", "MAX_TOKENS"),
    ]
    const { parts } = decode(...chunks)
    assert.strictEqual(parts.map((part) => (part._tag === "Text" ? part.text : "")).join(""), "Yes, it is.")
    assert.strictEqual(finished(...chunks), "stop")
  })

  it("decodes arguments that arrive as a string", () => {
    const { parts } = decode(saying({ functionCall: { name: "f", args: '{"a":1}', id: "" } }))
    assert.deepStrictEqual(parts, [Part.ToolUse({ id: undefined, name: "f", parameters: { a: 1 }, meta: undefined })])
  })

  it("fails on anything but a chunk", () => {
    for (const chunk of [{ candidates: "?" }, saying({ text: 7 }), "text"]) {
      const error = Either.getOrThrow(Either.flip(GeminiReply.decodeChunk(name, GeminiReply.initialState, chunk)))
      assert.strictEqual(error._tag, "StreamIncomplete")
    }
  })
})

describe("end", () => {
  it("finishes with tool_calls where there are calls, else with stop", () => {
    assert.strictEqual(finished(words, ending("STOP")), "stop")
    assert.strictEqual(finished(call, ending("STOP")), "tool_calls")
    assert.strictEqual(finished(ending("STOP")), "stop")
  })

  it("has the usage of the last chunk with any, including thinking in the output", () => {
    const { end } = decode(
      { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1 } },
      words,
      {
        ...ending("STOP"),
        usageMetadata: {
          promptTokenCount: 10,
          candidatesTokenCount: 7,
          thoughtsTokenCount: 30,
          cachedContentTokenCount: 4,
        },
      },
      {},
    )
    const usage = { inputTokens: 10, outputTokens: 37, cachedTokens: 4, thinkingTokens: 30 }
    assert.deepStrictEqual(end, Either.right(Part.Finish({ reason: "stop", usage })))
  })

  it("has no usage where no chunk has any", () => {
    assert.deepStrictEqual(
      decode(words, ending("STOP")).end,
      Either.right(Part.Finish({ reason: "stop", usage: Usage.none })),
    )
  })

  it("fails an answer without a finish reason as incomplete", () => {
    assert.strictEqual(failed(words)._tag, "StreamIncomplete")
    assert.strictEqual(failed()._tag, "StreamIncomplete")
  })

  it("accepts text truncated at the output limit, but no call", () => {
    assert.strictEqual(finished(words, ending("MAX_TOKENS")), "length")
    const hasMalformedCall = saying({ functionCall: { name: "read_file", args: '{"path": "a.' } })
    for (const cut of [call, hasMalformedCall]) {
      const reason = failed(words, cut, ending("MAX_TOKENS"))
      assert.include(reason._tag === "OutputLimit" ? reason.correction : reason._tag, "smaller pieces")
    }
  })

  it("reports how much of the output limit thinking used up", () => {
    const reason = failed(saying({ text: "hm", thought: true }), {
      ...ending("MAX_TOKENS"),
      usageMetadata: { thoughtsTokenCount: 42 },
    })
    assert.isUndefined(reason._tag === "OutputLimit" ? reason.correction : reason._tag)
    assert.include(reason.message, "42 tokens")
  })

  for (const reason of ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"]) {
    it(`fails with ${reason} as the reason of a block, whatever was emitted before`, () => {
      const hasMalformedCall = saying({ functionCall: {} })
      for (const previous of [words, hasMalformedCall]) {
        assert.deepInclude(failed(previous, ending(reason)), { _tag: "Blocked", message: `blocked: ${reason}` })
      }
    })
  }

  it("reports why the prompt was blocked, with the provider's message if any", () => {
    assert.deepInclude(failed({ promptFeedback: { blockReason: "SAFETY", blockReasonMessage: "too rude" } }), {
      _tag: "Blocked",
      message: "the prompt was blocked: SAFETY (too rude)",
    })
  })

  it("ignores an unspecified block reason where an answer arrived", () => {
    const feedback = { promptFeedback: { blockReason: "BLOCK_REASON_UNSPECIFIED" } }
    assert.strictEqual(finished(feedback, words, ending("STOP")), "stop")
    assert.strictEqual(failed(feedback)._tag, "Blocked")
  })

  for (const [reason, hint] of [
    ["MALFORMED_FUNCTION_CALL", "JSON"],
    ["UNEXPECTED_TOOL_CALL", "read_file, list_files"],
    ["TOO_MANY_TOOL_CALLS", "a few calls"],
  ] as const) {
    it(`returns a correction for ${reason}, even where a call arrived`, () => {
      const error = failed(words, call, ending(reason, "print(default_api.x())"))
      assert.include(error._tag === "Unusable" ? error.correction : error._tag, hint)
    })
  }

  it("returns a correction for calls where no tools are offered", () => {
    const [state] = Either.getOrThrow(
      GeminiReply.decodeChunk(name, GeminiReply.initialState, ending("UNEXPECTED_TOOL_CALL")),
    )
    const reason = Either.getOrThrow(Either.flip(GeminiReply.end(state, [])))
    assert.include(reason._tag === "Unusable" ? reason.correction : "", "no tools")
  })

  it("fails on a call that cannot be parsed", () => {
    for (const functionCall of [
      {},
      { name: "", args: {} },
      { name: "f", args: "{" },
      { name: "f", args: [1] },
      { name: "f", willContinue: true },
      { partialArgs: [{ jsonPath: "$.a", stringValue: "b" }] },
    ]) {
      const { end, parts } = decode(saying({ functionCall }), ending("STOP"))
      assert.deepStrictEqual(parts, [])
      assert.strictEqual(Either.getOrThrow(Either.flip(end))._tag, "Unusable")
    }
  })

  it("accepts text with an unknown finish reason, but no call and no empty answer", () => {
    for (const reason of ["OTHER", "LANGUAGE", "FAKE_NEW_REASON"]) {
      assert.strictEqual(finished(words, ending(reason)), "error")
      assert.deepInclude(failed(words, call, ending(reason)), { _tag: "InvalidRequest" })
      assert.deepInclude(failed(saying({ text: " " }), ending(reason)), {
        _tag: "InvalidRequest",
        message: `the model stopped without an answer: ${reason}`,
      })
    }
  })
})
