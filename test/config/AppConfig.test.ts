import { assert, describe, it } from "@effect/vitest"
import { type Config, ConfigProvider, Effect, Option, Redacted } from "effect"
import * as AppConfig from "../../src/config/AppConfig.ts"

const read = <A>(config: Config.Config<A>, settings: Record<string, string>) =>
  Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map(Object.entries(settings))))

const key = (settings: Record<string, string>) =>
  Effect.map(read(AppConfig.googleApiKey, settings), Option.map(Redacted.value))

describe("AppConfig.googleApiKey", () => {
  it.effect("is GOOGLE_API_KEY, else GEMINI_API_KEY, else none", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* key({ GOOGLE_API_KEY: "a", GEMINI_API_KEY: "b" }), Option.some("a"))
      assert.deepStrictEqual(yield* key({ GEMINI_API_KEY: "b" }), Option.some("b"))
      assert.deepStrictEqual(yield* key({}), Option.none())
    }),
  )

  it.effect("is not there where it is blank", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* key({ GOOGLE_API_KEY: " \n", GEMINI_API_KEY: "b" }), Option.some("b"))
      assert.deepStrictEqual(yield* key({ GOOGLE_API_KEY: "", GEMINI_API_KEY: "" }), Option.none())
    }),
  )

  it.effect("does not show itself", () =>
    Effect.gen(function* () {
      const key = yield* read(AppConfig.googleApiKey, { GOOGLE_API_KEY: "secret" })
      assert.notInclude(String(Option.getOrThrow(key)), "secret")
    }),
  )
})

describe("AppConfig.googleBaseUrl", () => {
  it.effect("has no slash at its end", () =>
    Effect.gen(function* () {
      const url = yield* read(AppConfig.googleBaseUrl, { GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:80/x//" })
      assert.deepStrictEqual(url, Option.some("http://127.0.0.1:80/x"))
    }),
  )

  it.effect.each(["localhost", "localhost:8080", "ftp://127.0.0.1"])("must be an http or https URL, not %s", (url) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(AppConfig.googleBaseUrl, { GOOGLE_GEMINI_BASE_URL: url }))
      assert.include(String(error), "GOOGLE_GEMINI_BASE_URL")
    }),
  )
})

describe("AppConfig.model", () => {
  it.effect("is VIBE_MODEL", () =>
    Effect.gen(function* () {
      const model = yield* read(AppConfig.model, { VIBE_MODEL: "google/gemini-3-pro" })
      assert.strictEqual(String(Option.getOrThrow(model)), "google/gemini-3-pro")
      assert.deepStrictEqual(yield* read(AppConfig.model, { VIBE_MODEL: "" }), Option.none())
    }),
  )

  it.effect("names a provider and a model", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(AppConfig.model, { VIBE_MODEL: "google/" }))
      assert.include(String(error), "VIBE_MODEL")
    }),
  )
})

describe("AppConfig.colourless", () => {
  it.effect("is asked for by NO_COLOR, and by a dumb terminal", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* read(AppConfig.colourless, { TERM: "xterm", NO_COLOR: "" }))
      assert.isTrue(yield* read(AppConfig.colourless, { NO_COLOR: "1" }))
      assert.isTrue(yield* read(AppConfig.colourless, { TERM: "dumb" }))
    }),
  )
})
