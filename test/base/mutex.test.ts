import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { cached, cachedByKey, makeLimit, makeMutex, makeMutexIfFree } from "../../src/base/mutex.ts"
import { interruptAfter } from "../utils/interruptAfter.ts"

describe("makeMutex", () => {
  it.effect("runs one at a time, in the order in which they came, and passes on results and failures", () =>
    Effect.gen(function* () {
      const mutex = makeMutex()
      const order: Array<string> = []
      const use = (name: string) =>
        mutex(
          Effect.gen(function* () {
            order.push(`${name} begins`)
            yield* Effect.yieldNow()
            order.push(`${name} ends`)
            return name
          }),
        )
      const fibers = yield* Effect.forEach(["a", "b", "c"], (name) => Effect.fork(use(name)))
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), ["a", "b", "c"])
      assert.deepStrictEqual(order, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
      assert.strictEqual(yield* Effect.flip(mutex(Effect.fail("broken"))), "broken")
      assert.strictEqual(yield* use("d"), "d")
    }),
  )

  it.effect("is free again when a holder or one that waits is interrupted", () =>
    Effect.gen(function* () {
      const mutex = makeMutex()
      const held = yield* Deferred.make<void>()
      const holder = yield* Effect.fork(mutex(Effect.zipRight(Deferred.succeed(held, undefined), Effect.never)))
      yield* Deferred.await(held)
      const waiting = yield* Effect.fork(mutex(Effect.void))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(holder)
      assert.strictEqual(yield* mutex(Effect.succeed("free")), "free")
    }),
  )

  it("is free again wherever one that uses it is interrupted", () => {
    for (let steps = 1; steps <= 100; steps++) {
      const mutex = makeMutex()
      assert.isNotNull(interruptAfter(steps, mutex(Effect.yieldNow()).pipe(Effect.repeatN(5))))
      assert.isTrue(Exit.isSuccess(Effect.runSyncExit(mutex(Effect.void))), `is free after ${steps} steps`)
    }
  })

  it("is free again wherever several that use it are interrupted", () => {
    for (let steps = 1; steps <= 300; steps++) {
      const mutex = makeMutex()
      const use = mutex(Effect.yieldNow()).pipe(Effect.repeatN(5))
      const several = Effect.all([use, use, use].map((each) => Effect.fork(each))).pipe(
        Effect.flatMap((fibers) => Effect.ensuring(Effect.forEach(fibers, Fiber.join), Fiber.interruptAll(fibers))),
      )
      assert.isNotNull(interruptAfter(steps, several), `ends after ${steps} steps`)
      assert.isTrue(Exit.isSuccess(Effect.runSyncExit(mutex(Effect.void))), `is free after ${steps} steps`)
    }
  })
})

describe("makeLimit", () => {
  it.effect("runs as many at a time as it has permits, and the others in their order", () =>
    Effect.gen(function* () {
      const limited = makeLimit(2)
      const order: Array<string> = []
      const gates = new Map<string, Deferred.Deferred<void>>()
      const fibers: Array<Fiber.Fiber<void>> = []
      for (const name of ["a", "b", "c", "d"]) {
        const gate = yield* Deferred.make<void>()
        gates.set(name, gate)
        const use = Effect.zipRight(
          Effect.sync(() => order.push(name)),
          Deferred.await(gate),
        )
        fibers.push(yield* Effect.fork(limited(use)))
        yield* Effect.yieldNow()
      }
      assert.deepStrictEqual(order, ["a", "b"])
      for (const gate of gates.values()) yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(order, ["a", "b", "c", "d"])
    }),
  )

  it("has all permits again wherever several that use it are interrupted", () => {
    for (let steps = 1; steps <= 300; steps++) {
      const limited = makeLimit(2)
      const use = limited(Effect.yieldNow()).pipe(Effect.repeatN(3))
      const several = Effect.all([use, use, use, use].map((each) => Effect.fork(each))).pipe(
        Effect.flatMap((fibers) => Effect.ensuring(Effect.forEach(fibers, Fiber.join), Fiber.interruptAll(fibers))),
      )
      assert.isNotNull(interruptAfter(steps, several), `ends after ${steps} steps`)
      assert.isTrue(Exit.isSuccess(Effect.runSyncExit(limited(limited(Effect.void)))), `is free after ${steps} steps`)
    }
  })
})

describe("makeMutexIfFree", () => {
  it("does something else while one runs, and is free again wherever that one is interrupted", () => {
    for (let steps = 1; steps <= 60; steps++) {
      const ifFree = makeMutexIfFree()
      const busy = Effect.succeed("busy")
      const nested = ifFree(Effect.zipLeft(ifFree(Effect.succeed("free"), busy), Effect.yieldNow()), busy)
      assert.isNotNull(interruptAfter(steps, nested))
      assert.strictEqual(Effect.runSync(nested), "busy", `after ${steps} steps`)
      assert.strictEqual(Effect.runSync(ifFree(Effect.succeed("free"), busy)), "free", `after ${steps} steps`)
    }
  })
})

describe("cachedByKey", () => {
  it("makes each result once, and again after a failure", () => {
    const made: Array<string> = []
    const cached = cachedByKey((key: string) =>
      Effect.suspend(() => (made.push(key) < 2 ? Effect.fail("not yet") : Effect.succeed(key.toUpperCase()))),
    )
    assert.strictEqual(Effect.runSync(Effect.flip(cached("a"))), "not yet")
    assert.deepStrictEqual(
      ["a", "a", "b", "a"].map((key) => Effect.runSync(cached(key))),
      ["A", "A", "B", "A"],
    )
    assert.deepStrictEqual(made, ["a", "a", "b"])
  })

  it("makes a result that an interrupt has ended for the next caller, wherever that was", () => {
    for (let steps = 1; steps <= 100; steps++) {
      const cached = cachedByKey((key: string) => Effect.as(Effect.yieldNow(), key))
      interruptAfter(steps, cached("a"))
      assert.strictEqual(Effect.runSync(cached("a")), "a", `after ${steps} steps`)
      assert.strictEqual(Effect.runSync(cached("b")), "b", `after ${steps} steps`)
    }
  })
})

describe("cached", () => {
  it("makes the result once, and again after a failure or an interrupt, wherever that was", () => {
    for (let steps = 1; steps <= 100; steps++) {
      let made = 0
      const result = cached(
        Effect.zipRight(
          Effect.yieldNow(),
          Effect.suspend(() => (++made === 1 ? Effect.fail("not yet") : Effect.succeed(made))),
        ),
      )
      interruptAfter(steps, result)
      if (made === 0) assert.strictEqual(Effect.runSync(Effect.flip(result)), "not yet", `after ${steps} steps`)
      assert.deepStrictEqual([Effect.runSync(result), Effect.runSync(result)], [2, 2], `after ${steps} steps`)
    }
  })
})
