/**
 * The port every provider implements. An adapter supplies one attempt; `make` derives patience and whole replies
 * from it, the same for all.
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Block from "../message/Block.ts"
import type { ModelId } from "../message/ModelId.ts"
import { withSpan } from "../message/Tracing.ts"
import * as Usage from "../message/Usage.ts"
import type { Limits } from "./Limits.ts"
import type { Price } from "./ModelEntry.ts"
import { Empty, Misconfigured, ModelError, type Reason, StreamIncomplete } from "./ModelError.ts"
import { rendezvous } from "./Rendezvous.ts"
import * as Reply from "./Reply.ts"
import type { Request } from "./Request.ts"
import * as Retry from "./Retry.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import * as Sampling from "./Sampling.ts"

export class LanguageModel extends Context.Tag("vibe/model/LanguageModel")<LanguageModel, Service>() {}

export interface Service {
  readonly id: ModelId
  /** It answers by fixed rules instead of a language model: what it writes is derived from what it was given. */
  readonly isRuleBased?: true | undefined
  /** Where they are known. */
  readonly limits?: Limits | undefined
  /** Where it is known; a model that costs nothing has a price of nothing. */
  readonly price?: Price | undefined
  /** Parts as they come. Retried before the first part only: after it a retry would repeat words. */
  readonly stream: (request: Request, observer?: Observer) => Stream.Stream<Reply.Part, ModelError>
  /**
   * A whole reply. An attempt that fails half-way is thrown away whole and made again; the observer, who may have
   * shown its words, is told. The usage counts what was thrown away, too. A model that has nothing to say to tool
   * results, even when asked again, has said all: its reply is `noAnswer`.
   */
  readonly generate: (request: Request, observer?: Observer) => Effect.Effect<Reply.Reply, ModelError>
}

/** Hears what goes on while a model answers. Nothing depends on it. */
export interface Observer {
  readonly part?: ((part: Reply.Part) => Effect.Effect<void>) | undefined
  readonly retry?: ((retry: Retrying) => Effect.Effect<void>) | undefined
  /** Another model answers in place of the one that was asked. */
  readonly replaced?: ((by: ModelId, error: ModelError) => Effect.Effect<void>) | undefined
}

export interface Retrying {
  /** Of the reason's own budget: 1 to 3 for a transient failure unless patience says otherwise, 1 to 2 for an answer of no use. */
  readonly attempt: number
  readonly delay: Duration.Duration
  readonly error: ModelError
  /** What was heard of this answer is void: the next part begins it anew. */
  readonly restarted: boolean
}

/** One attempt at an answer: says its parts as they come, `Finish` last. Interrupted, it lets go of its request. */
export type Attempt = (request: Request, say: Emit) => Effect.Effect<void, ModelError>

/** Takes parts that came together. */
export type Emit = (parts: ReadonlyArray<Reply.Part>) => Effect.Effect<void>

export const make = (id: ModelId, attempt: Attempt): Service => derived(id, checked(id, withoutSchema(attempt)))

/** Asks nobody for what its provider is known not to take. */
const checked =
  (id: ModelId, attempt: Attempt): Attempt =>
  (request, say) =>
    Either.match(Sampling.check(id.provider, request), {
      onLeft: (message) => new ModelError({ model: String(id), reason: new Misconfigured({ message }) }),
      onRight: () => attempt(request, say),
    })

/**
 * Asks once more without the schema of the answer where the request is refused with it: not every model of a provider
 * can be held to one, nor to every one. What is refused after a word is not: its words would be said twice. Where tools
 * are offered it is left out: a grammar may keep a model from calls.
 */
const withoutSchema =
  (attempt: Attempt): Attempt =>
  (request, say) => {
    if (request.answerSchema === undefined) return attempt(request, say)
    const free = attempt({ ...request, answerSchema: undefined }, say)
    if (request.tools.length > 0) return free
    return Effect.suspend(() => {
      let spoken = false
      const held = attempt(request, (parts) => {
        spoken = true
        return say(parts)
      })
      return Effect.catchIf(
        held,
        ({ reason }) => reason._tag === "InvalidRequest" && !spoken,
        () => free,
      )
    })
  }

const derived = (id: ModelId, attempt: Attempt): Service => ({
  id,

  stream: (request, observer = {}) =>
    rendezvous<Reply.Part, ModelError, never>((emit) =>
      Effect.gen(function* () {
        let spoken = false
        const retries = yield* Schedule.driver(Retry.retryTransient(yield* RetryPolicy, announce(observer, false)))
        const say = (part: Reply.Part) => {
          spoken = true
          return Effect.zipRight(heard(observer, part), emit(part))
        }
        const ask: Effect.Effect<void, ModelError> = Effect.catchAll(
          attempt(request, (parts) => each(parts, say)),
          (error) => (spoken ? Effect.fail(error) : Effect.zipRight(wait(retries, error), ask)),
        )
        return yield* ask
      }),
    ).pipe(Stream.withSpan("LanguageModel.stream", { attributes: { model: String(id) } })),

  generate: (request, observer = {}) => {
    const once = (request: Request) =>
      Effect.suspend(() => {
        let draft = Reply.empty
        const say: Emit = (parts) => {
          draft = parts.reduce(Reply.step, draft)
          return observer.part === undefined ? Effect.void : each(parts, observer.part)
        }
        return Effect.flatMap(attempt(request, say), () => complete(id, draft))
      })
    return Effect.catchAll(once(request), (error) => persist({ id, request, observer, once, error })).pipe(
      withSpan("LanguageModel.generate", { model: String(id) }),
    )
  },
})

