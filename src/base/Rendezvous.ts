/**
 * A rendezvous stream: unbuffered and backpressured. The producer continues only when the consumer asks for the next
 * element, so a consumer that stops at an element knows that nothing has happened after it.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/**
 * Returns a stream that ends as `produce` does. Cancelling the stream interrupts `produce` and waits for its
 * finalizers.
 */
export const rendezvous = <A, E, R>(
  produce: (emit: (element: A) => Effect.Effect<void>) => Effect.Effect<void, E, R>,
): Stream.Stream<A, E, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const channel = makeChannel<A, E>()
      yield* produce(channel.emit).pipe(Effect.onExit(channel.end), Effect.forkScoped)
      return Stream.unfoldEffect(undefined, () => channel.next)
    }),
  )

/** The state that producer and consumer share. */
interface Channel<A, E> {
  /** Offers an element. Completes when the consumer has processed it and asks for the next. */
  readonly emit: (element: A) => Effect.Effect<void>
  readonly end: (exit: Exit.Exit<void, E>) => Effect.Effect<void>
  /** Waits for the next element. Returns `None` at the end. */
  readonly next: Effect.Effect<Option.Option<Step<A>>, E>
}

/** An element in the form of `unfoldEffect`, without a state. */
type Step<A> = readonly [element: A, state: undefined]

interface Offer<A, E> {
  readonly step: Exit.Exit<Option.Option<Step<A>>, E>
  /** Resumes the producer, since the consumer has asked for the next element. */
  readonly resume: () => void
}

const makeChannel = <A, E>(): Channel<A, E> => {
  // There are at most two offers: an element of a producer that was interrupted, and the end after it.
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
        offer({ step: Exit.succeed(Option.some([element, undefined])), resume: () => resume(Effect.void) }),
      ),

    end: (exit) => Effect.sync(() => offer({ step: Exit.as(exit, Option.none()), resume: () => {} })),

    next: Effect.async((resume) => {
      const take = () => {
        last = offers.shift()
        waiting = last === undefined ? take : undefined
        if (last !== undefined) resume(last.step)
      }
      last?.resume()
      take()
      return Effect.sync(() => {
        waiting = undefined
      })
    }),
  }
}
