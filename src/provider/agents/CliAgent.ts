/**
 * Programs as agents: claude, codex, gemini, opencode, pi, and any configured command. Each question starts the
 * program again, without a shell; it reads the prompt from stdin, and its stdout is the answer.
 */
import * as path from "node:path"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Secret from "../../base/Secret.ts"
import { ModelId } from "../../message/ModelId.ts"
import * as AgentProgram from "../../model/AgentProgram.ts"
import {
  ContextOverflow,
  Misconfigured,
  ModelError,
  ModelNotFound,
  ProgramFailed,
  type Reason,
} from "../../model/ModelError.ts"
import * as ChildProcess from "../../process/ChildProcess.ts"
import { isOverflow, redactSecrets } from "../transport/errors.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import * as EventLines from "./eventLines.ts"
import type { Failure } from "./events/Decoder.ts"
import { type KnownAgent, knownAgents } from "./knownAgents.ts"

export interface Options extends Omit<KnownAgent, "modelFlag" | "events"> {
  /** Decodes the program's stdout. Undefined if stdout is the answer itself. */
  readonly events?: KnownAgent["events"] | undefined
  /** The name after `cli/`. */
  readonly name: string
  /** The time limit of an answer. Zero means no limit. */
  readonly timeout: Duration.Duration
  /** The environment of this process: the program is looked up on its PATH, and receives it without the secrets. */
  readonly environment: Readonly<Record<string, string>>
}

/** The default time limit. It is long, since an agent may read a codebase before it answers. */
export const timeout: Duration.Duration = Duration.minutes(10)

/** The most characters of an answer. */
export const MAX_ANSWER_CHARS: number = UnusableAnswer.MAX_ANSWER_CHARS

/**
 * The most characters of JSON events. This is 16 times the longest answer, since each event carries only a few words of
 * the answer and several names beside them.
 */
const MAX_EVENT_CHARS = 16 * MAX_ANSWER_CHARS

/** The most characters of stderr that an error quotes. */
export const MAX_TAIL_CHARS = 4096

/** The values in an environment that must never be shown. */
export const secrets: (environment: Options["environment"]) => ReadonlyArray<string> = Secret.valuesIn

/** The agents that need no configuration. */
export const names: ReadonlyArray<string> = Object.keys(knownAgents)

/** Looks up and starts nothing before the first question. */
export const make = (options: Options): AgentProgram.Service => {
  const id = new ModelId({ provider: "cli", name: options.name })
  const failed = (reason: Reason) => new ModelError({ model: String(id), reason })
  const missing = () => failed(new ModelNotFound({ message: missingProgramMessage(options) }))
  return {
    id,
    name: options.name,
    format: options.format,
    abilities: options.abilities,
    ready: Effect.asVoid(
      Effect.mapError(ChildProcess.find({ program: options.command, environment: options.environment }), missing),
    ),
    ask: (prompt, { cwd, flags = [], timeout = options.timeout } = {}) =>
      Stream.unwrapScoped(
        Effect.gen(function* () {
          const { args, command: program, env, environment, needs } = options
          const running = yield* ChildProcess.start(
            { program, args: [...args, ...flags], cwd, environment, needs, env },
            prompt,
          ).pipe(
            Effect.mapError((error) =>
              error._tag === "NotFound" ? missing() : failed(new Misconfigured({ message: error.message })),
            ),
          )
          return readOutput(running, secrets(options.environment), options.events).pipe(
            Stream.mapError(failed),
            Stream.interruptWhen(AgentProgram.expiry(id, Duration.decode(timeout))),
          )
        }),
      ).pipe(Stream.withSpan("CliAgent.ask", { attributes: { agent: options.name } })),
  }
}

/** The agent as a layer. */
export const layer = (options: Options): Layer.Layer<AgentProgram.Agent> =>
  Layer.succeed(AgentProgram.Agent, make(options))

/**
 * Returns the agent with this name: `claude`, or `claude/opus` to choose a model. `entries` are the user's
 * configuration, by agent name.
 */
