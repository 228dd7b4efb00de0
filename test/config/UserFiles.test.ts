import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as UserFiles from "../../src/config/UserFiles.ts"
import { readConfig } from "./readConfig.ts"

describe("UserFiles.forestFile", () => {
  it.effect("is in XDG_STATE_HOME, else in the home, on Windows in LOCALAPPDATA", () =>
    Effect.gen(function* () {
      const file = (settings: Record<string, string>) => readConfig(UserFiles.forestFile, settings)
      assert.strictEqual(yield* file({ XDG_STATE_HOME: "/state", HOME: "/home/me" }), "/state/vibe/forest.db")
      assert.strictEqual(yield* file({ HOME: "/home/me" }), "/home/me/.local/state/vibe/forest.db")
      assert.strictEqual(yield* file({ LOCALAPPDATA: "/data" }), "/data/vibe/forest.db")
    }),
  )

  it.effect("ignores a relative or empty folder", () =>
    Effect.gen(function* () {
      for (const XDG_STATE_HOME of ["state", "", " "]) {
        const file = yield* readConfig(UserFiles.forestFile, { XDG_STATE_HOME, HOME: "/home/me" })
        assert.strictEqual(file, "/home/me/.local/state/vibe/forest.db")
      }
    }),
  )
})

describe("UserFiles.configFile and UserFiles.modelsFile", () => {
  it.effect.each<readonly [settings: Record<string, string>, config: string | null, models: string | null]>([
    [{ HOME: "/h" }, "/h/.config/vibe/config.toml", "/h/.cache/vibe/models.jsonl"],
    [{ HOME: "/h", XDG_CONFIG_HOME: "/c", XDG_CACHE_HOME: "/k" }, "/c/vibe/config.toml", "/k/vibe/models.jsonl"],
    [{ HOME: "/h", XDG_CONFIG_HOME: "c" }, "/h/.config/vibe/config.toml", "/h/.cache/vibe/models.jsonl"],
    [{}, null, null],
  ])("of %j are %s and %s", ([settings, config, models]) =>
    Effect.gen(function* () {
      assert.strictEqual(Option.getOrNull(yield* readConfig(UserFiles.configFile, settings)), config)
      assert.strictEqual(Option.getOrNull(yield* readConfig(UserFiles.modelsFile, settings)), models)
    }),
  )
})
