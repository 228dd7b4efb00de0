import { assert, describe, expect, it, vi } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Anthropic from "../../../src/provider/anthropic/Anthropic.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { against } from "../../model/LanguageModel.aimock.ts"
import {
  block,
  events,
  failing,
  failure,
  fine,
  messageStart,
  messageStop,
  options,
  parts,
  refusing,
  sonnet,
} from "../../utils/Anthropic.ts"
import * as AnthropicRules from "../../utils/AnthropicRules.ts"
import { hello, key } from "../../utils/Asking.ts"
import * as FakeServer from "../../utils/FakeServer.ts"

const readFile = Tool.fromJsonSchema({
  name: "read_file",
  description: "Reads a file.",
  parameters: { $schema: "http://json-schema.org/draft-07/schema#", type: "object" },
  run: () => Effect.succeed(""),
})

const bodies = (requests: ReadonlyArray<FakeServer.Received>) => requests.map(({ body }) => AnthropicRules.read(body))

describe("Anthropic: key", () => {
  it("fails with the name of the variable where it is missing", () => {
    const reason = Either.getOrThrow(Either.flip(Anthropic.keyOf(Redacted.make(" "))))
    assert.strictEqual(reason._tag, "Unauthorized")
    assert.include(reason.message, "ANTHROPIC_API_KEY")
  })

  it.scoped("ignores the environment, and prints nothing on the console", () =>
    Effect.gen(function* () {
      const spies = yield* Effect.acquireRelease(
        Effect.sync(() => {
          vi.stubEnv("ANTHROPIC_API_KEY", "from-the-environment")
          vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "another-one")
          vi.stubEnv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
          vi.stubEnv("ANTHROPIC_LOG", "debug")
          return (["debug", "info", "warn", "error", "log"] as const).map((level) => vi.spyOn(console, level))
        }),
        () =>
          Effect.sync(() => {
            vi.restoreAllMocks()
            vi.unstubAllEnvs()
          }),
      )
      const { requests, url } = yield* FakeServer.serve([fine])
      yield* parts(url, hello, "claude-3-opus-20240229")
      assert.strictEqual(requests[0]?.headers.authorization, `Bearer ${key}`)
      for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    }),
  )
})

describe("Anthropic: request", () => {
  it.scoped("streams, with the conversation, the tools and the parameters", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      yield* parts(url, { ...hello, system: "Be brief.", tools: [readFile], maxOutputTokens: 100, temperature: 0.5 })
      assert.strictEqual(requests[0]?.path, "/v1/messages")
      assert.strictEqual(requests[0]?.headers["anthropic-version"], "2026-10-21")
      assert.notMatch(JSON.stringify(requests[0]?.headers), /stainless|x-api-key/)
      const cache_control = { type: "ephemeral" }
      assert.deepStrictEqual(requests[0]?.body, {
        model: sonnet,
        stream: true,
        max_tokens: 100,
        system: [{ type: "text", text: "Be brief.", cache_control }],
        messages: [{ role: "user", content: [{ type: "text", text: "hello", cache_control }] }],
        tools: [
          {
            name: "read_file",
            description: "Reads a file.",
            input_schema: { type: "object", properties: {} },
            cache_control,
          },
        ],
        temperature: 0.5,
      })
    }),
  )

  it.scoped("requests the model's output limit, or that of every model since Claude 3.5", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      yield* Anthropic.make({ ...options(url), maxOutputTokens: 64_000 }).generate(hello)
      yield* Anthropic.make(options(url)).generate(hello)
      assert.deepStrictEqual(
        bodies(requests).map(({ max_tokens }) => max_tokens),
        [64_000, 8192],
      )
    }),
  )

  it.scoped("lowers the output limit where it does not fit into the context", () =>
    Effect.gen(function* () {
      const tooLong = "input length and `max_tokens` exceed context limit: 188240 + 64000 > 200000, decrease either"
      const { requests, url } = yield* FakeServer.serve([
        refusing(400, { type: "invalid_request_error", message: tooLong }),
        fine,
      ])
      yield* parts(url)
      assert.deepStrictEqual(
        bodies(requests).map(({ max_tokens }) => max_tokens),
        [8192, 11_760],
      )
      const full = yield* FakeServer.serve([
        refusing(400, { type: "invalid_request_error", message: tooLong.replace("188240", "199000") }),
        fine,
      ])
      assert.strictEqual((yield* failure(full.url))._tag, "ContextOverflow")
      assert.lengthOf(full.requests, 1)
    }),
  )

  it.scoped("emits thinking as it arrives, followed by its signature", () =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve([
        {
          body: events(
            messageStart,
            ...block(
              0,
              { type: "thinking", thinking: "", signature: "" },
              { type: "thinking_delta", thinking: "one " },
              { type: "thinking_delta", thinking: "two" },
              { type: "signature_delta", signature: "c2ln" },
            ),
            ...block(1, { type: "redacted_thinking", data: "aGlkZGVu" }),
            ...block(2, { type: "text", text: "" }, { type: "text_delta", text: "fine" }),
            ...messageStop("end_turn"),
          ),
        },
      ])
      const usage = { inputTokens: 3, outputTokens: 1, cachedTokens: 0, thinkingTokens: 0 }
      const signed = { model: sonnet, thinking: "one two", signature: "c2ln" }
      assert.deepStrictEqual(yield* parts(url), [
        Part.Thinking({ text: "one two" }),
        Part.Thinking({ text: "", meta: { anthropic: signed } }),
        Part.Thinking({ text: "", meta: { anthropic: { model: sonnet, redacted: "aGlkZGVu" } } }),
        Part.Text({ text: "fine" }),
        Part.Finish({ reason: "stop", usage }),
      ])
    }),
  )

  it.scoped("accepts a restarted message, and retries where text was emitted before", () =>
    Effect.gen(function* () {
      const thinking = block(0, { type: "thinking", thinking: "hm", signature: "" })
      const text = block(0, { type: "text", text: "fine" })
      const spliced = (first: ReadonlyArray<{ readonly type: string }>) => ({
        body: events(messageStart, ...first, messageStart, ...text, ...messageStop("end_turn")),
      })
      const { url } = yield* FakeServer.serve([spliced(thinking), spliced(text), fine])
      assert.deepInclude(yield* parts(url), Part.Text({ text: "fine" }))
      assert.strictEqual((yield* failure(url))._tag, "StreamIncomplete")
    }),
  )

  it.scoped("maps an error event by its type", () =>
    Effect.gen(function* () {
      for (const [type, tag] of [
        ["overloaded_error", "Overloaded"],
        ["api_error", "Overloaded"],
        ["never_heard_of", "Overloaded"],
        ["rate_limit_error", "RateLimited"],
        ["billing_error", "QuotaExhausted"],
        ["authentication_error", "Unauthorized"],
        ["invalid_request_error", "InvalidRequest"],
      ] as const) {
        const { url } = yield* FakeServer.serve([{ body: events(messageStart, failing({ type, message: "No." })) }])
        const reason = yield* failure(url)
        assert.strictEqual(reason._tag, tag)
        assert.strictEqual(reason.message, "No.")
      }
    }),
  )

  it.scoped("maps an error event in the format of an upstream server", () =>
    Effect.gen(function* () {
      for (const error of [{ message: "No." }, { type: "error", message: "No.", code: 503 }, { error: "No." }]) {
        const body = `${events(messageStart)}event: error\ndata: ${JSON.stringify(error)}\n\n`
        const { url } = yield* FakeServer.serve([{ body }])
        assert.deepInclude(yield* failure(url), { _tag: "Overloaded", message: "No." })
      }
    }),
  )
})

