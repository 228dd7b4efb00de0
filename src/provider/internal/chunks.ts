/**
 * An SDK's reply as it comes. Its request is aborted when it is let go (left to itself, the SDK would first wait for
 * the next chunk), and given up on when it falls silent.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type * as Option from "effect/Option"

export interface Chunks<A> {
  /** Waits for what has come since the last time; none at the end. Fails as the SDK does, or with `Silence`. */
  readonly next: Effect.Effect<Option.Option<ReadonlyArray<A>>, unknown>
  /** To be run once no more is wanted. */
  readonly letGo: Effect.Effect<void>
}

/** Nothing was heard for as long as one was ready to wait. */
export class Silence {
  readonly patience: Duration.Duration

  constructor(patience: Duration.Duration) {
    this.patience = patience
  }
}

/** The longest silence: before the first chunk, where a provider may have to load its model, and after it. */
export interface Patience {
  readonly first: Duration.Duration
  readonly next: Duration.Duration
}

/** Opens a request, which has to heed the signal. */
export const make = <A>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<A>>,
  patience: Patience,
): Effect.Effect<Chunks<A>> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const controller = new AbortController()
    let heard: Array<A> = []
    let lastHeard = clock.unsafeCurrentTimeMillis()
    let silence = patience.first
    let complete = false
    let end: Effect.Effect<Option.Option<never>, unknown> | undefined
    let wake = () => {}

    const listen = async () => {
      for await (const chunk of await open(controller.signal)) {
        heard.push(chunk)
        lastHeard = clock.unsafeCurrentTimeMillis()
        silence = patience.next
        wake()
      }
      complete = true
    }
    const finish = (how: NonNullable<typeof end>) => {
      end ??= how
      wake()
    }
    listen().then(
      () => finish(Effect.succeedNone),
      (cause) => finish(Effect.fail(cause)),
    )

    /**
     * One for the whole reply: a limit on each wait would cost more than the chunk. It looks up at least as often as
     * the shorter patience ends, since the first chunk may have come while it slept.
     */
    const watch: Effect.Effect<void> = Effect.suspend(() => {
      const left = lastHeard + Duration.toMillis(silence) - clock.unsafeCurrentTimeMillis()
      return left > 0
        ? Effect.zipRight(clock.sleep(Duration.min(Duration.millis(left), patience.next)), watch)
        : Effect.sync(() => finish(Effect.fail(new Silence(silence))))
    })
    const watching = yield* Effect.forkDaemon(Effect.interruptible(watch))

    const taken = Effect.suspend(() => {
      const chunks = heard
      heard = []
      return chunks.length === 0 && end !== undefined ? end : Effect.succeedSome(chunks)
    })

    return {
      next: Effect.async((resume) => {
        const take = () => {
          wake = () => {}
          // What comes at once is taken at once: an answer in many small chunks costs little more than in one.
          setImmediate(() => resume(taken))
        }
        if (heard.length > 0 || end !== undefined) resume(taken)
        else wake = take
      }),
      letGo: Effect.suspend(() => {
        if (!complete) controller.abort()
        return Fiber.interruptAsFork(watching, FiberId.none)
      }),
    }
  })
