import { assert, describe, it } from "@effect/vitest"
import { Chunk, Clock, Duration, Effect, Exit, Fiber, Stream, TestClock } from "effect"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import {
  Blocked,
  InvalidRequest,
  ModelError,
  ModelNotFound,
  OutputLimit,
  Overloaded,
  QuotaExhausted,
  RateLimited,
  type Reason,
  StreamIncomplete,
  Unreachable,
  Unusable,
} from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import { RetryPolicy } from "../../src/model/Retry.ts"
import * as Tool from "../../src/tool/Tool.ts"

const id = new ModelId({ provider: "test", name: "model" })

const failure = (reason: Reason) => new ModelError({ model: "test/model", reason })

const overloaded = failure(new Overloaded({ message: "busy" }))

const wants = (duration: Duration.DurationInput) =>
  failure(new RateLimited({ message: "slow down", retryAfter: Duration.decode(duration) }))

const usage = (outputTokens: number) => ({ inputTokens: 1, outputTokens, cachedTokens: 0, thinkingTokens: 0 })

const finish = Part.Finish({ reason: "stop", usage: usage(1) })

const says = (text: string) => [Part.Text({ text }), finish]

const hello: Request = { system: "Be brief.", messages: [Message.user("hello")], tools: [] }

/** One attempt: its parts in order, and the error it ends with, if any. */
type Attempt = ReadonlyArray<Part | ModelError>

/** A model with attempts by `script`, repeating the last one, and a log of events with times. */
const scripted = (...script: readonly [Attempt, ...ReadonlyArray<Attempt>]) => {
  const requests: Array<Request> = []
  const seconds: Array<number> = []
  const retries: Array<{ attempt: number; delay: number; reason: Reason; restarted: boolean }> = []
  const parts: Array<Part> = []
  const model = LanguageModel.make(id, (request, say) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const steps = script[requests.length] ?? script.at(-1) ?? []
      requests.push(request)
      seconds.push(now / 1000)
      return Effect.forEach(steps, (step) => (step instanceof ModelError ? Effect.fail(step) : say([step])), {
        discard: true,
      })
    }),
  )
  const observer: LanguageModel.Observer = {
    part: (part) => Effect.sync(() => parts.push(part)),
    retry: ({ attempt, delay, error, restarted }) =>
      Effect.sync(() => retries.push({ attempt, delay: Duration.toMillis(delay), reason: error.reason, restarted })),
  }
  return { model, observer, parts, requests, retries, seconds }
}

describe("LanguageModel.generate, with transient failures", () => {
  it.effect("sends requests at 0, 2, 6 and 14 seconds, and then fails with the provider's error", () =>
    Effect.gen(function* () {
      const { model, seconds } = scripted([overloaded])
      const fiber = yield* Effect.fork(Effect.flip(model.generate(hello)))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Fiber.join(fiber)).reason, overloaded.reason)
      assert.deepStrictEqual(seconds, [0, 2, 6, 14])
    }),
  )

  it.effect("waits 2 and then 4 seconds, notifies the observer before, and answers", () =>
    Effect.gen(function* () {
      const { model, observer, retries, seconds } = scripted([overloaded], [overloaded], says("hi"))
      const fiber = yield* Effect.fork(model.generate(hello, observer))
      yield* TestClock.adjust("5999 millis")
      assert.deepStrictEqual(seconds, [0, 2])
      assert.deepStrictEqual(retries, [
        { attempt: 1, delay: 2000, reason: overloaded.reason, restarted: true },
        { attempt: 2, delay: 4000, reason: overloaded.reason, restarted: true },
      ])
      yield* TestClock.adjust("1 millis")
      const reply = yield* Fiber.join(fiber)
      assert.deepStrictEqual(reply.blocks, [{ type: "text", text: "hi" }])
      assert.strictEqual(reply.model, id)
    }),
  )

  it.effect("waits as long as the provider asks for, and not a millisecond less", () =>
    Effect.gen(function* () {
      const { model, seconds } = scripted([wants("5 seconds")], says("hi"))
      const fiber = yield* Effect.fork(model.generate(hello))
      yield* TestClock.adjust("4999 millis")
      assert.deepStrictEqual(seconds, [0])
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(seconds, [0, 5])
    }),
  )

  it.effect("waits no less than usual where the provider asks for less", () =>
    Effect.gen(function* () {
      const { model, seconds } = scripted([wants("1 second")], says("hi"))
      const fiber = yield* Effect.fork(model.generate(hello))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(seconds, [0, 2])
    }),
  )

  it.effect("waits 60 seconds where the provider asks for them", () =>
    Effect.gen(function* () {
      const { model, seconds } = scripted([wants("60 seconds")], says("hi"))
      const fiber = yield* Effect.fork(model.generate(hello))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(seconds, [0, 60])
    }),
  )

  it.effect("fails at once where the provider asks for more, with that delay", () =>
    Effect.gen(function* () {
      const { model, retries, observer, seconds } = scripted([wants("3600 seconds")])
      const error = yield* Effect.flip(model.generate(hello, observer))
      assert.strictEqual(error.message, "test/model: slow down; it says to try again in 1h")
      assert.deepStrictEqual([seconds, retries], [[0], []])
    }),
  )

  it.effect("never retries an exhausted quota, even with a delay", () =>
    Effect.gen(function* () {
      const used = failure(new QuotaExhausted({ message: "no quota", retryAfter: Duration.seconds(1) }))
      const { model, seconds } = scripted([used])
      assert.strictEqual((yield* Effect.flip(model.generate(hello))).reason, used.reason)
      assert.deepStrictEqual(seconds, [0])
    }),
  )

  it.effect("can be interrupted during a delay", () =>
    Effect.gen(function* () {
      const { model, retries, observer, seconds } = scripted([overloaded])
      const fiber = yield* Effect.fork(model.generate(hello, observer))
      yield* TestClock.adjust("1 second")
      assert.lengthOf(retries, 1)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.strictEqual(yield* Clock.currentTimeMillis, 1000)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(seconds, [0])
    }),
  )
})

