import { assert, describe, it } from "@effect/vitest"
import { type Config, ConfigProvider, Duration, Effect, Option, Redacted } from "effect"
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

describe("AppConfig.editor", () => {
  it.effect("is the one for screens, else the one for lines", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* read(AppConfig.editor, { VISUAL: "code --wait", EDITOR: "ed" }),
        Option.some("code --wait"),
      )
      assert.deepStrictEqual(yield* read(AppConfig.editor, { VISUAL: "", EDITOR: "ed" }), Option.some("ed"))
      assert.deepStrictEqual(yield* read(AppConfig.editor, {}), Option.none())
    }),
  )
})

describe("AppConfig.forestFile", () => {
  it.effect("follows XDG, else lies in the home; on Windows where applications keep their data", () =>
    Effect.gen(function* () {
      const file = (settings: Record<string, string>) => read(AppConfig.forestFile, settings)
      assert.strictEqual(yield* file({ XDG_STATE_HOME: "/state", HOME: "/home/me" }), "/state/vibe/forest.db")
      assert.strictEqual(yield* file({ HOME: "/home/me" }), "/home/me/.local/state/vibe/forest.db")
      assert.strictEqual(yield* file({ LOCALAPPDATA: "/data" }), "/data/vibe/forest.db")
    }),
  )

  it.effect("minds no folder that is relative or empty", () =>
    Effect.gen(function* () {
      for (const XDG_STATE_HOME of ["state", "", " "]) {
        const file = yield* read(AppConfig.forestFile, { XDG_STATE_HOME, HOME: "/home/me" })
        assert.strictEqual(file, "/home/me/.local/state/vibe/forest.db")
      }
    }),
  )
})

describe("AppConfig.modelsUrl", () => {
  it.effect("is models.dev's, unless a copy of it is named", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* read(AppConfig.modelsUrl, {}), "https://models.dev/api.json")
      assert.strictEqual(yield* read(AppConfig.modelsUrl, { VIBE_MODELS_URL: "" }), "https://models.dev/api.json")
      assert.strictEqual(yield* read(AppConfig.modelsUrl, { VIBE_MODELS_URL: "http://copy/x" }), "http://copy/x")
      const error = yield* Effect.flip(read(AppConfig.modelsUrl, { VIBE_MODELS_URL: "file:///etc/passwd" }))
      assert.include(String(error), "VIBE_MODELS_URL")
    }),
  )
})

describe("AppConfig.agents", () => {
  it.effect("are what the user says of them, by their names", () =>
    Effect.gen(function* () {
      const agents = yield* read(AppConfig.agents, {
        "VIBE_AGENTS.mine.command": "/bin/mine",
        "VIBE_AGENTS.mine.args": '["-p", ""]',
        "VIBE_AGENTS.mine.env": "[]",
        "VIBE_AGENTS.claude.timeout": "0.5",
        "VIBE_AGENTS.claude.format": "xml",
      })
      assert.deepStrictEqual(Object.fromEntries(agents), {
        mine: { command: "/bin/mine", args: ["-p", ""], format: undefined, timeout: undefined, env: [] },
        claude: {
          command: undefined,
          args: undefined,
          format: "xml",
          timeout: Duration.millis(500),
          env: undefined,
        },
      })
      assert.deepStrictEqual(Object.fromEntries(yield* read(AppConfig.agents, {})), {})
    }),
  )

  it.effect.each<readonly [part: string, value: string]>([
    ["args", "-p"],
    ["args", '{"a": 1}'],
    ["format", "yaml"],
    ["timeout", "soon"],
  ])("are refused where %s is %s", ([part, value]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(AppConfig.agents, { [`VIBE_AGENTS.mine.${part}`]: value }))
      assert.include(String(error), part)
    }),
  )
})

describe("AppConfig.webSearch", () => {
  it.effect("is a program with what it is given, or none", () =>
    Effect.gen(function* () {
      const settings = { VIBE_WEB_SEARCH: '["my-search", "--json"]', VIBE_WEB_SEARCH_ENV: '["SEARCH_KEY"]' }
      assert.deepStrictEqual(
        yield* read(AppConfig.webSearch, settings),
        Option.some({ command: "my-search", args: ["--json"], env: ["SEARCH_KEY"] }),
      )
      assert.deepStrictEqual(yield* read(AppConfig.webSearch, {}), Option.none())
    }),
  )

  it.effect.each(["my-search", "[]", '[" "]'])("is a list that begins with a program, not %s", (value) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(AppConfig.webSearch, { VIBE_WEB_SEARCH: value }))
      assert.include(String(error), "VIBE_WEB_SEARCH")
    }),
  )
})

describe("AppConfig.configFile and AppConfig.modelsFile", () => {
  it.effect.each<readonly [settings: Record<string, string>, config: string | null, models: string | null]>([
    [{ HOME: "/h" }, "/h/.config/vibe/config.toml", "/h/.cache/vibe/models.jsonl"],
    [{ HOME: "/h", XDG_CONFIG_HOME: "/c", XDG_CACHE_HOME: "/k" }, "/c/vibe/config.toml", "/k/vibe/models.jsonl"],
    [{ HOME: "/h", XDG_CONFIG_HOME: "c" }, "/h/.config/vibe/config.toml", "/h/.cache/vibe/models.jsonl"],
    [{}, null, null],
  ])("of %j are %s and %s", ([settings, config, models]) =>
    Effect.gen(function* () {
      assert.strictEqual(Option.getOrNull(yield* read(AppConfig.configFile, settings)), config)
      assert.strictEqual(Option.getOrNull(yield* read(AppConfig.modelsFile, settings)), models)
    }),
  )
})
