import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Fiber, Stream } from "effect"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as Embedder from "../../src/model/Embedder.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Blocked, ModelError } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import * as RunBudget from "../../src/model/RunBudget.ts"
import { asking, hello } from "../utils/Asking.ts"

const id = new ModelId({ provider: "test", name: "model" })

const used = (inputTokens: number, outputTokens: number): Usage.Usage => ({ ...Usage.none, inputTokens, outputTokens })

/** A model with the same usage for each call, and the requests it received. */
const using = (usage: Usage.Usage, outcome: Effect.Effect<void, ModelError> = Effect.void) => {
  const requests: Array<Request> = []
  const model = LanguageModel.make(id, (request, say) => {
    requests.push(request)
    return Effect.zipRight(outcome, say([Part.Text({ text: "fine" }), Part.Finish({ reason: "stop", usage })]))
  })
  return { model, requests }
}

const priced = (model: LanguageModel.Service): LanguageModel.Service => ({
  ...model,
  // Dollars per million tokens.
  price: { input: 1, output: 10 },
})

const long = asking("word ".repeat(10_000))

const reasonOf = <A>(effect: Effect.Effect<A, ModelError>) => Effect.map(Effect.flip(effect), ({ reason }) => reason)

describe("Budget", () => {
  it.effect("allows calls until the next one would exceed the tokens of the run", () =>
    Effect.gen(function* () {
      const { guard } = yield* RunBudget.make({ maxTokens: 5000 })
      const { model, requests } = using(used(1000, 1000))
      const guarded = guard(model)
      yield* guarded.generate(hello)
      yield* guarded.generate(hello)
      yield* guarded.generate(hello)
      const reason = yield* reasonOf(guarded.generate(hello))
      assert.strictEqual(reason._tag, "BudgetReached")
      assert.match(reason.message, /^the run's limit is 5,000 tokens: 6,000 used, the next request needs about \d+,/)
      assert.lengthOf(requests, 3)
    }),
  )

  it.effect(
    "refuses a request whose answer needs more than is left, and tells beforehand what is within the limit",
    () =>
      Effect.gen(function* () {
        const { guard } = yield* RunBudget.make({ maxTokens: 5000 })
        const { model, requests } = using(used(1000, 1000))
        const guarded = guard(model)
        const { affords = () => assert.fail("a model with a budget") } = guarded
        assert.isTrue(yield* affords({ inputTokens: 2000, outputTokens: 3000 }))
        assert.isFalse(yield* affords({ inputTokens: 2000, outputTokens: 3001 }))
        yield* guarded.generate(hello)
        assert.isFalse(yield* affords({ inputTokens: 2000, outputTokens: 3000 }))
        const reason = yield* reasonOf(guarded.generate({ ...hello, minOutputTokens: 3000 }))
        assert.strictEqual(reason._tag, "BudgetReached")
        yield* guarded.generate({ ...hello, minOutputTokens: 3000, maxOutputTokens: 2000 })
        assert.lengthOf(requests, 2)
        assert.isTrue(yield* affords({ inputTokens: 500, outputTokens: 500 }), "nothing is reserved any more")
      }),
  )

  it.effect("fails a call whose input exceeds the rest, before it is sent", () =>
    Effect.gen(function* () {
      const { guard } = yield* RunBudget.make({ maxCost: 0.01 })
      const { model, requests } = using(used(10, 10))
      const reason = yield* reasonOf(guard(priced(model)).generate(long))
      assert.match(reason.message, /^the run's limit is \$0\.010: \$0\.00 used, the next request needs about \$0\.01\d/)
      yield* guard(priced(model)).generate(hello)
      assert.lengthOf(requests, 1)
    }),
  )

  it.effect("lowers the output limit to the rest", () =>
    Effect.gen(function* () {
      const { guard } = yield* RunBudget.make({ maxCost: 0.1, maxTokens: 1_000_000 })
      const { model, requests } = using(used(0, 4000))
      const guarded = guard(priced(model))
      yield* guarded.generate({ ...hello, maxOutputTokens: 100 })
      yield* guarded.generate(hello)
      const [first, second] = requests.map(({ maxOutputTokens }) => maxOutputTokens ?? 0)
      assert.strictEqual(first, 100)
      // 0.1 dollars minus the cost of 4,000 tokens, at 10 dollars per million, and a little for the prompt.
      assert.approximately(second ?? 0, 6000, 10)
    }),
  )

  it.effect("allows a short answer where its own limit is short", () =>
    Effect.gen(function* () {
      const { model, requests } = using(used(10, 10))
      const { guard } = yield* RunBudget.make({ maxTokens: 200 })
      yield* guard(model).generate({ ...hello, maxOutputTokens: 20 })
      assert.strictEqual(requests[0]?.maxOutputTokens, 20)
      assert.strictEqual((yield* reasonOf(guard(model).generate(hello)))._tag, "BudgetReached")
      const longer = yield* reasonOf(guard(model).generate({ ...hello, maxOutputTokens: 190 }))
      assert.include(longer.message, "200 tokens")
    }),
  )

  it.effect("counts the usage of streams that failed", () =>
    Effect.gen(function* () {
      const { guard } = yield* RunBudget.make({ maxTokens: 3000 })
      const blocked = new ModelError({
        model: "test/model",
        reason: new Blocked({ message: "no" }),
        usage: used(2900, 0),
      })
      const guarded = guard(using(Usage.none, Effect.fail(blocked)).model)
      yield* Effect.flip(Stream.runDrain(guarded.stream(hello)))
      assert.strictEqual((yield* reasonOf(guarded.generate(hello)))._tag, "BudgetReached")
    }),
  )

  it.effect("counts the usage of failed calls, and that of streams", () =>
    Effect.gen(function* () {
      const { guard } = yield* RunBudget.make({ maxTokens: 3000 })
      const blocked = new ModelError({
        model: "test/model",
        reason: new Blocked({ message: "no" }),
        usage: used(1500, 0),
      })
      yield* Effect.flip(guard(using(Usage.none, Effect.fail(blocked)).model).generate(hello))
      const guarded = guard(using(used(1000, 400)).model)
      yield* Stream.runDrain(guarded.stream(hello))
      assert.strictEqual((yield* reasonOf(guarded.generate(hello)))._tag, "BudgetReached")
    }),
  )

  it.effect("counts the input of a running call, across models", () =>
    Effect.gen(function* () {
      const { guard } = yield* RunBudget.make({ maxTokens: 20_000 })
      const started = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<void>()
      const waiting = Effect.zipRight(Deferred.succeed(started, undefined), Deferred.await(answer))
      const one = guard(using(used(10, 10), waiting).model)
      const other = guard(using(used(10, 10)).model)
      const fiber = yield* Effect.fork(one.generate(long))
      yield* Deferred.await(started)
      assert.strictEqual((yield* reasonOf(other.generate(long)))._tag, "BudgetReached")
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(fiber)
      yield* other.generate(long)
    }),
  )

  it.effect("fails where the cost is limited and the price unknown", () =>
    Effect.gen(function* () {
      const { guard } = yield* RunBudget.make({ maxCost: 1 })
      const { model, requests } = using(used(1, 1))
      const reason = yield* reasonOf(guard(model).generate(hello))
      assert.strictEqual(reason._tag, "Misconfigured")
      assert.include(reason.message, '[models."test/model".prices]')
      assert.isEmpty(requests)
    }),
  )

  it.effect("allows everything without limits", () =>
    Effect.gen(function* () {
      const { guard } = yield* RunBudget.RunBudget
      const { model } = using(used(1e9, 1e9))
      assert.strictEqual(guard(model), model)
    }),
  )
})

describe("RunBudget of embeddings", () => {
  /** Each text has the tokens of its length, as the server counts them. */
  const embedder = (requests: Array<ReadonlyArray<string>>) =>
    Embedder.make({ model: id, dimensions: 1, maxTexts: 8 }, (texts) => {
      requests.push(texts)
      return Effect.succeed({ vectors: texts.map(() => [1]), tokens: texts.join("").length })
    })

  it.effect("counts texts and answers together, and refuses the request that would exceed the limit", () =>
    Effect.gen(function* () {
      const requests: Array<ReadonlyArray<string>> = []
      const { guard, guardEmbedder } = yield* RunBudget.make({ maxTokens: 2_000 })
      const guarded = guardEmbedder(embedder(requests))
      yield* guarded.embedDocuments(["x".repeat(1_000)])
      yield* guard(using(used(600, 100)).model).generate(hello)
      const reason = yield* reasonOf(guarded.embedDocuments(["x".repeat(1_100)]))
      assert.strictEqual(reason._tag, "BudgetReached")
      assert.strictEqual(
        reason.message,
        "the run's limit is 2,000 tokens: 1,700 used, the next request needs about 330",
      )
      yield* guarded.embedQuery("x".repeat(100))
      assert.lengthOf(requests, 2)
    }),
  )

  it.effect.each([{ maxCost: Number.NaN }, { maxTokens: Number.NaN }, { maxCost: -1 }])(
    "refuses the limits %o, which would never be reached",
    (limits) =>
      Effect.gen(function* () {
        const defect = yield* RunBudget.make(limits).pipe(Effect.sandbox, Effect.flip, Effect.map(Cause.squash))
        assert.include(String(defect), "must be a number from 0, and is")
      }),
  )

  it.effect("refuses a model without a price where the cost is limited", () =>
    Effect.gen(function* () {
      const requests: Array<ReadonlyArray<string>> = []
      const { guardEmbedder } = yield* RunBudget.make({ maxCost: 1 })
      const reason = yield* reasonOf(guardEmbedder(embedder(requests)).embedDocuments(["text"]))
      assert.strictEqual(reason._tag, "Misconfigured")
      yield* guardEmbedder({ ...embedder(requests), price: { input: 1, output: 0 } }).embedDocuments(["text"])
      assert.lengthOf(requests, 1)
    }),
  )
})
