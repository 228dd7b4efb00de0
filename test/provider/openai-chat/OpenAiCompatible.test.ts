import { assert, describe, expect, it, vi } from "@effect/vitest"
import { Effect, Either, Fiber, Redacted, TestClock } from "effect"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Reply from "../../../src/model/Reply.ts"
import { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as OpenAiCompatible from "../../../src/provider/openai-chat/OpenAiCompatible.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { against } from "../../model/LanguageModel.aimock.ts"
import { hello, key, withoutWaiting } from "../../utils/Asking.ts"
import { chunk, error, refusing, streamed } from "../../utils/ChatAdapter.ts"
import * as ChatRules from "../../utils/ChatRules.ts"
import * as FakeServer from "../../utils/FakeServer.ts"

const { deepseek, groq, lmstudio, mistral, openai, openrouter, xai } = OpenAiCompatible.servers

const readFile = Tool.fromJsonSchema({
  name: "read_file",
  description: "Reads a file.",
  parameters: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" },
  run: () => Effect.succeed(""),
})

interface Setup {
  readonly server?: OpenAiCompatible.CompatibleServer
  readonly model?: string
  readonly request?: Request
}

/** All parts of one attempt. */
const parts = (url: string, { server = openai, model = "gpt-4o-mini", request = hello }: Setup = {}) =>
  Effect.suspend(() => {
    const emitted: Array<Part> = []
    const attempt = OpenAiCompatible.attempt({ server, apiKey: Redacted.make(key), model, baseUrl: url })
    return Effect.as(
      attempt(request, (parts) => Effect.sync(() => void emitted.push(...parts))),
      emitted,
    )
  })

/** The reply to a server's answer. */
const reply = (answer: FakeServer.Answer, setup?: Setup) =>
  Effect.gen(function* () {
    const { url } = yield* FakeServer.serve([answer])
    return (yield* parts(url, setup)).reduce(Reply.step, Reply.empty)
  })

const failure = (answer: FakeServer.Answer, setup?: Setup) =>
  Effect.map(Effect.flip(reply(answer, setup)), ({ reason }) => reason)

/** The request that is sent. */
const sent = (setup: Setup) =>
  Effect.gen(function* () {
    const { requests, url } = yield* FakeServer.serve([fine])
    yield* parts(url, setup)
    return requests[0] ?? assert.fail("nothing was sent")
  })

const fine = streamed([Part.Text({ text: "fine" }), Part.Finish({ reason: "stop", usage: Reply.empty.usage })])

/** A stream of these chunks, with its end. */
const stream = (...chunks: ReadonlyArray<object>) => ({ body: `${FakeServer.events(...chunks)}data: [DONE]\n\n` })

describe("OpenAiCompatible: key", () => {
  it("fails with the name of the variable where it is missing", () => {
    for (const { keyVariable = "", ...server } of [openai, openrouter, groq]) {
      const reason = Either.getOrThrow(Either.flip(OpenAiCompatible.keyOf({ server: { ...server, keyVariable } })))
      assert.strictEqual(reason._tag, "Unauthorized")
      assert.include(reason.message, keyVariable)
    }
  })

  it.scoped("is optional for servers that require none, and sent where it is set", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      for (const apiKey of [undefined, Redacted.make("mine")]) {
        yield* OpenAiCompatible.make({ server: lmstudio, apiKey, model: "x", baseUrl: url }).generate(hello)
      }
      assert.deepStrictEqual(
        requests.map(({ headers }) => headers.authorization),
        [undefined, "Bearer mine"],
      )
    }),
  )

  it.scoped("is all that a server receives, whatever variables of OpenAI are set, without a message", () =>
    Effect.gen(function* () {
      const spies = yield* Effect.acquireRelease(
        Effect.sync(() => {
          vi.stubEnv("OPENAI_API_KEY", "from-the-environment")
          vi.stubEnv("OPENAI_ADMIN_KEY", "another-one")
          vi.stubEnv("OPENAI_ORG_ID", "org-secret")
          vi.stubEnv("OPENAI_PROJECT_ID", "proj-secret")
          vi.stubEnv("OPENAI_CUSTOM_HEADERS", "X-Mine: mine-secret")
          vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1")
          vi.stubEnv("OPENAI_LOG", "debug")
          return (["debug", "info", "warn", "error", "log"] as const).map((level) => vi.spyOn(console, level))
        }),
        () =>
          Effect.sync(() => {
            vi.restoreAllMocks()
            vi.unstubAllEnvs()
          }),
      )
      const { headers, path } = yield* sent({ server: groq })
      assert.strictEqual(headers.authorization, `Bearer ${key}`)
      assert.strictEqual(path, "/chat/completions")
      assert.notMatch(JSON.stringify(headers), /secret|environment|stainless/)
      for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    }),
  )
})

