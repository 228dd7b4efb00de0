import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import * as ChosenModel from "../../src/cli/ChosenModel.ts"
import * as Render from "../../src/cli/Render.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelRegistry } from "../../src/model/ModelRegistry.ts"

const chosen = (named: Option.Option<ModelId>, settings: Record<string, string>) =>
  ChosenModel.choose(named).pipe(
    Effect.map(({ id, notice }) => ({ model: String(id), notice })),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))),
  )

const gemini = new ModelId({ provider: "google", name: "gemini-3-pro" })

const named = Option.some(gemini)

describe("ChosenModel.choose", () => {
  it.effect("takes the one that was named, before the one that is set", () =>
    Effect.gen(function* () {
      const settings = { VIBE_MODEL: "google/x", GOOGLE_API_KEY: "k" }
      assert.strictEqual((yield* chosen(named, settings)).model, "google/gemini-3-pro")
      assert.strictEqual((yield* chosen(Option.none(), settings)).model, "google/x")
    }),
  )

  it.effect("takes the specified one where there is a key for it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* chosen(Option.none(), { GEMINI_API_KEY: "k" }), {
        model: "google/gemini-2.5-flash",
        notice: undefined,
      })
    }),
  )

  it.effect("takes the offline guide where there is none, and has something to say about it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* chosen(Option.none(), { GOOGLE_API_KEY: "" }), {
        model: "offline",
        notice: Render.noKey,
      })
    }),
  )

  it.effect("asks for no setting that it does not need", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* chosen(named, { VIBE_MODEL: "/" })).model, "google/gemini-3-pro")
    }),
  )
})

describe("ChosenModel.layer", () => {
  it.effect("opens it", () =>
    Effect.gen(function* () {
      const { id } = yield* LanguageModel.LanguageModel
      assert.strictEqual(String(id), "google/gemini-3-pro")
    }).pipe(
      Effect.provide(ChosenModel.layer(gemini)),
      Effect.provideService(ModelRegistry, {
        providers: [],
        open: (id) => Effect.succeed(LanguageModel.make(id, () => Effect.void)),
      }),
    ),
  )
})