describe("LanguageModel.generate, with another retry policy", () => {
  const patient = (maxRetries: number, maxWait: Duration.DurationInput) =>
    Effect.provideService(RetryPolicy, { maxRetries, maxWait: Duration.decode(maxWait) })

  it.effect("sends one request where retries are disabled, whatever the failure", () =>
    Effect.gen(function* () {
      const bad = [
        [overloaded],
        [failure(new Unusable({ message: "garbled", correction: "Do better." }))],
        [failure(new OutputLimit({ message: "cut", correction: "Be brief." }))],
        [finish],
      ]
      for (const attempt of bad) {
        const { model, seconds } = scripted(attempt)
        yield* Effect.flip(model.generate(hello)).pipe(patient(0, "1 minute"))
        assert.deepStrictEqual(seconds, [0])
      }
    }),
  )

  it.effect("sends one streaming request where retries are disabled", () =>
    Effect.gen(function* () {
      const { model, seconds } = scripted([overloaded])
      yield* Effect.flip(Stream.runDrain(model.stream(hello))).pipe(patient(0, "1 minute"))
      assert.deepStrictEqual(seconds, [0])
    }),
  )

  it.effect("retries more often, with a maximum delay", () =>
    Effect.gen(function* () {
      const { model, seconds } = scripted([overloaded])
      const fiber = yield* Effect.fork(Effect.flip(model.generate(hello)).pipe(patient(5, "5 seconds")))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(seconds, [0, 2, 6, 11, 16, 21])
    }),
  )

  it.effect("fails where the provider asks for more than the maximum delay, with that delay", () =>
    Effect.gen(function* () {
      const { model, seconds } = scripted([wants("6 seconds")])
      const error = yield* Effect.flip(model.generate(hello)).pipe(patient(3, "5 seconds"))
      assert.include(error.message, "try again in 6s")
      assert.deepStrictEqual(seconds, [0])
    }),
  )
})

describe("LanguageModel.generate, with an attempt that fails after some text", () => {
  const disconnected = failure(new Unreachable({ message: "reset" }))

  it.effect("discards the text, notifies the observer, and returns the next attempt alone", () =>
    Effect.gen(function* () {
      const { model, observer, parts, retries } = scripted(
        [Part.Text({ text: "half an ans" }), disconnected],
        says("whole"),
      )
      const fiber = yield* Effect.fork(model.generate(hello, observer))
      yield* TestClock.adjust("2 seconds")
      const reply = yield* Fiber.join(fiber)
      assert.deepStrictEqual(reply.blocks, [{ type: "text", text: "whole" }])
      assert.deepStrictEqual(parts, [Part.Text({ text: "half an ans" }), ...says("whole")])
      assert.deepStrictEqual(
        retries.map(({ restarted }) => restarted),
        [true],
      )
    }),
  )

  it.effect("treats an answer without a finish part as failed", () =>
    Effect.gen(function* () {
      const { model, retries, observer } = scripted([Part.Text({ text: "half" })], says("whole"))
      const fiber = yield* Effect.fork(model.generate(hello, observer))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual((yield* Fiber.join(fiber)).blocks, [{ type: "text", text: "whole" }])
      assert.instanceOf(retries[0]?.reason, StreamIncomplete)
    }),
  )
})

