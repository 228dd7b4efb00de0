/**
 * An SDK's reply as it comes. Its request is aborted when it is let go (left to itself, the SDK would first wait for
 * the next chunk), and given up on when it falls silent.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { watch } from "./watch.ts"

/** Sends a request, and hears each chunk of its answer as it comes, up to the end. It has to heed the signal. */
export type Open<A> = (signal: AbortSignal, hear: (chunk: A) => void) => Promise<void>

/** The longest silence: before the first chunk, where a provider may have to load its model, and after it. */
export interface Patience {
  readonly first: Duration.Duration
  /** By what has been heard so far, the very same value while it is to stay: the rest of what is known is not waited for long. */
  readonly next: () => Duration.Duration
}

/** Nothing was heard for as long as one was ready to wait. */
export class Silence {
  readonly patience: Duration.Duration

  constructor(patience: Duration.Duration) {
    this.patience = patience
  }
}

/** So many chunks are heard at once. Those that came meanwhile wait for the next turn of the event loop. */
const mostAtOnce = 16_384

export interface Listener<A, E> {
  /** What has come since the last time, in its order, and whether that is the end. The next is heard after it. */
  readonly heard: (chunks: ReadonlyArray<A>, ended: boolean) => Effect.Effect<void, E>
  /** What becomes of what the SDK threw, or of a `Silence`, once all that came before has been heard. */
  readonly failed: (cause: unknown) => Effect.Effect<void, E>
}

/** Opens a request, and hears its answer to the end. Ends sooner where `heard` fails, and lets the request go then. */
export const hear = <A, E>(open: Open<A>, patience: Patience, listener: Listener<A, E>): Effect.Effect<void, E> =>
  Effect.clockWith((clock) => {
    const controller = new AbortController()
    let chunks: Array<A> = []
    let lastHeard = clock.unsafeCurrentTimeMillis()
    let silence = patience.first
    let next = patience.next()
    let complete = false
    let failure: { readonly cause: unknown } | undefined
    let wake = () => {}
    let unwatch = () => {}

    const fail = (cause: unknown) => {
      failure ??= { cause }
      wake()
    }

    const take: Effect.Effect<void, E> = Effect.suspend(() => {
      const heard = chunks
      chunks = heard.length > mostAtOnce ? heard.splice(mostAtOnce) : []
      if (chunks.length > 0) return Effect.flatMap(listener.heard(heard, false), goOn)
      if (complete) return listener.heard(heard, true)
      if (heard.length > 0) return Effect.flatMap(listener.heard(heard, false), goOn)
      return failure === undefined ? come : listener.failed(failure.cause)
    })

    const come = Effect.async<void, E>((resume) => {
      let soon: NodeJS.Immediate | undefined
      const now = () => {
        clearImmediate(soon)
        wake = () => {}
        resume(take)
      }
      // What comes at once is taken at once: an answer in many small chunks costs little more than in one. After the end
      // nothing comes: another turn of the event loop would cost a short answer a tenth of its time. Whoever asks again
      // within this turn has another connection, as with the SDKs: fetch frees one in the next.
      wake = () => {
        if (complete || failure !== undefined) now()
        else soon ??= setImmediate(now)
      }
      if (chunks.length > mostAtOnce) soon = setImmediate(now)
      else if (chunks.length > 0 || complete || failure !== undefined) now()
    })

    /**
     * One for the whole reply: a limit on each wait would cost more than the chunk. It looks up at least as often as
     * the shorter patience ends, since the first chunk may have come while it slept.
     */
    const look = () => {
      const left = lastHeard + Duration.toMillis(silence) - clock.unsafeCurrentTimeMillis()
      if (left <= 0) fail(new Silence(silence))
      return Math.min(left, Duration.toMillis(next))
    }

    /** Another patience counts from now on, and whoever looks may have to look sooner. */
    const goOn = () => {
      const wait = patience.next()
      if (wait !== next) {
        next = wait
        silence = wait
        lastHeard = clock.unsafeCurrentTimeMillis()
        unwatch()
        unwatch = watch(clock, look(), look)
      }
      return come
    }

    const start = Effect.suspend(() => {
      open(controller.signal, (chunk) => {
        chunks.push(chunk)
        lastHeard = clock.unsafeCurrentTimeMillis()
        silence = next
        wake()
      }).then(() => {
        complete = failure === undefined
        wake()
      }, fail)
      unwatch = watch(clock, look(), look)
      return come
    })

    const letGo = Effect.sync(() => {
      if (!complete) controller.abort()
      unwatch()
    })

    return Effect.ensuring(start, letGo)
  })
