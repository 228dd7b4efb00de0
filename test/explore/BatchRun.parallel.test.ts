import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Ref, Scheduler, Scope, TestClock } from "effect"
import * as Workspace from "../../src/code/Workspace.ts"
import type { IndexEvent } from "../../src/explore/IndexEvent.ts"
import * as IndexingOrchestrator from "../../src/explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../../src/explore/IndexObserver.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { RateLimited } from "../../src/model/ModelError.ts"
import type { Request } from "../../src/model/Request.ts"
import { isThorough } from "../thoroughness.ts"
import * as Indexing from "../utils/Indexing.ts"
import {
  type Answer,
  explain,
  explaining,
  explore,
  failing,
  guided,
  house,
  isBatch,
  lastText,
  model,
  symbolsIn,
  word,
} from "./batchRuns.ts"

describe("an exploration in batches, with a second model", () => {
  it.effect("sends types and constants to it, and reports both", () =>
    Effect.gen(function* () {
      const liteRequests: Array<Request> = []
      const answer: Answer = (request) => {
        const marks = new Set(Array.from(lastText(request).matchAll(/§(\d+)/g), ([, n]) => Number(n)))
        marks.delete(Math.max(...marks) + 1)
        return explain(Array.from(marks, (n) => [n, `open${word(100 + n)}`]))
      }
      const lite = yield* model(answer, liteRequests, "lite")
      const requests: Array<Request> = []
      const main = yield* model(explaining, requests)
      const files = {
        ...house(2),
        "/repo/src/Guest.ts":
          "export interface Guest {\n  readonly name: string\n}\n\nexport type Guests = ReadonlyArray<Guest>\n",
      }
      const report = yield* IndexingOrchestrator.runGuidedExploration("/repo", false, { liteModel: lite }).pipe(
        Effect.provide(Indexing.layer(files, Layer.succeed(LanguageModel.LanguageModel, main))),
      )
      assert.strictEqual(report.liteModel, "scripted/lite")
      assert.isNotEmpty(liteRequests)
      for (const request of liteRequests) assert.include(lastText(request), "interface Guest")
      const [batch] = requests.filter(isBatch)
      assert.notInclude(lastText(batch ?? assert.fail()).replace(/^[\s\S]*to explain \(/, ""), "interface Guest")
    }),
  )
})

describe("an exploration in batches, several at a time", () => {
  /** A model with answers to batches that wait for `open`, with the most requests that were under way at once. */
  const gated = Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const running = yield* Ref.make(0)
    const most = yield* Ref.make(0)
    const guard = (model: LanguageModel.Service): LanguageModel.Service => ({
      ...model,
      generate: (request, observer) =>
        isBatch(request)
          ? Effect.acquireUseRelease(
              Effect.tap(
                Ref.updateAndGet(running, (n) => n + 1),
                (n) => Ref.update(most, (before) => Math.max(before, n)),
              ),
              () => Effect.zipRight(Deferred.await(gate), model.generate(request, observer)),
              () => Ref.update(running, (n) => n - 1),
            )
          : model.generate(request, observer),
    })
    return { guard, running: Ref.get(running), most: Ref.get(most), open: Deferred.succeed(gate, undefined) }
  })

  const settle = Effect.yieldNow().pipe(Effect.repeatN(2_000))

  it.effect("has as many under way as it may", () =>
    Effect.gen(function* () {
      const { guard, most, open, running } = yield* gated
      const fiber = yield* Effect.fork(explore({ answer: explaining, count: 10, parallel: 3, guard }))
      yield* settle
      assert.strictEqual(yield* running, 3)
      yield* open
      const { exit } = yield* Fiber.join(fiber)
      assert.deepInclude(yield* exit, { outcome: "complete", leftSymbols: 0, batches: 5 })
      assert.strictEqual(yield* most, 3)
    }),
  )

  it.effect.each([
    [{ concurrency: undefined, isLocal: true }, 1],
    [{ concurrency: 2 }, 2],
    [{ concurrency: undefined }, 3],
  ] as const)(
    "has one under way with a local model, and else as many as the model takes, or three: %j",
    ([of, expected]) =>
      Effect.gen(function* () {
        const { guard, most, open, running } = yield* gated
        const fiber = yield* Effect.fork(
          explore({ answer: explaining, count: 10, guard: (model) => guard({ ...model, ...of }) }),
        )
        yield* settle
        assert.strictEqual(yield* running, expected)
        yield* open
        assert.deepInclude(yield* (yield* Fiber.join(fiber)).exit, { outcome: "complete" })
        assert.strictEqual(yield* most, expected)
      }),
  )

  it.effect("has half as many under way after the provider has limited the rate", () =>
    Effect.gen(function* () {
      const running: Array<number> = []
      let now = 0
      let isLimited = false
      const answer = guided((request) => {
        if (now === 2 && !isLimited) {
          isLimited = true
          return failing(new RateLimited({ message: "slow down" }))
        }
        return explain(symbolsIn(request))
      })
      const guard = (model: LanguageModel.Service): LanguageModel.Service => ({
        ...model,
        generate: (request, observer) =>
          Effect.acquireUseRelease(
            Effect.sync(() => running.push(++now)),
            () => Effect.zipRight(Effect.yieldNow(), model.generate(request, observer)),
            () => Effect.sync(() => void now--),
          ),
      })
      const fiber = yield* Effect.fork(explore({ answer, count: 16, parallel: 2, guard }))
      yield* settle
      yield* TestClock.adjust("2 seconds")
      const { exit } = yield* Fiber.join(fiber)
      assert.deepInclude(yield* exit, { outcome: "complete", leftSymbols: 0 })
      assert.isTrue(isLimited)
      assert.strictEqual(Math.max(...running), 2)
      assert.deepStrictEqual(running.slice(-5), [1, 1, 1, 1, 1])
    }),
  )

  /**
   * A run that is interrupted after so many steps of its fibers; with the steps that it took, and what it had recorded.
   */
  const interrupted = async (steps: number) => {
    const events: Array<IndexEvent> = []
    const observer = Layer.succeed(IndexObserver.IndexObserver, {
      watch: () => Effect.succeed((event: IndexEvent) => Effect.sync(() => void events.push(event))),
    })
    const main = await Effect.runPromise(model(explaining))
    const scope = await Effect.runPromise(Scope.make())
    const layer = Indexing.layer(house(4), Layer.succeed(LanguageModel.LanguageModel, main), observer)
    const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
    let done = 0
    let isInterrupted = false
    const interrupt = () => {
      if (!isInterrupted) fiber.unsafeInterruptAsFork(fiber.id())
      isInterrupted = true
    }
    const scheduler: Scheduler.Scheduler = {
      shouldYield: (running) => (++done === steps ? 0 : Scheduler.defaultScheduler.shouldYield(running)),
      scheduleTask: (task, priority) => {
        if (done >= steps) interrupt()
        Scheduler.defaultScheduler.scheduleTask(task, priority)
      },
    }
    const run = IndexingOrchestrator.runGuidedExploration("/repo", false, { parallel: 3 })
    const fiber = Effect.runFork(Effect.provide(run, context), { scheduler })
    const exit = await Effect.runPromise(Fiber.await(fiber))
    const kept = await Effect.gen(function* () {
      const store = yield* IndexStore.IndexStore
      const { index } = yield* store.openExisting(yield* Workspace.open("/repo"))
      return (yield* index.status).purposes.model
    }).pipe(Effect.scoped, Effect.provide(context), Effect.runPromise)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    return { exit, steps: done, events, kept }
  }

  it("keeps everything recorded, and ends, wherever it is interrupted", async () => {
    const { events, exit, kept, steps: all } = await interrupted(Number.POSITIVE_INFINITY)
    assert.isTrue(Exit.isSuccess(exit))
    assert.strictEqual(kept, 4)
    assert.strictEqual(events.at(-1)?._tag, "Finished")
    const counts = new Set<number>()
    // The structure, which takes the first third, has tests of its own.
    for (let steps = Math.floor(all / 3); steps < all; steps += Math.ceil(all / (isThorough ? 60 : 12))) {
      const run = await interrupted(steps)
      const told = run.events.findLast((event) => event._tag === "Recorded")
      assert.isAtLeast(run.kept, told?._tag === "Recorded" ? told.purposesWritten : 0, `at step ${steps}`)
      assert.strictEqual(run.kept % 2, 0, "an answer is recorded whole")
      assert.include(["Finished", "Stopped"], run.events.at(-1)?._tag)
      counts.add(run.kept)
    }
    assert.includeMembers([...counts], [0, 2, 4])
  }, 60_000)
})
