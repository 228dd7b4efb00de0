import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Ref, Stream } from "effect"
import * as ChosenModel from "../../src/cli/ChosenModel.ts"
import * as Render from "../../src/cli/Render.ts"
import * as Screen from "../../src/cli/Screen.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelRegistry } from "../../src/model/ModelRegistry.ts"

/** Has every model, and none of them says a word. */
const registry = Layer.succeed(ModelRegistry, {
  providers: [],
  open: (id) => Effect.succeed(LanguageModel.make(id, () => Stream.empty)),
})

const chosen = (named: Option.Option<ModelId>, settings: Record<string, string>) =>
  Effect.gen(function* () {
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    const { id } = yield* Effect.provide(
      LanguageModel.LanguageModel,
      ChosenModel.layer(named).pipe(
        Layer.provide([registry, Screen.layerMemory(written)]),
        Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))),
      ),
    )
    return { model: String(id), written: yield* Ref.get(written) }
  })

describe("ChosenModel", () => {
  const named = Option.some(new ModelId({ provider: "google", name: "gemini-3-pro" }))

  it.effect("is the one that was named, before the one that is set", () =>
    Effect.gen(function* () {
      const settings = { VIBE_MODEL: "google/x", GOOGLE_API_KEY: "k" }
      assert.strictEqual((yield* chosen(named, settings)).model, "google/gemini-3-pro")
      assert.strictEqual((yield* chosen(Option.none(), settings)).model, "google/x")
    }),
  )

  it.effect("is the specified one where there is a key for it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* chosen(Option.none(), { GEMINI_API_KEY: "k" }), {
        model: "google/gemini-2.5-flash",
        written: [],
      })
    }),
  )

  it.effect("is the offline guide where there is none, and says so on stderr", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* chosen(Option.none(), { GOOGLE_API_KEY: "" }), {
        model: "offline",
        written: [{ to: "err", text: `${Render.noKey}\n` }],
      })
    }),
  )
})
