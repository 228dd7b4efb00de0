import { assert, describe, it } from "@effect/vitest"
import * as Message from "../../../src/message/Message.ts"
import { servers } from "../../../src/model/CompatibleServers.ts"
import type { Request } from "../../../src/model/Request.ts"
import { levels, type Thinking } from "../../../src/model/Thinking.ts"
import * as Anthropic from "../../../src/provider/anthropic/request.ts"
import * as Gemini from "../../../src/provider/gemini/request.ts"
import * as Ollama from "../../../src/provider/ollama/request.ts"
import * as Chat from "../../../src/provider/openai-chat/request.ts"
import * as Responses from "../../../src/provider/openai-responses/request.ts"

const request = (thinking?: Thinking): Request => ({ system: "", messages: [Message.user("Go")], tools: [], thinking })

/** What the wire has of a request without a level, and of those of the levels in order. */
const encoded = (wire: (request: Request) => unknown) => [undefined, ...levels].map((level) => wire(request(level)))

const gemini = (model: string) => (request: Request) =>
  Gemini.makeEncoder(model)(request, "signed").config.thinkingConfig

const chat = (model: string) => (request: Request) =>
  Chat.makeEncoder(servers.openai, model)(request, "full").reasoning_effort

describe("thinking", () => {
  it("is a budget of tokens for Gemini 2.5, of which Pro needs some, and a level for later ones", () => {
    const budget = (thinkingBudget: number) => ({ thinkingBudget })
    const level = (thinkingLevel: string) => ({ thinkingLevel })
    assert.deepStrictEqual<unknown>(encoded(gemini("gemini-2.5-flash")), [
      undefined,
      ...[0, 1_024, 8_192, 24_576].map(budget),
    ])
    assert.deepStrictEqual<unknown>(gemini("gemini-2.5-pro")(request("off")), budget(128))
    for (const model of ["gemini-3-flash-preview", "gemini-3.5-flash", "gemini-flash-latest"]) {
      assert.deepStrictEqual<unknown>(encoded(gemini(model)), [
        undefined,
        ...["MINIMAL", "LOW", "MEDIUM", "HIGH"].map(level),
      ])
    }
    assert.deepStrictEqual<unknown>(gemini("gemini-3.1-pro-preview")(request("off")), level("LOW"))
    for (const model of ["gemini-2.0-flash", "gemma-3-27b-it"]) {
      assert.deepStrictEqual(encoded(gemini(model)), [undefined, undefined, undefined, undefined, undefined])
    }
  })

  it("is an effort for reasoning models of OpenAI, the lowest that each has", () => {
    assert.deepStrictEqual(encoded(chat("gpt-5-mini")), [undefined, "minimal", "low", "medium", "high"])
    assert.deepStrictEqual(encoded(chat("gpt-5.1")), [undefined, "none", "low", "medium", "high"])
    assert.deepStrictEqual(encoded(chat("gpt-4.1")), [undefined, undefined, undefined, undefined, undefined])
    assert.deepStrictEqual(
      ["o4-mini", "gpt-5.3-codex", "gpt-5-pro"].map((model) => chat(model)(request("off"))),
      ["low", "low", undefined],
    )
    const responses = (request: Request) => Responses.makeEncoder("gpt-5-nano", true)(request, "full").reasoning
    assert.deepStrictEqual<unknown>(encoded(responses), [
      undefined,
      ...["minimal", "low", "medium", "high"].map((effort) => ({ effort })),
    ])
  })

  it("is an effort for any model of OpenRouter, and nothing for other servers", () => {
    const of = (server: (typeof servers)[keyof typeof servers]) => (request: Request) => {
      const { reasoning, reasoning_effort } = Chat.makeEncoder(server, "some/model")(request, "full")
      return reasoning ?? reasoning_effort
    }
    assert.deepStrictEqual<unknown>(encoded(of(servers.openrouter)), [
      undefined,
      ...["none", "low", "medium", "high"].map((effort) => ({ effort })),
    ])
    assert.deepStrictEqual(encoded(of(servers.groq)), [undefined, undefined, undefined, undefined, undefined])
  })

  it("is on or off for Ollama, and has levels for gpt-oss", () => {
    const ollama = (model: string) => (request: Request) => Ollama.makeEncoder(model)(request).think
    assert.deepStrictEqual(encoded(ollama("qwen3:8b")), [undefined, false, true, true, true])
    assert.deepStrictEqual(encoded(ollama("gpt-oss:20b")), [undefined, "low", "low", "medium", "high"])
  })

  it("is a budget for Claude, within the output limit, and nothing where it is off", () => {
    const claude = (request: Request) => Anthropic.makeEncoder("claude-sonnet-4-5", 8_192)(request, "signed").thinking
    assert.deepStrictEqual<unknown>(encoded(claude), [
      undefined,
      undefined,
      ...[1_024, 4_096, 4_096].map((budget_tokens) => ({ type: "enabled", budget_tokens })),
    ])
    assert.isUndefined(claude({ ...request("high"), maxOutputTokens: 2_000 }))
    assert.isUndefined(claude({ ...request("low"), temperature: 0 }))
  })
})
