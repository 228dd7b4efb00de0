/**
 * A stream whose producer hands over one element at a time: it goes on only when the consumer comes back for the
 * next. So whoever stops at an event knows that nothing has happened beyond it.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** Ends as `produce` does; letting the stream go interrupts `produce` and waits for its finalizers. */
export const rendezvous = <A, E, R>(
  produce: (emit: (element: A) => Effect.Effect<void>) => Effect.Effect<void, E, R>,
): Stream.Stream<A, E, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const counter = makeCounter<A, E>()
      yield* produce(counter.emit).pipe(Effect.onExit(counter.end), Effect.forkScoped)
      return Stream.unfoldEffect(undefined, () => counter.next)
    }),
  )

/** Where the two meet. */
interface Counter<A, E> {
  /** Lays an element down, and is done when the consumer, having had it, comes back. */
  readonly emit: (element: A) => Effect.Effect<void>
  readonly end: (exit: Exit.Exit<void, E>) => Effect.Effect<void>
  /** Waits for the next element; none at the end. */
  readonly next: Effect.Effect<Option.Option<Handed<A>>, E>
}

/** As `unfoldEffect` wants it: with a state, which there is none of. */
type Handed<A> = readonly [element: A, state: undefined]

interface Offer<A, E> {
  readonly handed: Exit.Exit<Option.Option<Handed<A>>, E>
  /** Tells the producer that the consumer has come back. */
  readonly taken: () => void
}

const makeCounter = <A, E>(): Counter<A, E> => {
  // At most two: an element that its producer, interrupted, no longer waits for, and what comes after it.
  const offers: Array<Offer<A, E>> = []
  let last: Offer<A, E> | undefined
  let waiting: (() => void) | undefined

  const offer = (offered: Offer<A, E>) => {
    offers.push(offered)
    waiting?.()
  }

  return {
    emit: (element) =>
      Effect.async((resume) =>
        offer({ handed: Exit.succeed(Option.some([element, undefined])), taken: () => resume(Effect.void) }),
      ),

    end: (exit) => Effect.sync(() => offer({ handed: Exit.as(exit, Option.none()), taken: () => {} })),

    next: Effect.async((resume) => {
      const take = () => {
        last = offers.shift()
        waiting = last === undefined ? take : undefined
        if (last !== undefined) resume(last.handed)
      }
      last?.taken()
      take()
      return Effect.sync(() => {
        waiting = undefined
      })
    }),
  }
}
