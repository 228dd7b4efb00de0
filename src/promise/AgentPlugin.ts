/**
 * An agent without Effect, for `ChatEngine`: it receives a prompt and reports its output to callbacks. A plugin
 * may have more members than these.
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as Ids from "../message/Ids.ts"
import { ModelId } from "../message/ModelId.ts"
import * as AgentProgram from "../model/AgentProgram.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { ModelError, ProgramFailed, TimedOut } from "../model/ModelError.ts"

export interface AgentPlugin {
  readonly meta: { readonly name: string; readonly id?: string | undefined }
  /** Starts an execution. `files` are the context of the prompt; a chat passes none. */
  readonly execute: (
    prompt: string,
    files?: ReadonlyArray<AgentFileContext>,
    options?: AgentExecuteOptions,
  ) => AgentExecutionHandle
  /** Used in place of `execute`, if the plugin wraps an agent or a model: a model then gets messages and tools. */
  readonly service?: AgentProgram.Service | LanguageModel.Service | undefined
}

export interface AgentFileContext {
  readonly path: string
}

export interface AgentExecuteOptions {
  readonly cwd?: string | undefined
  /** The timeout in milliseconds; 0 for none. */
  readonly timeout?: number | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Additional command line arguments, such as `["--model", "opus"]`. */
  readonly flags?: ReadonlyArray<string> | undefined
  readonly onStdout?: ((data: string) => void) | undefined
  readonly onStderr?: ((data: string) => void) | undefined
  readonly onStart?: ((executionId: string) => void) | undefined
  readonly onEnd?: ((result: AgentExecutionResult) => void) | undefined
}

export interface AgentExecutionHandle {
  readonly executionId: string
  readonly promise: Promise<AgentExecutionResult>
  readonly interrupt: () => unknown
  readonly isRunning: () => boolean
}

export interface AgentExecutionResult {
  readonly executionId: string
  readonly status: "running" | "completed" | "interrupted" | "failed" | "timeout"
  readonly exitCode?: number | undefined
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
  readonly error?: string | undefined
  readonly interrupted?: boolean | undefined
  /** The time of the start in ISO 8601, like `endedAt`. */
  readonly startedAt?: string | undefined
  readonly endedAt?: string | undefined
}

/** Converts a plugin to an `Agent.Service`. `options` are the defaults of each request. */
export const toAgent = (plugin: AgentPlugin, options: AgentExecuteOptions = {}): AgentProgram.Service => {
  const { name, id = name } = plugin.meta
  const model = new ModelId({ provider: "agent", name: id })
  return {
    id: model,
    name,
    format: "xml",
    abilities: { streams: true, readsFiles: false },
    ready: Effect.void,
    ask: (prompt, { cwd = options.cwd, flags = options.flags, timeout } = {}) => {
      const millis = timeout === undefined ? options.timeout : Duration.toMillis(timeout)
      return Stream.mapError(
        runPlugin(plugin, prompt, { ...options, cwd, flags, timeout: millis }),
        (reason) => new ModelError({ model: String(model), reason }),
      )
    },
  }
}

/** Converts an `Agent.Service`, such as one of `CliAgent.open`, to a plugin. */
export const fromAgent = (service: AgentProgram.Service): AgentPlugin => makePlugin(service, service)

/**
 * Converts a model to a plugin. `execute` sends the prompt as one message; a `ChatEngine` uses `service` and sends
 * messages.
 */
export const fromModel = (service: LanguageModel.Service): AgentPlugin =>
  makePlugin(AgentProgram.fromModel(service), service)

/** Runs a plugin, and streams the output of its execution. Cancelling the stream interrupts the plugin. */
const runPlugin = (
  plugin: AgentPlugin,
  prompt: string,
  options: AgentExecuteOptions,
): Stream.Stream<AgentProgram.Output, ProgramFailed | TimedOut> =>
  Stream.asyncPush(
    (emit) =>
      Effect.acquireRelease(
        Effect.try({
          try: () => {
            const running = { hasStreamed: false, hasEnded: false }
            const handle = plugin.execute(prompt, [], {
              ...options,
              onStdout: (text) => {
                running.hasStreamed = true
                emit.single(AgentProgram.Output.Stdout({ text }))
                options.onStdout?.(text)
              },
              onStderr: (text) => {
                emit.single(AgentProgram.Output.Stderr({ text }))
                options.onStderr?.(text)
              },
            })
            handle.promise.then(
              (result) => {
                running.hasEnded = true
                if (result.status !== "completed") return emit.fail(toFailure(result))
                if (!running.hasStreamed) emit.single(AgentProgram.Output.Stdout({ text: result.stdout }))
                emit.end()
              },
              (cause) => {
                running.hasEnded = true
                emit.fail(toProgramFailed(cause))
              },
            )
            return { handle, running }
          },
          catch: toProgramFailed,
        }),
        // An error while the plugin is being stopped is ignored.
        ({ handle, running }) => (running.hasEnded ? Effect.void : Effect.ignore(Effect.try(() => handle.interrupt()))),
      ),
    { bufferSize: "unbounded" },
  )

const toFailure = ({ error, status, stderr }: AgentExecutionResult): ProgramFailed | TimedOut => {
  const message = error || stderr.trim() || `Execution ${status}`
  return status === "timeout" ? new TimedOut({ message }) : new ProgramFailed({ message })
}

const toProgramFailed = (cause: unknown): ProgramFailed =>
  new ProgramFailed({ message: cause instanceof Error ? cause.message : String(cause) })

const makePlugin = (agent: AgentProgram.Service, service: AgentPlugin["service"]): AgentPlugin => ({
  meta: { name: agent.name, id: String(agent.id) },
  service,
  execute: (prompt, _files, { cwd, flags, onEnd, onStart, onStderr, onStdout, timeout } = {}) => {
    const executionId = Effect.runSync(Effect.provide(Ids.next, Ids.layer))
    const output = { Stdout: "", Stderr: "" }
    onStart?.(executionId)
    const fiber = Effect.runFork(
      Stream.runForEach(agent.ask(prompt, { cwd, flags, timeout }), (next) =>
        Effect.sync(() => {
          if (next._tag !== "Stdout" && next._tag !== "Stderr") return
          output[next._tag] += next.text
          if (next._tag === "Stdout") onStdout?.(next.text)
          else onStderr?.(next.text)
        }),
      ),
    )
    const ended = Effect.map(Effect.timed(Fiber.await(fiber)), ([duration, exit]): AgentExecutionResult => {
      const durationMs = Math.round(Duration.toMillis(duration))
      const result = { executionId, stdout: output.Stdout, stderr: output.Stderr, durationMs, ...toStatus(exit) }
      onEnd?.(result)
      return result
    })
    return {
      executionId,
      promise: Effect.runPromise(ended),
      interrupt: () => {
        Effect.runFork(Fiber.interrupt(fiber))
      },
      isRunning: () => fiber.unsafePoll() === null,
    }
  },
})

const toStatus = (
  exit: Exit.Exit<void, ModelError>,
): Pick<AgentExecutionResult, "status" | "error" | "interrupted"> => {
  if (Exit.isSuccess(exit)) return { status: "completed" }
  if (Exit.isInterrupted(exit)) return { status: "interrupted", interrupted: true }
  const error = Cause.squash(exit.cause)
  const isTimeout = error instanceof ModelError && error.reason._tag === "TimedOut"
  return { status: isTimeout ? "timeout" : "failed", error: error instanceof Error ? error.message : String(error) }
}
