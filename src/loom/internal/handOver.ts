/**
 * A stream whose producer hands over one element at a time: it goes on only when the consumer comes back for the
 * next. So whoever stops at an event knows that nothing has happened beyond it.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** Ends when `produce` ends; letting the stream go interrupts `produce` and waits for its finalizers. */
export const handOver = <A, R>(
  produce: (emit: (element: A) => Effect.Effect<void>) => Effect.Effect<void, never, R>,
): Stream.Stream<A, never, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const counter = makeCounter<A>()
      yield* produce(counter.emit).pipe(Effect.onExit(counter.end), Effect.forkScoped)
      return Stream.repeatEffectOption(counter.next)
    }),
  )

/** Where the two meet. */
interface Counter<A> {
  /** Lays an element down, and is done when the consumer, having had it, comes back. */
  readonly emit: (element: A) => Effect.Effect<void>
  readonly end: (exit: Exit.Exit<void>) => Effect.Effect<void>
  /** The next element, or `None` at the end. */
  readonly next: Effect.Effect<A, Option.Option<never>>
}

interface Offer<A> {
  readonly element: Exit.Exit<A, Option.Option<never>>
  /** Tells the producer that the consumer has come back. */
  readonly taken: () => void
}

const makeCounter = <A>(): Counter<A> => {
  // At most two: an element that its producer, interrupted, no longer waits for, and what comes after it.
  const offers: Array<Offer<A>> = []
  let last: Offer<A> | undefined
  let waiting: (() => void) | undefined

  const offer = (offered: Offer<A>) => {
    offers.push(offered)
    waiting?.()
  }

  return {
    emit: (element) =>
      Effect.async((resume) => offer({ element: Exit.succeed(element), taken: () => resume(Effect.void) })),

    end: (exit) =>
      Effect.sync(() =>
        offer({
          element: Exit.isSuccess(exit) ? Exit.fail(Option.none()) : Exit.failCause(exit.cause),
          taken: () => {},
        }),
      ),

    next: Effect.async((resume) => {
      const take = () => {
        last = offers.shift()
        waiting = last === undefined ? take : undefined
        if (last !== undefined) resume(last.element)
      }
      last?.taken()
      take()
      return Effect.sync(() => {
        waiting = undefined
      })
    }),
  }
}
