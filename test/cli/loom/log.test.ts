import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { describeSpending, spendingOf } from "../../../src/cli/loom/log.ts"
import type { Node } from "../../../src/forest/Node.ts"
import * as Block from "../../../src/message/Block.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as ModelCatalog from "../../../src/model/ModelCatalog.ts"
import { answered, node } from "./nodes.ts"

/** Has the prices of two models. */
const catalog = Layer.effect(
  ModelCatalog.ModelCatalog,
  Effect.map(ModelCatalog.ModelCatalog, (catalog) => ({
    ...catalog,
    find: (id: { readonly provider: string; readonly name: string }) => Effect.succeed(priced[`${id}`] ?? {}),
  })),
).pipe(Layer.provide(ModelCatalog.layer))

const priced: Record<string, { readonly price: { readonly input: number; readonly output: number } }> = {
  "google/gemini-2.5-flash": { price: { input: 1, output: 100 } },
  "free/of-charge": { price: { input: 0, output: 0 } },
}

const answer = (model: string, inputTokens: number, outputTokens: number): Node =>
  node("x", "a", {
    message: { role: "assistant", content: [Block.text("Yes.")] },
    source: {
      type: "model",
      model,
      finish: "stop",
      usage: { inputTokens, outputTokens, cachedTokens: 0, thinkingTokens: 0 },
    },
  })

const spending = (...nodes: ReadonlyArray<Node>) =>
  Effect.provide(Effect.map(spendingOf(nodes), Option.map(describeSpending)), catalog)

describe("the spending of a conversation", () => {
  it.effect("counts what summaries have cost", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 1000, outputTokens: 10, cachedTokens: 0, thinkingTokens: 0 }
      const summary = (model: string | undefined): Node =>
        node("s", "a", {
          message: { role: "system", content: [Block.text("[Summary]")] },
          source: { type: "summary", upTo: NodeId.make("a"), keeps: 1, messages: 4, model, usage },
        })
      assert.deepStrictEqual(
        yield* spending(summary("google/gemini-2.5-flash"), summary(undefined)),
        Option.some("1000 tokens in, 10 out, about $0.0020"),
      )
    }),
  )

  it.effect("sums the tokens and the cost of all models", () =>
    Effect.gen(function* () {
      const nodes = [node("a", "r"), answered("b", "a", [Block.text("Yes.")]), node("c", "b")]
      assert.deepStrictEqual(yield* spending(...nodes), Option.some("30 tokens in (20 cached), 4 out, about $0.00043"))
      const more = yield* spending(...nodes, answer("google/gemini-2.5-flash", 1_000_000, 10_000))
      assert.deepStrictEqual(more, Option.some("1000030 tokens in (20 cached), 10004 out, about $2.00"))
    }),
  )

  it.effect("has an unknown price as soon as one model has none", () =>
    Effect.gen(function* () {
      const unknown = Option.some("31 tokens in (20 cached), 5 out, price unknown")
      for (const model of ["some/other", "nameless"]) {
        assert.deepStrictEqual(yield* spending(answered("b", "a", [Block.text("Yes.")]), answer(model, 1, 1)), unknown)
      }
    }),
  )

  it.effect("omits the price of free models, and is none where no model has used any tokens", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* spending(answer("free/of-charge", 3, 4)), Option.some("3 tokens in, 4 out"))
      assert.deepStrictEqual(yield* spending(node("a", "r"), answer("some/other", 0, 0)), Option.none())
    }),
  )
})
