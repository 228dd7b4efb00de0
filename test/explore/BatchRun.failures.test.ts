import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, TestClock } from "effect"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Blocked, ContextOverflow, InvalidRequest, Overloaded, Unauthorized } from "../../src/model/ModelError.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { ended, explain, explaining, explore, failing, guided, isBatch, names, symbolsIn } from "./batchRuns.ts"

describe("an exploration in batches, when a model fails", () => {
  it.effect("leaves a batch open that the provider blocks, says why, and goes on", () =>
    Effect.gen(function* () {
      let isFirst = true
      const { events, exit } = yield* explore({
        answer: guided((request) => {
          if (!isFirst) return explain(symbolsIn(request))
          isFirst = false
          return failing(new Blocked({ message: "recitation" }))
        }),
        count: 6,
      })
      assert.deepInclude(yield* exit, { outcome: "partial", batches: 3, purposesWritten: 4, leftSymbols: 2 })
      assert.deepStrictEqual(
        ended(events).flatMap(({ reason }) => reason ?? []),
        ["scripted/test: recitation"],
      )
    }),
  )

  it.effect("ends after three batches that are refused one after the other", () =>
    Effect.gen(function* () {
      const { batches, exit } = yield* explore({
        answer: guided(() => failing(new InvalidRequest({ message: "no more" }))),
        count: 20,
      })
      assert.lengthOf(batches, 3)
      assert.deepInclude(yield* exit, { outcome: "unexplained", batches: 3, leftSymbols: 20 })
    }),
  )

  const refusal = new InvalidRequest({ message: "no more" })

  it.effect.each([
    ["refused", 6, failing(refusal), "scripted/test: no more"],
    ["blocked", 2, failing(new Blocked({ message: "recitation" })), "scripted/test: recitation"],
    [
      "too long, whole and in parts",
      2,
      failing(new ContextOverflow({ message: "too long" })),
      "scripted/test: too long",
    ],
  ] as const)("reports that no batch was explained, and why, if all are %s", ([, count, line, reason]) =>
    Effect.gen(function* () {
      const { exit } = yield* explore({ answer: guided(() => line), count })
      const { batches, failedBatches, failures, outcome, purposesWritten } = yield* exit
      assert.deepStrictEqual([outcome, purposesWritten], ["unexplained", 0])
      assert.deepStrictEqual(failures, [{ reason, batches: failedBatches }])
      assert.isAbove(failedBatches, 0)
      assert.isAtMost(failedBatches, batches)
    }),
  )

  it.effect.each([
    ["words", "I would rather not."],
    ["another call", Scripted.calls(["read_file", { path: "a.ts" }])],
  ] as const)("is complete, as the model has ended it, if it answers all batches with %s", ([, line]) =>
    Effect.gen(function* () {
      const { exit } = yield* explore({ answer: guided(() => line), count: 2 })
      const { failures, outcome, purposesWritten } = yield* exit
      assert.deepStrictEqual([outcome, purposesWritten], ["complete", 0])
      assert.deepStrictEqual(
        failures.map(({ reason }) => reason),
        ["the model did not explain them"],
      )
    }),
  )

  it.effect("reports that the run ended early if later batches are refused in a row", () =>
    Effect.gen(function* () {
      let batch = 0
      const { exit } = yield* explore({
        answer: guided((request) => (batch++ < 2 ? explain(symbolsIn(request)) : failing(refusal))),
        count: 20,
        parallel: 1,
      })
      assert.deepInclude(yield* exit, {
        outcome: "unexplained",
        batches: 5,
        failedBatches: 3,
        failures: [{ reason: "scripted/test: no more", batches: 3 }],
        purposesWritten: 4,
      })
    }),
  )

  it.effect("is complete if the second request for the symbols of a refused answer brings purposes", () =>
    Effect.gen(function* () {
      let batch = 0
      const { exit } = yield* explore({
        answer: guided((request) => (batch++ === 0 ? "I would rather not." : explain(symbolsIn(request)))),
        count: 2,
      })
      assert.deepInclude(yield* exit, { outcome: "complete", batches: 2, failedBatches: 1, leftSymbols: 0 })
    }),
  )

  it.effect("splits a batch that is too long, once, and leaves open what is still too long", () =>
    Effect.gen(function* () {
      const tooLong = failing(new ContextOverflow({ message: "too long" }))
      const sizes: Array<number> = []
      const { exit } = yield* explore({
        answer: guided((request) => {
          const symbols = symbolsIn(request)
          sizes.push(symbols.length)
          return symbols.length > 1 || symbols.some(([, name]) => name === names(2)[0]) ? tooLong : explain(symbols)
        }),
        count: 2,
      })
      assert.deepStrictEqual(sizes, [2, 1, 1])
      assert.deepInclude(yield* exit, { outcome: "partial", purposesWritten: 1, leftSymbols: 1 })
    }),
  )

  it.effect.each([
    ["the first", [0], { outcome: "partial", batches: 4, failedBatches: 1, purposesWritten: 6, leftSymbols: 2 }],
    ["every other", [0, 2], { outcome: "partial", batches: 4, failedBatches: 2, purposesWritten: 4, leftSymbols: 4 }],
    [
      "all but the last",
      [0, 1],
      { outcome: "partial", batches: 3, failedBatches: 2, purposesWritten: 2, leftSymbols: 4 },
    ],
    ["no", [], { outcome: "complete", batches: 4, failedBatches: 0, purposesWritten: 8, leftSymbols: 0 }],
  ] as const)("is complete in part if the model refuses %s batch and explains the others", ([, refused, expected]) =>
    Effect.gen(function* () {
      let batch = 0
      const isRefused = (number: number) => refused.some((at) => at === number)
      const { exit } = yield* explore({
        answer: guided((request) => (isRefused(batch++) ? failing(refusal) : explain(symbolsIn(request)))),
        count: expected.batches * 2,
        parallel: 1,
      })
      assert.deepInclude(yield* exit, expected)
    }),
  )

  it.effect("ends with a failure that concerns all batches, and keeps what was recorded", () =>
    Effect.gen(function* () {
      const { events, exit } = yield* explore({
        answer: guided((request, index) =>
          index === 2 ? failing(new Unauthorized({ message: "the key is gone" })) : explain(symbolsIn(request)),
        ),
        count: 8,
      })
      assert.strictEqual((yield* Effect.flip(exit)).message, "scripted/test: the key is gone")
      assert.deepInclude(events.at(-1), { _tag: "Stopped", purposesWritten: 2, lost: undefined })
    }),
  )

  it.effect("lets the requests that are under way end, and keeps their purposes", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const guard = (model: LanguageModel.Service): LanguageModel.Service => ({
        ...model,
        generate: (request, observer) =>
          isBatch(request) && symbolsIn(request).some(([, name]) => name === names(1)[0])
            ? Effect.zipRight(Deferred.await(started), Effect.fail(failing(new Unauthorized({ message: "gone" }))))
            : isBatch(request)
              ? Effect.zipRight(
                  Deferred.succeed(started, undefined),
                  Effect.zipRight(Effect.yieldNow().pipe(Effect.repeatN(50)), model.generate(request, observer)),
                )
              : model.generate(request, observer),
      })
      const { events, exit } = yield* explore({ answer: explaining, count: 4, parallel: 2, guard })
      assert.isTrue(Exit.isFailure(exit))
      assert.deepInclude(events.at(-1), { _tag: "Stopped", purposesWritten: 2, lost: undefined })
    }),
  )

  it.effect("retries as all requests do", () =>
    Effect.gen(function* () {
      let isFirst = true
      const fiber = yield* Effect.fork(
        explore({
          answer: guided((request) => {
            if (!isFirst) return explain(symbolsIn(request))
            isFirst = false
            return failing(new Overloaded({ message: "busy" }))
          }),
          count: 2,
        }),
      )
      yield* Effect.yieldNow().pipe(Effect.repeatN(2_000))
      yield* TestClock.adjust("2 seconds")
      const { exit } = yield* Fiber.join(fiber)
      assert.deepInclude(yield* exit, { outcome: "complete", leftSymbols: 0 })
    }),
  )
})
