import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Exit, FastCheck, Fiber, Option, Schema, TestClock } from "effect"
import * as Forest from "../../../src/forest/Forest.ts"
import * as History from "../../../src/model/History.ts"
import { ModelError, Overloaded } from "../../../src/model/ModelError.ts"
import type { Part } from "../../../src/model/Reply.ts"
import type * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { isThorough } from "../../thoroughness.ts"
import {
  calls,
  failed,
  inMemory,
  results,
  session,
  systemPrompt,
  tag,
  told,
  toolsHeardBy,
} from "../../utils/Interviews.ts"
import * as TurnEvents from "../../utils/TurnEvents.ts"

describe("ConversationEngine: failed turns", () => {
  it.effect("keep the message, which is stored once when it is sent again", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { messages, requests, respond, start } = yield* session([failed, "Hello."])
      assert.strictEqual(tag(yield* Effect.flip(start("Hi"))), "Unauthorized")
      assert.deepStrictEqual(told(yield* messages), [
        ["system", systemPrompt],
        ["user", "Hi"],
      ])
      assert.lengthOf(yield* forest.search({ text: "Hi" }), 1)
      assert.strictEqual((yield* respond("Hi")).text, "Hello.")
      assert.deepStrictEqual(told(requests[1]?.messages), [["user", "Hi"]])
      assert.lengthOf(yield* forest.search({ text: "Hi" }), 1)
    }).pipe(inMemory),
  )

  it.effect("send the message with the next one, behind a notice that it was not answered", () =>
    Effect.gen(function* () {
      const { messages, requests, respond, start } = yield* session([failed, failed, failed, "Both."])
      yield* Effect.flip(start("Fix the bug"))
      yield* Effect.flip(respond("Add tests"))
      yield* Effect.flip(respond("Add tests"))
      assert.strictEqual((yield* respond("try again")).text, "Both.")
      const notice = ["system", "[The message above was not answered.]"]
      const sent = [["user", "Fix the bug"], notice, ["user", "Add tests"], notice, ["user", "try again"]]
      assert.deepStrictEqual(told(requests[3]?.messages), sent)
      assert.deepStrictEqual(told(yield* messages).slice(1), [...sent, ["assistant", "Both."]])
    }).pipe(inMemory),
  )

  it.effect("keep a message whose turn is interrupted before the first text", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const asked = yield* Deferred.make<void>()
      const { messages, requests, respond, start } = yield* session([
        "Hello.",
        { thinking: "Hm.", text: "Yes?" },
        "Yes!",
      ])
      yield* start("Hi")
      const before = told(yield* messages)
      const onEvent = TurnEvents.onPart(() => Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never))
      const fiber = yield* Effect.fork(respond("Is anybody there?", { onEvent }))
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(told(yield* messages), [...before, ["user", "Is anybody there?"]])
      assert.lengthOf(yield* forest.search({ text: "anybody" }), 1)
      assert.strictEqual((yield* respond("Is anybody there?")).text, "Yes!")
      assert.deepStrictEqual(told(requests[2]?.messages).slice(2), [["user", "Is anybody there?"]])
      assert.lengthOf(yield* forest.search({ text: "anybody" }), 1)
    }).pipe(inMemory),
  )

  it.effect("store the text of an interrupted answer, and continue after it", () =>
    Effect.gen(function* () {
      const heard = yield* Deferred.make<void>()
      const { messages, requests, respond, start } = yield* session([
        { text: "It is a long", ...calls(["file_read", { path: "a" }]) },
        "Shorter, then.",
      ])
      const onEvent = TurnEvents.onPart(({ _tag }) =>
        _tag === "Text" ? Effect.void : Effect.zipRight(Deferred.succeed(heard, undefined), Effect.never),
      )
      const fiber = yield* Effect.fork(start("Tell me", { onEvent }))
      yield* Deferred.await(heard)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.deepStrictEqual(told(yield* messages).slice(1), [
        ["user", "Tell me"],
        ["assistant", "It is a long"],
      ])
      assert.strictEqual((yield* respond("Tell me")).text, "Shorter, then.")
      assert.deepStrictEqual(told(requests[1]?.messages), [
        ["user", "Tell me"],
        ["assistant", "It is a long"],
        ["user", "Tell me"],
      ])
    }).pipe(inMemory),
  )

  it.effect("do not share an interrupted answer with another session", () =>
    Effect.gen(function* () {
      const stopped = (at: Part["_tag"]) =>
        Effect.gen(function* () {
          const heard = yield* Deferred.make<void>()
          const engine = yield* session([{ thinking: "Hm.", text: "Half" }])
          const onEvent = TurnEvents.onPart(({ _tag }) =>
            _tag === at ? Effect.zipRight(Deferred.succeed(heard, undefined), Effect.never) : Effect.void,
          )
          const fiber = yield* Effect.fork(engine.start("Hi", { onEvent }))
          yield* Deferred.await(heard)
          yield* Fiber.interrupt(fiber)
          return told(yield* engine.messages).slice(1)
        })
      assert.deepStrictEqual(yield* stopped("Text"), [
        ["user", "Hi"],
        ["assistant", "Half"],
      ])
      assert.deepStrictEqual(yield* stopped("Thinking"), [["user", "Hi"]])
    }).pipe(inMemory),
  )

  it.effect("retry a busy provider, with one message", () =>
    Effect.gen(function* () {
      const busy = new ModelError({ model: "scripted/test", reason: new Overloaded({ message: "busy" }) })
      const { messages, requests, start } = yield* session([busy, busy, "Hello."])
      const fiber = yield* Effect.fork(start("Hi"))
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).text, "Hello.")
      assert.lengthOf(requests, 1)
      assert.lengthOf(yield* messages, 3)
    }).pipe(inMemory),
  )

  it.effect("continue after tool results where the model failed after them", () =>
    Effect.gen(function* () {
      const { requests, respond, start } = yield* session([calls(["file_write", { path: "a" }]), failed, "I wrote it."])
      assert.strictEqual(tag(yield* Effect.flip(start("Write"))), "Unauthorized")
      assert.deepStrictEqual(yield* respond("Did you?"), { text: "I wrote it.", done: false })
      assert.deepStrictEqual(told(requests[2]?.messages), [
        ["user", "Write"],
        ["assistant", ""],
        ["tool", "kept"],
        ["user", "Did you?"],
      ])
    }).pipe(inMemory),
  )

  it.effect("store the tool results of an interrupted turn for the next one", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const never = Tool.make({
        name: "never",
        description: "Never ends.",
        parameters: Schema.Struct({}),
        run: () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
      })
      const { requests, respond, start } = yield* session(
        [calls(["file_write", { path: "a" }], ["never"]), "I was stopped."],
        (heard) => [...toolsHeardBy(heard), never],
      )
      const fiber = yield* Effect.fork(start("Write"))
      yield* Deferred.await(begun)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.strictEqual((yield* respond("What happened?")).text, "I was stopped.")
      const [wrote = "", stopped = ""] = results(requests[1])
      assert.deepStrictEqual([wrote, stopped.includes("was interrupted")], ["kept", true])
      const { messages = [] } = requests[1] ?? {}
      assert.deepStrictEqual(History.repair(messages), messages)
    }).pipe(inMemory),
  )
})

