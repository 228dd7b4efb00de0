/**
 * Programs as agents: claude, codex, gemini, opencode, pi, and any command by configuration. Each question starts the
 * program anew, without a shell; it reads the prompt from stdin, and what it says on stdout is the answer.
 */
import * as path from "node:path"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { ModelId } from "../../message/ModelId.ts"
import * as Secret from "../../message/Secret.ts"
import * as Agent from "../../model/Agent.ts"
import type { AgentEntry } from "../../model/AgentEntry.ts"
import { Misconfigured, ModelError, ModelNotFound, ProgramFailed, type Reason } from "../../model/ModelError.ts"
import * as ChildProcess from "../../process/ChildProcess.ts"
import * as Endings from "../shared/unusable.ts"
import { withoutSecrets } from "../transport/errors.ts"
import { type Known, known } from "./knownAgents.ts"

export interface Options extends Omit<Known, "modelFlag"> {
  /** As users write it after `cli/`. */
  readonly name: string
  /** For the whole of an answer; zero for none. */
  readonly timeout: Duration.Duration
  /** Ours: PATH is read in it, and the program is given what it needs of it. */
  readonly environment: Readonly<Record<string, string>>
}

/** An agent may look into a codebase before it answers; one that takes longer has lost its way. */
export const timeout: Duration.Duration = Duration.minutes(10)

/** In characters: the longest answer. */
export const longest: number = Endings.longest

/** In characters: what an error tells of stderr. */
export const longestTail = 4096

/** The values in an environment that must never be shown. */
export const secrets: (environment: Options["environment"]) => ReadonlyArray<string> = Secret.valuesIn

/** The agents that need no configuration. */
export const names: ReadonlyArray<string> = Object.keys(known)

/** Nothing is looked for or started before it is asked. */
export const make = (options: Options): Agent.Service => {
  const id = new ModelId({ provider: "cli", name: options.name })
  const failed = (reason: Reason) => new ModelError({ model: String(id), reason })
  const missing = () => failed(new ModelNotFound({ message: advice(options) }))
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
          return heard(running, secrets(options.environment)).pipe(
            Stream.mapError(failed),
            Stream.interruptWhen(Agent.expiry(id, Duration.decode(timeout))),
          )
        }),
      ).pipe(Stream.withSpan("CliAgent.ask", { attributes: { agent: options.name } })),
  }
}

/** Needs nothing but its options. */
export const layer = (options: Options): Layer.Layer<Agent.Agent> => Layer.succeed(Agent.Agent, make(options))

/**
 * The agent of a name: `claude`, or `claude/opus` for a model of it. `entries` are the user's, by the names of agents.
 */
export const open = (
  name: string,
  entries: Readonly<Record<string, AgentEntry>>,
  environment: Options["environment"],
): Either.Either<Agent.Service, Misconfigured> => {
  const [agent = "", ...rest] = name.split("/")
  const model = rest.join("/")
  const entry = Object.hasOwn(entries, agent) ? entries[agent] : undefined
  const base = Object.hasOwn(known, agent) ? known[agent] : undefined
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
      abilities: base?.abilities ?? { streams: true, readsFiles: false },
      env: base?.env ?? {},
      needs: [...(base?.needs ?? []), ...(entry?.env ?? [])],
      timeout: entry?.timeout ?? timeout,
      environment,
    }),
  )
}

/** What there is to do about a program that is not there. */
const advice = ({ command, name }: Options): string => {
  const where = path.isAbsolute(command) ? `there is no program ${command}` : `there is no '${command}' on PATH`
  const [agent] = name.split("/")
  return `${where}: install it, or name it as command in [agents.${agent}]`
}

/** What it says as it says it; then why that is no answer, where it is none. */
const heard = (running: ChildProcess.Running, secrets: ReadonlyArray<string>): Stream.Stream<Agent.Output, Reason> =>
  Stream.suspend(() => {
    const last = { Stdout: "", Stderr: "" }
    let length = 0

    const next: Effect.Effect<Option.Option<ReadonlyArray<Agent.Output>>, Reason> = Effect.gen(function* () {
      const outputs = yield* running.next
      if (Option.isNone(outputs)) return yield* end
      for (const { _tag, text } of outputs.value) {
        // Twice what is told: a key that is cut at the front is not recognised, and falls in the half that is not.
        last[_tag] = (last[_tag] + text).slice(-2 * longestTail)
        if (_tag === "Stdout") length += text.length
      }
      if (length > longest) return yield* Endings.tooLong()
      return Option.some(outputs.value.map(({ _tag, text }) => Agent.Output[_tag]({ text })))
    })

    const end = Effect.gen(function* () {
      const { code, signal } = yield* running.ended
      if (code === 0) return Option.none()
      const how = signal === null ? `it ended with exit code ${code}` : `it was killed by ${signal}`
      // Some say what is wrong where the answer would be.
      const words = told(last.Stderr, secrets) || told(last.Stdout, secrets)
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

/** The last words, without what moves a cursor and without keys. */
const told = (text: string, secrets: ReadonlyArray<string>): string =>
  withoutSecrets(text, secrets).trim().slice(-longestTail)
