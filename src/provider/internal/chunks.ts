/**
 * An SDK's reply as it comes. Its request is aborted when it is let go (left to itself, the SDK would first wait for
 * the next chunk), and given up on when it falls silent.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { watch } from "./watch.ts"

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

/** Sends a request, and hears each chunk of its answer as it comes, up to the end. It has to heed the signal. */
export type Open<A> = (signal: AbortSignal, hear: (chunk: A) => void) => Promise<void>

/** Opens a request. */
export const make = <A>(open: Open<A>, patience: Patience): Effect.Effect<Chunks<A>> =>
  Effect.clockWith((clock) =>
    Effect.suspend(() => {
      const controller = new AbortController()
      let heard: Array<A> = []
      let lastHeard = clock.unsafeCurrentTimeMillis()
      let silence = patience.first
      let complete = false
      let end: Effect.Effect<Option.Option<never>, unknown> | undefined
      let wake = () => {}

      const hear = (chunk: A) => {
        heard.push(chunk)
        lastHeard = clock.unsafeCurrentTimeMillis()
        silence = patience.next
        wake()
      }
      const finish = (how: NonNullable<typeof end>) => {
        end ??= how
        wake()
      }
      open(controller.signal, hear).then(
        () => {
          complete = true
          finish(Effect.succeedNone)
        },
        (cause) => finish(Effect.fail(cause)),
      )

      /**
       * One for the whole reply: a limit on each wait would cost more than the chunk. It looks up at least as often as
       * the shorter patience ends, since the first chunk may have come while it slept.
       */
      const look = () => {
        const left = lastHeard + Duration.toMillis(silence) - clock.unsafeCurrentTimeMillis()
        if (left <= 0) finish(Effect.fail(new Silence(silence)))
        return Math.min(left, Duration.toMillis(patience.next))
      }

      const taken = Effect.suspend(() => {
        const chunks = heard
        heard = []
        return chunks.length === 0 && end !== undefined ? end : Effect.succeedSome(chunks)
      })

      const next: Chunks<A>["next"] = Effect.async((resume) => {
        const take = () => {
          wake = () => {}
          // What comes at once is taken at once: an answer in many small chunks costs little more than in one.
          setImmediate(() => resume(taken))
        }
        if (heard.length > 0 || end !== undefined) resume(taken)
        else wake = take
      })

      return Effect.map(watch(look(), look), (unwatch) => ({
        next,
        letGo: Effect.suspend(() => {
          if (!complete) controller.abort()
          return unwatch
        }),
      }))
    }),
  )
