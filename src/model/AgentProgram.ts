/**
 * The port of text agents, which answer one prompt with text; an agent may be a program with tools of its own.
 * `toModel` makes a model of an agent, and `fromModel` makes an agent of a model.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Message from "../message/Message.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as Usage from "../message/Usage.ts"
import type { Format } from "./AgentPrompt.ts"
import * as AgentPrompt from "./AgentPrompt.ts"
import * as LanguageModel from "./LanguageModel.ts"
import { Empty, imagesUnsupported, ModelError, type Reason, TimedOut } from "./ModelError.ts"
import { Part } from "./Reply.ts"
import { hasImage } from "./Request.ts"

/**
 * Answers a prompt with text. It is often another program, such as Claude Code, which uses tools of its own.
 *
 * When to use it: if the answers come from something that takes a text and returns a text. `CliAgent` of
 * `vibe-index/provider` runs the programs that vibe knows; `ChatEngine` accepts an agent as it is, and `toModel` makes
 * it a model for everything else. A service that accepts messages and tool calls is a `LanguageModel`.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Stream } from "effect"
 * import { Agent, Message, ModelId } from "vibe-index"
 *
 * const shouter: Agent.Service = {
 *   id: new ModelId.ModelId({ provider: "example", name: "shouter" }),
 *   name: "shouter",
 *   format: "text",
 *   abilities: { streams: false, readsFiles: false },
 *   ready: Effect.void,
 *   ask: (prompt) => Stream.succeed(Agent.Output.Stdout({ text: prompt.toUpperCase() })),
 * }
 *
 * const program = Effect.gen(function* () {
 *   const model = Agent.toModel(shouter)
 *   const { blocks } = yield* model.generate({ system: "", messages: [Message.user("Is it raining?")], tools: [] })
 *   yield* Console.log(Message.text({ role: "assistant", content: blocks }))
 * })
 *
 * await Effect.runPromise(program)
 * // prints: IS IT RAINING?
 * ```
 */
export class Agent extends Context.Tag("vibe/model/AgentProgram")<Agent, Service>() {}

export interface Service {
  /** The id of the agent as a model, such as `cli/claude`. */
  readonly id: ModelId
  /** The name that users write, such as `claude`. */
  readonly name: string
  /** The format of a conversation in its prompt. */
  readonly format: AgentPrompt.Format
  readonly abilities: Abilities
  /** Fails if the agent cannot be used. The reason is `ModelNotFound` if its program is not installed. */
  readonly ready: Effect.Effect<void, ModelError>
  /**
   * Sends one prompt. Output is emitted as it arrives, and the stream ends when the agent has succeeded; any other
   * end is an error, such as `TimedOut` or `ProgramFailed`. Cancelling the stream stops the agent.
   */
  readonly ask: (prompt: string, options?: Asking) => Stream.Stream<Output, ModelError>
}

/** The abilities of an agent. Any agent can be stopped. */
export interface Abilities {
  /** True if the agent emits its answer as it produces it, and not all of it at the end. */
  readonly streams: boolean
  /** True if the agent reads files of its working directory by itself. */
  readonly readsFiles: boolean
}

export interface Asking {
  /** The working directory. The default is that of this process. */
  readonly cwd?: string | undefined
  /** Replaces the agent's own time limit. Zero means no limit. */
  readonly timeout?: Duration.DurationInput | undefined
  /** Additional arguments, such as `["--model", "opus"]`. */
  readonly flags?: ReadonlyArray<string> | undefined
}

/**
 * - `Stdout`: the next part of the answer
 * - `Stderr`: diagnostics, which are not part of the answer
 * - `Status`: a line that says what the agent does, such as a tool of its own that it uses, or a retry
 * - `Usage`: the tokens of a request of its own, and their cost in US dollars if the agent reports it; the stream may
 *   have several, which are added up
 */
export type Output = Data.TaggedEnum<{
  Stdout: { readonly text: string }
  Stderr: { readonly text: string }
  Status: { readonly text: string }
  Usage: { readonly usage: Usage.Usage; readonly cost: number | undefined }
}>
export const Output = Data.taggedEnum<Output>()

/** Options of an agent that is used as a model. */
export interface AgentModelOptions extends Asking {
  /** Receives all output as it arrives. Its result is ignored. */
  readonly onOutput?: ((output: Output) => Effect.Effect<void>) | undefined
}