export const open = (
  name: string,
  entries: Readonly<Record<string, AgentProgram.AgentEntry>>,
  environment: Options["environment"],
): Either.Either<AgentProgram.Service, Misconfigured> => {
  const [agent = "", ...rest] = name.split("/")
  const model = rest.join("/")
  const entry = Object.hasOwn(entries, agent) ? entries[agent] : undefined
  const base = Object.hasOwn(knownAgents, agent) ? knownAgents[agent] : undefined
  const command = entry?.command ?? base?.command
  const wrong = (message: string) => Either.left(new Misconfigured({ message }))
  if (command === undefined) {
    if (entry !== undefined) return wrong(`the configuration has no command for the agent '${agent}'`)
    const there = Array.from(new Set([...names, ...Object.keys(entries)])).join(", ")
    return wrong(`there is no agent '${agent}'; there are ${there}; others can be configured, in [agents.NAME]`)
  }
  if (model !== "" && base?.modelFlag === undefined) return wrong(`the agent '${agent}' has no models to choose from`)
  return Either.right(
    make({
      name,
      command,
      args: [...(entry?.args ?? base?.args ?? []), ...(model === "" ? [] : [base?.modelFlag ?? "", model])],
      format: entry?.format ?? base?.format ?? "xml",
      // The user's own arguments may ask for another output.
      events: entry?.args === undefined ? base?.events : undefined,
      abilities: base?.abilities ?? { streams: true, readsFiles: false },
      env: base?.env ?? {},
      needs: [...(base?.needs ?? []), ...(entry?.env ?? [])],
      timeout: entry?.timeout ?? timeout,
      environment,
    }),
  )
}

/** Returns the error message for a missing program. */
const missingProgramMessage = ({ command, name }: Options): string => {
  const where = path.isAbsolute(command) ? `there is no program ${command}` : `there is no '${command}' on PATH`
  const [agent] = name.split("/")
  return `${where}: install it, or name it as command in [agents.${agent}]`
}

/** Emits the output as it arrives, and fails at the end if the program failed. */
const readOutput = (
  running: ChildProcess.Running,
  secrets: ReadonlyArray<string>,
  events: Options["events"],
): Stream.Stream<AgentProgram.Output, Reason> =>
  Stream.suspend(() => {
    const last = { Stdout: "", Stderr: "" }
    const lines = events === undefined ? undefined : EventLines.make(events())
    let printed = 0
    let length = 0
    let hasEnded = false

    const decode = ({ _tag, text }: ChildProcess.Output): ReadonlyArray<AgentProgram.Output> =>
      _tag === "Stdout" && lines !== undefined ? lines.push(text) : [AgentProgram.Output[_tag]({ text })]

    const next: Effect.Effect<Option.Option<ReadonlyArray<AgentProgram.Output>>, Reason> = Effect.gen(function* () {
      if (hasEnded) return yield* end(undefined)
      const outputs = yield* running.next
      if (Option.isNone(outputs)) {
        hasEnded = true
        const rest = lines?.end()
        return rest === undefined || rest.failure !== undefined || rest.outputs.length === 0
          ? yield* end(rest?.failure)
          : Option.some(rest.outputs)
      }
      for (const { _tag, text } of outputs.value) {
        // Keeps twice the excerpt: a key truncated at its front is not recognised, but it falls into the half that is
        // dropped.
        last[_tag] = (last[_tag] + text).slice(-2 * MAX_TAIL_CHARS)
        if (_tag === "Stdout") printed += text.length
      }
      const decoded = outputs.value.flatMap(decode)
      for (const output of decoded) if (output._tag === "Stdout") length += output.text.length
      if (length > MAX_ANSWER_CHARS || printed > MAX_EVENT_CHARS) return yield* UnusableAnswer.answerTooLong()
      return Option.some(decoded)
    })

    const end = (failure: Failure | undefined) =>
      Effect.gen(function* () {
        const { code, signal } = yield* running.ended
        if (failure !== undefined) return yield* toReason(failure, secrets)
        if (code === 0) return Option.none()
        const how = signal === null ? `it ended with exit code ${code}` : `it was killed by ${signal}`
        // Some programs print errors to stdout.
        const stdout = lines?.hasEvents() === true ? "" : last.Stdout
        const words = describeOutput(last.Stderr, secrets) || describeOutput(stdout, secrets)
        if (isOverflow(words)) return yield* new ContextOverflow({ message: words })
        return yield* new ProgramFailed({
          message: words === "" ? how : `${how}: ${words}`,
          code: code ?? undefined,
          signal: signal ?? undefined,
        })
      })

    return Stream.unfoldChunkEffect(undefined, () =>
      Effect.map(
        next,
        Option.map((outputs) => [Chunk.unsafeFromArray(outputs), undefined] as const),
      ),
    )
  })

/** `toReason` is absent if the agent names no kind of error, or one that is not known here. */
const toReason = ({ message, toReason }: Failure, secrets: ReadonlyArray<string>): Reason => {
  const words = describeOutput(message, secrets) || "it gives no reason"
  if (isOverflow(words)) return new ContextOverflow({ message: words })
  return toReason?.(words) ?? new ProgramFailed({ message: words })
}

/** Returns the end of the output, without control sequences and secrets. */
const describeOutput = (text: string, secrets: ReadonlyArray<string>): string =>
  redactSecrets(text, secrets).trim().slice(-MAX_TAIL_CHARS)
