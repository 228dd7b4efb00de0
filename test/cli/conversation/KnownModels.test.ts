import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either } from "effect"
import * as KnownModels from "../../../src/cli/conversation/KnownModels.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import type { ModelEntry } from "../../../src/model/ModelEntry.ts"
import * as ModelRegistry from "../../../src/model/ModelRegistry.ts"
import * as ServerModels from "../../../src/model/ServerModels.ts"

const info = (provider: string, name: string, entry: ModelEntry = {}) => ({
  id: new ModelId({ provider, name }),
  entry,
})

const opened = LanguageModel.make(new ModelId({ provider: "work", name: "unlisted" }), () => Effect.never)

/** The models that are offered where only Google has a key. */
const offered = (settings: Readonly<Record<string, string>>) =>
  Effect.flatMap(KnownModels.all(opened), (models) => models).pipe(
    Effect.map((models) => models.map(({ id, obstacle }) => [String(id), obstacle])),
    Effect.provideService(
      ModelRegistry.ModelRegistry,
      ModelRegistry.ModelRegistry.of({
        providers: ["anthropic", "google", "ollama", "work"],
        known: Effect.succeed([
          info("anthropic", "1", { deprecation: {} }),
          info("anthropic", "a"),
          info("google", "1", { deprecation: {} }),
          info("google", "g"),
          info("nowhere", "n"),
          info("work", "listed"),
        ]),
        open: () => Effect.die("unused"),
      }),
    ),
    Effect.provideService(ServerModels.LocalModels, {
      provider: "ollama",
      all: Effect.succeedSome([new ModelId({ provider: "ollama", name: "pulled" })]),
    }),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))),
  )

describe("KnownModels.all", () => {
  it.effect(
    "has the model in use, those on servers of the user, then those with a key, then the others, the deprecated ones last",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          yield* offered({ GOOGLE_API_KEY: "k", "VIBE_PROVIDERS.work.baseUrl": "http://127.0.0.1:9/v1" }),
          [
            ["work/unlisted", undefined],
            ["ollama/pulled", undefined],
            ["work/listed", undefined],
            ["google/g", undefined],
            ["google/1", undefined],
            ["anthropic/a", "needs ANTHROPIC_API_KEY"],
            ["anthropic/1", "needs ANTHROPIC_API_KEY"],
          ],
        )
      }),
  )

  it.effect("has what the user's own server lists", () =>
    Effect.gen(function* () {
      const names = ["gamma", "listed"]
      const listing = {
        server: "work",
        models: Either.right(names.map((name) => new ModelId({ provider: "work", name }))),
      }
      const found = yield* Effect.provideService(
        offered({ "VIBE_PROVIDERS.work.baseUrl": "http://127.0.0.1:9/v1" }),
        ServerModels.ServerModels,
        { all: Effect.succeed([listing]), listedBy: () => Effect.succeed(listing) },
      )
      assert.deepStrictEqual(
        found.map(([id]) => id).filter((id) => id?.startsWith("work/")),
        ["work/unlisted", "work/gamma", "work/listed"],
      )
    }),
  )

  it.effect("has the model in use where the settings are invalid", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offered({ "VIBE_PROVIDERS.work.baseUrl": "no address" }), [
        ["work/unlisted", undefined],
      ])
    }),
  )
})
