/** Runs the program in this process: its streams and its exit code. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as OwnProcess from "./app/OwnProcess.ts"
import { ownPosition } from "./app/ownPosition.ts"
import * as Scheduler from "./app/Scheduler.ts"
import * as Signals from "./app/Signals.ts"
import * as Logging from "./base/Logging.ts"
import * as Cli from "./cli/Cli.ts"
import { commands } from "./cli/commands.ts"
import * as NodeScreen from "./cli/terminal/Screen/Node.ts"

export const main = (version: string): void => {
  const end = Deferred.unsafeMake<number>(FiberId.none)
  Signals.handle(end)
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
    NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true, teardown: Signals.teardown }),
  )
}

/** Keeps a code that is set already: an error on stdout sets one. */
const setExitCode = (code: number) =>
  Effect.sync(() => {
    process.exitCode ??= code
  })

/**
 * Ends the run when stdout breaks. A closed pipe is no failure: in `vibe … | head -1` the reader has read enough. Any
 * other error, such as a full disk, is a failure, also after the last output. Errors on stderr are ignored.
 */
const handleStreamErrors = (end: Signals.End): void => {
  process.stderr.on("error", () => {})
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return Deferred.unsafeDone(end, Effect.succeed(0))
    process.stderr.write(`vibe: stdout: ${error.message}\n`)
    process.exitCode = 1
    Deferred.unsafeDone(end, Effect.succeed(1))
  })
}
