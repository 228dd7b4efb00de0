import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type KnownModel, model } from "../../../src/conversation/slash/Model.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import type { ModelEntry } from "../../../src/model/ModelEntry.ts"

const known = (provider: string, name: string, entry: ModelEntry = {}, obstacle?: string): KnownModel => ({
  id: new ModelId({ provider, name }),
  entry,
  obstacle,
})

const { complete } = model(
  { providers: [], known: Effect.succeed([]), open: () => Effect.die("unused") },
  Effect.succeed([
    known("ollama", "sonnet-like", { price: { input: 0, output: 0 } }),
    known("sonnet", "one", { context: 1_050_000 }),
    known(
      "anthropic",
      "claude-sonnet-5",
      { context: 200_000, price: { input: 3, output: 15 }, modalities: { input: ["text", "image"], output: ["text"] } },
      "needs ANTHROPIC_API_KEY",
    ),
  ]),
)

describe("/model", () => {
  it.effect("is completed by any part of a name, with names that begin with it first", () =>
    Effect.gen(function* () {
      const choices = (yield* complete?.("Sonnet") ?? Effect.succeed([])).map(({ label }) => label)
      assert.deepStrictEqual(choices, ["sonnet/one", "ollama/sonnet-like", "anthropic/claude-sonnet-5"])
      assert.deepStrictEqual(yield* complete?.("nothing") ?? Effect.succeed([]), [])
    }),
  )

  it.effect("shows price and context window, pictures, and why a model cannot be used", () =>
    Effect.gen(function* () {
      const choices = (yield* complete?.("") ?? Effect.succeed([])).map(({ about }) => about)
      assert.deepStrictEqual(choices, ["free", "1.05M", "needs ANTHROPIC_API_KEY · $3 / $15 · 200k · pictures"])
    }),
  )
})
