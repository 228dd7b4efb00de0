import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, Redacted } from "effect"
import { stringify } from "smol-toml"
import * as ConfigFile from "../../src/config/ConfigFile.ts"
import * as ValueType from "../../src/config/internal/valueType.ts"
import * as Settings from "../../src/config/Settings.ts"

type TomlValue = string | number | boolean | ReadonlyArray<string>

/** A value of each type that is not a number. */
const samples = new Map<unknown, TomlValue>([
  [ValueType.modelId, "google/x"],
  [ValueType.text, "a"],
  [ValueType.boolean, true],
  [ValueType.amount, 1],
  [ValueType.commandLine, ["program", "argument"]],
  [ValueType.variables, ["NAME"]],
  [ValueType.patterns, ["*.gen.ts"]],
  [ValueType.safeFolders, ["/srv/*"]],
  [Settings.vibe.thinking.type, "low"],
  [Settings.vibe.mcpTools.type, ["status"]],
])

const fileSettings = Object.values(Settings.vibe)

/** A file that sets one key. */
const fileWith = (key: string, value: TomlValue): string => {
  const [last = "", ...tables] = key.split(".").toReversed()
  // A table must have its required keys.
  const required = key === "web_search.env" ? { command: ["program"] } : {}
  return stringify(tables.reduce<object>((inner, table) => ({ [table]: inner }), { ...required, [last]: value }))
}

describe("Settings.settings", () => {
  it("has each variable once", () => {
    const names = Settings.settings.flatMap(({ name, otherName }) =>
      otherName === undefined ? name : [name, otherName],
    )
    assert.lengthOf(new Set(names), names.length)
  })

  it("has no default and no key in a file for a secret", () => {
    for (const { builtIn, isSecret, key } of Settings.settings) {
      if (isSecret) assert.deepStrictEqual([builtIn, key], [undefined, undefined])
    }
  })

  it.effect("marks a setting as secret if its value is redacted, and no other", () =>
    Effect.gen(function* () {
      const all = [...Object.values(Settings.provider), ...Object.values(Settings.environment), ...fileSettings]
      const values: ReadonlyArray<TomlValue> = ["/a", "http://a", "1", '["a"]', '["status"]', "a/b", "low", "true"]
      for (const setting of all) {
        const decoded = yield* Effect.firstSuccessOf(
          values.map((value) =>
            ConfigProvider.fromMap(new Map([[setting.name, String(value)]])).load(Settings.read<unknown>(setting)),
          ),
        )
        assert.strictEqual(Redacted.isRedacted(decoded), "isSecret" in setting, setting.name)
      }
    }),
  )
})

describe("the settings that a file can set", () => {
  it.each(fileSettings)("$name: the user's file sets it, and a project's as far as its scope allows", (setting) => {
    const { key, name, scope, type } = setting
    const text = fileWith(key, samples.get(type) ?? 1)
    const set = Either.getOrThrow(ConfigFile.read(text, "user")).map(([path]) => path.join("."))
    assert.include(set, name)
    const ofProject = ConfigFile.read(text, "project")
    if (scope === "project") {
      assert.isTrue(Either.isRight(ofProject))
    } else {
      const { message } = Either.getOrThrow(Either.flip(ofProject))
      assert.match(message, /only your own configuration file can say/)
    }
  })

  it("are these in a project's file", () => {
    const allowed = Settings.fileEntries.flatMap(({ key, scope }) => (scope === "project" ? [key] : []))
    assert.deepStrictEqual(allowed, [
      "defaultModel",
      "preset",
      "defaults.temperature",
      "defaults.maxTokens",
      "defaults.n",
      "maxRetries",
      "maxWait",
      "index.exclude",
      "index.include",
      "index.parallel",
      "index.wiki",
      "mcp.tools",
      "presets",
      "models",
    ])
  })
})
