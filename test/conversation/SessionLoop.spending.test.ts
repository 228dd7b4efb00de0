import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { counting, endless, inMemory, leaving, startSession } from "../utils/ChatSessions.ts"
import { texts } from "../utils/ScriptedUser.ts"
import * as TurnEvents from "../utils/TurnEvents.ts"

describe("SessionLoop: spending and context", () => {
  it.effect("counts an answer that was stopped, by an estimate, and shows it with /cost", () =>
    Effect.gen(function* () {
      const heard = yield* Effect.makeLatch()
      const model = { ...endless, price: { input: 1000, output: 1000 } }
      const talking = yield* startSession({ model, onEvent: TurnEvents.onPart(() => heard.open) })
      const { user } = talking
      yield* user.sends("tell me a story")
      yield* heard.await
      yield* user.stops
      const stopped = (yield* user.waitFor("Stopped")).at(-1)
      const account = stopped?._tag === "Stopped" ? stopped.account : assert.fail("it was not stopped")
      assert.isTrue(account.isEstimated)
      assert.isAbove(account.usage.inputTokens, 0)
      assert.strictEqual(account.cost, (account.usage.inputTokens + account.usage.outputTokens) / 1000)
      yield* user.sends("/cost")
      const shown = texts(yield* user.waitFor("Noted")).at(-1) ?? ""
      assert.match(
        shown,
        /^Noted: session +1 answer: \d+ tokens read, \d+ written, about \$0\.\d+; of stopped answers an estimate$/m,
      )
      assert.match(shown, /^context +about \d+ tokens of test\/endless$/m)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("shows with /cost the session, its last answer and how full the context is", () =>
    Effect.gen(function* () {
      const { model } = counting()
      const talking = yield* startSession({ model: { ...model, limits: { context: 1200, output: 100 } } })
      const { user } = talking
      yield* user.asks("one")
      yield* user.asks("two")
      yield* user.sends("/cost")
      assert.strictEqual(
        texts(yield* user.waitFor("Noted")).at(-1),
        [
          "Noted: session      2 answers: 20 tokens read, 4 written, about $0.000028",
          "last answer  10 tokens read, 2 written, about $0.000014",
          "context      12 of 1,200 tokens (1 %) of test/counting",
        ].join("\n"),
      )
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("says how much context is used, and not of how much, where the window is not known", () =>
    Effect.gen(function* () {
      const { model } = counting()
      const limits = { context: Number.POSITIVE_INFINITY, output: 100 }
      const talking = yield* startSession({ model: { ...model, limits } })
      const { user } = talking
      yield* user.sends("one")
      const answered = (yield* user.waitFor("Answered")).at(-1)
      const account = answered?._tag === "Answered" ? answered.account : assert.fail("there is no answer")
      assert.deepStrictEqual(account.context, { used: 12, window: undefined, isEstimated: false })
      yield* user.sends("/cost")
      assert.match(texts(yield* user.waitFor("Noted")).at(-1) ?? "", /^context +12 tokens of test\/counting$/m)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("says the same of the context below an answer that was stopped and with /cost, also at the second", () =>
    Effect.gen(function* () {
      let heard = yield* Effect.makeLatch()
      const tool = Tool.make({
        name: "look",
        description: "Looks at whatever there is to look at, and says what that is.",
        parameters: Schema.Struct({ path: Schema.String }),
        run: () => Effect.succeed("nothing"),
      })
      const talking = yield* startSession({
        model: endless,
        tools: ToolRegistry.make([tool]),
        onEvent: TurnEvents.onPart(() => heard.open),
      })
      const { user } = talking
      for (const message of ["tell me a story", "another"]) {
        yield* user.sends(message)
        yield* heard.await
        yield* user.stops
        const stopped = (yield* user.waitFor("Stopped")).at(-1)
        const context = stopped?._tag === "Stopped" ? stopped.account.context : assert.fail("it was not stopped")
        assert.isAbove(context?.used ?? 0, 50)
        yield* user.sends("/cost")
        const shown = texts(yield* user.waitFor("Noted")).at(-1)
        assert.include(shown, `context      about ${context?.used} tokens of test/endless`)
        heard = yield* Effect.makeLatch()
      }
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("does not round a part of the context below one percent", () =>
    Effect.gen(function* () {
      const { model } = counting()
      const talking = yield* startSession({ model: { ...model, limits: { context: 1_048_576, output: 100 } } })
      const { user } = talking
      yield* user.asks("one")
      yield* user.sends("/cost")
      assert.include(texts(yield* user.waitFor("Noted")).at(-1), "of 1,048,576 tokens (under 1 %)")
      yield* leaving(talking)
    }).pipe(inMemory),
  )
})
