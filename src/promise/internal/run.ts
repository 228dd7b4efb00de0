/** Runs effects for code without Effect. */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import { abortedBy } from "../../agent/GenerateError.ts"

/** The type of a runtime's `runFork`. */
export type Fork<R> = <A, E>(effect: Effect.Effect<A, E, R>) => Fiber.RuntimeFiber<A, E>

/**
 * Runs an effect. Rejects with the error of the effect itself, which `runPromise` would wrap. When the signal is
 * aborted, the effect is interrupted, and the promise rejects with a `GenerationAbortedError` after it has ended.
 * Nothing runs if the signal is already aborted. The effect starts synchronously and runs up to its first pause.
 */
export const run = async <A, E, R>(fork: Fork<R>, effect: Effect.Effect<A, E, R>, signal?: AbortSignal): Promise<A> => {
  if (signal?.aborted) throw abortedBy(signal)
  const fiber = fork(effect)
  const interrupt = () => fiber.unsafeInterruptAsFork(FiberId.none)
  signal?.addEventListener("abort", interrupt, { once: true })
  const exit = await new Promise<Exit.Exit<A, E>>((resolve) => fiber.addObserver(resolve))
  signal?.removeEventListener("abort", interrupt)
  if (exit._tag === "Success") return exit.value
  const failure = Cause.failureOption(exit.cause)
  if (Option.isSome(failure)) throw failure.value
  if (signal?.aborted && Cause.isInterruptedOnly(exit.cause)) throw abortedBy(signal)
  throw Runtime.makeFiberFailure(exit.cause)
}
