import { LLMock } from "@copilotkit/aimock"
import * as AiLanguageModel from "@effect/ai/LanguageModel"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Stream, TestClock } from "effect"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import { RetryPolicy } from "../../../src/model/Retry.ts"
import * as EffectAiModel from "../../../src/provider/effect-ai/EffectAi.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { contract } from "../../model/LanguageModel.contract.ts"
import { block } from "../../utils/Anthropic.ts"
import { asking, hello, key, withoutWaiting } from "../../utils/Asking.ts"
import * as EffectAi from "../../utils/EffectAi.ts"
import { anthropic, openAi } from "../../utils/EffectAiAdapter.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import { call, errorResponse, fine, messageStart, stop, streamOf, text } from "./events.ts"
import { recordings } from "./recordings.ts"

// The contract and the recordings are not in files of their own: each thread that has one of the files loads the layers,
// which takes longer than most tests.
contract(anthropic, [openAi])
recordings()

const readFile = Tool.fromJsonSchema({
  name: "read_file",
  description: "Reads a file.",
  parameters: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { path: { const: "a.ts" } },
    required: ["path"],
  },
  run: () => Effect.die("it must not run"),
})

const ask = (url: string, request: Request, model?: string) =>
  withoutWaiting((observer) => Effect.either(EffectAi.anthropic(url, model).generate(request, observer)))

const answered = (url: string, request: Request, model?: string) =>
  Effect.map(ask(url, request, model), ({ result }) =>
    result._tag === "Right" ? result.right : assert.fail(String(result.left)),
  )

/** Why an answer fails; without retries, which are those of all providers. */
const failureOf = (answer: FakeServer.Answer) =>
  Effect.gen(function* () {
    const { url } = yield* FakeServer.serve([answer])
    const { reason } = yield* Effect.flip(EffectAi.anthropic(url).generate({ ...hello, tools: [readFile] }))
    return reason
  }).pipe(Effect.provideService(RetryPolicy, { maxRetries: 0, maxWait: Duration.zero }))

const failure = (answer: FakeServer.Answer) =>
  Effect.gen(function* () {
    const { requests, url } = yield* FakeServer.serve([answer])
    const { result } = yield* ask(url, { ...hello, tools: [readFile] })
    if (result._tag === "Right") return assert.fail("it did not fail")
    return { reason: result.left.reason, attempts: requests.length }
  })

interface Body {
  readonly system?: ReadonlyArray<Record<string, unknown>>
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: ReadonlyArray<Record<string, unknown>> }>
  readonly tools?: ReadonlyArray<Record<string, unknown>>
  readonly tool_choice?: Record<string, unknown>
}

/** The last request of the layer, in the format of Anthropic's API. */
const bodyOf = ({ body }: FakeServer.Received): Body => body as Body

/** The same, in the format of OpenAI's API. */
const inputOf = ({ body }: FakeServer.Received): unknown => (body as { readonly input: unknown }).input

