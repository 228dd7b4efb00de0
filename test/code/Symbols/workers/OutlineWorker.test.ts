import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import * as OutlineWorker from "../../../../src/code/Symbols/internal/workers/OutlineWorker.ts"
import * as Scanner from "../../../../src/code/Symbols/Scanner.ts"

/** Lets Node do what there is to do. */
const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

const ready = (thread: OutlineWorker.OutlineWorker) => Effect.repeat(turn, { until: () => thread.queuedChars() === 0 })

const source = (n: number, padding = 0) => ({
  path: `a${n}.ts`,
  text: `/** Plants ${n}. */\nexport class Tree${n} { grow() {} }\n${" ".repeat(padding)}`,
})

describe("Thread", () => {
  it.scopedLive("outlines as this thread does, whatever else it was asked for", () =>
    Effect.gen(function* () {
      const thread = yield* OutlineWorker.start()
      yield* ready(thread)
      // More than it is sent at a time, and more than it is to have before it.
      const sources = Array.from({ length: 20 }, (_, n) => source(n, 900 * n))
      assert.isAbove(
        sources.reduce((sum, { text }) => sum + text.length, 0),
        150_000,
      )
      const outlines = yield* Effect.forEach(sources, thread.outline, { concurrency: 15 })
      const here = yield* Scanner.make
      assert.deepStrictEqual(outlines, yield* Effect.forEach(sources, ({ path, text }) => here.outline(path, text)))
      assert.strictEqual(thread.queuedChars(), 0)
    }),
  )

  it.scopedLive("answers to each what it has asked, also where one takes longer than the next", () =>
    Effect.gen(function* () {
      const thread = yield* OutlineWorker.start()
      const ask = (path: string) =>
        // A question of its own: what is asked in one go is one.
        Effect.zipRight(
          turn,
          Effect.map(thread.outline({ path, text: `class ${path[0]} {}` }), ({ symbols }) => symbols[0]?.name),
        )
      const paths = ["a.java", "b.ts", "c.cpp", "d.ts", "e.php", "f.ts"]
      const names = yield* Effect.forEach(paths, ask, { concurrency: "unbounded" })
      assert.deepStrictEqual(names, ["a", "b", "c", "d", undefined, "f"])
    }),
  )

  it.scopedLive("is burdened with what it has not answered for, also from before it was ready", () =>
    Effect.gen(function* () {
      const thread = yield* OutlineWorker.start()
      yield* thread.outline(source(1))
      assert.strictEqual(thread.queuedChars(), 0)
      const fiber = yield* Effect.fork(thread.outline(source(2)))
      yield* Effect.yieldNow()
      assert.strictEqual(thread.queuedChars(), source(2).text.length)
      yield* Fiber.join(fiber)
      assert.strictEqual(thread.queuedChars(), 0)
    }),
  )

  it.live("tells those who wait when it has ended", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const thread = yield* Scope.extend(OutlineWorker.start(), scope)
      yield* ready(thread)
      const fiber = yield* Effect.fork(Effect.flip(thread.outline({ path: "a.sh", text: ")".repeat(200_000) })))
      yield* turn
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* Fiber.join(fiber), new OutlineWorker.WorkerEnded())
      assert.strictEqual(thread.queuedChars(), Number.POSITIVE_INFINITY)
    }),
  )

  it.scopedLive("ends when all that it was given is interrupted", () =>
    Effect.gen(function* () {
      const thread = yield* OutlineWorker.start()
      yield* ready(thread)
      const slow = Effect.fork(thread.outline({ path: "a.sh", text: ")".repeat(200_000) }))
      const fibers = [yield* slow, yield* slow]
      yield* turn
      yield* Effect.forEach(fibers, Fiber.interrupt)
      yield* Effect.repeat(turn, { until: () => thread.queuedChars() === Number.POSITIVE_INFINITY })
    }),
  )

  it.scopedLive("is never ready where there is nothing to run, and breaks nothing", () =>
    Effect.gen(function* () {
      const thread = yield* OutlineWorker.start(new URL("./nowhere.ts", import.meta.url))
      assert.deepStrictEqual(yield* Effect.flip(thread.outline(source(1))), new OutlineWorker.WorkerEnded())
      assert.strictEqual(thread.queuedChars(), Number.POSITIVE_INFINITY)
    }),
  )
})
