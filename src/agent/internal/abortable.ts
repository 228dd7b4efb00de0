/** Lets an `AbortSignal` end a run. */
import * as Effect from "effect/Effect"
import { endWith } from "../../base/concurrency.ts"
import { abortedBy, type GenerationAbortedError } from "../GenerateError.ts"
import type { Sink } from "../TurnEvent.ts"

/**
 * Runs `run` until it ends or the signal is aborted. Each event is a checkpoint: once the signal is aborted, the run
 * does not continue beyond the next event.
 */
export const abortable = <A, E>(
  signal: AbortSignal | undefined,
  deliver: Sink,
  run: (deliver: Sink) => Effect.Effect<A, E>,
): Effect.Effect<A, E | GenerationAbortedError> => {
  if (signal === undefined) return run(deliver)
  const halt = Effect.suspend(() => (signal.aborted ? Effect.never : Effect.void))
  const steps = run((event) => Effect.zipRight(Effect.zipRight(halt, deliver(event)), halt))
  return steps.pipe(endWith(failOnAbort(signal)))
}

/** Fails when the signal is aborted, at once if it already is. It never succeeds. */
const failOnAbort = (signal: AbortSignal): Effect.Effect<never, GenerationAbortedError> =>
  Effect.async((resume) => {
    const abort = () => resume(Effect.fail(abortedBy(signal)))
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })
