/** Runs the program in this process: its streams, its signals, its exit code. */
import type * as Runtime from "@effect/platform/Runtime"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as Logging from "./app/Logging.ts"
import * as OwnProcess from "./app/OwnProcess.ts"
import { ownPosition } from "./app/ownPosition.ts"
import * as Scheduler from "./app/Scheduler.ts"
import * as Cli from "./cli/Cli.ts"
import { commands } from "./cli/commands.ts"
import * as NodeScreen from "./cli/terminal/Screen/Node.ts"

export const main = (version: string): void => {
  const end = Deferred.unsafeMake<number>(FiberId.none)
  handleSignals(end)
  handleStreamErrors(end)
  OwnProcess.hideWarnings()
  // All output is written by then. Exiting at once saves the time that Node takes to tear down the heap.
  process.once("beforeExit", () => process.exit())
  process.on("uncaughtException", (cause) => Deferred.unsafeDone(end, Effect.die(cause)))
  Cli.run(commands, { argv: process.argv.slice(2), version, position: ownPosition, end: Deferred.await(end) }).pipe(
    Effect.flatMap(setExitCode),
    Scheduler.withScheduler,
    Effect.provide(Layer.provideMerge(NodeScreen.layer, Logging.layer)),
    Effect.provideService(OwnProcess.IsOwnProcess, true),
    NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true, teardown }),
  )
}

/** Ends the run from outside, with an exit code. */
type End = Deferred.Deferred<number>

/** Keeps a code that is set already: an error on stdout sets one. */
const setExitCode = (code: number) =>
  Effect.sync(() => {
    process.exitCode ??= code
  })

/**
 * Ends the run when stdout breaks. A closed pipe is no failure: in `vibe … | head -1` the reader has read enough. Any
 * other error, such as a full disk, is a failure, also after the last output. Errors on stderr are ignored.
 */
const handleStreamErrors = (end: End): void => {
  process.stderr.on("error", () => {})
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return Deferred.unsafeDone(end, Effect.succeed(0))
    process.stderr.write(`vibe: stdout: ${error.message}\n`)
    process.exitCode = 1
    Deferred.unsafeDone(end, Effect.succeed(1))
  })
}

/**
 * The signals that stop a run, and the exit code of a run that was stopped. SIGBREAK is Ctrl-Break in Windows, where SIGHUP
 * comes when the console is closed, and nothing sends SIGTERM.
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
const handleSignals = (end: End): void => {
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
const teardown: Runtime.Teardown = (exit) => {
  if (Exit.isSuccess(exit)) return
  const isInterrupted = Cause.isInterrupted(exit.cause)
  process.exitCode = isInterrupted ? stoppedWith : 1
  // The callbacks are called after all earlier writes, and if the reader is gone.
  if (isInterrupted) process.stdout.write("", () => process.stderr.write("", () => process.exit()))
}
