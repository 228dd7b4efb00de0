/**
 * Sends the requests of a run within its budget, counts them, and decides which failures concern one page and which end
 * the run.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Ref from "effect/Ref"
import { isOfBatch } from "../../explore/BatchRequest.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as Usage from "../../message/Usage.ts"
import * as Cost from "../../model/Cost.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { ModelError } from "../../model/ModelError.ts"
import * as RunBudget from "../../model/RunBudget.ts"
import type { Thinking } from "../../model/Thinking.ts"
import * as Answer from "./Answer.ts"
import { type Purpose, WriterEvent } from "./WriterEvent.ts"

export interface Spent {
  readonly requests: number
  readonly usage: Usage.Usage
  /** The cost in US dollars; undefined if a price is unknown. */
  readonly cost: number | undefined
}

/** Why a run ends before everything is written. */
export type End =
  | { readonly _tag: "Budget" }
  /** Several answers in a row were of no use, or the provider refuses all requests. */
  | { readonly _tag: "Failed"; readonly reason: string }

export interface Asking {
  /** The model that is asked. */
  readonly model: ModelId
  /** Returns the answer; undefined if there is none of use, which was reported, or if the run has ended. */
  readonly ask: <A>(question: Answer.Question<A>, about: About) => Effect.Effect<A | undefined>
  /** Leaves so many tokens of the budget to the requests for a page, which are sent after all others. */
  readonly reserve: (page: string, tokens: Reserve) => Effect.Effect<void>
  readonly end: Effect.Effect<End | undefined>
  /** The error of the provider with which the last request failed; undefined if it was answered. */
  readonly refused: Effect.Effect<ModelError | undefined>
  readonly spent: Effect.Effect<Spent>
}

/** The subject of a request. */
export interface About {
  readonly purpose: Purpose
  /** The page; undefined if it is none or several. */
  readonly page: string | undefined
  /** True if smaller requests follow where the budget does not suffice for this one, which then ends nothing. */
  readonly isDivisible?: boolean | undefined
}

export interface Reserve {
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface Settings {
  readonly model: LanguageModel.Service
  readonly thinking: Thinking | undefined
  readonly observer?: LanguageModel.Observer | undefined
  readonly onEvent: (event: WriterEvent) => Effect.Effect<void>
}

/** The run ends after so many answers in a row that are none: the model does not follow the instruction. */
const MAX_FRUITLESS = 3

export const make = Effect.fnUntraced(function* ({ model, observer, onEvent, thinking }: Settings) {
  const ended = yield* Ref.make<End | undefined>(undefined)
  const spent = yield* Ref.make<Spent>({ requests: 0, usage: Usage.none, cost: 0 })
  const refused = yield* Ref.make<ModelError | undefined>(undefined)
  const fruitless = yield* Ref.make(0)
  const stop = (end: End) => Ref.update(ended, (before) => before ?? end)

  const reserved = yield* Ref.make<{ readonly page: string; readonly tokens: Reserve } | undefined>(undefined)

  const affords = Effect.fnUntraced(function* (
    question: Answer.Question<unknown>,
    inputTokens: number,
    page: string | undefined,
  ) {
    if (model.affords === undefined) return true
    const most = model.limits?.output ?? Number.POSITIVE_INFINITY
    const outputTokens = Math.min(Math.max(question.answerTokens, RunBudget.MIN_ANSWER_TOKENS), most)
    const kept = yield* Ref.get(reserved)
    const others = kept === undefined || kept.page === page ? { inputTokens: 0, outputTokens: 0 } : kept.tokens
    return yield* model.affords({
      inputTokens: inputTokens + others.inputTokens,
      outputTokens: outputTokens + others.outputTokens,
    })
  })

  /** The end of the budget for all others is none for the page that some of it is left to. */
  const hasEndedFor = Effect.fnUntraced(function* (page: string | undefined) {
    const end = yield* Ref.get(ended)
    if (end?._tag !== "Budget" || page === undefined) return end !== undefined
    return (yield* Ref.get(reserved))?.page !== page
  })

  const ask: Asking["ask"] = Effect.fnUntraced(function* (question, { isDivisible = false, page, purpose }) {
    if (yield* hasEndedFor(page)) return undefined
    const stopAtBudget = isDivisible ? Effect.void : stop({ _tag: "Budget" })
    const inputTokens = RunBudget.estimate(Answer.requestOf(question, thinking))
    if (!(yield* affords(question, inputTokens, page))) {
      yield* stopAtBudget
      return undefined
    }
    yield* onEvent(WriterEvent.Asked({ purpose, page, model: String(model.id), inputTokens }))
    const spend = (usage: Usage.Usage, cost: number | undefined) =>
      Effect.zipRight(
        Ref.update(spent, (before) => ({
          requests: before.requests + 1,
          usage: Usage.add(before.usage, usage),
          cost: Cost.total([before.cost, cost]),
        })),
        onEvent(WriterEvent.Answered({ purpose, page, usage, cost })),
      )
    const fail = Effect.fnUntraced(function* (reason: string) {
      yield* onEvent(WriterEvent.Failed({ page, purpose, reason }))
      const inARow = yield* Ref.updateAndGet(fruitless, (count) => count + 1)
      if (inARow >= MAX_FRUITLESS) yield* stop({ _tag: "Failed", reason })
    })
    const result = yield* Effect.either(Answer.ask(model, question, { thinking, observer }))
    if (Either.isLeft(result)) {
      const { message, reason, usage } = result.left
      if (reason._tag === "BudgetReached") {
        // The request was not sent.
        yield* stopAtBudget
        return undefined
      }
      yield* Ref.set(refused, result.left)
      yield* spend(usage, Cost.of(usage, model.price))
      if (isOfBatch.has(reason._tag)) yield* fail(message)
      else {
        yield* onEvent(WriterEvent.Failed({ page, purpose, reason: message }))
        yield* stop({ _tag: "Failed", reason: message })
      }
      return undefined
    }
    const { answer, reply } = result.right
    yield* Ref.set(refused, undefined)
    yield* spend(reply.usage, Cost.ofReply(model, reply))
    if (answer === undefined) yield* fail("the model answered with something else than was asked for")
    else yield* Ref.set(fruitless, 0)
    return answer
  })

  const asking: Asking = {
    model: model.id,
    ask,
    reserve: (page, tokens) => Ref.set(reserved, { page, tokens }),
    end: Ref.get(ended),
    refused: Ref.get(refused),
    spent: Ref.get(spent),
  }
  return asking
})
