import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, type Options, vibe } from "./vibe.ts"

const setting = (stdout: string, name: string) =>
  JSON.parse(stdout).settings.find((setting: { readonly name: string }) => setting.name === name)

/** Ends with 2, and one line on stderr that says `words`. */
const refused = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  options: Options,
  words: ReadonlyArray<string>,
) {
  const { code, stderr } = yield* vibe(args, options)
  assert.strictEqual(code, 2, stderr)
  assert.lengthOf(stderr.trimEnd().split("\n"), 1, stderr)
  for (const word of words) assert.include(stderr, word)
})

describe("vibe config", () => {
  it.scopedLive("prints the source of each setting, and only whether a key is set", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({
        "code/.vibe/config.toml": 'defaultModel = "google/p"',
        "code/deep/": "",
        "home/.config/vibe/config.toml":
          'defaultModel = "google/u"\n[defaults]\nn = 3\n[providers.work]\nbaseUrl = "http://work/v1"',
      })
      const options = {
        cwd: path.join(cwd, "code/deep"),
        env: { HOME: path.join(cwd, "home"), GEMINI_API_KEY: "s3cret" },
      }
      const { code, stderr, stdout } = yield* vibe(["config", "--json"], options)
      assert.strictEqual(code, 0, stderr)
      const [project, user] = [
        path.join(cwd, "code/.vibe/config.toml"),
        path.join(cwd, "home/.config/vibe/config.toml"),
      ]
      assert.deepInclude(setting(stdout, "VIBE_MODEL"), { value: "google/p", from: project })
      assert.deepInclude(setting(stdout, "VIBE_N"), { value: "3", from: user })
      assert.deepInclude(setting(stdout, "GOOGLE_API_KEY"), { isSet: true, value: null, from: "environment" })
      const { providers } = JSON.parse(stdout)
      assert.deepStrictEqual(providers, [{ name: "work", value: { baseUrl: "http://work/v1" }, from: [user] }])
      const text = yield* vibe(["config"], options)
      assert.match(text.stdout, /^ {2}defaultModel +google\/p +\/.*code\/\.vibe\/config\.toml$/m)
      for (const said of [stdout, text.stdout, stderr, text.stderr]) assert.notInclude(said, "s3cret")
    }),
  )

  it.scopedLive("prints the settings of a preset: below the environment when a file names it, above it otherwise", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({
        ".vibe/config.toml": 'preset = "p"\n[presets.p]\nmodel = "google/p"\ntemperature = 1.5\n[defaults]\nn = 2',
      })
      const env = { VIBE_MODEL: "google/e" }
      const { stdout } = yield* vibe(["config", "--json"], { cwd, env })
      assert.deepInclude(setting(stdout, "VIBE_MODEL"), { value: "google/e", from: "environment" })
      assert.deepInclude(setting(stdout, "VIBE_TEMPERATURE"), { value: "1.5", from: "preset p" })
      assert.deepInclude(setting(stdout, "VIBE_N"), { value: "2", from: `${cwd}/.vibe/config.toml` })
      const named = yield* vibe(["config", "--json"], { cwd, env: { ...env, VIBE_PRESET: "p" } })
      assert.deepInclude(setting(named.stdout, "VIBE_MODEL"), { value: "google/p", from: "preset p" })
    }),
  )

  it.scopedLive("prints the path of the user's file alone, by XDG", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const asked = (env: Readonly<Record<string, string>>) =>
        Effect.map(vibe(["config", "--path"], { cwd, env }), ({ stdout }) => stdout)
      assert.strictEqual(yield* asked({}), `${cwd}/.config/vibe/config.toml\n`)
      assert.strictEqual(yield* asked({ XDG_CONFIG_HOME: "/c" }), "/c/vibe/config.toml\n")
      assert.strictEqual(yield* asked({ XDG_CONFIG_HOME: "relative" }), `${cwd}/.config/vibe/config.toml\n`)
      yield* refused(["config", "--path"], { cwd, env: { HOME: "" } }, ["HOME is not set"])
    }),
  )

  it.scopedLive("prints file, line and key of a mistake, in every command that reads it", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "export const a = 1", ".vibe/config.toml": "\n[defaults]\ntemprature = 1" })
      const words = [`${cwd}/.vibe/config.toml:3: defaults.temprature: is unknown; there are temperature`]
      yield* refused(["config"], { cwd }, words)
      yield* refused(["index"], { cwd }, words)
      yield* refused(["models"], { cwd }, words)
      assert.strictEqual((yield* vibe(["query", "--help"], { cwd })).code, 0)
    }),
  )

  it.scopedLive("refuses an invalid setting, and a preset that does not exist", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      yield* refused(["config"], { cwd, env: { VIBE_TEMPERATURE: "hot" } }, ["VIBE_TEMPERATURE", "'hot'"])
      yield* refused(["config"], { cwd, env: { VIBE_PRESET: "cold" } }, ["VIBE_PRESET", "no preset 'cold'"])
    }),
  )
})

describe("a project's configuration file", () => {
  it.scopedLive("chooses the model when nothing else does", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "export const a = 1", ".vibe/config.toml": 'defaultModel = "gogle/x"' })
      yield* refused(["index"], { cwd }, ["there is no provider 'gogle'"])
      assert.strictEqual((yield* vibe(["index", "--model", "offline"], { cwd })).code, 0)
      assert.strictEqual((yield* vibe(["index"], { cwd, env: { VIBE_MODEL: "offline" } })).code, 0)
    }),
  )

  it.scopedLive("cannot redirect keys, configure commands, or provide answers", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "export const a = 1", "evil.json": '["done"]', ".vibe/": "" })
      for (const text of [
        'GOOGLE_GEMINI_BASE_URL = "http://127.0.0.1:9"',
        '[providers.google]\nbaseUrl = "http://127.0.0.1:9"',
        'apiKey = "k"',
        '[mcp_servers.x]\ncommand = "true"',
        'defaultModel = "scripted/evil.json"',
      ]) {
        fs.writeFileSync(path.join(cwd, ".vibe/config.toml"), text)
        yield* refused(["index"], { cwd, env: { GOOGLE_API_KEY: "k" } }, [".vibe/config.toml:1: "])
      }
    }),
  )
})