describe("OpenAiCompatible: request", () => {
  const request: Request = {
    ...hello,
    system: "Be brief.",
    tools: [readFile],
    maxOutputTokens: 100,
    temperature: 0.5,
  }

  it.scoped("streams, with the conversation, the tools and the parameters", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* sent({ request })).body, {
        model: "gpt-4o-mini",
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "hello" },
        ],
        tools: [
          {
            type: "function",
            function: {
              name: "read_file",
              description: "Reads a file.",
              parameters: { type: "object", properties: {} },
            },
          },
        ],
        max_completion_tokens: 100,
        temperature: 0.5,
      })
    }),
  )

  it.scoped("sends a reasoning model no temperature, and a developer message", () =>
    Effect.gen(function* () {
      for (const model of ["o3-mini", "gpt-5", "gpt-5.4-nano", "gpt-10"]) {
        const body = (yield* sent({ request, model })).body
        assert.notProperty(body, "temperature")
        assert.deepInclude(ChatRules.bodyOf(yield* sent({ request, model })).messages[0], { role: "developer" })
      }
      for (const model of ["gpt-4.1", "gpt-5-chat-latest"]) {
        assert.propertyVal((yield* sent({ request, model })).body, "temperature", 0.5)
      }
    }),
  )

  it.scoped("uses each server's field for the output limit, and requests no usage from Mistral", () =>
    Effect.gen(function* () {
      for (const [server, word] of [
        [groq, "max_completion_tokens"],
        [mistral, "max_tokens"],
        [deepseek, "max_tokens"],
        [openrouter, "max_tokens"],
      ] as const) {
        const { body } = yield* sent({ request, server })
        assert.propertyVal(body, word, 100)
        assert.strictEqual("stream_options" in ChatRules.bodyOf({ body, path: "", headers: {} }), server !== mistral)
      }
    }),
  )

  it.effect("asks whether a local server is running, without a retry", () =>
    Effect.gen(function* () {
      const url = yield* Effect.scoped(Effect.map(FakeServer.serve([fine]), ({ url }) => url))
      for (const [server, address] of [
        [lmstudio, url],
        [openai, url.replace("127.0.0.1", "localhost")],
      ] as const) {
        const model = OpenAiCompatible.make({
          server,
          apiKey: Redacted.make(key),
          model: "x",
          baseUrl: `${address}/v1`,
        })
        const { result, retries } = yield* withoutWaiting((observer) => Effect.flip(model.generate(hello, observer)))
        assert.strictEqual(result.reason._tag, "Unsupported")
        assert.include(result.message, `is ${server.title} running at ${address}/v1?`)
        assert.lengthOf(retries, 0)
      }
    }),
  )
})