describe("EffectAi with the layer for Anthropic", () => {
  it.scoped("sends system prompt, text, images and tools with valid names", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      const odd = { ...readFile, name: "größe.messen" }
      const reply = yield* answered(url, {
        system: "Be brief.",
        tools: [readFile, odd],
        toolChoice: { tool: odd.name },
        messages: [{ role: "user", content: [Block.text("What is it?"), Block.image("image/png", "aGVsbG8=")] }],
      })
      assert.deepStrictEqual(reply.blocks, [Block.text("fine")])
      const [body] = requests.map(bodyOf)
      assert.deepStrictEqual(body?.system, [{ type: "text", text: "Be brief." }])
      assert.deepStrictEqual(body?.messages, [
        {
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "aGVsbG8=" } },
          ],
        },
      ])
      assert.deepStrictEqual(body?.tools?.[0], {
        name: "read_file",
        description: "Reads a file.",
        input_schema: { type: "object", properties: { path: { const: "a.ts" } }, required: ["path"] },
      })
      assert.match(String(body?.tools?.[1]?.name), /^[\w-]+$/)
      assert.strictEqual(body?.tool_choice?.name, body?.tools?.[1]?.name)
    }),
  )

  it.scoped("returns calls without running them, and sends results and signatures back to the same model", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([
        streamOf(
          messageStart(),
          ...block(
            0,
            { type: "thinking", thinking: "", signature: "" },
            { type: "thinking_delta", thinking: "In a.ts" },
            { type: "thinking_delta", thinking: " or b.ts." },
            { type: "signature_delta", signature: "c2ln" },
          ),
          ...block(1, { type: "redacted_thinking", data: "c2VjcmV0" }),
          ...text(2, "I look."),
          ...call(3, "read_file"),
          ...call(4, "read_file", ""),
          ...stop("tool_use"),
        ),
        fine,
      ])
      const request: Request = { ...hello, tools: [readFile] }
      const { blocks, finish } = yield* answered(url, request)
      assert.strictEqual(finish, "tool_calls")
      const calls = blocks.filter(Block.isToolUse)
      assert.deepStrictEqual(
        calls.map(({ id, name, parameters }) => [id, name, parameters]),
        [
          ["toolu_3", "read_file", { path: "a.ts" }],
          ["toolu_4", "read_file", {}],
        ],
      )
      const messages: Request["messages"] = [
        ...hello.messages,
        { role: "assistant", content: blocks },
        ...calls.map((call, index) => Message.toolResult(call, `result ${index}`, index === 1)),
        { role: "system", content: [Block.text("Hurry.")] },
      ]
      yield* answered(url, { ...request, messages })
      yield* answered(url, { ...request, messages }, "claude-opus-4-5")
      const [, own, other] = requests.map(bodyOf).map(({ messages }) => messages)
      const uses = [
        { type: "text", text: "I look." },
        { type: "tool_use", id: "toolu_3", name: "read_file", input: { path: "a.ts" } },
        { type: "tool_use", id: "toolu_4", name: "read_file", input: {} },
      ]
      assert.deepStrictEqual(own?.[1]?.content, [
        { type: "thinking", thinking: "In a.ts or b.ts.", signature: "c2ln" },
        { type: "redacted_thinking", data: "c2VjcmV0" },
        ...uses,
      ])
      assert.deepStrictEqual(other?.[1]?.content, uses)
      assert.deepStrictEqual(own?.[2]?.content, [
        { type: "tool_result", tool_use_id: "toolu_3", content: '"result 0"', is_error: false },
        { type: "tool_result", tool_use_id: "toolu_4", content: '"result 1"', is_error: true },
        { type: "text", text: "Hurry." },
      ])
    }),
  )

  it.scoped("counts the whole prompt, cached or not, and maps finish reasons", () =>
    Effect.gen(function* () {
      const start = messageStart({ cache_read_input_tokens: 40, cache_creation_input_tokens: 20 })
      const { url } = yield* FakeServer.serve([streamOf(start, ...text(0, "Once"), ...stop("max_tokens"))])
      const { finish, usage } = yield* answered(url, hello)
      assert.strictEqual(finish, "length")
      assert.deepStrictEqual(usage, { inputTokens: 63, outputTokens: 7, cachedTokens: 40, thinkingTokens: 0 })
    }),
  )

  it.scoped("fails on a call of an unknown tool, after two corrections", () =>
    Effect.gen(function* () {
      const unknown = streamOf(messageStart(), ...call(0, "read_file"), ...call(1, "rm"), ...stop("tool_use"))
      const { attempts, reason } = yield* failure(unknown)
      assert.strictEqual(attempts, 3)
      assert.strictEqual(reason._tag, "Unusable")
      assert.include(reason.message, "rm")
      assert.include(reason._tag === "Unusable" ? reason.correction : "", "read_file")
      const { requests, url } = yield* FakeServer.serve([unknown, fine])
      assert.deepStrictEqual((yield* answered(url, { ...hello, tools: [readFile] })).blocks, [Block.text("fine")])
      assert.include(JSON.stringify(requests.map(bodyOf)[1]?.system), "The tools are: read_file.")
    }),
  )

  it.scoped("declares called tools that are no longer offered, and accepts no call of them", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([
        streamOf(messageStart(), ...call(0, "read_file"), ...stop("tool_use")),
        fine,
      ])
      const made = Block.toolUse("toolu_9", "read_file", { path: "a.ts" })
      const messages: Request["messages"] = [
        ...hello.messages,
        { role: "assistant", content: [made] },
        Message.toolResult(made, "42", false),
      ]
      assert.deepStrictEqual((yield* answered(url, { ...hello, messages })).blocks, [Block.text("fine")])
      assert.deepStrictEqual(
        requests.map(bodyOf).map(({ tools }) => tools?.map(({ name }) => name)),
        [["read_file"], ["read_file"]],
      )
      assert.include(JSON.stringify(requests.map(bodyOf)[1]?.system), "There are no tools")
    }),
  )

  it.scoped("fails an answer with arguments that are truncated or not JSON", () =>
    Effect.gen(function* () {
      const broken = yield* failure(streamOf(messageStart(), ...call(0, "read_file", '{"path'), ...stop("tool_use")))
      assert.deepStrictEqual([broken.reason._tag, broken.attempts], ["Unusable", 3])
      const cut = yield* failure(streamOf(messageStart(), ...call(0, "read_file"), ...stop("max_tokens")))
      assert.deepStrictEqual([cut.reason._tag, cut.attempts], ["OutputLimit", 2])
    }),
  )

  it.scoped("fails with the provider's error", () =>
    Effect.gen(function* () {
      for (const [answer, tag] of [
        [errorResponse(401, { type: "authentication_error", message: "invalid x-api-key" }), "Unauthorized"],
        [errorResponse(404, { type: "not_found_error", message: "model: x" }), "ModelNotFound"],
        [errorResponse(400, { type: "invalid_request_error", message: "no" }), "InvalidRequest"],
        [
          errorResponse(400, { type: "invalid_request_error", message: "prompt is too long: 3 > 2" }),
          "ContextOverflow",
        ],
        [errorResponse(429, { type: "rate_limit_error", message: "your spend limit is reached" }), "QuotaExhausted"],
        [
          errorResponse(400, { type: "invalid_request_error", message: "Your credit balance is too low" }),
          "QuotaExhausted",
        ],
        [errorResponse(429, { type: "rate_limit_error", message: "slow" }, { "retry-after": "5" }), "RateLimited"],
        [errorResponse(529, { type: "overloaded_error", message: "busy" }), "Overloaded"],
        [{ status: 502, body: "<html></html>", headers: { "content-type": "text/html" } }, "Overloaded"],
        [
          streamOf(messageStart(), { type: "error", error: { type: "overloaded_error", message: "busy" } }),
          "Overloaded",
        ],
        [
          streamOf(messageStart(), { type: "error", error: { type: "rate_limit_error", message: "slow" } }),
          "RateLimited",
        ],
        [
          streamOf(messageStart(), { type: "error", error: { type: "invalid_request_error", message: "no" } }),
          "InvalidRequest",
        ],
        [streamOf(messageStart(), ...text(0, "half")), "StreamIncomplete"],
        [
          { body: JSON.stringify(messageStart().message), headers: { "content-type": "application/json" } },
          "StreamIncomplete",
        ],
        [streamOf(messageStart(), ...text(0, "no"), ...stop("refusal")), "Blocked"],
        [{ body: "", ending: "drop" }, "Unreachable"],
      ] as const) {
        const reason = yield* failureOf(answer)
        assert.strictEqual(reason._tag, tag)
        assert.notMatch(reason.message, /[{}<]/)
      }
    }),
  )

  it.scoped("redacts the key; within an answer, where it is unknown, everything that looks like one", () =>
    Effect.gen(function* () {
      const otherKey = "sk-ant-0123456789abcdef"
      const unauthorized = errorResponse(401, {
        type: "authentication_error",
        message: `not ${key}, and not ${otherKey}`,
      })
      assert.strictEqual((yield* failure(unauthorized)).reason.message, "not [key], and not [key]")
      const error = { type: "overloaded_error", message: `busy: ${otherKey}` }
      const { reason } = yield* failure(streamOf(messageStart(), { type: "error", error }))
      assert.strictEqual(reason.message, "busy: [key]")
    }),
  )

  it.scoped("fails after minutes without data from the layer", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve([{ ...fine, ending: "mute" }])
      const waiting = Effect.flip(EffectAi.anthropic(server.url).generate(hello)).pipe(
        Effect.provideService(RetryPolicy, { maxRetries: 0, maxWait: Duration.zero }),
      )
      const fiber = yield* Effect.fork(waiting)
      yield* server.asked
      yield* TestClock.adjust("299 seconds")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).reason._tag, "StreamIncomplete")
      yield* server.abandoned
    }),
  )

  it.scoped("aborts its request when interrupted", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve([{ ...fine, ending: "hang", body: streamOf(messageStart()).body }])
      yield* Effect.raceFirst(EffectAi.anthropic(server.url).generate(hello), server.asked)
      yield* server.abandoned
    }),
  )
})