describe("ConversationEngine: laws", () => {
  /** What the model does next, time and again. */
  const lines = FastCheck.array(
    FastCheck.constantFrom<Scripted.Line>(
      "Words.",
      calls(["file_read", { path: "a" }]),
      calls(["file_write", { path: "b" }], ["throwing"], ["unknown"]),
      { text: "Aside.", ...calls(["file_write", { path: "c" }]) },
      { text: "Bye.", ...calls(["session_complete"]) },
      failed,
    ),
    { minLength: 1, maxLength: 30 },
  )

  it.effect("the path is valid for any provider, and each output follows from the nodes of its turn", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(lines, (script) => Effect.runPromise(conversation(script).pipe(inMemory))),
        { numRuns: isThorough ? 200 : 5 },
      ),
    ),
  )

  /** Talks until the script has run out, and looks at the path after each turn. */
  const conversation = (script: ReadonlyArray<Scripted.Line>) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { cursor, messages, requests, respond, start } = yield* session(script)
      for (let turn = 0; requests.length < script.length; turn++) {
        const before = (yield* messages).length
        const output = yield* Effect.either(turn === 0 ? start("message 0") : respond(`message ${turn}`))
        const { nodes } = yield* forest.path(Option.getOrThrow(yield* cursor))
        const path = nodes.map(({ message }) => message)
        assert.deepStrictEqual((yield* messages).slice(1), path)
        assert.deepStrictEqual(History.repair(path), path)
        const sources = nodes.slice(Math.max(0, before - 1)).map(({ source }) => source)
        const written = sources.flatMap((source) => (source.type === "tool" ? (source.filesWritten ?? []) : []))
        if (Either.isLeft(output)) continue
        assert.deepStrictEqual(output.right.files_written ?? [], [...new Set(written)])
        const isDone = sources.some((source) => source.type === "tool" && source.tool === "session_complete")
        assert.strictEqual(output.right.done, isDone)
      }
    })
})
