/**
 * Starts programs; no other module does. A program is started by its absolute path, with an environment without secrets
 * other than those it needs, and is terminated together with its child processes.
 */
import { type ChildProcess, type ChildProcessByStdio, type SpawnOptions, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { endWith } from "../base/concurrency.ts"
import * as Environment from "./Environment.ts"
import * as ProcessTree from "./internal/ProcessTree.ts"
import * as Lookup from "./Lookup.ts"
import * as Windows from "./Windows.ts"

export interface Command {
  /**
   * A name to look up on PATH, or an absolute path. No shell is involved, except cmd.exe for a batch file of Windows.
   */
  readonly program: string
  readonly args: ReadonlyArray<string>
  /** True to pass the arguments on Windows without quoting them. */
  readonly isVerbatim?: boolean | undefined
  /** The working directory; by default that of this process. */
  readonly cwd?: string | undefined
  /**
   * The environment of this process. The program is looked up on its PATH, and receives this environment without the
   * secrets.
   */
  readonly environment: Environment.Environment
  /** The names of secrets that it receives all the same; see `Environment.FilterOptions`. */
  readonly needs?: ReadonlyArray<string> | undefined
  /** Additional variables. */
  readonly env?: Environment.Environment | undefined
  /**
   * The encoding of its output, by default UTF-8. `latin1` gives a character for each byte, for output that is no text.
   */
  readonly encoding?: "utf8" | "latin1" | undefined
}

/** There is no such program at the path, or on PATH. */
export class NotFound extends Data.TaggedError("NotFound")<{ readonly program: string }> {
  override get message() {
    return `there is no program '${this.program}'`
  }
}

/** The operating system has not started the program. */
export class NotStarted extends Data.TaggedError("NotStarted")<{
  /** The path of the program. */
  readonly file: string
  /** The message of the operating system. */
  readonly detail: string
}> {
  override get message() {
    return `${this.file} cannot be started: ${this.detail}`
  }
}

export interface Running {
  /**
   * Waits for output since the last call. Returns none once the program has ended and all of its output was returned.
   */
  readonly next: Effect.Effect<Option.Option<ReadonlyArray<Output>>>
  /** Waits for the end of the program. */
  readonly ended: Effect.Effect<Ended>
}

/** A program to which text is written while it runs. */
export interface Interactive extends Running {
  /** Returns as soon as the program takes the text, or has ended. */
  readonly write: (text: string) => Effect.Effect<void>
}

export interface Output {
  readonly _tag: "Stdout" | "Stderr"
  readonly text: string
}

/** The end of a program. One of the two fields is not null. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** The time between SIGTERM and SIGKILL. */
interface Grace {
  readonly usual: Duration.DurationInput
  /** The time after an interruption, which has to complete within a second. */
  readonly interrupted: Duration.DurationInput
  /** The time before SIGTERM, after its standard input was closed. */
  readonly inputClosed: Duration.DurationInput
}

const GRACE: Grace = { usual: "2 seconds", interrupted: "500 millis", inputClosed: "300 millis" }

/** Returns the path of a program without starting it. */
export const find = ({
  environment,
  program,
}: Pick<Command, "program" | "environment">): Effect.Effect<string, NotFound> =>
  Effect.suspend(() => {
    const file = Lookup.find(program, environment)
    return file === undefined ? new NotFound({ program }) : Effect.succeed(file)
  })

/** A program with more unread output than this is blocked, which bounds the memory. */
const MAX_BUFFERED_CHARS = 262_144

/** The pipes are closed after this time without output, since a process outside of the group may hold them open. */
const PIPE_SILENCE: Duration.DurationInput = "1 second"

/** Starts a program that runs until it ends or the scope closes. `stdin` is its complete standard input. */
export const start = (command: Command, stdin = ""): Effect.Effect<Running, NotFound | NotStarted, Scope.Scope> =>
  Effect.map(startPiped(command, stop), ({ begun, exited }) => {
    begun.stdin.end(stdin)
    return { next: begun.next, ended: Deferred.await(exited) }
  })

/**
 * Starts a program to which text is written until it ends or the scope closes. Its standard input is closed first, so
 * that it can end by itself before it is terminated like any other.
 */
export const startInteractive = (command: Command): Effect.Effect<Interactive, NotFound | NotStarted, Scope.Scope> =>
  Effect.map(
    startPiped(command, (spawned, exit) =>
      Effect.zipRight(
        Effect.suspend(() => {
          spawned.begun.stdin.end()
          return awaitEnd(spawned, GRACE.inputClosed)
        }),
        stop(spawned, exit),
      ),
    ),
    ({ begun: { next, stdin }, exited }) => ({
      next,
      ended: Deferred.await(exited),
      // The callback is always called, with an error if the program has ended, which `ended` reports.
      write: (text) => Effect.async<void>((resume) => void stdin.write(text, () => resume(Effect.void))),
    }),
  )

/** A program whose standard streams are pipes. */
type PipedProgram = Spawned<Pipes & { readonly stdin: Writable }>

const startPiped = (
  command: Command,
  end: (spawned: PipedProgram, exit: Exit.Exit<unknown, unknown>) => Effect.Effect<void>,
): Effect.Effect<PipedProgram, NotFound | NotStarted, Scope.Scope> =>
  Effect.gen(function* () {
    const spawned = yield* Effect.acquireRelease(
      spawnCommand(command, { onTerminal: false }, (file, args, options) => {
        // The program has its own process group, which can be killed as a whole, and does not receive the Ctrl-C of a
        // terminal. In Windows a hidden console does that, and the programs that it starts share it. A detached program
        // has none, so those programs would open windows, and would stay when this process is killed.
        const detached = process.platform !== "win32"
        const child = spawn(file, args, { ...options, stdio: ["pipe", "pipe", "pipe"], detached })
        return { child, begin: () => ({ ...bufferOutput(child, command.encoding), stdin: child.stdin }) }
      }),
      (spawned, exit) => Effect.zipRight(end(spawned, exit), Effect.sync(spawned.begun.close)),
    )
    // A program that ends before it has read everything causes an EPIPE.
    spawned.begun.stdin.on("error", () => {})
    yield* Effect.forkScoped(Effect.zipRight(Deferred.await(spawned.exited), spawned.begun.drain))
    return spawned
  })

interface Finished extends Ended {
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, and keeps the first `longest` characters each of stdout and stderr. */
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
 * Runs a program on the terminal of this process, which it has to itself meanwhile. It stays in the process group,
 * since it could not read from the terminal otherwise, so an interruption does not end its child processes. `stdin` is
 * its complete standard input, if that is not the terminal. The program may end before it has read all of it.
 */
export const runOnTerminal = (command: Command, stdin?: string): Effect.Effect<Ended, NotFound | NotStarted> =>
  Effect.acquireUseRelease(
    spawnCommand(command, { onTerminal: true }, (file, args, options) => {
      const child = spawn(file, args, {
        ...options,
        stdio: [stdin === undefined ? "inherit" : "pipe", "inherit", "inherit"],
      })
      return {
        child,
        begin: () => {
          // A program that ends before it has read everything causes an EPIPE.
          child.stdin?.on("error", () => {})
          child.stdin?.end(stdin)
        },
      }
    }),
    ({ exited }) => Deferred.await(exited),
    stop,
  )

type Piped = ChildProcessByStdio<Writable, Readable, Readable>

interface Spawned<A> {
  readonly exited: Deferred.Deferred<Ended>
  readonly kill: (signal: NodeJS.Signals) => void
  /** The result of `begin`. */
  readonly begun: A
}

/** Spawns a process with `open`. `begin` is called as soon as it runs, before any of its events. */
const spawnCommand = <A>(
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
        resume(new NotStarted({ file, detail: error instanceof Error ? error.message : String(error) }))
      const launched =
        Windows.isBatchFile(file) && process.platform === "win32"
          ? Windows.batchCommand(file, args, environment)
          : Either.right({ program: file, args, isVerbatim })
      if (Either.isLeft(launched)) return fail(launched.left)
      try {
        const { begin, child } = open(launched.right.program, launched.right.args, {
          cwd,
          env: { ...Environment.filter(environment, { needs, onTerminal }), ...env },
          windowsHide: true,
          windowsVerbatimArguments: launched.right.isVerbatim,
        })
        const exited = Deferred.unsafeMake<Ended>(FiberId.none)
        let tree: ProcessTree.ProcessTree | undefined
        const kill = (signal: NodeJS.Signals) => void (tree ?? child).kill(signal)
        const atExit = () => tree?.killAtExit()
        child.on("error", fail)
        child.once("spawn", () => {
          if (!onTerminal && child.pid !== undefined) tree = ProcessTree.make(child.pid, environment)
          if (tree !== undefined) register(atExit)
          resume(Effect.succeed({ exited, kill, begun: begin() }))
        })
        child.once("exit", (code, signal) => {
          // Remaining processes of the group would hold the pipes open.
          tree?.killRest()
          unregister(atExit)
          Deferred.unsafeDone(exited, Exit.succeed({ code, signal }))
        })
      } catch (error) {
        // An argument is invalid, such as one with a null character.
        fail(error)
      }
    }),
  )

