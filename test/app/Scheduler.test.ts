import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as Scheduler from "../../src/app/Scheduler.ts"

/** Work without end, in pieces of 5 ms that hold the thread. */
const busy = Effect.forever(
  Effect.sync(() => {
    const until = performance.now() + 5
    while (performance.now() < until);
  }),
)

const timer = Effect.async<string>((resume) => {
  setTimeout(() => resume(Effect.succeed("fired")), 10)
})

describe("withScheduler", () => {
  it.live("lets a timer fire during work without end", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Scheduler.withScheduler(Effect.raceFirst(busy, timer)), "fired")
    }),
  )

  it.live("returns to the event loop as soon with many fibers", () =>
    Effect.gen(function* () {
      let pieces = 0
      let before: number | undefined
      const piece = Effect.sync(() => {
        if (pieces === 0) {
          setImmediate(() => {
            before = pieces
          })
        }
        pieces += 1
        const until = performance.now() + 5
        while (performance.now() < until);
      })
      const fibers = Array.from({ length: 30 }, () => Effect.zipRight(Effect.yieldNow(), piece))
      yield* Scheduler.withScheduler(Effect.all(fibers, { concurrency: "unbounded", discard: true }))
      // Four pieces fill a slice, and the next slice may come first.
      assert.isAtMost(before ?? pieces, 10)
    }),
  )

  it.live("ends an interrupted fiber before work of a lower priority goes on", () =>
    Effect.gen(function* () {
      let pieces = 0
      const work = Effect.forever(
        Effect.zipRight(
          Effect.yieldNow({ priority: 1 }),
          Effect.sync(() => {
            pieces += 1
          }),
        ),
      )
      const nested = (depth: number): Effect.Effect<never> =>
        depth === 0
          ? Effect.never
          : Effect.raceFirst(Effect.yieldNow().pipe(Effect.zipRight(nested(depth - 1))), Effect.never)
      const done = yield* Scheduler.withScheduler(
        Effect.gen(function* () {
          const workers = yield* Effect.replicateEffect(Effect.fork(work), 100)
          const fiber = yield* Effect.fork(nested(10))
          yield* Effect.sleep(1)
          const before = pieces
          yield* Fiber.interrupt(fiber)
          const done = pieces - before
          yield* Fiber.interruptAll(workers)
          return done
        }),
      )
      assert.isAtMost(done, 1)
    }),
  )
})
