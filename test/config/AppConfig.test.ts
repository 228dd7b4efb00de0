import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import * as AppConfig from "../../src/config/AppConfig.ts"
import { readConfig } from "./readConfig.ts"

describe("AppConfig.model", () => {
  it.effect("reads VIBE_MODEL; blank counts as not set", () =>
    Effect.gen(function* () {
      const model = yield* readConfig(AppConfig.model, { VIBE_MODEL: "google/gemini-3-pro" })
      assert.strictEqual(String(Option.getOrThrow(model)), "google/gemini-3-pro")
      assert.deepStrictEqual(yield* readConfig(AppConfig.model, { VIBE_MODEL: "" }), Option.none())
    }),
  )

  it.effect("refuses a provider without a model, and names the variable", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readConfig(AppConfig.model, { VIBE_MODEL: "google/" }))
      assert.include(String(error), "VIBE_MODEL")
    }),
  )
})

describe("AppConfig.editor", () => {
  it.effect("is VISUAL, else EDITOR", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* readConfig(AppConfig.editor, { VISUAL: "code --wait", EDITOR: "ed" }),
        Option.some("code --wait"),
      )
      assert.deepStrictEqual(yield* readConfig(AppConfig.editor, { VISUAL: "", EDITOR: "ed" }), Option.some("ed"))
      assert.deepStrictEqual(yield* readConfig(AppConfig.editor, {}), Option.none())
    }),
  )
})

describe("AppConfig.modelsUrl", () => {
  it.effect("is that of models.dev by default, and an http or https URL", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* readConfig(AppConfig.modelsUrl, {}), "https://models.dev/api.json")
      assert.strictEqual(yield* readConfig(AppConfig.modelsUrl, { VIBE_MODELS_URL: "" }), "https://models.dev/api.json")
      assert.strictEqual(yield* readConfig(AppConfig.modelsUrl, { VIBE_MODELS_URL: "http://copy/x" }), "http://copy/x")
      const error = yield* Effect.flip(readConfig(AppConfig.modelsUrl, { VIBE_MODELS_URL: "file:///etc/passwd" }))
      assert.include(String(error), "VIBE_MODELS_URL")
    }),
  )
})

describe("AppConfig.toolServers", () => {
  it.effect("are programs or addresses, by name", () =>
    Effect.gen(function* () {
      const servers = yield* readConfig(AppConfig.toolServers, {
        "VIBE_MCP.files.command": "/bin/files",
        "VIBE_MCP.files.env": '["FILES_KEY"]',
        "VIBE_MCP.files.only": '["read"]',
        "VIBE_MCP.files.timeout": "5",
        "VIBE_MCP.web.url": "https://web.example.org/mcp/",
        "VIBE_MCP.web.keyVariable": "WEB_KEY",
      })
      assert.deepStrictEqual(Object.fromEntries(servers), {
        files: {
          _tag: "Program",
          command: "/bin/files",
          args: [],
          env: ["FILES_KEY"],
          only: ["read"],
          timeout: Duration.seconds(5),
        },
        web: {
          _tag: "Remote",
          url: "https://web.example.org/mcp",
          keyVariable: "WEB_KEY",
          header: undefined,
          only: undefined,
          timeout: undefined,
        },
      })
      assert.deepStrictEqual(Object.fromEntries(yield* readConfig(AppConfig.toolServers, {})), {})
    }),
  )
})

describe("AppConfig.agents", () => {
  it.effect("are decoded by name", () =>
    Effect.gen(function* () {
      const agents = yield* readConfig(AppConfig.agents, {
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
      assert.deepStrictEqual(Object.fromEntries(yield* readConfig(AppConfig.agents, {})), {})
    }),
  )

  it.effect.each<readonly [part: string, value: string]>([
    ["args", "-p"],
    ["args", '{"a": 1}'],
    ["format", "yaml"],
    ["timeout", "soon"],
  ])("are refused if %s is %s", ([part, value]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readConfig(AppConfig.agents, { [`VIBE_AGENTS.mine.${part}`]: value }))
      assert.include(String(error), part)
    }),
  )
})

describe("AppConfig.webSearch", () => {
  it.effect("is a program with its arguments and variables, or none", () =>
    Effect.gen(function* () {
      const settings = { VIBE_WEB_SEARCH: '["my-search", "--json"]', VIBE_WEB_SEARCH_ENV: '["SEARCH_KEY"]' }
      assert.deepStrictEqual(
        yield* readConfig(AppConfig.webSearch, settings),
        Option.some({ command: "my-search", args: ["--json"], env: ["SEARCH_KEY"] }),
      )
      assert.deepStrictEqual(yield* readConfig(AppConfig.webSearch, {}), Option.none())
    }),
  )

  it.effect.each(["my-search", "[]", '[" "]'])("refuses %s, which is no list that begins with a program", (value) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readConfig(AppConfig.webSearch, { VIBE_WEB_SEARCH: value }))
      assert.include(String(error), "VIBE_WEB_SEARCH")
    }),
  )
})