interface Pipes {
  readonly next: Running["next"]
  /** Waits, after the end of the program, until there is no more output, and then closes the pipes. */
  readonly drain: Effect.Effect<void>
  readonly close: () => void
}

/** Buffers the output until `next` is called. */
const bufferOutput = (child: Piped, encoding: "utf8" | "latin1" = "utf8"): Pipes => {
  let chunks: Array<Output> = []
  let bufferedChars = 0
  let isClosed = false
  let isSilent = false
  let wake = () => {}
  const pipes = [child.stdout, child.stderr]

  const read = (pipe: Readable, _tag: Output["_tag"]) =>
    // The decoder joins a character that is divided between two chunks.
    pipe.setEncoding(encoding).on("data", (text: string) => {
      chunks.push({ _tag, text })
      bufferedChars += text.length
      isSilent = false
      if (bufferedChars > MAX_BUFFERED_CHARS) for (const pipe of pipes) pipe.pause()
      wake()
    })
  read(child.stdout, "Stdout")
  read(child.stderr, "Stderr")
  child.once("close", () => {
    isClosed = true
    wake()
  })

  const takeChunks = Effect.sync(() => {
    const taken = chunks
    chunks = []
    bufferedChars = 0
    if (taken.length === 0) return Option.none()
    for (const pipe of pipes) pipe.resume()
    return Option.some(taken)
  })

  const waitOut: Effect.Effect<void> = Effect.gen(function* () {
    isSilent = true
    yield* Effect.sleep(PIPE_SILENCE)
    if (!isSilent || chunks.length > 0) return yield* waitOut
    for (const pipe of pipes) pipe.destroy()
  })

  return {
    next: Effect.async((resume) => {
      const take = () => {
        wake = () => {}
        resume(takeChunks)
      }
      if (chunks.length > 0 || isClosed) take()
      else wake = take
      return Effect.sync(() => {
        wake = () => {}
      })
    }),
    drain: waitOut,
    close: () => {
      for (const pipe of [child.stdin, ...pipes]) pipe.destroy()
    },
  }
}

