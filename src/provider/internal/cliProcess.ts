/**
 * A program as a process of its own, in a process group of its own: what it is told, what it says, how it ends; and
 * that nothing is left of it, whoever ends first.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { Output } from "../../model/Agent.ts"

export interface Command {
  /** The program's path. No shell ever reads it, or the arguments. */
  readonly file: string
  readonly args: ReadonlyArray<string>
  /** This process's own where none is given. */
  readonly cwd: string | undefined
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>
  /** All that it can read there: its stdin ends after it. */
  readonly stdin: string
}

export interface Running {
  /** Waits for what it has said since the last time; none once it has ended and said all. */
  readonly next: Effect.Effect<Option.Option<ReadonlyArray<Output>>>
  /** Waits for its end. */
  readonly ended: Effect.Effect<Ended>
}

/** One of the two is there. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** How long a process has between SIGTERM and SIGKILL. */
export interface Grace {
  readonly usual: Duration.DurationInput
  /** Where whoever waits for the answer is interrupted: they are out within a second (FAULTS R11). */
  readonly interrupted: Duration.DurationInput
}

/** Not yet handed over: beyond it the program has to wait, so that no flood of it fills our memory. */
const mostWaiting = 262_144

/** How long pipes may stay silent after the program's end, which someone outside of its group holds open. */
const silence: Duration.DurationInput = "1 second"

/** Runs until it ends, or until the scope closes. Fails with Node's own error where it cannot be started. */
export const start = (command: Command, grace: Grace): Effect.Effect<Running, Error, Scope.Scope> =>
  Effect.gen(function* () {
    const { child, exited, next, waitOut } = yield* Effect.acquireRelease(spawned(command), ({ child, exited }, exit) =>
      stop(child, exited, Exit.isInterrupted(exit) ? grace.interrupted : grace.usual),
    )
    child.stdin.end(command.stdin)
    yield* Effect.forkScoped(Effect.zipRight(Deferred.await(exited), waitOut))
    return { next, ended: Deferred.await(exited) }
  })

type Child = ChildProcessByStdio<Writable, Readable, Readable>

interface Spawned {
  readonly child: Child
  readonly exited: Deferred.Deferred<Ended>
  readonly next: Running["next"]
  /** Waits until nothing more comes of a program that has ended, and closes what is open still. */
  readonly waitOut: Effect.Effect<void>
}

const spawned = (command: Command): Effect.Effect<Spawned, Error> =>
  Effect.async((resume) => {
    try {
      const child = spawn(command.file, command.args, {
        cwd: command.cwd,
        env: command.env,
        stdio: ["pipe", "pipe", "pipe"],
        // A group of its own: it can be ended with all that it has started, and a terminal's Ctrl-C is ours alone.
        detached: true,
        windowsHide: true,
      })
      const exited = Deferred.unsafeMake<Ended>(FiberId.none)
      child.on("error", (error) => resume(Effect.fail(error)))
      child.once("spawn", () => {
        remember(child)
        // It may end without having read all it was told.
        child.stdin.on("error", () => {})
        resume(Effect.succeed({ child, exited, ...listen(child) }))
      })
      child.once("exit", (code, signal) => {
        // What it leaves behind has nobody to answer to, and would hold our pipes open.
        kill(child, "SIGKILL")
        forget(child)
        Deferred.unsafeDone(exited, Exit.succeed({ code, signal }))
      })
    } catch (error) {
      // An argument that no process can be given.
      resume(Effect.fail(error instanceof Error ? error : new Error(String(error))))
    }
  })

/** Keeps what is said until it is asked for. */
const listen = (child: Child): Pick<Spawned, "next" | "waitOut"> => {
  let said: Array<Output> = []
  let waiting = 0
  let isClosed = false
  let isSilent = false
  let wake = () => {}
  const pipes = [child.stdout, child.stderr]

  const hear = (pipe: Readable, output: (text: string) => Output) =>
    // The decoder keeps a character together that comes in two pieces.
    pipe.setEncoding("utf8").on("data", (text: string) => {
      said.push(output(text))
      waiting += text.length
      isSilent = false
      if (waiting > mostWaiting) for (const pipe of pipes) pipe.pause()
      wake()
    })
  hear(child.stdout, (text) => Output.Stdout({ text }))
  hear(child.stderr, (text) => Output.Stderr({ text }))
  child.once("close", () => {
    isClosed = true
    wake()
  })

  const taken = Effect.sync(() => {
    const taken = said
    said = []
    waiting = 0
    if (taken.length === 0) return Option.none()
    for (const pipe of pipes) pipe.resume()
    return Option.some(taken)
  })

  const waitOut: Effect.Effect<void> = Effect.gen(function* () {
    isSilent = true
    yield* Effect.sleep(silence)
    if (!isSilent || said.length > 0) return yield* waitOut
    for (const pipe of pipes) pipe.destroy()
  })

  return {
    next: Effect.async((resume) => {
      const take = () => {
        wake = () => {}
        resume(taken)
      }
      if (said.length > 0 || isClosed) take()
      else wake = take
      return Effect.sync(() => {
        wake = () => {}
      })
    }),
    waitOut,
  }
}

const stop = (child: Child, exited: Deferred.Deferred<Ended>, grace: Duration.DurationInput): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (!(yield* Deferred.isDone(exited))) {
      kill(child, "SIGTERM")
      // A finalizer is not interruptible, and a limit on what is not would wait for it.
      const inTime = yield* Effect.timeoutOption(Effect.interruptible(Deferred.await(exited)), grace)
      if (Option.isNone(inTime)) kill(child, "SIGKILL")
      yield* Deferred.await(exited)
    }
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
  })

/** To the process and all it has started, as far as they are in its group. */
const kill = ({ pid }: Child, signal: NodeJS.Signals): void => {
  if (pid === undefined) return
  // Windows has neither groups nor a signal that asks: its own tool ends the tree, at once.
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on("error", () => {})
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left of the group.
  }
}

/** Those that run. Where this process exits without closing its scopes, they end with it. */
const living = new Set<Child>()

const endAll = (): void => {
  for (const child of living) kill(child, "SIGKILL")
}

const remember = (child: Child): void => {
  if (living.size === 0) process.on("exit", endAll)
  living.add(child)
}

const forget = (child: Child): void => {
  living.delete(child)
  if (living.size === 0) process.off("exit", endAll)
}
