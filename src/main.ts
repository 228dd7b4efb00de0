/** Runs the program in this process: its streams, its signals, its exit code. */
import type * as CliApp from "@effect/cli/CliApp"
import type * as Runtime from "@effect/platform/Runtime"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as App from "./app/App.ts"
import * as Logging from "./app/Logging.ts"
import * as OwnProcess from "./app/OwnProcess.ts"
import * as Scheduler from "./app/Scheduler.ts"
import * as Cli from "./cli/Cli.ts"
import * as NodeScreen from "./cli/terminal/Screen/Node.ts"

export const main = (version: string): void => {
  const end = Deferred.unsafeMake<number>(FiberId.none)
  heedSignals(end)
  heedStreams(end)
  OwnProcess.hideWarnings()
  // All is written by then: to take down the heap would be for nobody.
  process.once("beforeExit", () => process.exit())
  process.on("uncaughtException", (cause) => Deferred.unsafeDone(end, Effect.die(cause)))
  command({ argv: process.argv.slice(2), version, end: Deferred.await(end) }).pipe(
    Effect.flatMap(leaveWith),
    Scheduler.withScheduler,
    Effect.provide(Layer.merge(NodeScreen.layer, Logging.layer)),
    Effect.provide(unasked),
    Effect.provideService(OwnProcess.IsOwnProcess, true),
    NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true, teardown }),
  )
}

const command = (options: Cli.Options) =>
  Cli.isAboutLoom(options.argv)
    ? Effect.flatMap(
        Effect.promise(() => import("./app/Loom.ts")),
        ({ specs, vibe }) => Cli.run(vibe, { ...options, commands: Cli.withLoom(specs) }),
      )
    : Cli.run(App.vibe, options)

/** What ends the run from outside, with an exit code. */
type End = Deferred.Deferred<number>

/** A stdout that broke meanwhile has set the code already. */
const leaveWith = (code: number) =>
  Effect.sync(() => {
    process.exitCode ??= code
  })

/**
 * What @effect/cli would ask for: files that are arguments, and a person before a wizard. vibe has neither, so nobody
 * sees that it is empty; Node's own would load half of Effect, and open stdin.
 */
const unasked = Context.empty() as Context.Context<CliApp.CliApp.Environment>

/**
 * Ends a run whose stdout breaks. `vibe … | head -1`: whoever read it has what they wanted, and all is well. Any other
 * error (a full disk) is one, also when it comes after the last word. A stderr that nobody reads stops nothing.
 */
const heedStreams = (end: End): void => {
  process.stderr.on("error", () => {})
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return Deferred.unsafeDone(end, Effect.succeed(0))
    process.stderr.write(`vibe: stdout: ${error.message}\n`)
    process.exitCode = 1
    Deferred.unsafeDone(end, Effect.succeed(1))
  })
}

/** Those that ask a run to stop, and the exit code of one that did. */
const signals = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const

let stoppedWith = 130

/** A terminal's Ctrl-C reaches us twice at once where another Node started us: that is one interrupt. */
const sameSignalMs = 250

/** The first signal interrupts the run, so that it can close what it opened. Whoever presses Ctrl-C again wants out. */
const heedSignals = (end: End): void => {
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

/** How long an interrupted run may keep its process open by what it left behind, a socket say. */
const lingerMs = 500

/** The exit code alone, so that what was written arrives: `process.exit` would cut a pipe short (FAULTS R11). */
const teardown: Runtime.Teardown = (exit) => {
  if (Exit.isSuccess(exit)) return
  const isInterrupted = Cause.isInterrupted(exit.cause)
  process.exitCode = isInterrupted ? stoppedWith : 1
  if (isInterrupted) setTimeout(() => process.exit(), lingerMs).unref()
}
