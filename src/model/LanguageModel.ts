/**
 * The port that every provider implements. An adapter supplies one attempt. `make` adds retries and complete replies,
 * the same way for all adapters.
 */

import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { rendezvous } from "../base/Rendezvous.ts"
import { withSpan } from "../base/Tracing.ts"
import type * as Block from "../message/Block.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as Usage from "../message/Usage.ts"
import type { Limits } from "./Limits.ts"
import type { Modalities, Price } from "./ModelEntry.ts"
import { Empty, InvalidRequest, Misconfigured, ModelError, type Reason, StreamIncomplete } from "./ModelError.ts"
import * as RefusedTool from "./RefusedTool.ts"
import * as Reply from "./Reply.ts"
import { isToolChoiceRefusal, type Request } from "./Request.ts"
import * as Retry from "./Retry.ts"
import { RetryPolicy } from "./Retry.ts"
import * as Sampling from "./Sampling.ts"
import * as Thinking from "./Thinking.ts"

/**
 * Answers one request with a language model. Every provider has the same retries, errors and complete replies.
 *
 * When to use it: for a single question, and as the layer that says which model the rest of the program uses.
 * `LoomEngine` also runs the tools that a model calls, and keeps the conversation. `ModelRegistry` opens models by
 * their id.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect } from "effect"
 * import { LanguageModel, Message } from "vibe-index"
 * import { Scripted } from "vibe-index/provider"
 *
 * const program = Effect.gen(function* () {
 *   const model = yield* LanguageModel.LanguageModel
 *   const reply = yield* model.generate({
 *     system: "Answer with one word.",
 *     messages: [Message.user("What is the capital of France?")],
 *     tools: [],
 *   })
 *   yield* Console.log(`${model.id}: ${Message.text({ role: "assistant", content: reply.blocks })}`)
 * })
 *
 * // Gemini.layer, Anthropic.layer, OpenAiCompatible.layer and Ollama.layer are given in the same way.
 * await Effect.runPromise(Effect.provide(program, Scripted.layer(["Paris."])))
 * // prints: scripted/test: Paris.
 * ```
 */
export class LanguageModel extends Context.Tag("vibe/model/LanguageModel")<LanguageModel, Service>() {}

export interface Service {
  readonly id: ModelId
  /** Undefined if the limits are unknown. */
  readonly limits?: Limits | undefined
  /** Undefined if the price is unknown. A model that is free of charge has all zeros. */
  readonly price?: Price | undefined
  /** Undefined if the modalities are unknown. */
  readonly modalities?: Modalities | undefined
  /** True if the model runs on the user's own machine: it reads slowly, and requests at the same time are no faster. */
  readonly isLocal?: boolean | undefined
  /** The most requests at the same time. Undefined if there is no limit, or none is known. */
  readonly concurrency?: number | undefined
  /**
   * Returns whether a call of so many tokens is within what is left of the budget of the run (`RunBudget`). Undefined
   * without a budget.
   */
  readonly affords?: ((tokens: TokenCount) => Effect.Effect<boolean>) | undefined
  /** False if it is asked like a model but follows rules of its own: the offline guide, programs without tools. */
  readonly followsInstructions?: boolean | undefined
  /** Emits parts as they arrive. Retries only before the first part, since a retry after it would repeat text. */
  readonly stream: (request: Request, observer?: Observer) => Stream.Stream<Reply.Part, ModelError>
  /**
   * Returns a complete reply. A failed attempt is discarded and repeated; the observer, which may have shown its text,
   * is notified. The usage of the reply includes discarded attempts, and so does that of the error. A model that twice
   * answers tool results with nothing fails with `Empty`.
   */
  readonly generate: (request: Request, observer?: Observer) => Effect.Effect<Reply.Reply, ModelError>
}

