/**
 * A rendezvous stream: unbuffered and backpressured. The producer continues only when the consumer asks for the next
 * element, so a consumer that stops at an element knows that nothing has happened after it.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** Ends as `produce` does. Cancelling the stream interrupts `produce` and waits for its finalizers. */
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

/** The state that producer and consumer share. */
interface Counter<A, E> {
  /** Offers an element; completes when the consumer has processed it and asks for the next. */
  readonly emit: (element: A) => Effect.Effect<void>
  readonly end: (exit: Exit.Exit<void, E>) => Effect.Effect<void>
  /** Waits for the next element; `None` at the end. */
  readonly next: Effect.Effect<Option.Option<Handed<A>>, E>
}

/** An element in the form of `unfoldEffect`, without a state. */
type Handed<A> = readonly [element: A, state: undefined]

interface Offer<A, E> {
  readonly handed: Exit.Exit<Option.Option<Handed<A>>, E>
  /** Resumes the producer: the consumer has asked for the next element. */
  readonly taken: () => void
}

const makeCounter = <A, E>(): Counter<A, E> => {
  // At most two: an element of a producer that was interrupted, and the end after it.
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
