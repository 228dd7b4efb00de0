import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as Used from "../../../src/cli/loom/Used.ts"
import type { Node } from "../../../src/forest/Node.ts"
import * as Block from "../../../src/message/Block.ts"
import * as ModelCatalog from "../../../src/model/ModelCatalog.ts"
import { answered, node } from "./Places.ts"

/** Knows two prices, by the names that models have in nodes. */
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

const told = (...nodes: ReadonlyArray<Node>) =>
  Effect.provide(Effect.map(Used.of(nodes), Option.map(Used.line)), catalog)

describe("Used", () => {
  it.effect("is all that the models of a conversation have read and written, and what that costs", () =>
    Effect.gen(function* () {
      const nodes = [node("a", "r"), answered("b", "a", [Block.text("Yes.")]), node("c", "b")]
      assert.deepStrictEqual(yield* told(...nodes), Option.some("30 tokens in (20 cached), 4 out, about $0.00043"))
      const more = yield* told(...nodes, answer("google/gemini-2.5-flash", 1_000_000, 10_000))
      assert.deepStrictEqual(more, Option.some("1000030 tokens in (20 cached), 10004 out, about $2.00"))
    }),
  )

  it.effect("is of no known price as soon as one of them has none", () =>
    Effect.gen(function* () {
      const unknown = Option.some("31 tokens in (20 cached), 5 out, price unknown")
      for (const model of ["some/other", "nameless"]) {
        assert.deepStrictEqual(yield* told(answered("b", "a", [Block.text("Yes.")]), answer(model, 1, 1)), unknown)
      }
    }),
  )

  it.effect("says no price of what is free, and nothing where no model has used anything", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* told(answer("free/of-charge", 3, 4)), Option.some("3 tokens in, 4 out"))
      assert.deepStrictEqual(yield* told(node("a", "r"), answer("some/other", 0, 0)), Option.none())
    }),
  )
})