const stop = <A>({ exited, kill }: Spawned<A>, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (yield* Deferred.isDone(exited)) return
    kill("SIGTERM")
    const inTime = yield* awaitEnd({ exited }, Exit.isInterrupted(exit) ? GRACE.interrupted : GRACE.usual)
    if (!inTime) kill("SIGKILL")
    yield* Deferred.await(exited)
  })

/** Returns whether a program ends within this time. */
const awaitEnd = (
  { exited }: Pick<Spawned<unknown>, "exited">,
  within: Duration.DurationInput,
): Effect.Effect<boolean> =>
  // Finalizers are uninterruptible, and this would wait for the end of an uninterruptible effect.
  Effect.interruptible(Effect.as(Deferred.await(exited), true)).pipe(
    endWith(Effect.interruptible(Effect.as(Effect.sleep(within), false))),
  )

/**
 * The functions that kill each running process. They are called when this process exits without closing its scopes:
 * only while there are any, this process has a listener.
 */
const running = new Set<() => void>()

const endAll = (): void => {
  for (const end of running) end()
}

const register = (end: () => void): void => {
  if (running.size === 0) process.on("exit", endAll)
  running.add(end)
}

const unregister = (end: () => void): void => {
  running.delete(end)
  if (running.size === 0) process.off("exit", endAll)
}
