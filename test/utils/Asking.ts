/** Requests of tests to a model, and how they run without waiting. */
import { type Duration, Effect, Fiber, Queue, TestClock } from "effect"
import * as Message from "../../src/message/Message.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import type { Request } from "../../src/model/Request.ts"

/** A key that no pattern recognises. */
export const key = "test-key-0123456789"

export const asking = (text: string): Request => ({ system: "", messages: [Message.user(text)], tools: [] })

export const hello = asking("hello")

/** Runs with an observer that has the clock jump over every wait; with the retries that were made. */
export const withoutWaiting = <A, E, R>(
  run: (observer: { readonly retry: NonNullable<LanguageModel.Observer["retry"]> }) => Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const retries: Array<LanguageModel.Retrying> = []
    const waits = yield* Queue.unbounded<Duration.Duration>()
    const retry = (retry: LanguageModel.Retrying) =>
      Effect.suspend(() => {
        retries.push(retry)
        return Queue.offer(waits, retry.delay)
      })
    const fiber = yield* Effect.fork(run({ retry }))
    const exit = yield* Effect.raceFirst(
      Fiber.await(fiber),
      Effect.forever(Effect.flatMap(Queue.take(waits), (delay) => TestClock.adjust(delay))),
    )
    return { result: yield* exit, retries }
  })
