import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as Usage from "../../../src/message/Usage.ts"
import { Part } from "../../../src/model/Reply.ts"
import * as GeminiReply from "../../../src/provider/gemini/reply.ts"

const name = "gemini-3-pro-preview"

const saying = (...parts: ReadonlyArray<unknown>) => ({ candidates: [{ content: { role: "model", parts } }] })

const ending = (finishReason: string, finishMessage?: string) => ({ candidates: [{ finishReason, finishMessage }] })

/** Everything heard, and how it ended. */
const decode = (...chunks: ReadonlyArray<unknown>) => {
  let state = GeminiReply.initialState
  const parts: Array<Part> = []
  for (const chunk of chunks) {
    const [next, heard] = Either.getOrThrow(GeminiReply.decodeChunk(name, state, chunk))
    state = next
    parts.push(...heard)
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
  it("sees a picture, and takes it for an answer", () => {
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

  it("reads arguments that come as a string", () => {
    const { parts } = decode(saying({ functionCall: { name: "f", args: '{"a":1}', id: "" } }))
    assert.deepStrictEqual(parts, [Part.ToolUse({ id: undefined, name: "f", parameters: { a: 1 }, meta: undefined })])
  })

  it("refuses what is no chunk", () => {
    for (const chunk of [{ candidates: "?" }, saying({ text: 7 }), "text"]) {
      const error = Either.getOrThrow(Either.flip(GeminiReply.decodeChunk(name, GeminiReply.initialState, chunk)))
      assert.strictEqual(error._tag, "StreamIncomplete")
    }
  })
})

describe("end", () => {
  it("tells a stop from a wait for results by the calls", () => {
    assert.strictEqual(finished(words, ending("STOP")), "stop")
    assert.strictEqual(finished(call, ending("STOP")), "tool_calls")
    assert.strictEqual(finished(ending("STOP")), "stop")
  })

  it("has the counts of the last chunk that has any, thinking counted as output", () => {
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

  it("has no counts where there are none", () => {
    assert.deepStrictEqual(
      decode(words, ending("STOP")).end,
      Either.right(Part.Finish({ reason: "stop", usage: Usage.none })),
    )
  })

  it("fails an answer without a finish reason as incomplete", () => {
    assert.strictEqual(failed(words)._tag, "StreamIncomplete")
    assert.strictEqual(failed()._tag, "StreamIncomplete")
  })

  it("lets words that were cut at the output limit stand, but no call", () => {
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
    it(`names ${reason} as what blocked the answer, whatever was said before`, () => {
      const hasMalformedCall = saying({ functionCall: {} })
      for (const previous of [words, hasMalformedCall]) {
        assert.deepInclude(failed(previous, ending(reason)), { _tag: "Blocked", message: `blocked: ${reason}` })
      }
    })
  }

  it("names what blocked the prompt, in the provider's words where it has any", () => {
    assert.deepInclude(failed({ promptFeedback: { blockReason: "SAFETY", blockReasonMessage: "too rude" } }), {
      _tag: "Blocked",
      message: "the prompt was blocked: SAFETY (too rude)",
    })
  })

  it("takes a block that is none for one only where no answer came", () => {
    const feedback = { promptFeedback: { blockReason: "BLOCK_REASON_UNSPECIFIED" } }
    assert.strictEqual(finished(feedback, words, ending("STOP")), "stop")
    assert.strictEqual(failed(feedback)._tag, "Blocked")
  })

  for (const [reason, hint] of [
    ["MALFORMED_FUNCTION_CALL", "JSON"],
    ["UNEXPECTED_TOOL_CALL", "read_file, list_files"],
    ["TOO_MANY_TOOL_CALLS", "a few calls"],
  ] as const) {
    it(`asks again after ${reason}, though a call was there, with a word that helps`, () => {
      const error = failed(words, call, ending(reason, "print(default_api.x())"))
      assert.include(error._tag === "Unusable" ? error.correction : error._tag, hint)
    })
  }

  it("tells a model that calls without tools that there are none", () => {
    const [state] = Either.getOrThrow(
      GeminiReply.decodeChunk(name, GeminiReply.initialState, ending("UNEXPECTED_TOOL_CALL")),
    )
    const reason = Either.getOrThrow(Either.flip(GeminiReply.end(state, [])))
    assert.include(reason._tag === "Unusable" ? reason.correction : "", "no tools")
  })

  it("does not run a call that it cannot read", () => {
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

  it("lets words stand that ended for a reason it does not know, but no call and no silence", () => {
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
