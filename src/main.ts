/** Runs the program in this process: its streams, its signals, its exit code. */
import type * as Runtime from "@effect/platform/Runtime"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as App from "./app/App.ts"
import * as Logging from "./app/Logging.ts"
import * as Turns from "./app/Turns.ts"
import * as Cli from "./cli/Cli.ts"
import * as ScreenOfThisProcess from "./cli/Screen/Node.ts"

export const main = (version: string): void => {
  heedSignals()
  Cli.run(App.vibe, { argv: process.argv.slice(2), version }).pipe(
    Effect.raceFirst(stdoutBroken()),
    Effect.flatMap(leaveWith),
    Turns.given,
    Effect.provide(Layer.mergeAll(platform, ScreenOfThisProcess.layer, Logging.layer)),
    NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true, teardown }),
  )
}

/** A stdout that broke meanwhile has set the code already. */
const leaveWith = (code: number) =>
  Effect.sync(() => {
    process.exitCode ??= code
  })

const platform = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeTerminal.layer)

/**
 * Ends a run whose stdout breaks. `vibe … | head -1`: whoever read it has what they wanted, and all is well. Any other
 * error (a full disk) is one, also when it comes after the last word. A stderr that nobody reads stops nothing.
 */
const stdoutBroken = (): Effect.Effect<number> => {
  const broken = Deferred.unsafeMake<number>(FiberId.none)
  process.stderr.on("error", () => {})
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return Deferred.unsafeDone(broken, Effect.succeed(0))
    process.stderr.write(`vibe: stdout: ${error.message}\n`)
    process.exitCode = 1
    Deferred.unsafeDone(broken, Effect.succeed(1))
  })
  return Deferred.await(broken)
}

/** A terminal's Ctrl-C reaches us twice at once where another Node started us: that is one interrupt. */
const sameInterruptMs = 250

let terminated = false

/** `runMain` interrupts the run at the first signal and then listens no more. Whoever presses Ctrl-C again wants out. */
const heedSignals = () => {
  process.once("SIGTERM", () => {
    terminated = true
  })
  let first: number | undefined
  process.on("SIGINT", () => {
    first ??= performance.now()
    if (performance.now() - first > sameInterruptMs) process.exit(130)
  })
}

/** How long an interrupted run may keep its process open by what it left behind, a socket say. */
const lingerMs = 500

/** The exit code alone, so that what was written arrives: `process.exit` would cut a pipe short (FAULTS R11). */
const teardown: Runtime.Teardown = (exit) => {
  if (Exit.isSuccess(exit)) return
  process.exitCode = !Cause.isInterrupted(exit.cause) ? 1 : terminated ? 143 : 130
  if (Cause.isInterrupted(exit.cause)) setTimeout(() => process.exit(), lingerMs).unref()
}
