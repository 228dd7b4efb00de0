import { assert, describe, it } from "@effect/vitest"
import { ConfigError, ConfigProvider, Effect, Layer, Option } from "effect"
import * as ChosenModel from "../../../src/cli/conversation/ChosenModel.ts"
import * as Failure from "../../../src/cli/Failure.ts"
import * as KnownProviders from "../../../src/config/KnownProviders.ts"
import * as ProviderConfig from "../../../src/config/ProviderConfig.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { ModelRegistry } from "../../../src/model/ModelRegistry.ts"
import { LocalModels } from "../../../src/model/ServerModels.ts"
import { Transport } from "../../../src/model/Transport.ts"
import * as Local from "../../utils/Local.ts"

const chosen = (named: Option.Option<ModelId>, settings: Record<string, string>, local = Local.none) =>
  ChosenModel.choose(named).pipe(
    Effect.map(({ id, notice }) => ({ model: String(id), notice })),
    Effect.provide(local),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))),
  )

const gemini = new ModelId({ provider: "google", name: "gemini-3-pro" })

const named = Option.some(gemini)

describe("KnownProviders.defaultRule", () => {
  it("names the providers in the order in which their keys are looked for", () => {
    assert.strictEqual(
      KnownProviders.defaultRule,
      "the first of google, anthropic, openai, openrouter with a key, else ollama, else offline",
    )
  })

  it.effect("is how a model is chosen", () =>
    Effect.gen(function* () {
      const providers = KnownProviders.defaultModels.map(({ provider }) => provider)
      for (const [index, provider] of providers.entries()) {
        const keys = providers.slice(index).map((name) => [ProviderConfig.keys[name]?.name ?? "", "k"] as const)
        const { model } = yield* chosen(Option.none(), Object.fromEntries(keys), Local.pulled("llama3"))
        assert.strictEqual(model, String(KnownProviders.findDefaultModel(provider)))
      }
    }),
  )
})

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

  it.effect("chooses by the first key that is set, with a notice", () =>
    Effect.gen(function* () {
      const keys = { OPENROUTER_API_KEY: "k", OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" }
      assert.deepStrictEqual(yield* chosen(Option.none(), keys, Local.pulled("llama3")), {
        model: "anthropic/claude-sonnet-5",
        notice: "anthropic/claude-sonnet-5 is used, since ANTHROPIC_API_KEY is set",
      })
      const { model } = yield* chosen(Option.none(), { OPENROUTER_API_KEY: "k", OPENAI_API_KEY: "k" })
      assert.strictEqual(model, "openai/gpt-5.4-mini")
      assert.strictEqual(
        (yield* chosen(Option.none(), { OPENROUTER_API_KEY: "k" })).model,
        "openrouter/openrouter/auto",
      )
    }),
  )

  it.effect("takes what Ollama has pulled where no key is set", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* chosen(Option.none(), {}, Local.pulled("qwen3:8b", "llama3")), {
        model: "ollama/qwen3:8b",
        notice: "ollama/qwen3:8b is used, since it is here",
      })
      assert.strictEqual((yield* chosen(Option.none(), {}, Local.pulled())).model, "offline")
    }),
  )

  it.effect("takes the offline guide where there is none, and has something to say about it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* chosen(Option.none(), { GOOGLE_API_KEY: "" }), {
        model: "offline",
        notice: ChosenModel.noKey,
      })
    }),
  )

  it.effect("takes the one that was recorded where a recording answers, and asks no Ollama", () =>
    Effect.gen(function* () {
      const replaying = (model: ModelId | undefined) =>
        Effect.provideService(Transport, { fetch: () => undefined, agent: (agent) => agent, replayed: { model } })
      const asked = Layer.succeed(LocalModels, { provider: "ollama", all: Effect.dieMessage("asked") })
      const keys = { ANTHROPIC_API_KEY: "k" }
      assert.deepStrictEqual(yield* chosen(Option.none(), keys, asked).pipe(replaying(gemini)), {
        model: "google/gemini-3-pro",
        notice: "google/gemini-3-pro is used, since it was recorded",
      })
      assert.strictEqual(
        (yield* chosen(Option.none(), { VIBE_MODEL: "google/x" }).pipe(replaying(gemini))).model,
        "google/x",
      )
      assert.include(
        String(yield* Effect.flip(chosen(Option.none(), {}, asked).pipe(replaying(undefined)))),
        "name it with --model",
      )
    }),
  )

  it.effect("asks for no setting that it does not need", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* chosen(named, { VIBE_MODEL: "/" })).model, "google/gemini-3-pro")
    }),
  )
})

describe("ChosenModel.chooseForConversation", () => {
  const speaker = (settings: Record<string, string>, local = Local.none) =>
    ChosenModel.chooseForConversation(Option.none()).pipe(
      Effect.map(String),
      Effect.provide(local),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))),
    )

  it.effect("is chosen the same way, but is never the offline guide, which only explores", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* speaker({ OPENAI_API_KEY: "k" }), "openai/gpt-5.4-mini")
      assert.strictEqual(yield* speaker({}, Local.pulled("llama3")), "ollama/llama3")
      const error = yield* Effect.flip(speaker({}))
      assert.strictEqual(ConfigError.isConfigError(error) ? undefined : Failure.exitCode(error), 3)
      const named = yield* Effect.flip(speaker({ VIBE_MODEL: "offline" }))
      assert.include(named, { _tag: "UsageError" })
      assert.include(named.message, "it only explores")
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
        known: Effect.succeed([]),
        open: (id) => Effect.succeed(LanguageModel.make(id, () => Effect.void)),
      }),
    ),
  )
})
