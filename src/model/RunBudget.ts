/** Limits the tokens and the cost of a run, over all calls to all of its models. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { flawOfMeasure } from "../base/UsageError.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as Tokens from "../message/Tokens.ts"
import * as Usage from "../message/Usage.ts"
import * as Cost from "./Cost.ts"
import * as Embedder from "./Embedder.ts"
import type * as LanguageModel from "./LanguageModel.ts"
import type { Price } from "./ModelEntry.ts"
import { BudgetReached, Misconfigured, ModelError } from "./ModelError.ts"
import { declarations, type Request } from "./Request.ts"

export class RunBudget extends Context.Reference<RunBudget>()("vibe/model/RunBudget", {
  defaultValue: (): Service => ({ guard: (model) => model, guardEmbedder: (embedder) => embedder }),
}) {}

export interface Service {
  /**
   * Returns the model with its calls limited to the rest of the budget. A call that would exceed it fails with
   * `BudgetReached` before it is sent, and the output limit is lowered to the rest. `affords` of the model tells
   * beforehand, so that a caller can send less. If the cost is limited, a model without a known price fails with
   * `Misconfigured`. The usage of a call's retries is added when the call has ended.
   */
  readonly guard: (model: LanguageModel.Service) => LanguageModel.Service
  /** Does the same for the texts that a model embeds. */
  readonly guardEmbedder: (embedder: Embedder.Service) => Embedder.Service
}

export interface Limits {
  /** The limit of the cost in US dollars. */
  readonly maxCost?: number | undefined
  /** The limit of input and output together, in tokens. */
  readonly maxTokens?: number | undefined
}

/** The least output in tokens that makes a call worth its input, unless the call's own limit is lower. */
export const MIN_ANSWER_TOKENS = 256

/** Makes a budget. A limit that is negative or no number is a defect, since it would never be reached. */
export const make = (limits: Limits): Effect.Effect<Service> => {
  const flaw = flawOfMeasure("maxCost", limits.maxCost) ?? flawOfMeasure("maxTokens", limits.maxTokens)
  return flaw === undefined ? makeValid(limits) : Effect.die(new RangeError(flaw))
}

const makeValid = (limits: Limits): Effect.Effect<Service> =>
  Effect.map(Ref.make(nothing), (spent) => ({
    guard: (model) => {
      const { price } = model
      const failed = (reason: ModelError["reason"]) => new ModelError({ model: String(model.id), reason })
      const spend = (usage: Usage.Usage) => Ref.update(spent, (spent) => add(spent, usage, price))

      /**
       * Limits the output of a request. Its estimated input, and the output that it needs, count as spent until it has
       * ended.
       */
      const reserve = (request: Request): Effect.Effect<Reserved, ModelError> =>
        Effect.gen(function* () {
          if (limits.maxCost !== undefined && price === undefined) return yield* failed(unknownPrice(model.id))
          const read = { ...Usage.none, inputTokens: estimate(request) }
          const wanted = request.maxOutputTokens ?? model.limits?.output ?? Number.POSITIVE_INFINITY
          const needed = Math.min(request.minOutputTokens ?? 0, wanted)
          const shortest = Math.min(Math.max(MIN_ANSWER_TOKENS, needed), wanted)
          const reserved = { ...read, outputTokens: needed }
          const before = yield* Ref.getAndUpdate(spent, (spent) => add(spent, reserved, price))
          const left = answerLeft(limits, add(before, read, price), price)
          const release = Ref.update(spent, (spent) => subtract(spent, reserved, price))
          if (left < shortest) {
            yield* release
            return yield* failed(toBudgetReached(limits, before, add(nothing, read, price), shortest))
          }
          return { request: left < wanted ? { ...request, maxOutputTokens: left } : request, release }
        })

      return {
        ...model,
        affords: (tokens) =>
          Effect.map(Ref.get(spent), (spent) => isWithin(limits, add(spent, { ...Usage.none, ...tokens }, price))),
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
    guardEmbedder: (embedder) => {
      const { model, price } = embedder
      const failed = (reason: ModelError["reason"]) => new ModelError({ model: String(model), reason })
      const guard = (texts: ReadonlyArray<string>, embed: Effect.Effect<Embedder.Embedded, ModelError>) =>
        Effect.gen(function* () {
          if (limits.maxCost !== undefined && price === undefined) return yield* failed(unknownPrice(model))
          const read = { ...Usage.none, inputTokens: Embedder.estimateTokens(texts) }
          // The estimated tokens count as spent until the provider has counted them.
          const before = yield* Ref.getAndUpdate(spent, (spent) => add(spent, read, price))
          const release = Ref.update(spent, (spent) => subtract(spent, read, price))
          if (!isWithin(limits, add(before, read, price))) {
            yield* release
            return yield* failed(toBudgetReached(limits, before, add(nothing, read, price), 0))
          }
          const spend = (usage: Usage.Usage) => Ref.update(spent, (spent) => add(spent, usage, price))
          return yield* embed.pipe(
            Effect.tapBoth({ onFailure: ({ usage }) => spend(usage), onSuccess: ({ usage }) => spend(usage) }),
            Effect.ensuring(release),
          )
        })
      return {
        ...embedder,
        embedDocuments: (texts, observer) => guard(texts, embedder.embedDocuments(texts, observer)),
        embedQuery: (text) => guard([text], embedder.embedQuery(text)),
      }
    },
  }))

const isWithin = ({ maxCost, maxTokens }: Limits, { cost, tokens }: Spent): boolean =>
  tokens <= (maxTokens ?? tokens) && cost <= (maxCost ?? cost)

interface Spent {
  readonly tokens: number
  /** The cost in US dollars. Models without a price count as 0. */
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

/** Estimates the input of a request in tokens. */
export const estimate = ({ messages, system, tools }: Pick<Request, "messages" | "system" | "tools">): number =>
  Tokens.estimate(system + declarations(tools), messages)

/** Returns the output that is left, in tokens. */
const answerLeft = ({ maxCost, maxTokens }: Limits, spent: Spent, price: Price | undefined): number => {
  const byTokens = maxTokens === undefined ? Number.POSITIVE_INFINITY : maxTokens - spent.tokens
  const money = maxCost === undefined ? Number.POSITIVE_INFINITY : maxCost - spent.cost
  const perToken = (price?.output ?? 0) / 1_000_000
  const byCost = perToken === 0 ? (money < 0 ? 0 : Number.POSITIVE_INFINITY) : money / perToken
  return Math.floor(Math.min(byTokens, byCost))
}

const toBudgetReached = (
  { maxCost, maxTokens }: Limits,
  spent: Spent,
  next: Spent,
  shortest: number,
): BudgetReached => {
  const byTokens = maxTokens !== undefined && maxTokens - spent.tokens - next.tokens < shortest
  const [most, gone, read] = byTokens
    ? [`${count(maxTokens)} tokens`, count(spent.tokens), count(next.tokens)]
    : [Cost.formatDollars(maxCost ?? 0), Cost.formatDollars(spent.cost), Cost.formatDollars(next.cost)]
  const rest = shortest === 0 ? "" : ", and too little is left for an answer"
  const message = `the run's limit is ${most}: ${gone} used, the next request needs about ${read}${rest}`
  return new BudgetReached({ message })
}

const unknownPrice = (id: ModelId): Misconfigured =>
  new Misconfigured({
    message: `what it costs is not known, so its cost cannot be limited; set [models."${String(id)}".prices] in your own configuration file`,
  })

const count = (tokens: number): string => Math.round(tokens).toLocaleString("en-US")
