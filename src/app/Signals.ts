/** Ends a run at a signal, such as that of Ctrl-C, once its finalizers have run and its output is written. */
import type * as Runtime from "@effect/platform/Runtime"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** Ends the run from outside, with an exit code. */
export type End = Deferred.Deferred<number>

/**
 * The signals that stop a run, and the exit code of a run that was stopped. SIGBREAK is Ctrl-Break in Windows, where
 * SIGHUP comes when the console is closed, and nothing sends SIGTERM.
 */
const signals = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGBREAK", 149],
] as const

let stoppedWith = 130

/** If another Node has started this process, one Ctrl-C arrives twice. Signals within this time count as one. */
const sameSignalMs = 250

/** The first signal interrupts the run, so that its finalizers run. A second one exits at once. */
export const handle = (end: End): void => {
  let first: number | undefined
  for (const [signal, code] of signals) {
    process.on(signal, () => {
      if (first === undefined) {
        first = performance.now()
        stoppedWith = code
        Deferred.unsafeDone(end, Effect.interrupt)
      } else if (performance.now() - first > sameSignalMs) process.exit(stoppedWith)
    })
  }
}

/**
 * Only sets the exit code if the run has ended by itself: the process ends with its last handle. An interrupted run may
 * leave an open handle, such as a socket, and ends as soon as its output is written. `process.exit` alone would lose
 * output that a pipe has not taken yet.
 */
export const teardown: Runtime.Teardown = (exit) => {
  if (Exit.isSuccess(exit)) return
  const isInterrupted = Cause.isInterrupted(exit.cause)
  process.exitCode = isInterrupted ? stoppedWith : 1
  // The callbacks are called after all earlier writes, and if the reader is gone.
  if (isInterrupted) process.stdout.write("", () => process.stderr.write("", () => process.exit()))
}