describe("OpenAiCompatible: deviations of servers", () => {
  it.scoped("accepts [DONE] after a call or text as the end, where there is no finish reason", () =>
    Effect.gen(function* () {
      const call = { index: 0, id: "0", type: "function", function: { name: "look", arguments: "" } }
      const { blocks, finish } = yield* reply(stream(chunk({ tool_calls: [call] })))
      assert.deepStrictEqual([blocks, finish], [[Block.toolUse("0", "look", {})], "tool_calls"])
      assert.strictEqual((yield* reply(stream(chunk({ content: "fine" })))).finish, "stop")
      assert.strictEqual((yield* failure(stream(chunk({ content: "" }))))._tag, "StreamIncomplete")
      assert.strictEqual(
        (yield* failure({ body: FakeServer.events(chunk({ content: "half" })) }))._tag,
        "StreamIncomplete",
      )
    }),
  )

  it.scoped("decodes arguments that are an object, content in parts, and a function_call", () =>
    Effect.gen(function* () {
      const call = { id: "a", function: { name: "look", arguments: { path: "a" } } }
      const parts = [
        { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
        { type: "text", text: "Yes." },
      ]
      const { blocks } = yield* reply(stream(chunk({ content: parts, tool_calls: [call] }, "tool_calls")))
      assert.deepStrictEqual(blocks, [
        Block.thinking("hm"),
        Block.text("Yes."),
        Block.toolUse("a", "look", { path: "a" }),
      ])
      const old = stream(
        chunk({ function_call: { name: "look", arguments: "" } }),
        chunk({ function_call: { arguments: "{}" } }, "function_call"),
      )
      assert.deepStrictEqual((yield* reply(old)).blocks, [Block.toolUse("call_0", "look", {})])
    }),
  )

  it.scoped("decodes an answer despite malformed details", () =>
    Effect.gen(function* () {
      const images = [null, 7, { image_url: "data:image/png;base64,aGVsbG8=" }]
      const reasoning_details = [null, "hm", { type: "reasoning.text", text: "hm" }]
      const call = { index: 0, id: 7, function: { name: "look", arguments: "{}" } }
      const counts = {
        prompt_tokens: 10,
        completion_tokens: 5,
        prompt_tokens_details: [],
        completion_tokens_details: 0,
      }
      const { blocks, usage } = yield* reply(
        stream(
          chunk({ content: "I look.", images, reasoning_details, tool_calls: [call] }, "tool_calls", { usage: counts }),
          { choices: [{ index: 0, delta: { reasoning_details: {}, images: "none" }, native_finish_reason: 1 }] },
          { choices: [], x_groq: [], usage: "none" },
        ),
      )
      assert.sameDeepMembers(
        [...blocks],
        [
          Block.thinking("hm"),
          Block.text("I look."),
          Block.image("image/png", "aGVsbG8="),
          Block.toolUse("7", "look", {}),
        ],
      )
      assert.deepStrictEqual([usage.inputTokens, usage.outputTokens], [10, 5])
    }),
  )

  it.scoped("gives two calls with the same id separate ids", () =>
    Effect.gen(function* () {
      const call = (index: number) => ({ index, id: "0", function: { name: "look", arguments: `{"n":${index}}` } })
      const { blocks } = yield* reply(stream(chunk({ tool_calls: [call(0), call(1)] }, "tool_calls")))
      assert.strictEqual(new Set(blocks.filter(Block.isToolUse).map(({ id }) => id)).size, 2)
    }),
  )

  it.scoped("separates thinking in tags from text", () =>
    Effect.gen(function* () {
      const { blocks } = yield* reply(
        stream(
          chunk({ content: "<thi" }),
          chunk({ content: "nk>\nhm</think" }),
          chunk({ content: ">\n\nYes." }, "stop"),
        ),
      )
      assert.deepStrictEqual(blocks, [Block.thinking("\nhm"), Block.text("Yes.")])
    }),
  )

  it.scoped("keeps thinking that only its closing tag ends out of the reply, on servers of users", () =>
    Effect.gen(function* () {
      const answerOf = (...texts: ReadonlyArray<string>) =>
        stream(...texts.map((content) => chunk({ content })), chunk({}, "stop"))
      const texts = ["The user", " asks.\n", "</thi", "nk>", "\n\n391", "<|return|>"]
      for (const server of [lmstudio, OpenAiCompatible.custom("work", "http://127.0.0.1:1/v1", undefined), openai]) {
        const { blocks } = yield* reply(answerOf(...texts), { server })
        assert.deepStrictEqual(blocks, [Block.thinking("The user asks."), Block.text("391")])
      }
      const about = "The tag `</think>` ends it."
      const { blocks } = yield* reply(answerOf(...Array.from(about)), { server: lmstudio })
      assert.deepStrictEqual(blocks, [Block.text(about)])
    }),
  )

  it.scoped("accepts calls written as text where they cannot be anything else", () =>
    Effect.gen(function* () {
      const request = { ...hello, tools: [readFile] }
      const call = '{"name": "read_file", "arguments": {"path": "a.ts"}}'
      for (const text of [call, `<tool_call>${call}</tool_call>`, `<think>hm</think>\n\n\`\`\`json\n${call}\n\`\`\``]) {
        const answer = stream(...Array.from(text, (content) => chunk({ content })), chunk({}, "stop"))
        const { blocks, finish } = yield* reply(answer, { server: lmstudio, request })
        assert.deepStrictEqual(blocks.filter(Block.isToolUse), [Block.toolUse("call_0", "read_file", { path: "a.ts" })])
        assert.isFalse(blocks.some(Block.isText))
        assert.strictEqual(finish, "tool_calls")
        const words = yield* reply(answer, { server: openai, request })
        assert.isFalse(words.blocks.some(Block.isToolUse))
      }
      for (const text of [`Like ${call}.`, '{"name": "no_tool", "arguments": {}}', "{ hm", "<"]) {
        const answer = stream(...Array.from(text, (content) => chunk({ content })), chunk({}, "stop"))
        assert.deepStrictEqual((yield* reply(answer, { server: lmstudio, request })).blocks, [Block.text(text)])
      }
      const cut = stream(chunk({ content: call }), chunk({}, "length"))
      assert.deepStrictEqual((yield* reply(cut, { server: lmstudio, request })).blocks, [Block.text(call)])
    }),
  )

  it.scoped("runs no call that cannot be parsed, and retries with a correction", () =>
    Effect.gen(function* () {
      for (const [json, native] of [
        ['{"path":', null],
        ["[1]", null],
        ["{}", "MALFORMED_FUNCTION_CALL"],
      ]) {
        const { object, choices } = chunk(
          { tool_calls: [{ index: 0, function: { name: "look", arguments: json } }] },
          "stop",
        )
        const answer = stream({ object, choices: [{ ...choices[0], native_finish_reason: native }] })
        assert.strictEqual((yield* failure(answer))._tag, "Unusable")
      }
    }),
  )

  it.scoped("reports truncated arguments where only the upstream finish reason shows it", () =>
    Effect.gen(function* () {
      const ended = (json: string, native_finish_reason: string) => {
        const delta = { tool_calls: [{ index: 0, id: "a", function: { name: "look", arguments: json } }] }
        return stream({ choices: [{ index: 0, delta, finish_reason: "tool_calls", native_finish_reason }] })
      }
      for (const native of ["length", "max_output_tokens", "MAX_TOKENS"]) {
        assert.strictEqual((yield* failure(ended('{"path":', native)))._tag, "OutputLimit")
        assert.strictEqual((yield* reply(ended("{}", native))).finish, "tool_calls")
      }
      assert.strictEqual((yield* failure(ended('{"path":', "completed")))._tag, "Unusable")
    }),
  )

  it.scoped("fails an answer that ends in an error, whatever its text", () =>
    Effect.gen(function* () {
      for (const reason of ["error", "insufficient_system_resource"]) {
        for (const delta of [{}, { content: "half" }]) {
          assert.deepInclude(yield* failure(stream(chunk(delta, reason))), {
            _tag: "Overloaded",
            message: `the provider broke off: ${reason}`,
          })
        }
      }
    }),
  )

  it.scoped("waits longer for the first chunk of a server that may have to load its model", () =>
    Effect.gen(function* () {
      for (const [server, millis] of [
        [openai, 90_000],
        [lmstudio, 300_000],
      ] as const) {
        const fake = yield* FakeServer.serve([{ ...fine, ending: "mute" }])
        const fiber = yield* Effect.fork(Effect.flip(parts(fake.url, { server })))
        yield* fake.asked
        yield* TestClock.adjust(millis - 1)
        assert.isNull(fiber.unsafePoll())
        yield* TestClock.adjust(1)
        assert.strictEqual((yield* Fiber.join(fiber)).reason._tag, "StreamIncomplete")
      }
    }),
  )

  it.scoped("fails with the model's refusal", () =>
    Effect.gen(function* () {
      const answer = stream(chunk({ refusal: "I can't " }), chunk({ refusal: "do that." }, "stop"))
      assert.deepInclude(yield* failure(answer), { _tag: "Blocked", message: "the model refused: I can't do that." })
    }),
  )

  it.scoped("reports an error that arrives with status 200, instead of or within the answer", () =>
    Effect.gen(function* () {
      const behind = { code: 429, metadata: { raw: "gemma is busy upstream" } }
      for (const answer of [
        refusing(200, error("Provider returned error", behind)),
        stream(chunk({ content: "half" }), JSON.parse(error("Provider returned error", behind))),
        stream({
          choices: [{ index: 0, delta: {}, finish_reason: "error", error: { message: "busy upstream", code: 429 } }],
        }),
      ]) {
        const reason = yield* failure(answer, { server: openrouter })
        assert.strictEqual(reason._tag, "RateLimited")
        assert.include(reason.message, "busy upstream")
      }
      for (const broken of [{ x_groq: { id: "req_1", error: "over capacity" } }, { message: "over capacity" }]) {
        const reason = yield* failure(stream(chunk({ content: "half" }), broken), { server: groq })
        assert.deepInclude(reason, { _tag: "Overloaded", message: "over capacity" })
      }
      const vllm = { object: "error", message: "out of memory", type: "InternalServerError", code: 500 }
      assert.deepInclude(yield* failure(stream(vllm)), { _tag: "Overloaded", message: "out of memory" })
    }),
  )

  it.scoped("emits only the first of several choices, in any order", () =>
    Effect.gen(function* () {
      const choice = (index: number, content: string, finish_reason: string | null = null, more: object = {}) => ({
        choices: [{ index, delta: { content }, finish_reason, ...more }],
      })
      const { blocks, finish } = yield* reply(
        stream(
          choice(1, "Why "),
          choice(0, "Yes, "),
          choice(1, "not?"),
          choice(0, "it is."),
          choice(0, "", "stop"),
          choice(1, "", "error", { error: { message: "busy", code: 503 } }),
        ),
      )
      assert.deepStrictEqual([blocks, finish], [[Block.text("Yes, it is.")], "stop"])
      const whole = (index: number, content: string) => ({ index, message: { content }, finish_reason: "stop" })
      const both = refusing(200, JSON.stringify({ choices: [whole(1, "Why not?"), whole(0, "Yes, it is.")] }))
      assert.deepStrictEqual((yield* reply(both)).blocks, [Block.text("Yes, it is.")])
      const pieces = [choice(1, "Why not?"), choice(0, "Yes, it is.")].flatMap(({ choices }) => choices)
      const chunks = stream({ choices: pieces }, choice(0, "", "stop"))
      assert.deepStrictEqual((yield* reply(chunks)).blocks, [Block.text("Yes, it is.")])
    }),
  )

  it.scoped("joins text and calls that Copilot splits over two choices", () =>
    Effect.gen(function* () {
      const call = { id: "a", function: { name: "look", arguments: "{}" } }
      const choices = [
        { message: { content: "I look." }, finish_reason: "tool_calls" },
        { message: { tool_calls: [call] }, finish_reason: "tool_calls" },
      ]
      const { blocks } = yield* reply(refusing(200, JSON.stringify({ choices })))
      assert.deepStrictEqual(blocks, [Block.text("I look."), Block.toolUse("a", "look", {})])
    }),
  )

  it.scoped("decodes a whole message beside an empty delta, and no delta twice", () =>
    Effect.gen(function* () {
      const choice = (message: string, delta: string, finish_reason: string | null) => ({
        choices: [{ index: 0, message: { content: message }, delta: { content: delta }, finish_reason }],
      })
      const whole = refusing(200, JSON.stringify(choice("Yes, it is.", "", "stop")))
      assert.deepStrictEqual((yield* reply(whole)).blocks, [Block.text("Yes, it is.")])
      const pieces = stream(choice("Yes,", "Yes,", null), choice("Yes, it is.", " it is.", "stop"))
      assert.deepStrictEqual((yield* reply(pieces)).blocks, [Block.text("Yes, it is.")])
    }),
  )

  it.scoped("counts tokens by the rules of each server", () =>
    Effect.gen(function* () {
      const usage = {
        prompt_tokens: 10,
        completion_tokens: 5,
        completion_tokens_details: { reasoning_tokens: 20 },
        prompt_cache_hit_tokens: 4,
      }
      const answer = stream(chunk({ content: "fine" }, "stop"), { choices: [], usage })
      assert.deepStrictEqual((yield* reply(answer, { server: xai })).usage, {
        inputTokens: 10,
        outputTokens: 25,
        cachedTokens: 4,
        thinkingTokens: 20,
      })
      assert.strictEqual((yield* reply(answer)).usage.outputTokens, 5)
      const late = stream(chunk({ content: "fine" }, "stop"), { choices: [], x_groq: { usage } })
      assert.strictEqual((yield* reply(late)).usage.inputTokens, 10)
    }),
  )
})

describe("OpenAiCompatible: a server without images", () => {
  const imageMessage: Message.User = {
    role: "user",
    content: [Block.image("image/png", "AAAA"), Block.text("What is it?")],
  }

  it.scoped("fails before sending where the prompt has an image", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([fine])
      const setup = { server: deepseek, model: "deepseek-chat", request: { ...hello, messages: [imageMessage] } }
      const { reason } = yield* Effect.flip(parts(url, setup))
      assert.strictEqual(reason._tag, "Unsupported")
      assert.include(reason.message, "text only, no images")
      assert.isEmpty(requests)
    }),
  )

  it.scoped("replaces an earlier image by a text", () =>
    Effect.gen(function* () {
      const answer: Message.Assistant = { role: "assistant", content: [Block.text("A cat.")] }
      const request = { ...hello, messages: [imageMessage, answer, Message.user("Sure?")] }
      const { messages } = ChatRules.bodyOf(yield* sent({ server: deepseek, model: "deepseek-chat", request }))
      assert.deepStrictEqual(
        messages.map(({ content }) => content),
        ["[a picture]", "What is it?", "A cat.", "Sure?"],
      )
    }),
  )
})