/** The tokens of a call, as `message/Tokens` estimates them. */
export interface TokenCount {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Returns whether a model may read pictures. It is false only if the model is known to read none. */
export const mayReadPictures = ({ modalities }: Service): boolean =>
  modalities === undefined || modalities.input.includes("image")

/** Receives events while a model answers. The results of its effects are ignored. */
export interface Observer {
  readonly part?: ((part: Reply.Part) => Effect.Effect<void>) | undefined
  readonly retry?: ((retry: Retrying) => Effect.Effect<void>) | undefined
  /** Called when another model answers instead of the requested one. */
  readonly replaced?: ((by: ModelId, error: ModelError) => Effect.Effect<void>) | undefined
  /** Receives the reports that a program makes beside its answer, if a program answers in place of a model. */
  readonly report?: ((report: Report) => Effect.Effect<void>) | undefined
}

export interface Report {
  readonly text: string
  /** True for a piece of stderr. Otherwise the text is a line about the program's work, such as a tool that it uses. */
  readonly isDiagnostic: boolean
}

export interface Retrying {
  /**
   * Counts the retries of each kind of reason. By default there are up to 3 for a transient failure and 2 for an
   * unusable answer.
   */
  readonly attempt: number
  readonly delay: Duration.Duration
  readonly error: ModelError
  /** True if the parts received so far are void, since the next part begins the answer anew. */
  readonly restarted: boolean
}

/** Makes one attempt at an answer. Emits parts as they arrive, `Finish` last. Interruption aborts its request. */
export type Attempt = (request: Request, emit: Emit) => Effect.Effect<void, ModelError>

/** Receives the parts that arrived together. */
export type Emit = (parts: ReadonlyArray<Reply.Part>) => Effect.Effect<void>

export const make = (id: ModelId, attempt: Attempt): Service =>
  fromAttempt(id, checkSampling(id, namingTool(withoutThinking(withoutRequiredTool(withoutSchema(attempt))))))

/**
 * Names the tool for which the provider refuses a request. A single tool of a server may make the provider refuse every
 * message.
 */
const namingTool =
  (attempt: Attempt): Attempt =>
  (request, emit) =>
    request.tools.length === 0
      ? attempt(request, emit)
      : Effect.mapError(attempt(request, emit), (error) => {
          if (error.reason._tag !== "InvalidRequest") return error
          const message = RefusedTool.describe(error.reason.message, request.tools)
          const { model, usage } = error
          return message === undefined
            ? error
            : new ModelError({ model, usage, reason: new InvalidRequest({ message }) })
        })

/** Validates sampling parameters before sending. */
const checkSampling =
  (id: ModelId, attempt: Attempt): Attempt =>
  (request, emit) =>
    Either.match(Sampling.check(id.provider, request), {
      onLeft: (message) => new ModelError({ model: String(id), reason: new Misconfigured({ message }) }),
      onRight: () => attempt(request, emit),
    })

/**
 * Repeats a request without the answer schema if the provider rejects it with one, since some models support no
 * schemas, and some schemas are not supported. A request rejected after the first part is not repeated, since that
 * would duplicate text. With tools the schema is left out, since a grammar may prevent calls.
 */
const withoutSchema =
  (attempt: Attempt): Attempt =>
  (request, emit) => {
    if (request.answerSchema === undefined) return attempt(request, emit)
    const unconstrained = attempt({ ...request, answerSchema: undefined }, emit)
    if (request.tools.length > 0) return unconstrained
    return repeatWhenRejected(attempt, request, emit, () => unconstrained)
  }

/**
 * Repeats a request without `thinking` if the provider rejects it for that. It is not known of every model if it has
 * the parameter, and with which values. Later requests are sent without it at once.
 */
const withoutThinking = (attempt: Attempt): Attempt => {
  let isRefused = false
  return (request, emit) => {
    if (request.thinking === undefined) return attempt(request, emit)
    const plain = { ...request, thinking: undefined }
    return Effect.suspend(() =>
      isRefused
        ? attempt(plain, emit)
        : repeatWhenRejected(attempt, request, emit, (message) => {
            if (!Thinking.isRefusal(message)) return undefined
            isRefused = true
            return attempt(plain, emit)
          }),
    )
  }
}

/**
 * Repeats a request that requires a tool with a free choice, if the provider rejects the requirement. Some models never
 * accept it, others not while they think. Later requests have a free choice at once.
 */
const withoutRequiredTool = (attempt: Attempt): Attempt => {
  let isRefused = false
  return (request, emit) => {
    if (typeof request.toolChoice !== "object") return attempt(request, emit)
    const free: Request = { ...request, toolChoice: "auto" }
    return Effect.suspend(() =>
      isRefused
        ? attempt(free, emit)
        : repeatWhenRejected(
            attempt,
            request,
            emit,
            (message) => {
              if (!isToolChoiceRefusal(message)) return undefined
              isRefused = true
              return attempt(free, emit)
            },
            // A router of models reports this if none of them has the parameter.
            ["InvalidRequest", "ModelNotFound", "Unsupported"],
          ),
    )
  }
}

/** Runs what `repeat` returns if the provider rejects the request before the first part. */
const repeatWhenRejected = (
  attempt: Attempt,
  request: Request,
  emit: Emit,
  repeat: (message: string) => Effect.Effect<void, ModelError> | undefined,
  rejections: ReadonlyArray<Reason["_tag"]> = ["InvalidRequest"],
): Effect.Effect<void, ModelError> =>
  Effect.suspend(() => {
    let hasEmitted = false
    const sent = attempt(request, (parts) => {
      hasEmitted = true
      return emit(parts)
    })
    return Effect.catchAll(sent, (error) => {
      const isRejected = rejections.includes(error.reason._tag) && !hasEmitted
      return (isRejected ? repeat(error.reason.message) : undefined) ?? Effect.fail(error)
    })
  })

const fromAttempt = (id: ModelId, attempt: Attempt): Service => ({
  id,

  stream: (request, observer = {}) =>
    rendezvous<Reply.Part, ModelError, never>((emit) =>
      Effect.gen(function* () {
        let hasEmitted = false
        const retries = yield* Schedule.driver(Retry.retryTransient(yield* RetryPolicy, announce(observer, false)))
        const emitPart = (part: Reply.Part) => {
          hasEmitted = true
          return Effect.zipRight(notifyOfPart(observer, part), emit(part))
        }
        const ask: Effect.Effect<void, ModelError> = Effect.catchAll(
          attempt(request, (parts) => each(parts, emitPart)),
          (error) => (hasEmitted ? Effect.fail(error) : Effect.zipRight(wait(retries, error), ask)),
        )
        return yield* ask
      }),
    ).pipe(Stream.withSpan("LanguageModel.stream", { attributes: { model: String(id) } })),

  generate: (request, observer = {}) => {
    const once = (request: Request) =>
      Effect.suspend(() => {
        let draft = Reply.empty
        const emit: Emit = (parts) => {
          draft = parts.reduce(Reply.step, draft)
          return observer.part === undefined ? Effect.void : each(parts, observer.part)
        }
        return Effect.flatMap(attempt(request, emit), () => complete(id, draft))
      })
    return Effect.catchAll(once(request), (error) => persist({ request, observer, once, error })).pipe(
      withSpan("LanguageModel.generate", { model: String(id) }),
    )
  },
})

interface Failed {
  readonly request: Request
  readonly observer: Observer
  readonly once: (request: Request) => Effect.Effect<Reply.Reply, ModelError>
  readonly error: ModelError
}

/** Repeats a failed request as often as the reason of each failure allows. */
const persist = Effect.fnUntraced(function* ({ error, observer, once, request }: Failed) {
  const policy = yield* RetryPolicy
  const notifyOfRetry = announce(observer, true)
  const transient = yield* Schedule.driver(Retry.retryTransient(policy, notifyOfRetry))
  const unusable = yield* Schedule.driver(Retry.retryUnusable(2, policy, notifyOfRetry))
  const cut = yield* Schedule.driver(Retry.retryUnusable(1, policy, notifyOfRetry))
  // A model that has nothing to say about the results of its tools rarely says more when it is asked a third time.
  const hasResults = request.messages.at(-1)?.role === "tool"
  const empty = yield* Schedule.driver(Retry.retryUnusable(hasResults ? 1 : 2, policy, notifyOfRetry))
  let wasted = Usage.none

  const recover = (error: ModelError, asked: Request): Effect.Effect<Reply.Reply, ModelError> => {
    const { reason, usage } = error
    wasted = Usage.add(wasted, usage)
    const ask = (asked: Request) => Effect.catchAll(once(asked), (error) => recover(error, asked))
    switch (reason._tag) {
      case "Unusable":
        return Effect.zipRight(wait(unusable, error), ask(addCorrection(request, reason.correction)))
      case "OutputLimit":
        return reason.correction === undefined
          ? error
          : Effect.zipRight(wait(cut, error), ask(addCorrection(request, reason.correction)))
      case "Empty":
        return Effect.zipRight(wait(empty, error), ask(addCorrection(request, reason.correction)))
      default:
        return Effect.zipRight(wait(transient, error), ask(asked))
    }
  }

  const reply = yield* Effect.mapError(
    recover(error, request),
    ({ model, reason }) => new ModelError({ model, reason, usage: wasted }),
  )
  return { ...reply, usage: Usage.add(reply.usage, wasted) }
})

/** Does what `Effect.forEach` does, but without its overhead, which exceeds the work for a short answer. */
const each = (
  parts: ReadonlyArray<Reply.Part>,
  emit: (part: Reply.Part) => Effect.Effect<void>,
  from = 0,
): Effect.Effect<void> => {
  const part = parts[from]
  return part === undefined ? Effect.void : Effect.flatMap(emit(part), () => each(parts, emit, from + 1))
}

const notifyOfPart = (observer: Observer, part: Reply.Part): Effect.Effect<void> => observer.part?.(part) ?? Effect.void

const announce =
  (observer: Observer, restarted: boolean): Retry.OnRetry =>
  (retry) =>
    observer.retry?.({ ...retry, restarted }) ?? Effect.void

/** Waits for the next delay of the schedule. Fails with the error itself if the schedule has ended. */
const wait = (
  schedule: Schedule.ScheduleDriver<unknown, ModelError>,
  error: ModelError,
): Effect.Effect<unknown, ModelError> => Effect.mapError(schedule.next(error), () => error)

/** Appends the correction to the system prompt of this one request. It does not become part of the history. */
const addCorrection = (request: Request, correction: string): Request => ({
  ...request,
  system: request.system === "" ? correction : `${request.system}\n\n${correction}`,
})

/** Returns the reply if it is complete and not empty, otherwise an error. */
const complete = (id: ModelId, draft: Reply.Draft): Effect.Effect<Reply.Reply, ModelError> => {
  const { blocks, cost, finish, usage } = draft
  const failed = (reason: Reason) => Effect.fail(new ModelError({ model: String(id), reason, usage }))
  const [first, ...rest] = blocks
  if (finish === undefined) return failed(new StreamIncomplete({ message: "the answer ended early" }))
  if (first === undefined || blocks.every(isSilent)) return failed(new Empty())
  return Effect.succeed({ blocks: [first, ...rest], finish, usage, model: id, ...(cost !== undefined && { cost }) })
}

/** Thinking, white space and zero-width characters do not count as an answer. */
const isSilent = (block: Block.Block): boolean =>
  block.type === "thinking" || (block.type === "text" && /^[\s\u200b-\u200f\u2060\ufeff]*$/u.test(block.text))