describe("LanguageModel.generate, with an answer schema", () => {
  const asked: Request = { ...hello, answerSchema: { type: "object" } }

  const rejected = failure(new InvalidRequest({ message: "no schemas" }))

  const schemas = (requests: ReadonlyArray<Request>) => requests.map(({ answerSchema }) => answerSchema !== undefined)

  it.effect("repeats a rejected request immediately without it", () =>
    Effect.gen(function* () {
      const { model, requests, seconds } = scripted([rejected], says("{}"))
      const { blocks } = yield* model.generate(asked)
      assert.deepStrictEqual(blocks, [Block.text("{}")])
      assert.deepStrictEqual(
        [schemas(requests), seconds],
        [
          [true, false],
          [0, 0],
        ],
      )
    }),
  )

  it.effect("fails with the error of the request without it", () =>
    Effect.gen(function* () {
      const other = failure(new InvalidRequest({ message: "no pictures" }))
      const { model, requests } = scripted([rejected], [other])
      assert.strictEqual((yield* Effect.flip(model.generate(asked))).reason, other.reason)
      assert.lengthOf(requests, 2)
    }),
  )

  it.effect("does not repeat a request after text was emitted", () =>
    Effect.gen(function* () {
      const { model, requests } = scripted([Part.Text({ text: "{" }), rejected], says("{}"))
      assert.strictEqual((yield* Effect.flip(model.generate(asked))).reason, rejected.reason)
      assert.lengthOf(requests, 1)
    }),
  )

  it.effect("keeps it after other failures", () =>
    Effect.gen(function* () {
      const { model, requests } = scripted([overloaded], [Part.Text({ text: "{" })], says("{}"))
      const fiber = yield* Effect.fork(model.generate(asked))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(schemas(requests), [true, true, true])
    }),
  )

  it.effect("omits it where tools are offered", () =>
    Effect.gen(function* () {
      const tool = Tool.fromJsonSchema({ name: "look", description: "", parameters: {}, run: () => Effect.succeed("") })
      const { model, requests } = scripted(says("{}"))
      yield* model.generate({ ...asked, tools: [tool] })
      assert.deepStrictEqual(schemas(requests), [false])
    }),
  )
})

describe("LanguageModel.generate, with a required tool", () => {
  const look = Tool.fromJsonSchema({ name: "look", description: "", parameters: {}, run: () => Effect.succeed("") })

  const asked: Request = { ...hello, tools: [look], toolChoice: { tool: "look" } }

  const choices = (requests: ReadonlyArray<Request>) => requests.map(({ toolChoice }) => toolChoice)

  it.effect.each([
    new InvalidRequest({ message: "Thinking mode does not support this tool_choice" }),
    new InvalidRequest({ message: "deepseek-reasoner does not support Function Calling" }),
    new ModelNotFound({ message: "No endpoints found that support the provided 'tool_choice' value" }),
  ])("repeats a request that is rejected for it with a free choice, and later ones at once: $message", (reason) =>
    Effect.gen(function* () {
      const { model, requests } = scripted([failure(reason)], says("yes"))
      assert.deepStrictEqual((yield* model.generate(asked)).blocks, [Block.text("yes")])
      yield* model.generate(asked)
      assert.deepStrictEqual(choices(requests), [{ tool: "look" }, "auto", "auto"])
    }),
  )

  it.effect("does not repeat what is rejected for another reason", () =>
    Effect.gen(function* () {
      const rejected = failure(new InvalidRequest({ message: "no pictures" }))
      const { model, requests } = scripted([rejected], says("yes"))
      assert.strictEqual((yield* Effect.flip(model.generate(asked))).reason, rejected.reason)
      assert.deepStrictEqual(choices(requests), [{ tool: "look" }])
    }),
  )
})

