/**
 * An SDK's reply, one chunk at a time. Its request is aborted when it is let go (left to itself, the SDK would first
 * wait for the next chunk), and given up on when it falls silent.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"

export interface Chunks<A> {
  /** The next chunk, or none at the end. Fails with what the SDK threw, or with `Silence`. */
  readonly next: Effect.Effect<Option.Option<A>, unknown>
  /** To be run whenever no more is wanted. */
  readonly letGo: Effect.Effect<void>
}

/** Nothing was heard for as long as one was ready to wait. */
export class Silence {}

/**
 * Of one request. `open` is called by the first `next`, and has to pass the signal on to the request; `patience` is the
 * longest silence.
 */
export const make = <A>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<A>>,
  patience: Duration.Duration,
): Chunks<A> => {
  const controller = new AbortController()
  let iterator: Promise<AsyncIterator<A>> | undefined
  let ended = false
  let waiting: { readonly until: number; readonly giveUp: () => void } | undefined
  let watch: Fiber.Fiber<void> | undefined

  const take = async (): Promise<Option.Option<A>> => {
    iterator ??= open(controller.signal).then((chunks) => chunks[Symbol.asyncIterator]())
    const result = await (await iterator).next()
    if (result.done !== true) return Option.some(result.value)
    ended = true
    return Option.none()
  }

  /** One for the whole reply: a time limit on each chunk would cost as much as the chunk. */
  const watching: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const left = waiting === undefined ? Duration.toMillis(patience) : waiting.until - now
    return left > 0 ? Effect.zipRight(Effect.sleep(left), watching) : Effect.sync(() => waiting?.giveUp())
  })

  const watched = Effect.suspend(() =>
    watch === undefined
      ? Effect.uninterruptible(
          Effect.map(Effect.forkDaemon(Effect.interruptible(watching)), (fiber) => {
            watch = fiber
          }),
        )
      : Effect.void,
  )

  const next = Effect.clockWith((clock) =>
    Effect.async<Option.Option<A>, unknown>((resume) => {
      const settle = (result: Effect.Effect<Option.Option<A>, unknown>) => {
        waiting = undefined
        resume(result)
      }
      waiting = {
        until: clock.unsafeCurrentTimeMillis() + Duration.toMillis(patience),
        giveUp: () => settle(Effect.fail(new Silence())),
      }
      take().then(
        (chunk) => settle(Effect.succeed(chunk)),
        (cause) => settle(Effect.fail(cause)),
      )
    }),
  )

  return {
    next: Effect.zipRight(watched, next),
    letGo: Effect.suspend(() => {
      if (!ended) controller.abort()
      return watch === undefined ? Effect.void : Fiber.interruptAsFork(watch, FiberId.none)
    }),
  }
}