/**
 * Renders each conversation as one prompt. Tools and sampling parameters are ignored, and usage is unknown unless the
 * agent reports it. A request with an image fails with `Unsupported`. White space around the answer is removed, and an
 * answer of white space alone fails with `Empty`. The observer of a request receives the agent's status and
 * diagnostics.
 */
export const toModel = (agent: Service, options: AgentModelOptions = {}): LanguageModel.Service => ({
  id: agent.id,
  stream: (request, observer) => modelWith(agent, options, observer).stream(request, observer),
  generate: (request, observer) => modelWith(agent, options, observer).generate(request, observer),
  followsInstructions: false,
  modalities: { input: [], output: [] },
})

const modelWith = (
  agent: Service,
  { onOutput, ...options }: AgentModelOptions,
  observer: LanguageModel.Observer = {},
): LanguageModel.Service =>
  LanguageModel.make(agent.id, (request, emit) =>
    Effect.gen(function* () {
      const toError = (reason: Reason) => new ModelError({ model: String(agent.id), reason })
      if (hasImage(request)) return yield* toError(imagesUnsupported)
      const trim = makeTrimmer()
      let isEmpty = true
      let usage = Usage.none
      let cost: number | undefined
      yield* Stream.runForEach(agent.ask(AgentPrompt.render(agent.format, request), options), (output) => {
        const text = output._tag === "Stdout" ? trim(output.text) : ""
        const notify = Effect.zipRight(onOutput?.(output) ?? Effect.void, report(observer, output))
        if (output._tag === "Usage") {
          usage = Usage.add(usage, output.usage)
          cost = output.cost === undefined ? cost : (cost ?? 0) + output.cost
        }
        if (text === "") return notify
        isEmpty = false
        return Effect.zipRight(notify, emit([Part.Text({ text })]))
      })
      if (isEmpty) return yield* toError(new Empty())
      yield* emit([Part.Finish({ reason: "stop", usage, ...(cost !== undefined && { cost }) })])
    }),
  )

const report = ({ report }: LanguageModel.Observer, output: Output): Effect.Effect<void> => {
  if (report === undefined || (output._tag !== "Status" && output._tag !== "Stderr")) return Effect.void
  return report({ text: output.text, isDiagnostic: output._tag === "Stderr" })
}

/**
 * Sends each prompt to the model as one user message, without tools. The working directory and arguments are ignored.
 */
export const fromModel = (model: LanguageModel.Service): Service => ({
  id: model.id,
  name: String(model.id),
  format: "xml",
  abilities: { streams: true, readsFiles: false },
  ready: Effect.void,
  ask: (prompt, { timeout = Duration.zero } = {}) =>
    model.stream({ system: "", messages: [Message.user(prompt)], tools: [] }).pipe(
      Stream.filter(Part.$is("Text")),
      Stream.map(({ text }) => Output.Stdout({ text })),
      Stream.interruptWhen(expiry(model.id, Duration.decode(timeout))),
    ),
})

/** Fails with `TimedOut` after the timeout. A timeout of zero never ends. */
export const expiry = (id: ModelId, timeout: Duration.Duration): Effect.Effect<never, ModelError> =>
  Duration.equals(timeout, Duration.zero)
    ? Effect.never
    : Effect.zipRight(
        Effect.sleep(timeout),
        new ModelError({
          model: String(id),
          reason: new TimedOut({ message: `the answer had not ended after ${Duration.format(timeout)}` }),
        }),
      )

/** Removes the white space before and after a text that arrives in pieces. */
const makeTrimmer = () => {
  let hasText = false
  let held = ""
  return (piece: string): string => {
    const text = hasText ? held + piece : piece.trimStart()
    const words = text.trimEnd()
    hasText ||= words !== ""
    held = text.slice(words.length)
    return words
  }
}

export interface AgentEntry {
  /** The program: a name on PATH, or an absolute path. */
  readonly command?: string | undefined
  readonly args?: ReadonlyArray<string> | undefined
  readonly format?: Format | undefined
  /** The time limit of an answer. Zero means no limit. */
  readonly timeout?: Duration.Duration | undefined
  /** Environment variables that the program receives although they look like secrets. */
  readonly env?: ReadonlyArray<string> | undefined
}