describe("OpenAiCompatible: metadata that is sent back", () => {
  const call = { index: 0, id: "call_a", type: "function", function: { name: "look", arguments: "{}" } }

  /** The message that sends an answer back, to the same or to another model. */
  const back = (answer: FakeServer.Answer, setup: Setup, next: Setup = setup) =>
    Effect.gen(function* () {
      const [first, ...rest] = (yield* reply(answer, setup)).blocks
      const emitted: Message.Assistant = {
        role: "assistant",
        content: [first ?? assert.fail("it said nothing"), ...rest],
      }
      const answers = Message.toolUses(emitted).map((call) => Message.toolResult(call, "done", false))
      const request = { ...hello, messages: [...hello.messages, emitted, ...answers, Message.user("Go on.")] }
      return ChatRules.bodyOf(yield* sent({ ...next, request })).messages[1]
    })

  it.scoped("sends OpenRouter's reasoning details back whole, to the same model only", () =>
    Effect.gen(function* () {
      const detail = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 }
      const sealed = { type: "reasoning.encrypted", data: "ZW5j", id: "rs_1", index: 1 }
      const answer = stream(
        chunk({ reasoning: "The user ", reasoning_details: [{ ...detail, text: "The user " }] }),
        chunk({ reasoning: "asks.", reasoning_details: [{ ...detail, text: "asks." }] }),
        chunk({ reasoning_details: [{ ...detail, signature: "c2ln" }, sealed] }),
        chunk({ tool_calls: [call] }, "tool_calls"),
      )
      const setup = { server: openrouter, model: "anthropic/claude-haiku-4.5" }
      assert.deepStrictEqual((yield* back(answer, setup))?.reasoning_details, [
        { ...detail, text: "The user asks.", signature: "c2ln" },
        sealed,
      ])
      for (const next of [{ ...setup, model: "openai/gpt-5" }, { server: openai }]) {
        assert.deepStrictEqual(yield* back(answer, setup, next), {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_a", type: "function", function: { name: "look", arguments: "{}" } }],
        })
      }
    }),
  )

  it.scoped("sends DeepSeek's thinking back in its field, and an empty one with other calls", () =>
    Effect.gen(function* () {
      const answer = stream(
        chunk({ reasoning_content: "hm, " }),
        chunk({ reasoning_content: "yes" }),
        chunk({ tool_calls: [call] }, "tool_calls"),
      )
      const setup = { server: deepseek, model: "deepseek-reasoner" }
      assert.strictEqual((yield* back(answer, setup))?.reasoning_content, "hm, yes")
      assert.strictEqual((yield* back(answer, { server: groq }, setup))?.reasoning_content, "")
      assert.notProperty(yield* back(answer, setup, { server: groq }), "reasoning_content")
    }),
  )

  it.scoped("sends Mistral's thinking back as a content part, and call ids of nine characters", () =>
    Effect.gen(function* () {
      const thinking = { type: "thinking", thinking: [{ type: "text", text: "hm" }] }
      const answer = stream(
        chunk({ content: [thinking] }),
        chunk({ content: "Yes.", tool_calls: [call] }, "tool_calls"),
      )
      const message = yield* back(answer, { server: mistral, model: "mistral-small-latest" })
      assert.deepStrictEqual(message?.content, [thinking, { type: "text", text: "Yes." }])
      assert.match(message?.tool_calls?.[0]?.id ?? "", /^[a-z0-9]{9}$/)
    }),
  )

  it.scoped("sends Google's signature of a call back with the call", () =>
    Effect.gen(function* () {
      const server = OpenAiCompatible.custom("gemini-proxy", "http://127.0.0.1:1", "KEY")
      const signed = { ...call, extra_content: { google: { thought_signature: "c2ln" } } }
      const answer = stream(chunk({ tool_calls: [signed] }, "tool_calls"))
      const message = yield* back(answer, { server })
      assert.deepInclude(message?.tool_calls?.[0], { extra_content: { google: { thought_signature: "c2ln" } } })
    }),
  )

  it.scoped("repeats a request rejected for it once, without it", () =>
    Effect.gen(function* () {
      const emitted: Message.Assistant = {
        role: "assistant",
        content: [
          Block.thinking("hm"),
          Block.thinking("", { elsewhere: { model: "x", thinking: "reasoning_content" } }),
          Block.text("Yes."),
        ],
      }
      const request = { ...hello, messages: [...hello.messages, emitted, Message.user("Go on.")] }
      const { requests, url } = yield* FakeServer.serve([
        refusing(400, error("property 'reasoning_content' is unsupported")),
        fine,
      ])
      const server = OpenAiCompatible.custom("elsewhere", url, undefined)
      yield* parts(url, { server, model: "x", request })
      assert.deepStrictEqual(
        requests.map((request) => ChatRules.bodyOf(request).messages[1]?.reasoning_content),
        ["hm", undefined],
      )
    }),
  )
})

const layer = (url: string) =>
  OpenAiCompatible.layer({ server: openai, apiKey: Redacted.make(key), model: "gpt-4o-mini", baseUrl: `${url}/v1` })

against({ id: "openai/gpt-4o-mini", layer })
