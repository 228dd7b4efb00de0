import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, Layer } from "effect"
import * as ServedModels from "../../../src/cli/serve/ServedModels.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import * as ModelCatalog from "../../../src/model/ModelCatalog.ts"
import * as ModelRegistry from "../../../src/model/ModelRegistry.ts"
import * as ServerModels from "../../../src/model/ServerModels.ts"

const id = (provider: string, name: string) => new ModelId({ provider, name })

const models = (settings: ReadonlyArray<readonly [string, string]>, first?: LanguageModel.Service) => {
  const known = [id("anthropic", "claude-x"), id("elsewhere", "x"), id("google", "gemini-x")]
  const own = [id("ollama", "not-pulled"), id("work", "alpha"), id("work", "beta")]
  const layer = Layer.mergeAll(
    Layer.succeed(ModelRegistry.ModelRegistry, {
      providers: ["anthropic", "google", "ollama", "work"],
      known: Effect.succeed([]),
      open: () => Effect.die("no model is opened"),
    }),
    Layer.succeed(ServerModels.LocalModels, { provider: "ollama", all: Effect.succeedSome([id("ollama", "pulled")]) }),
    Layer.effect(
      ModelCatalog.ModelCatalog,
      Effect.map(ModelCatalog.ModelCatalog, (catalog) => ({
        ...catalog,
        find: () => Effect.succeed({}),
        all: Effect.succeed([...known, ...own].map((id) => ({ id, entry: {} }))),
      })),
    ).pipe(Layer.provide(ModelCatalog.layer)),
  )
  return ServedModels.make(first).pipe(
    Effect.flatMap(({ models }) => models),
    Effect.provide(layer),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(settings))),
  )
}

describe("the models that a page offers", () => {
  it.effect("has those of the user's own provider without a key, and the variable that others need", () =>
    Effect.gen(function* () {
      const first = LanguageModel.make(id("work", "alpha"), () => Effect.die("not asked"))
      const offered = yield* models(
        [
          ["GOOGLE_API_KEY", "a-key"],
          ["VIBE_PROVIDERS.work.baseUrl", "http://127.0.0.1:9/v1"],
        ],
        first,
      )
      assert.deepStrictEqual(offered, [
        { id: "work/alpha", usable: true },
        { id: "ollama/pulled", usable: true },
        { id: "anthropic/claude-x", usable: false, needs: "ANTHROPIC_API_KEY" },
        { id: "google/gemini-x", usable: true },
        { id: "work/beta", usable: true },
      ])
    }),
  )

  it.effect("has what the user's own server lists", () =>
    Effect.gen(function* () {
      const listing = { server: "work", models: Either.right([id("work", "gamma"), id("work", "beta")]) }
      const offered = yield* Effect.provideService(
        models([["VIBE_PROVIDERS.work.baseUrl", "http://127.0.0.1:9/v1"]]),
        ServerModels.ServerModels,
        { all: Effect.succeed([listing]), listedBy: () => Effect.succeed(listing) },
      )
      assert.deepStrictEqual(
        offered.filter(({ id }) => id.startsWith("work/")),
        [
          { id: "work/gamma", usable: true },
          { id: "work/beta", usable: true },
          { id: "work/alpha", usable: true },
        ],
      )
    }),
  )

  it.effect("names the variable of the user's own provider where that is not set", () =>
    Effect.gen(function* () {
      const offered = yield* models([
        ["VIBE_PROVIDERS.work.baseUrl", "http://127.0.0.1:9/v1"],
        ["VIBE_PROVIDERS.work.keyVariable", "WORK_KEY"],
      ])
      assert.deepStrictEqual(
        offered.filter(({ id }) => id.startsWith("work/")),
        [
          { id: "work/alpha", usable: false, needs: "WORK_KEY" },
          { id: "work/beta", usable: false, needs: "WORK_KEY" },
        ],
      )
    }),
  )
})