describe("EffectAi with any layer", () => {
  it.effect("stops an answer without an end, without a retry, and lets go of the layer", () =>
    Effect.gen(function* () {
      const released = yield* Deferred.make<void>()
      let requests = 0
      const delta = { type: "text-delta" as const, id: "0", delta: "round and round ".repeat(65_536) }
      const layer = yield* AiLanguageModel.make({
        generateText: () => Effect.die("it streams"),
        streamText: () => {
          requests++
          return Stream.concat(Stream.make(...Array.from({ length: 9 }, () => delta)), Stream.never).pipe(
            Stream.ensuring(Deferred.succeed(released, undefined)),
          )
        },
      })
      const model = yield* EffectAiModel.make(new ModelId({ provider: "mine", name: "endless" })).pipe(
        Effect.provideService(AiLanguageModel.LanguageModel, layer),
      )
      const { reason } = yield* Effect.flip(model.generate(hello))
      assert.strictEqual(reason._tag, "OutputLimit")
      assert.strictEqual(reason.message, "its answer has more than 8,388,608 characters")
      yield* Deferred.await(released)
      assert.strictEqual(requests, 1)
    }),
  )
})

describe("EffectAi with the layer for OpenAI", () => {
  it.scoped("receives the conversation, with images, calls and results", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([{ body: "" }])
      const made = Block.toolUse("call_1", "read_file", { path: "a.ts" })
      const messages: Request["messages"] = [
        { role: "user", content: [Block.text("Look."), Block.image("image/png", "aGVsbG8=")] },
        { role: "assistant", content: [Block.thinking("hm"), Block.text("Yes."), made] },
        Message.toolResult(made, "42", false),
      ]
      yield* withoutWaiting((observer) =>
        Effect.either(EffectAi.openAi(url).generate({ ...hello, messages }, observer)),
      )
      assert.deepStrictEqual(requests.map(inputOf)[0], [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Look." },
            { type: "input_image", image_url: "data:image/png;base64,aGVsbG8=", detail: "auto" },
          ],
        },
        { role: "assistant", content: [{ type: "output_text", text: "Yes." }] },
        { type: "function_call", call_id: "call_1", name: "read_file", arguments: '{"path":"a.ts"}' },
        { type: "function_call_output", call_id: "call_1", output: '"42"' },
      ])
    }),
  )

  it.scoped("sends text after reasoning back as its continuation, and other text separately", () =>
    Effect.gen(function* () {
      const end = Part.Finish({ reason: "stop", usage: Usage.none })
      const thought = [Part.Thinking({ text: "hm" }), Part.Text({ text: "Yes." }), end]
      const { requests, url } = yield* FakeServer.serve([
        openAi.wire.streamed(thought),
        openAi.wire.streamed([Part.Text({ text: "No." }), end]),
      ])
      const model = EffectAi.openAi(url)
      const first = yield* model.generate(hello)
      const messages: Request["messages"] = [
        ...hello.messages,
        { role: "assistant", content: first.blocks },
        Message.user("Sure?"),
      ]
      const second = yield* model.generate({ ...hello, messages })
      assert.deepStrictEqual(second.blocks, [Block.text("No.")])
      assert.deepStrictEqual(requests.map(inputOf)[1], [
        { role: "user", content: [{ type: "input_text", text: "hello" }] },
        {
          type: "reasoning",
          id: "item_0",
          summary: [{ type: "summary_text", text: "hm" }],
          encrypted_content: "ZW5j",
        },
        { role: "assistant", content: [{ type: "output_text", text: "Yes." }], id: "item_1" },
        { role: "user", content: [{ type: "input_text", text: "Sure?" }] },
      ])
    }),
  )
})