describe("LanguageModel.generate, with a level of thinking", () => {
  const asked: Request = { ...hello, thinking: "off" }

  const rejected = failure(
    new InvalidRequest({ message: "Budget 0 is invalid. This model only works in thinking mode." }),
  )

  const sent = (requests: ReadonlyArray<Request>) => requests.map(({ thinking }) => thinking)

  it.effect("repeats a request that is rejected for it without it, and sends later ones without it", () =>
    Effect.gen(function* () {
      const { model, requests } = scripted([rejected], says("one"), says("two"))
      assert.deepStrictEqual((yield* model.generate(asked)).blocks, [Block.text("one")])
      assert.deepStrictEqual((yield* model.generate(asked)).blocks, [Block.text("two")])
      assert.deepStrictEqual(sent(requests), ["off", undefined, undefined])
    }),
  )

  it.effect("does not repeat a request that is rejected for something else", () =>
    Effect.gen(function* () {
      const other = failure(new InvalidRequest({ message: "the first message must be the user's" }))
      const { model, requests } = scripted([other], says("one"))
      assert.strictEqual((yield* Effect.flip(model.generate(asked))).reason, other.reason)
      assert.deepStrictEqual(sent(requests), ["off"])
    }),
  )
})

describe("LanguageModel.generate, with an unusable answer", () => {
  const useless = failure(new Unusable({ message: "garbled", correction: "Write JSON." }))

  it.effect("retries immediately, twice at most, with the correction in the system prompt only", () =>
    Effect.gen(function* () {
      const { model, requests, retries, observer, seconds } = scripted([useless])
      assert.strictEqual((yield* Effect.flip(model.generate(hello, observer))).reason, useless.reason)
      const corrected = { ...hello, system: "Be brief.\n\nWrite JSON." }
      assert.deepStrictEqual(requests, [hello, corrected, corrected])
      assert.deepStrictEqual(seconds, [0, 0, 0])
      assert.deepStrictEqual(
        retries.map(({ attempt, restarted }) => [attempt, restarted]),
        [
          [1, true],
          [2, true],
        ],
      )
    }),
  )

  it.effect("sends the correction alone where there was no system prompt", () =>
    Effect.gen(function* () {
      const { model, requests } = scripted([useless], says("fine"))
      yield* model.generate({ ...hello, system: "" })
      assert.deepStrictEqual(
        requests.map(({ system }) => system),
        ["", "Write JSON."],
      )
    }),
  )

  for (const [what, parts] of Object.entries({
    nothing: [],
    "white space and characters of no width": [Part.Text({ text: " \u200b\n" })],
    "thinking alone": [Part.Thinking({ text: "hm" })],
  })) {
    it.effect(`treats ${what} as an empty answer, and counts its usage`, () =>
      Effect.gen(function* () {
        const { model, requests } = scripted([...parts, Part.Finish({ reason: "stop", usage: usage(7) })], says("fine"))
        const reply = yield* model.generate(hello)
        assert.deepStrictEqual(reply.blocks, [{ type: "text", text: "fine" }])
        assert.deepStrictEqual(reply.usage, { inputTokens: 2, outputTokens: 8, cachedTokens: 0, thinkingTokens: 0 })
        assert.include(requests[1]?.system, "empty")
      }),
    )
  }

  const call = Block.toolUse("c1", "look", {})
  const asked: Request = {
    ...hello,
    messages: [...hello.messages, { role: "assistant", content: [call] }, Message.toolResult(call, "seen", false)],
  }
  const nothing = [Part.Finish({ reason: "stop", usage: usage(7) })]

  it.effect("fails if a model twice answers tool results with nothing, and counts the usage of both", () =>
    Effect.gen(function* () {
      const { model, requests } = scripted([...nothing])
      const { reason, usage } = yield* Effect.flip(model.generate(asked))
      assert.strictEqual(reason._tag, "Empty")
      assert.deepStrictEqual(usage, { inputTokens: 2, outputTokens: 14, cachedTokens: 0, thinkingTokens: 0 })
      assert.lengthOf(requests, 2)
    }),
  )

  it.effect("returns what a model says about tool results when it is asked again", () =>
    Effect.gen(function* () {
      const { model } = scripted([...nothing], says("It is so."))
      assert.deepStrictEqual((yield* model.generate(asked)).blocks, [{ type: "text", text: "It is so." }])
    }),
  )

  it.effect("retries an empty answer to a user twice, and then fails", () =>
    Effect.gen(function* () {
      const { model, requests } = scripted([...nothing])
      assert.strictEqual((yield* Effect.flip(model.generate(hello))).reason._tag, "Empty")
      assert.lengthOf(requests, 3)
    }),
  )

  it.effect("retries once after a truncated call, and not at all where no correction helps", () =>
    Effect.gen(function* () {
      const cut = scripted([failure(new OutputLimit({ message: "cut", correction: "Write less." }))])
      yield* Effect.flip(cut.model.generate(hello))
      assert.deepStrictEqual(
        cut.requests.map(({ system }) => system),
        ["Be brief.", "Be brief.\n\nWrite less."],
      )
      const full = scripted([failure(new OutputLimit({ message: "full" }))])
      yield* Effect.flip(full.model.generate(hello))
      assert.lengthOf(full.requests, 1)
    }),
  )

  it.effect("counts the usage of failed attempts, as far as reported", () =>
    Effect.gen(function* () {
      const costly = (reason: Reason) => new ModelError({ model: "test/model", reason, usage: usage(5) })
      const { model } = scripted([costly(useless.reason)], [costly(overloaded.reason)], says("fine"))
      const fiber = yield* Effect.fork(model.generate(hello))
      yield* TestClock.adjust("2 seconds")
      const { usage: total } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(total, { inputTokens: 3, outputTokens: 11, cachedTokens: 0, thinkingTokens: 0 })
    }),
  )

  it.effect("keeps the correction in retries of transient failures, and counts both separately", () =>
    Effect.gen(function* () {
      const { model, requests, seconds } = scripted([useless], [overloaded], [useless], [overloaded], says("fine"))
      const fiber = yield* Effect.fork(model.generate(hello))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(seconds, [0, 0, 2, 2, 6])
      assert.strictEqual(requests[2]?.system, "Be brief.\n\nWrite JSON.")
    }),
  )

  it.effect("does not retry a blocked answer", () =>
    Effect.gen(function* () {
      const blocked = failure(new Blocked({ message: "blocked: SAFETY" }))
      const { model, requests } = scripted([blocked])
      assert.strictEqual((yield* Effect.flip(model.generate(hello))).reason, blocked.reason)
      assert.lengthOf(requests, 1)
    }),
  )
})

