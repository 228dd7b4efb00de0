import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Stream, TestClock } from "effect"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Usage from "../../../src/message/Usage.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { ModelError, Overloaded, Unauthorized } from "../../../src/model/ModelError.ts"
import { Part, type Reply } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"

const request = (text: string): Request => ({ system: "", messages: [Message.user(text)], tools: [] })

/** The model's next answer. */
const answer = (model: LanguageModel.Service, text = "Go") =>
  Effect.map(model.generate(request(text)), ({ blocks, finish, usage }) => ({ blocks, finish, usage }))

const textReply = (text: string): Pick<Reply, "blocks" | "finish" | "usage"> => ({
  blocks: [Block.text(text)],
  finish: "stop",
  usage: Usage.none,
})

const usage: Usage.Usage = { inputTokens: 3, outputTokens: 2, cachedTokens: 1, thinkingTokens: 0 }

describe("Scripted", () => {
  it.effect("answers with its lines in order, and then fails", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.make(["one", "two"])
      assert.deepStrictEqual(yield* answer(model), textReply("one"))
      assert.deepStrictEqual(yield* answer(model), textReply("two"))
      const error = yield* Effect.flip(answer(model))
      assert.strictEqual(error.reason._tag, "InvalidRequest")
      assert.strictEqual(error.message, "scripted/test: the script has no more lines")
    }),
  )

  it.effect("answers with whole turns: thinking, text, calls, finish reason and usage", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.make([
        {
          thinking: "hm",
          text: "I look.",
          toolCalls: [
            { name: "read", arguments: { path: "a" } },
            { id: "mine", name: "list" },
          ],
          usage,
        },
        { text: "and", finish: "length" },
      ])
      assert.deepStrictEqual(yield* answer(model), {
        blocks: [
          Block.thinking("hm"),
          Block.text("I look."),
          Block.toolUse("call_0", "read", { path: "a" }),
          Block.toolUse("mine", "list", {}),
        ],
        finish: "tool_calls",
        usage,
      })
      assert.deepStrictEqual(yield* answer(model), { ...textReply("and"), finish: "length" })
    }),
  )

  it.effect("has a short form for calls", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.make([Scripted.calls(["read", { path: "a" }], ["list"])])
      assert.deepStrictEqual((yield* answer(model)).blocks, [
        Block.toolUse("call_0", "read", { path: "a" }),
        Block.toolUse("call_1", "list", {}),
      ])
    }),
  )

  it.effect("streams a turn in parts", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.make([{ thinking: "hm", text: "Hello" }])
      assert.deepStrictEqual(Array.from(yield* Stream.runCollect(model.stream(request("Go")))), [
        Part.Thinking({ text: "hm" }),
        Part.Text({ text: "Hello" }),
        Part.Finish({ reason: "stop", usage: Usage.none }),
      ])
    }),
  )

  it.effect("fails where the script does; a retry takes the next line", () =>
    Effect.gen(function* () {
      const busy = new ModelError({ model: "scripted/test", reason: new Overloaded({ message: "busy" }) })
      const locked = new ModelError({ model: "scripted/test", reason: new Unauthorized({ message: "no key" }) })
      const model = yield* Scripted.make([busy, "after the wait", locked, "never said"])
      const fiber = yield* Effect.fork(answer(model))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.join(fiber), textReply("after the wait"))
      assert.strictEqual((yield* Effect.flip(answer(model))).message, "scripted/test: no key")
    }),
  )

  it.effect("calls a function with the request and the number of requests before it", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.make(({ messages }, index) => `${index}: ${messages.map(Message.text).join()}`)
      assert.deepStrictEqual(yield* answer(model, "Hi"), textReply("0: Hi"))
      assert.deepStrictEqual(yield* answer(model, "Bye"), textReply("1: Bye"))
    }),
  )

  it.effect("is a language model as a layer, named scripted", () =>
    Effect.gen(function* () {
      const model = yield* LanguageModel.LanguageModel
      assert.strictEqual(String(model.id), "scripted/test")
      assert.deepStrictEqual(yield* answer(model), textReply("Hello"))
    }).pipe(Effect.provide(Scripted.layer(["Hello"]))),
  )
})

