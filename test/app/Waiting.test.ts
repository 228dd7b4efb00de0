import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Option } from "effect"
import * as Waiting from "../../src/app/Waiting.ts"
import { Patience } from "../../src/model/Patience.ts"

/** Of a command with these options, where this is set. */
const patience = (
  set: Readonly<Record<string, string>>,
  said: { readonly maxRetries?: number; readonly maxWait?: number } = {},
) =>
  Patience.pipe(
    Effect.map(({ maxRetries, maxWait }) => ({ maxRetries, seconds: Duration.toSeconds(maxWait) })),
    Effect.provide(
      Waiting.layer({
        maxRetries: Option.fromNullable(said.maxRetries),
        maxWait: Option.fromNullable(said.maxWait),
      }),
    ),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(set)))),
  )

describe("Waiting.layer", () => {
  it.effect("is as the options say, else as it is set, else as is built in", () =>
    Effect.gen(function* () {
      const set = { VIBE_MAX_RETRIES: "0", VIBE_MAX_WAIT: "1.5" }
      assert.deepStrictEqual(yield* patience({}), { maxRetries: 3, seconds: 60 })
      assert.deepStrictEqual(yield* patience(set), { maxRetries: 0, seconds: 1.5 })
      assert.deepStrictEqual(yield* patience(set, { maxRetries: 5 }), { maxRetries: 5, seconds: 1.5 })
      assert.deepStrictEqual(yield* patience(set, { maxWait: 0 }), { maxRetries: 0, seconds: 0 })
    }),
  )

  it.effect.each([
    ["VIBE_MAX_RETRIES", "-1"],
    ["VIBE_MAX_RETRIES", "1.5"],
    ["VIBE_MAX_RETRIES", "101"],
    ["VIBE_MAX_WAIT", "soon"],
    ["VIBE_MAX_WAIT", "-1"],
  ])("refuses %s set to %s", ([name = "", value = ""]) =>
    Effect.gen(function* () {
      assert.include(String(yield* Effect.flip(patience({ [name]: value }))), name)
    }),
  )
})