describe("LanguageModel.stream", () => {
  it.effect("retries a failure before the first part, with nothing to discard", () =>
    Effect.gen(function* () {
      const { model, observer, parts, retries, seconds } = scripted([overloaded], says("hi"))
      const fiber = yield* Effect.fork(Stream.runCollect(model.stream(hello, observer)))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Fiber.join(fiber)), says("hi"))
      assert.deepStrictEqual(parts, says("hi"))
      assert.deepStrictEqual(seconds, [0, 2])
      assert.deepStrictEqual(
        retries.map(({ restarted }) => restarted),
        [false],
      )
    }),
  )

  it.effect("fails after 14 seconds", () =>
    Effect.gen(function* () {
      const { model, seconds } = scripted([overloaded])
      const fiber = yield* Effect.fork(Effect.flip(Stream.runDrain(model.stream(hello))))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Fiber.join(fiber)).reason, overloaded.reason)
      assert.deepStrictEqual(seconds, [0, 2, 6, 14])
    }),
  )

  it.effect("does not retry after text was emitted", () =>
    Effect.gen(function* () {
      const { model, requests } = scripted([Part.Text({ text: "once" }), overloaded])
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(model.stream(hello)))).reason, overloaded.reason)
      assert.lengthOf(requests, 1)
    }),
  )

  it.effect("starts anew on each run", () =>
    Effect.gen(function* () {
      const { model, seconds } = scripted([overloaded])
      const stream = model.stream(hello)
      for (const _ of [1, 2]) {
        const fiber = yield* Effect.fork(Effect.flip(Stream.runDrain(stream)))
        yield* TestClock.adjust("20 seconds")
        yield* Fiber.join(fiber)
      }
      assert.deepStrictEqual(seconds, [0, 2, 6, 14, 20, 22, 26, 34])
    }),
  )
})

describe("LanguageModel.make", () => {
  it.effect("fails before sending where the temperature is out of the provider's range", () =>
    Effect.gen(function* () {
      let asked = 0
      const model = LanguageModel.make(new ModelId({ provider: "anthropic", name: "x" }), () =>
        Effect.sync(() => void asked++),
      )
      const request = { system: "", messages: [Message.user("hi")], tools: [], temperature: 1.5 }
      const errors = [
        yield* Effect.flip(model.generate(request)),
        yield* Effect.flip(Stream.runDrain(model.stream(request))),
      ]
      for (const { message, reason } of errors) {
        assert.strictEqual(reason._tag, "Misconfigured")
        assert.include(message, "the temperature goes from 0 to 1 at anthropic; it is set to 1.5")
      }
      assert.strictEqual(asked, 0)
    }),
  )
})
