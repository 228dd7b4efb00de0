/** What a run may use up, over all calls to all of its models. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as Tokens from "../message/Tokens.ts"
import * as Usage from "../message/Usage.ts"
import * as Cost from "./Cost.ts"
import type * as LanguageModel from "./LanguageModel.ts"
import type { Price } from "./ModelEntry.ts"
import { BudgetReached, Misconfigured, ModelError } from "./ModelError.ts"
import type { Request } from "./Request.ts"

export class RunBudget extends Context.Reference<RunBudget>()("vibe/model/RunBudget", {
  defaultValue: (): Service => ({ guard: (model) => model }),
}) {}

export interface Service {
  /**
   * The same model, asked only for what is left: a call that would pass the budget fails with `BudgetReached` before it
   * is made, and an answer is made no longer than is left for it. A price that nobody knows fails with `Misconfigured`
   * where money is limited. What retries of one call use up is known when it has ended.
   */
  readonly guard: (model: LanguageModel.Service) => LanguageModel.Service
}

export interface Limits {
  /** In US dollars. */
  readonly maxCost?: number | undefined
  /** Read and written. */
  readonly maxTokens?: number | undefined
}

/** Below this an answer is not worth its input, unless no more is wanted. */
export const MIN_ANSWER_TOKENS = 256

export const make = (limits: Limits): Effect.Effect<Service> =>
  Effect.map(Ref.make(nothing), (spent) => ({
    guard: (model) => {
      const { price } = model
      const failed = (reason: ModelError["reason"]) => new ModelError({ model: String(model.id), reason })
      const spend = (usage: Usage.Usage) => Ref.update(spent, (spent) => add(spent, usage, price))

      /** The request as it may be made. What it reads counts as spent until the provider has counted it. */
      const reserve = (request: Request): Effect.Effect<Reserved, ModelError> =>
        Effect.gen(function* () {
          if (limits.maxCost !== undefined && price === undefined) return yield* failed(unknownPrice(model))
          const read = { ...Usage.none, inputTokens: estimate(request) }
          const before = yield* Ref.getAndUpdate(spent, (spent) => add(spent, read, price))
          const left = answerLeft(limits, add(before, read, price), price)
          const release = Ref.update(spent, (spent) => subtract(spent, read, price))
          const wanted = request.maxOutputTokens ?? model.limits?.output ?? Number.POSITIVE_INFINITY
          const shortest = Math.min(MIN_ANSWER_TOKENS, wanted)
          if (left < shortest) {
            yield* release
            return yield* failed(reached(limits, before, add(nothing, read, price), shortest))
          }
          return { request: left < wanted ? { ...request, maxOutputTokens: left } : request, release }
        })

      return {
        ...model,
        generate: (request, observer) =>
          Effect.flatMap(reserve(request), (reserved) =>
            model
              .generate(reserved.request, observer)
              .pipe(
                Effect.tapBoth({ onFailure: ({ usage }) => spend(usage), onSuccess: ({ usage }) => spend(usage) }),
                Effect.ensuring(reserved.release),
              ),
          ),
        stream: (request, observer) =>
          Stream.unwrap(
            Effect.map(reserve(request), (reserved) =>
              model.stream(reserved.request, observer).pipe(
                Stream.tap((part) => (part._tag === "Finish" ? spend(part.usage) : Effect.void)),
                Stream.tapError(({ usage }) => spend(usage)),
                Stream.ensuring(reserved.release),
              ),
            ),
          ),
      }
    },
  }))

interface Spent {
  readonly tokens: number
  /** In US dollars; of models without a price, nothing. */
  readonly cost: number
}

interface Reserved {
  readonly request: Request
  readonly release: Effect.Effect<void>
}

const nothing: Spent = { tokens: 0, cost: 0 }

const add = ({ cost, tokens }: Spent, usage: Usage.Usage, price: Price | undefined): Spent => ({
  tokens: tokens + usage.inputTokens + usage.outputTokens,
  cost: cost + (Cost.of(usage, price) ?? 0),
})

const subtract = (spent: Spent, usage: Usage.Usage, price: Price | undefined): Spent => {
  const { cost, tokens } = add(nothing, usage, price)
  return { tokens: spent.tokens - tokens, cost: spent.cost - cost }
}

/** What a request reads, in tokens, before anybody has counted them. */
const estimate = ({ messages, system, tools }: Request): number => {
  const declared = tools.map(({ description, name, parameters }) => JSON.stringify({ name, description, parameters }))
  return Tokens.estimate(system + declared.join(""), messages)
}

/** The longest answer that is left, in tokens. */
const answerLeft = ({ maxCost, maxTokens }: Limits, spent: Spent, price: Price | undefined): number => {
  const byTokens = maxTokens === undefined ? Number.POSITIVE_INFINITY : maxTokens - spent.tokens
  const money = maxCost === undefined ? Number.POSITIVE_INFINITY : maxCost - spent.cost
  const perToken = (price?.output ?? 0) / 1_000_000
  const byCost = perToken === 0 ? (money < 0 ? 0 : Number.POSITIVE_INFINITY) : money / perToken
  return Math.floor(Math.min(byTokens, byCost))
}

const reached = ({ maxCost, maxTokens }: Limits, spent: Spent, next: Spent, shortest: number): BudgetReached => {
  const byTokens = maxTokens !== undefined && maxTokens - spent.tokens - next.tokens < shortest
  const [most, gone, read] = byTokens
    ? [`${count(maxTokens)} tokens`, count(spent.tokens), count(next.tokens)]
    : [Cost.formatDollars(maxCost ?? 0), Cost.formatDollars(spent.cost), Cost.formatDollars(next.cost)]
  const message = `the run may use ${most}: ${gone} used, about ${read} for what the next call reads, too little left for an answer`
  return new BudgetReached({ message })
}

const unknownPrice = ({ id }: LanguageModel.Service): Misconfigured =>
  new Misconfigured({
    message: `what it costs is not known, so its cost cannot be limited; set [models."${String(id)}".prices] in your own configuration file`,
  })

const count = (tokens: number): string => Math.round(tokens).toLocaleString("en-US")