interface Failed {
  readonly id: ModelId
  readonly request: Request
  readonly observer: Observer
  readonly once: (request: Request) => Effect.Effect<Reply.Reply, ModelError>
  readonly error: ModelError
}

/** Makes a request again that has failed once, as often as the reason of each failure allows. */
const persist = Effect.fnUntraced(function* ({ error, id, observer, once, request }: Failed) {
  const patience = yield* RetryPolicy
  const announced = announce(observer, true)
  const transient = yield* Schedule.driver(Retry.retryTransient(patience, announced))
  const unusable = yield* Schedule.driver(Retry.retryUnusable(2, patience, announced))
  const cut = yield* Schedule.driver(Retry.retryUnusable(1, patience, announced))
  const mayEnd = request.messages.at(-1)?.role === "tool"
  const empty = yield* Schedule.driver(Retry.retryUnusable(mayEnd ? 1 : 2, patience, announced))
  let wasted = Usage.none

  const recover = (error: ModelError, asked: Request): Effect.Effect<Reply.Reply, ModelError> => {
    const { reason, usage } = error
    wasted = Usage.add(wasted, usage)
    const ask = (asked: Request) => Effect.catchAll(once(asked), (error) => recover(error, asked))
    switch (reason._tag) {
      case "Unusable":
        return Effect.zipRight(wait(unusable, error), ask(corrected(request, reason.correction)))
      case "OutputLimit":
        return reason.correction === undefined
          ? error
          : Effect.zipRight(wait(cut, error), ask(corrected(request, reason.correction)))
      case "Empty":
        return Effect.matchEffect(wait(empty, error), {
          onFailure: (error) => (mayEnd ? Effect.succeed(nothingMore(id)) : error),
          onSuccess: () => ask(corrected(request, reason.correction)),
        })
      default:
        return Effect.zipRight(wait(transient, error), ask(asked))
    }
  }

  const reply = yield* recover(error, request)
  return { ...reply, usage: Usage.add(reply.usage, wasted) }
})

/** What a model is taken to say that has nothing more to say (FAULTS B13). */
export const noAnswer = "(no final answer)"

const nothingMore = (id: ModelId): Reply.Reply => ({
  blocks: [Block.text(noAnswer)],
  finish: "stop",
  usage: Usage.none,
  model: id,
})

/** As `Effect.forEach`, which takes more steps around its elements than a short answer has parts. */
const each = (
  parts: ReadonlyArray<Reply.Part>,
  say: (part: Reply.Part) => Effect.Effect<void>,
  from = 0,
): Effect.Effect<void> => {
  const part = parts[from]
  return part === undefined ? Effect.void : Effect.flatMap(say(part), () => each(parts, say, from + 1))
}

const heard = (observer: Observer, part: Reply.Part): Effect.Effect<void> => observer.part?.(part) ?? Effect.void

const announce =
  (observer: Observer, restarted: boolean): Retry.OnRetry =>
  (retry) =>
    observer.retry?.({ ...retry, restarted }) ?? Effect.void

/** As long as the schedule says; fails with the error itself where the schedule has ended. */
const wait = (
  schedule: Schedule.ScheduleDriver<unknown, ModelError>,
  error: ModelError,
): Effect.Effect<unknown, ModelError> => Effect.mapError(schedule.next(error), () => error)

/** The note rides in the system prompt of this one request: history never sees it. */
const corrected = (request: Request, correction: string): Request => ({
  ...request,
  system: request.system === "" ? correction : `${request.system}\n\n${correction}`,
})

/** A reply that ended as it should and says something; anything else is an error. */
const complete = (id: ModelId, { blocks, finish, usage }: Reply.Draft): Effect.Effect<Reply.Reply, ModelError> => {
  const failed = (reason: Reason) => Effect.fail(new ModelError({ model: String(id), reason, usage }))
  const [first, ...rest] = blocks
  if (finish === undefined) return failed(new StreamIncomplete({ message: "the answer ended early" }))
  if (first === undefined || blocks.every(isSilent)) return failed(new Empty())
  return Effect.succeed({ blocks: [first, ...rest], finish, usage, model: id })
}

/** Thinking, white space and characters of no width are no answer. */
const isSilent = (block: Block.Block): boolean =>
  block.type === "thinking" || (block.type === "text" && /^[\s\u200b-\u200f\u2060\ufeff]*$/u.test(block.text))
