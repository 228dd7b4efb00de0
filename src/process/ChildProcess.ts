/**
 * Programs as processes of their own: the only place that starts one. Each is found at an absolute path, is given no
 * secret but those it needs, and is ended together with what it has started.
 */
import { type ChildProcess, type ChildProcessByStdio, type SpawnOptions, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Environment from "./Environment.ts"
import * as Lookup from "./Lookup.ts"

export interface Command {
  /** A name that is looked for on PATH, or an absolute path. No shell reads it, or the arguments. */
  readonly program: string
  readonly args: ReadonlyArray<string>
  /** On Windows the arguments are given to the program as they are, without quotes around them. */
  readonly isVerbatim?: boolean | undefined
  /** This process's own where none is given. */
  readonly cwd?: string | undefined
  /** That of this process: PATH is read in it, and the program is given what of it is no secret. */
  readonly environment: Environment.Environment
  /** Names of secrets that it is given all the same; see `Environment.Wishes`. */
  readonly needs?: ReadonlyArray<string> | undefined
  /** Variables besides. */
  readonly env?: Environment.Environment | undefined
}

/** There is no such program: at that path, or on PATH. */
export class NotFound extends Data.TaggedError("NotFound")<{ readonly program: string }> {
  override get message() {
    return `there is no program '${this.program}'`
  }
}

/** The system does not start it. */
export class NotStarted extends Data.TaggedError("NotStarted")<{
  /** Its path. */
  readonly file: string
  /** In the system's words. */
  readonly why: string
}> {
  override get message() {
    return `${this.file} cannot be started: ${this.why}`
  }
}

export interface Running {
  /** Waits for what it has written since the last time; none once it has ended and written all. */
  readonly next: Effect.Effect<Option.Option<ReadonlyArray<Output>>>
  /** Waits for its end. */
  readonly ended: Effect.Effect<Ended>
}

export interface Output {
  readonly _tag: "Stdout" | "Stderr"
  readonly text: string
}

/** One of the two is there. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** How long a process has between SIGTERM and SIGKILL. */
interface Grace {
  readonly usual: Duration.DurationInput
  /** Where its caller is interrupted, which ends within a second. */
  readonly interrupted: Duration.DurationInput
}

const grace: Grace = { usual: "2 seconds", interrupted: "500 millis" }

/** Whether it is there, without starting it: its path. */
export const find = ({
  environment,
  program,
}: Pick<Command, "program" | "environment">): Effect.Effect<string, NotFound> =>
  Effect.suspend(() => {
    const file = Lookup.find(program, environment)
    return file === undefined ? new NotFound({ program }) : Effect.succeed(file)
  })

/** Not yet handed over: beyond it the program has to wait, so that no flood of it fills our memory. */
const mostWaiting = 262_144

/** How long pipes may stay silent after the program's end, which someone outside of its group holds open. */
const silence: Duration.DurationInput = "1 second"

/** Runs until it ends, or until the scope closes. `stdin` is all that it can read: its stdin ends after it. */
export const start = (command: Command, stdin = ""): Effect.Effect<Running, NotFound | NotStarted, Scope.Scope> =>
  Effect.gen(function* () {
    const { begun, exited } = yield* Effect.acquireRelease(
      spawned(command, { onTerminal: false }, (file, args, options) => {
        // A group of its own: it can be ended with all that it has started, and a terminal's Ctrl-C is not for it.
        const child = spawn(file, args, { ...options, stdio: ["pipe", "pipe", "pipe"], detached: true })
        return { child, begin: () => ({ ...listen(child), stdin: child.stdin }) }
      }),
      (spawned, exit) => Effect.zipRight(stop(spawned, exit), Effect.sync(spawned.begun.close)),
    )
    // It may end without having read all of it.
    begun.stdin.on("error", () => {}).end(stdin)
    yield* Effect.forkScoped(Effect.zipRight(Deferred.await(exited), begun.waitOut))
    return { next: begun.next, ended: Deferred.await(exited) }
  })

export interface Finished extends Ended {
  readonly stdout: string
  readonly stderr: string
}

/** Runs it to its end. Of stdout and stderr at most `longest` characters each are kept, the first ones. */
export const run = (
  command: Command,
  { longest = 1_048_576, stdin = "" }: { readonly longest?: number; readonly stdin?: string } = {},
): Effect.Effect<Finished, NotFound | NotStarted> =>
  Effect.gen(function* () {
    const { ended, next } = yield* start(command, stdin)
    const texts = { Stdout: "", Stderr: "" }
    for (let outputs = yield* next; Option.isSome(outputs); outputs = yield* next) {
      for (const { _tag, text } of outputs.value) texts[_tag] += text.slice(0, longest - texts[_tag].length)
    }
    return { ...(yield* ended), stdout: texts.Stdout, stderr: texts.Stderr }
  }).pipe(Effect.scoped)

/**
 * Runs it on this process's terminal, which it has to itself meanwhile, and waits for its end. It stays in the group of
 * this process, outside of which it could not read from the terminal; so it alone is ended, not what it has started.
 */
export const runOnTerminal = (command: Command): Effect.Effect<Ended, NotFound | NotStarted> =>
  Effect.acquireUseRelease(
    spawned(command, { onTerminal: true }, (file, args, options) => ({
      child: spawn(file, args, { ...options, stdio: "inherit" }),
      begin: () => undefined,
    })),
    ({ exited }) => Deferred.await(exited),
    stop,
  )

type Piped = ChildProcessByStdio<Writable, Readable, Readable>

interface Spawned<A> {
  readonly exited: Deferred.Deferred<Ended>
  readonly kill: (signal: NodeJS.Signals) => void
  /** What came of `begin`. */
  readonly begun: A
}

/** What `open` starts with these arguments; `begin` is called once it runs, before anything else happens. */
const spawned = <A>(
  { args, cwd, env, environment, isVerbatim = false, needs = [], program }: Command,
  { onTerminal }: { readonly onTerminal: boolean },
  open: (
    file: string,
    args: ReadonlyArray<string>,
    options: Pick<SpawnOptions, "cwd" | "env" | "windowsHide" | "windowsVerbatimArguments">,
  ) => { readonly child: ChildProcess; readonly begin: () => A },
): Effect.Effect<Spawned<A>, NotFound | NotStarted> =>
  Effect.flatMap(find({ environment, program }), (file) =>
    Effect.async((resume) => {
      const fail = (error: unknown) =>
        resume(new NotStarted({ file, why: error instanceof Error ? error.message : String(error) }))
      try {
        const { begin, child } = open(file, args, {
          cwd,
          env: { ...Environment.passed(environment, { needs, onTerminal }), ...env },
          windowsHide: true,
          windowsVerbatimArguments: isVerbatim,
        })
        const exited = Deferred.unsafeMake<Ended>(FiberId.none)
        const kill = onTerminal ? (signal: NodeJS.Signals) => void child.kill(signal) : killGroup(child, environment)
        const atExit = () => kill("SIGKILL")
        child.on("error", fail)
        child.once("spawn", () => {
          if (!onTerminal) remember(atExit)
          resume(Effect.succeed({ exited, kill, begun: begin() }))
        })
        child.once("exit", (code, signal) => {
          // What it leaves behind would hold the pipes open.
          if (!onTerminal) atExit()
          forget(atExit)
          Deferred.unsafeDone(exited, Exit.succeed({ code, signal }))
        })
      } catch (error) {
        // An argument that no process can be given.
        fail(error)
      }
    }),
  )

interface Pipes {
  readonly next: Running["next"]
  /** Waits until nothing more comes of a program that has ended, and closes what is open still. */
  readonly waitOut: Effect.Effect<void>
  readonly close: () => void
}

/** Keeps what is written until it is asked for. */
const listen = (child: Piped): Pipes => {
  let written: Array<Output> = []
  let waiting = 0
  let isClosed = false
  let isSilent = false
  let wake = () => {}
  const pipes = [child.stdout, child.stderr]

  const read = (pipe: Readable, _tag: Output["_tag"]) =>
    // The decoder keeps a character together that comes in two pieces.
    pipe.setEncoding("utf8").on("data", (text: string) => {
      written.push({ _tag, text })
      waiting += text.length
      isSilent = false
      if (waiting > mostWaiting) for (const pipe of pipes) pipe.pause()
      wake()
    })
  read(child.stdout, "Stdout")
  read(child.stderr, "Stderr")
  child.once("close", () => {
    isClosed = true
    wake()
  })

  const taken = Effect.sync(() => {
    const taken = written
    written = []
    waiting = 0
    if (taken.length === 0) return Option.none()
    for (const pipe of pipes) pipe.resume()
    return Option.some(taken)
  })

  const waitOut: Effect.Effect<void> = Effect.gen(function* () {
    isSilent = true
    yield* Effect.sleep(silence)
    if (!isSilent || written.length > 0) return yield* waitOut
    for (const pipe of pipes) pipe.destroy()
  })

  return {
    next: Effect.async((resume) => {
      const take = () => {
        wake = () => {}
        resume(taken)
      }
      if (written.length > 0 || isClosed) take()
      else wake = take
      return Effect.sync(() => {
        wake = () => {}
      })
    }),
    waitOut,
    close: () => {
      for (const pipe of [child.stdin, ...pipes]) pipe.destroy()
    },
  }
}

const stop = <A>({ exited, kill }: Spawned<A>, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (yield* Deferred.isDone(exited)) return
    kill("SIGTERM")
    // A finalizer is not interruptible, and a limit on what is not would wait for it.
    const ended = Effect.interruptible(Deferred.await(exited))
    const inTime = yield* Effect.timeoutOption(ended, Exit.isInterrupted(exit) ? grace.interrupted : grace.usual)
    if (Option.isNone(inTime)) kill("SIGKILL")
    yield* Deferred.await(exited)
  })

/** Sends a signal to a process and all that it has started, as far as they are in its group. */
const killGroup =
  ({ pid }: ChildProcess, environment: Environment.Environment) =>
  (signal: NodeJS.Signals): void => {
    if (pid === undefined) return
    // Windows has neither groups nor a signal that asks: its own tool ends the tree, at once.
    if (process.platform === "win32") {
      const file = Lookup.find("taskkill", environment) ?? "C:\\Windows\\System32\\taskkill.exe"
      spawn(file, ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on("error", () => {})
      return
    }
    try {
      process.kill(-pid, signal)
    } catch {
      // The group is empty.
    }
  }

/** Of processes that run: where this process exits without closing its scopes, they end with it. */
const living = new Set<() => void>()

const endAll = (): void => {
  for (const end of living) end()
}

const remember = (end: () => void): void => {
  if (living.size === 0) process.on("exit", endAll)
  living.add(end)
}

const forget = (end: () => void): void => {
  living.delete(end)
  if (living.size === 0) process.off("exit", endAll)
}