describe("EffectAi with aimock", () => {
  it.scoped("makes two parallel calls, and receives their results in the next turn", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const mock = new LLMock({ port: 0, host: "127.0.0.1" })
          mock.on(
            { userMessage: "explore", hasToolResult: false },
            {
              content: "Two files.",
              reasoning: "hm",
              toolCalls: [
                { id: "c1", name: "read_file", arguments: { path: "a.ts" } },
                { id: "c2", name: "read_file", arguments: { path: "b.ts" } },
              ],
            },
          )
          mock.on({ userMessage: "explore", hasToolResult: true }, { content: "Both are about numbers." })
          await mock.start()
          return mock
        }),
        (mock) => Effect.promise(() => mock.stop()),
      )
      const request: Request = { ...asking("explore"), tools: [readFile] }
      const first = yield* answered(url, request)
      assert.strictEqual(String(first.model), "mine/claude-sonnet-4-5")
      const calls = first.blocks.filter(Block.isToolUse)
      assert.deepStrictEqual(
        calls.map(({ parameters }) => parameters.path),
        ["a.ts", "b.ts"],
      )
      const second = yield* answered(url, {
        ...request,
        messages: [
          ...request.messages,
          { role: "assistant", content: first.blocks },
          ...calls.map((call) => Message.toolResult(call, "1", false)),
        ],
      })
      assert.deepStrictEqual(second.blocks, [Block.text("Both are about numbers.")])
    }),
  )
})
