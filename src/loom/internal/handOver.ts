/**
 * A stream whose producer hands over one element at a time: it goes on only when the consumer comes back for the
 * next. So whoever stops at an event knows that nothing has happened beyond it.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"

/** Ends when `produce` ends; letting the stream go interrupts `produce` and waits for its finalizers. */
export const handOver = <A, R>(
  produce: (emit: (element: A) => Effect.Effect<void>) => Effect.Effect<void, never, R>,
): Stream.Stream<A, never, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      // Room for an element that nobody takes any more and the end after it: the end must never have to wait.
      const offered = yield* Queue.bounded<Exit.Exit<Offer<A>, Option.Option<never>>>(2)
      const emit = (element: A) =>
        Effect.flatMap(Deferred.make<void>(), (taken) =>
          Effect.zipRight(Queue.offer(offered, Exit.succeed({ element, taken })), Deferred.await(taken)),
        )
      yield* produce(emit).pipe(
        Effect.onExit((exit) =>
          Queue.offer(offered, Exit.isSuccess(exit) ? Exit.fail(Option.none()) : Exit.failCause(exit.cause)),
        ),
        Effect.forkScoped,
      )
      let last: Offer<A> | undefined
      return Stream.repeatEffectOption(
        Effect.gen(function* () {
          if (last !== undefined) yield* Deferred.succeed(last.taken, undefined)
          last = yield* Effect.flatten(Queue.take(offered))
          return last.element
        }),
      )
    }),
  )

interface Offer<A> {
  readonly element: A
  readonly taken: Deferred.Deferred<void>
}