describe("Scripted.fromJson", () => {
  it.effect("parses strings, turns and errors, and is named after its file", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.fromJson(
        "demo.json",
        JSON.stringify([
          "Hello",
          { thinking: "hm", toolCalls: [{ name: "list" }, { id: "mine", name: "read", arguments: { path: "a" } }] },
          { text: "cut", finish: "length", usage },
          { error: { reason: "Unauthorized" } },
          { error: { reason: "RateLimited", message: "slow down", retryAfterSeconds: 90 } },
        ]),
      )
      assert.strictEqual(String(model.id), "scripted/demo.json")
      assert.deepStrictEqual(yield* answer(model), textReply("Hello"))
      assert.deepStrictEqual(yield* answer(model), {
        blocks: [
          Block.thinking("hm"),
          Block.toolUse("call_0", "list", {}),
          Block.toolUse("mine", "read", { path: "a" }),
        ],
        finish: "tool_calls",
        usage: Usage.none,
      })
      assert.deepStrictEqual(yield* answer(model), { ...textReply("cut"), finish: "length", usage })
      const locked = yield* Effect.flip(answer(model))
      assert.strictEqual(locked.reason._tag, "Unauthorized")
      assert.strictEqual(locked.message, "scripted/demo.json: as the script says")
      const slow = yield* Effect.flip(answer(model))
      assert.strictEqual(slow.reason._tag, "RateLimited")
      assert.deepStrictEqual(slow.retryAfter, Duration.seconds(90))
    }),
  )

  it.effect.each(["RateLimited", "Overloaded", "Unauthorized", "InvalidRequest"])(
    "fails with %s as in the file",
    (reason) =>
      Effect.gen(function* () {
        const model = yield* Scripted.fromJson(
          "demo",
          JSON.stringify([{ error: { reason, message: "no", retryAfterSeconds: 61 } }]),
        )
        const error = yield* Effect.flip(answer(model))
        assert.strictEqual(error.reason._tag, reason)
        assert.strictEqual(error.reason.message, "no")
      }),
  )

  it.effect("accepts a script without answers", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.fromJson("demo", "[]")
      assert.strictEqual((yield* Effect.flip(answer(model))).reason._tag, "InvalidRequest")
    }),
  )

  it.effect.each([
    ["text that is not JSON", '["a", ', "Unexpected end of JSON input"],
    ["an empty file", "", "Unexpected end of JSON input"],
    ["an object", "{}", "Expected ReadonlyArray<unknown>, actual {}"],
    ["a number", "[1]", "answer 1: it is neither a string nor an object"],
    ["null", '["a", null]', "answer 2: it is neither a string nor an object"],
    [
      "a misspelt key",
      '["a", {"tex": "b"}]',
      'answer 2: tex: is unexpected, expected: "thinking" | "text" | "toolCalls" | "finish" | "usage"',
    ],
    ["a call without a name", '[{"toolCalls": [{"arguments": {}}]}]', "answer 1: toolCalls.0.name: is missing"],
    [
      "arguments that are not an object",
      '[{"toolCalls": [{"name": "x", "arguments": "{}"}]}]',
      'answer 1: toolCalls.0.arguments: Expected { readonly [x: string]: unknown }, actual "{}"',
    ],
    ["text that is not a string", '[{"text": 1}]', "answer 1: text: Expected string, actual 1"],
    [
      "two problems in one answer",
      '[{"text": 1, "thinking": 2}]',
      "answer 1: thinking: Expected string, actual 2; text: Expected string, actual 1",
    ],
    [
      "an error with an unknown reason",
      '[{"error": {"reason": "Tired"}}]',
      'answer 1: error.reason: Expected "RateLimited", actual "Tired"; Expected "Overloaded", actual "Tired"; Expected "Unauthorized", actual "Tired"; Expected "InvalidRequest", actual "Tired"',
    ],
    ["an error without a reason", '[{"error": {}}]', "answer 1: error.reason: is missing"],
  ] as const)("names the problem of %s, and its position", ([, json, issue]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Scripted.fromJson("demo", json))
      assert.strictEqual(error.reason._tag, "Misconfigured")
      assert.strictEqual(error.message, `scripted/demo: the script cannot be read: ${issue}`)
    }),
  )
})