describe("Anthropic: tool loop", () => {
  const thoughtful = {
    body: events(
      messageStart,
      ...block(
        0,
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: "hm" },
        { type: "signature_delta", signature: "c2ln" },
      ),
      ...block(1, { type: "redacted_thinking", data: "aGlkZGVu" }),
      ...block(2, { type: "text", text: "Let me see." }),
      ...block(3, { type: "tool_use", id: "toolu_1", name: "read_file", input: {} }),
      ...messageStop("tool_use"),
    ),
  }
  const history = [
    { type: "thinking", thinking: "hm", signature: "c2ln" },
    { type: "redacted_thinking", data: "aGlkZGVu" },
    { type: "text", text: "Let me see." },
    { type: "tool_use", id: "toolu_1", name: "read_file", input: {} },
  ]

  const looped = (url: string, more: (request: Request) => Request = (request) => request) =>
    Effect.gen(function* () {
      const model = Anthropic.make(options(url))
      const request: Request = { ...hello, tools: [readFile] }
      const { blocks } = yield* model.generate(request)
      const [call = assert.fail("it called nothing")] = blocks.filter(Block.isToolUse)
      const messages: Request["messages"] = [
        ...request.messages,
        { role: "assistant", content: blocks },
        Message.toolResult(call, "1", false),
      ]
      return yield* model.generate(more({ ...request, messages }))
    })

  it.scoped("sends thinking back unchanged, before the call that follows it", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([thoughtful, fine])
      yield* looped(url)
      assert.deepStrictEqual(bodies(requests)[1]?.messages[1], { role: "assistant", content: history })
    }),
  )

  it.scoped("repeats a request rejected for its thinking once, without thinking", () =>
    Effect.gen(function* () {
      const rejection = refusing(400, {
        type: "invalid_request_error",
        message: "messages.1.content.0: Invalid `signature` in `thinking` block",
      })
      const accepting = yield* FakeServer.serve([thoughtful, rejection, fine])
      assert.deepStrictEqual((yield* looped(accepting.url)).blocks, [Block.text("fine")])
      assert.deepStrictEqual(bodies(accepting.requests)[2]?.messages[1]?.content, history.slice(2))

      const rejecting = yield* FakeServer.serve([thoughtful, rejection, rejection])
      assert.strictEqual((yield* Effect.flip(looped(rejecting.url))).reason._tag, "InvalidRequest")
      assert.lengthOf(rejecting.requests, 3)
    }),
  )

  it.scoped("declares called tools where none are offered, and forbids calls", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([thoughtful, fine])
      yield* looped(url, (request) => ({ ...request, tools: [] }))
      const [, last = assert.fail()] = bodies(requests)
      assert.isUndefined(AnthropicRules.broken(last))
      assert.deepStrictEqual(last.tool_choice, { type: "none" })
      assert.deepStrictEqual(
        last.tools?.map(({ name }) => name),
        ["read_file"],
      )
    }),
  )

  it.scoped("sets four cache breakpoints at the prefix of the next request", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([thoughtful, fine])
      yield* looped(url, (request) => ({ ...request, system: "Be brief." }))
      const [, { messages = [], system = [], tools = [] } = assert.fail()] = bodies(requests)
      const marks = [...tools, ...system, ...messages.flatMap(({ content }) => content)]
      assert.deepStrictEqual(
        marks.map(({ cache_control }) => cache_control !== undefined),
        [true, true, true, false, false, false, false, true],
      )
    }),
  )
})

against({ id: `anthropic/${sonnet}`, layer: (url) => Anthropic.layer(options(url)), overloaded: 529 })
