import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { endWith, mapInParallel } from "../../src/base/concurrency.ts"
import { makeMutex } from "../../src/base/mutex.ts"
import { interruptAfter } from "../utils/interruptAfter.ts"

/** The steps after which an interrupt leaves something wrong, of the first hundred. */
const wrongAfter = (isWrong: (steps: number) => boolean): ReadonlyArray<number> =>
  Array.from({ length: 100 }, (_, index) => index + 1).filter(isWrong)

/** Whether a lock that one user was interrupted in keeps out the next one. */
const staysTaken = (lock: <A>(use: Effect.Effect<A>) => Effect.Effect<A>) => (steps: number) => {
  interruptAfter(steps, lock(Effect.yieldNow()).pipe(Effect.repeatN(5)))
  return !Exit.isSuccess(Effect.runSyncExit(lock(Effect.void)))
}

/** Whether an effect has not ended, although it was interrupted. */
const hangs = (run: Effect.Effect<unknown>) => (steps: number) =>
  interruptAfter(steps, run.pipe(Effect.repeatN(5))) === null

const both = [Effect.yieldNow(), Effect.yieldNow()]

// These are the reasons for `base/mutex`, `base/endWith` and `base/inParallel`, and for the rules of Floors.test.ts
// that forbid what they replace. When one of the first tests fails, Effect has mended it, and its rule may go.
describe("Effect 3.22, when a fiber is interrupted between two steps", () => {
  it("keeps the permit of a semaphore for ever", () => {
    assert.isNotEmpty(wrongAfter((steps) => staysTaken(Effect.unsafeMakeSemaphore(1).withPermits(1))(steps)))
  })

  it("never ends a race", () => {
    assert.isNotEmpty(wrongAfter(hangs(Effect.raceFirst(Effect.yieldNow(), Effect.never))))
  })

  it("never ends a loop that runs its items at the same time", () => {
    assert.isNotEmpty(wrongAfter(hangs(Effect.forEach(both, (run) => run, { concurrency: 2 }))))
  })
})

describe("vibe's own, when a fiber is interrupted between two steps", () => {
  it("releases a mutex", () => {
    assert.isEmpty(wrongAfter((steps) => staysTaken(makeMutex())(steps)))
  })

  it("ends a race", () => {
    assert.isEmpty(wrongAfter(hangs(Effect.yieldNow().pipe(endWith(Effect.never)))))
  })

  it("ends a loop that runs its items at the same time", () => {
    assert.isEmpty(wrongAfter(hangs(mapInParallel(both, (run) => run, 2))))
  })
})
