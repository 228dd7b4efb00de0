import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import * as ProviderConfig from "../../src/config/ProviderConfig.ts"
import { readConfig } from "./readConfig.ts"

const key = (settings: Record<string, string>) =>
  Effect.map(readConfig(ProviderConfig.googleApiKey, settings), Option.map(Redacted.value))

describe("ProviderConfig.googleApiKey", () => {
  it.effect("is GOOGLE_API_KEY, else GEMINI_API_KEY, else none", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* key({ GOOGLE_API_KEY: "a", GEMINI_API_KEY: "b" }), Option.some("a"))
      assert.deepStrictEqual(yield* key({ GEMINI_API_KEY: "b" }), Option.some("b"))
      assert.deepStrictEqual(yield* key({}), Option.none())
    }),
  )

  it.effect("counts as not set if it is blank", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* key({ GOOGLE_API_KEY: " \n", GEMINI_API_KEY: "b" }), Option.some("b"))
      assert.deepStrictEqual(yield* key({ GOOGLE_API_KEY: "", GEMINI_API_KEY: "" }), Option.none())
    }),
  )

  it.effect("is redacted in texts", () =>
    Effect.gen(function* () {
      const key = yield* readConfig(ProviderConfig.googleApiKey, { GOOGLE_API_KEY: "secret" })
      assert.notInclude(String(Option.getOrThrow(key)), "secret")
    }),
  )
})

describe("ProviderConfig.googleBaseUrl", () => {
  it.effect("has no slash at its end", () =>
    Effect.gen(function* () {
      const url = yield* readConfig(ProviderConfig.googleBaseUrl, { GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:80/x//" })
      assert.deepStrictEqual(url, Option.some("http://127.0.0.1:80/x"))
    }),
  )

  it.effect.each(["localhost", "localhost:8080", "ftp://127.0.0.1"])(
    "refuses %s, which is not an http or https URL",
    (url) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(readConfig(ProviderConfig.googleBaseUrl, { GOOGLE_GEMINI_BASE_URL: url }))
        assert.include(String(error), "GOOGLE_GEMINI_BASE_URL")
      }),
  )
})
