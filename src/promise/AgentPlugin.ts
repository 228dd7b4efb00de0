/**
 * An agent as code without Effect writes it, and as `ChatEngine` takes it: it is given a prompt, and tells what it says by
 * callbacks. Whatever else a plugin has is its own.
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as Ids from "../message/Ids.ts"
import { ModelId } from "../message/ModelId.ts"
import * as Agent from "../model/Agent.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { ModelError, ProgramFailed, TimedOut } from "../model/ModelError.ts"

export interface AgentPlugin {
  readonly meta: { readonly name: string; readonly id?: string | undefined }
  /** Begins to answer. `files`: what the agent is to look at; a chat names none. */
  readonly execute: (
    prompt: string,
    files?: ReadonlyArray<AgentFileContext>,
    options?: AgentExecuteOptions,
  ) => AgentExecutionHandle
  /** Asked in place of `execute`: what the plugin was made of. A model is then told messages, and has its tools. */
  readonly service?: Agent.Service | LanguageModel.Service | undefined
}

export interface AgentFileContext {
  readonly path: string
}

export interface AgentExecuteOptions {
  readonly cwd?: string | undefined
  /** In milliseconds; zero for none. */
  readonly timeout?: number | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Arguments besides its own: `["--model", "opus"]`. */
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
  /** As ISO has it. */
  readonly startedAt?: string | undefined
  readonly endedAt?: string | undefined
}

/** A plugin as the port has it. `options` go with each question, but for what the question says itself. */
export const toAgent = (plugin: AgentPlugin, options: AgentExecuteOptions = {}): Agent.Service => {
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
        execution(plugin, prompt, { ...options, cwd, flags, timeout: millis }),
        (reason) => new ModelError({ model: String(model), reason }),
      )
    },
  }
}

/** An agent of the port as a plugin: `CliAgent.open` has some. */
export const fromAgent = (service: Agent.Service): AgentPlugin => pluginOf(service, service)

/** A model as a plugin. `execute` tells it the prompt as one message; a `ChatEngine` does better, see `service`. */
export const fromModel = (service: LanguageModel.Service): AgentPlugin => pluginOf(Agent.fromModel(service), service)

/** What a plugin says; letting it go interrupts the plugin. */
const execution = (
  plugin: AgentPlugin,
  prompt: string,
  options: AgentExecuteOptions,
): Stream.Stream<Agent.Output, ProgramFailed | TimedOut> =>
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
                emit.single(Agent.Output.Stdout({ text }))
                options.onStdout?.(text)
              },
              onStderr: (text) => {
                emit.single(Agent.Output.Stderr({ text }))
                options.onStderr?.(text)
              },
            })
            handle.promise.then(
              (result) => {
                running.hasEnded = true
                if (result.status !== "completed") return emit.fail(failureOf(result))
                if (!running.hasStreamed) emit.single(Agent.Output.Stdout({ text: result.stdout }))
                emit.end()
              },
              (cause) => {
                running.hasEnded = true
                emit.fail(broken(cause))
              },
            )
            return { handle, running }
          },
          catch: broken,
        }),
        // What a plugin does wrong while it is stopped concerns nobody any more.
        ({ handle, running }) => (running.hasEnded ? Effect.void : Effect.ignore(Effect.try(() => handle.interrupt()))),
      ),
    { bufferSize: "unbounded" },
  )

const failureOf = ({ error, status, stderr }: AgentExecutionResult): ProgramFailed | TimedOut => {
  const message = error || stderr.trim() || `Execution ${status}`
  return status === "timeout" ? new TimedOut({ message }) : new ProgramFailed({ message })
}

const broken = (cause: unknown): ProgramFailed =>
  new ProgramFailed({ message: cause instanceof Error ? cause.message : String(cause) })

const pluginOf = (agent: Agent.Service, service: AgentPlugin["service"]): AgentPlugin => ({
  meta: { name: agent.name, id: String(agent.id) },
  service,
  execute: (prompt, _files, { cwd, flags, onEnd, onStart, onStderr, onStdout, timeout } = {}) => {
    const executionId = Effect.runSync(Effect.provide(Ids.next, Ids.layer))
    const said = { Stdout: "", Stderr: "" }
    onStart?.(executionId)
    const fiber = Effect.runFork(
      Stream.runForEach(agent.ask(prompt, { cwd, flags, timeout }), ({ _tag, text }) =>
        Effect.sync(() => {
          said[_tag] += text
          if (_tag === "Stdout") onStdout?.(text)
          else onStderr?.(text)
        }),
      ),
    )
    const ended = Effect.map(Effect.timed(Fiber.await(fiber)), ([duration, exit]): AgentExecutionResult => {
      const durationMs = Math.round(Duration.toMillis(duration))
      const result = { executionId, stdout: said.Stdout, stderr: said.Stderr, durationMs, ...endOf(exit) }
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

const endOf = (exit: Exit.Exit<void, ModelError>): Pick<AgentExecutionResult, "status" | "error" | "interrupted"> => {
  if (Exit.isSuccess(exit)) return { status: "completed" }
  if (Exit.isInterrupted(exit)) return { status: "interrupted", interrupted: true }
  const error = Cause.squash(exit.cause)
  const isLate = error instanceof ModelError && error.reason._tag === "TimedOut"
  return { status: isLate ? "timeout" : "failed", error: error instanceof Error ? error.message : String(error) }
}
