/**
 * The port of text agents: whatever takes one prompt and answers in words, be it a program with tools and a mind of
 * its own. An agent serves as a model by `toModel`, and a model as an agent by `fromModel`.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Message from "../message/Message.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as Usage from "../message/Usage.ts"
import * as AgentPrompt from "./AgentPrompt.ts"
import * as LanguageModel from "./LanguageModel.ts"
import { Empty, ModelError, type Reason, TimedOut, wordsAlone } from "./ModelError.ts"
import { Part } from "./Reply.ts"
import { hasImage } from "./Request.ts"

export class Agent extends Context.Tag("vibe/model/Agent")<Agent, Service>() {}

export interface Service {
  /** As a model: `cli/claude`. */
  readonly id: ModelId
  /** As people call it: `claude`. */
  readonly name: string
  /** How it wants a conversation put into a prompt. */
  readonly format: AgentPrompt.Format
  readonly abilities: Abilities
  /** Fails where it cannot be asked at all: with `ModelNotFound` where its program is not installed. */
  readonly ready: Effect.Effect<void, ModelError>
  /**
   * Asks once. What it says comes as it says it, and the stream ends when it has ended well: any other end is an error,
   * `TimedOut` or `ProgramFailed` among them. Letting the stream go stops it.
   */
  readonly ask: (prompt: string, options?: Asking) => Stream.Stream<Output, ModelError>
}

/** What can be expected of an agent. Any can be stopped. */
export interface Abilities {
  /** It says its answer while it finds it, rather than all of it in the end. */
  readonly streams: boolean
  /** It looks by itself into the files of the folder it is asked in. */
  readonly readsFiles: boolean
}

export interface Asking {
  /** The folder it works in; this process's own by default. */
  readonly cwd?: string | undefined
  /** In place of the agent's own; zero for none. */
  readonly timeout?: Duration.DurationInput | undefined
  /** Arguments besides its own: `["--model", "opus"]`. */
  readonly flags?: ReadonlyArray<string> | undefined
}

/**
 * - `Stdout`: the next words of the answer
 * - `Stderr`: what it says besides; no part of the answer
 */
export type Output = Data.TaggedEnum<{
  Stdout: { readonly text: string }
  Stderr: { readonly text: string }
}>
export const Output = Data.taggedEnum<Output>()

/** How an agent is asked where it serves as a model. */
export interface Serving extends Asking {
  /** Hears what it says as it says it, on both of its channels. Nothing depends on it. */
  readonly heard?: ((output: Output) => Effect.Effect<void>) | undefined
}

/**
 * Its conversations are put into one prompt. It is offered no tools and heeds no limits of sampling, and what it costs
 * is not known. A picture in what is asked is `Unsupported`. White space around the answer is dropped; an answer of nothing else is `Empty`.
 */
export const toModel = (agent: Service, { heard, ...asking }: Serving = {}): LanguageModel.Service =>
  LanguageModel.make(agent.id, (request, say) =>
    Effect.gen(function* () {
      const failed = (reason: Reason) => new ModelError({ model: String(agent.id), reason })
      if (hasImage(request)) return yield* failed(wordsAlone)
      const trim = trimming()
      let isEmpty = true
      yield* Stream.runForEach(agent.ask(AgentPrompt.render(agent.format, request), asking), (output) => {
        const text = output._tag === "Stdout" ? trim(output.text) : ""
        const hearing = heard?.(output) ?? Effect.void
        if (text === "") return hearing
        isEmpty = false
        return Effect.zipRight(hearing, say([Part.Text({ text })]))
      })
      if (isEmpty) return yield* failed(new Empty())
      yield* say([Part.Finish({ reason: "stop", usage: Usage.none })])
    }),
  )

/** A model that is told a prompt as one message, without tools. It knows neither folders nor flags. */
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

/** Fails once so much time has passed; never for zero. */
export const expiry = (id: ModelId, timeout: Duration.Duration): Effect.Effect<never, ModelError> =>
  Duration.equals(timeout, Duration.zero)
    ? Effect.never
    : Effect.zipRight(
        Effect.sleep(timeout),
        new ModelError({
          model: String(id),
          reason: new TimedOut({ message: `it had not ended after ${Duration.format(timeout)}` }),
        }),
      )

/** Leaves out the white space before the first word and after the last, of words that come in pieces. */
const trimming = () => {
  let hasBegun = false
  let held = ""
  return (piece: string): string => {
    const text = hasBegun ? held + piece : piece.trimStart()
    const words = text.trimEnd()
    hasBegun ||= words !== ""
    held = text.slice(words.length)
    return words
  }
}
