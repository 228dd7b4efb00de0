import { assert, describe, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import * as Style from "../../../src/base/Style.ts"
import * as SettingList from "../../../src/cli/config/SettingList.ts"
import type { ToolServer } from "../../../src/config/AppConfig.ts"

const key = { name: "SOME_KEY", description: "opens", isSecret: true }
const address = { name: "SOME_URL", description: "leads", builtIn: "theirs" }
const model = { name: "VIBE_MODEL", key: "defaultModel", description: "answers" }

const mine = {
  command: "/bin/mine",
  args: ["--key", "s3cret"],
  format: "text",
  timeout: Duration.minutes(1),
  env: ["MY_KEY"],
} as const

const files: ToolServer = {
  _tag: "Program",
  command: "npx",
  args: ["--key", "s3cret"],
  env: ["FILES_KEY"],
  only: ["read_file"],
  timeout: undefined,
}

const web: ToolServer = {
  _tag: "Remote",
  url: "https://web.example.org/mcp?key=s3cret",
  header: "X-Key",
  keyVariable: "WEB_KEY",
  only: undefined,
  timeout: Duration.minutes(1),
}

const list = (settings: ReadonlyArray<SettingList.EffectiveSetting>): SettingList.List => ({
  files: { user: "/h/config.toml", read: ["/p/.vibe/config.toml"] },
  settings,
  presets: [{ name: "cold", value: { temperature: 0 }, from: ["/p/.vibe/config.toml"] }],
  models: [],
  agents: [{ name: "mine", value: SettingList.agent(mine), from: ["/h/config.toml"] }],
  providers: [
    {
      name: "work",
      value: SettingList.provider({ baseUrl: "https://me:s3cret@work/v1?key=s3cret", keyVariable: "WORK_API_KEY" }),
      from: ["/h/config.toml"],
    },
  ],
  mcp: [
    {
      name: "files",
      value: SettingList.toolServer(files),
      text: SettingList.toolServerText(files),
      from: ["/h/config.toml"],
    },
    {
      name: "web",
      value: SettingList.toolServer(web),
      text: SettingList.toolServerText(web),
      from: ["/h/config.toml"],
    },
  ],
})

const some = list([
  SettingList.describeSetting(key, { from: "environment", value: "s3cret" }),
  SettingList.describeSetting(address, undefined),
  SettingList.describeSetting(model, { from: "/p/.vibe/config.toml", value: "google/x" }),
])

describe("SettingList", () => {
  it("shows what is set before the defaults, with its source, under the name that a file has for it", () => {
    assert.deepStrictEqual(SettingList.text(some, Style.plain).split("\n"), [
      "Settings",
      "  SOME_KEY      set       environment",
      "  defaultModel  google/x  /p/.vibe/config.toml",
      "",
      "Presets",
      '  cold  {"temperature":0}  /p/.vibe/config.toml',
      "",
      "Agents",
      '  mine  {"command":"/bin/mine","format":"text","timeout":60,"env":["MY_KEY"]}  /h/config.toml',
      "",
      "Providers",
      '  work  {"baseUrl":"https://work/v1","keyVariable":"WORK_API_KEY"}  /h/config.toml',
      "",
      "Tool servers",
      "  files  npx …  (env: FILES_KEY; only: read_file)  /h/config.toml",
      "  web  https://web.example.org/mcp  (key: WEB_KEY in X-Key; timeout: 60 s)  /h/config.toml",
      "",
      "Defaults",
      "  SOME_URL      theirs",
      "",
      "read: /p/.vibe/config.toml",
    ])
  })

  it("names the script of a tool server without its folders, and no other argument", () => {
    const textOf = (...args: ReadonlyArray<string>) =>
      SettingList.toolServerText({ ...files, command: "node", args, env: [], only: undefined })
    assert.strictEqual(textOf(), "node")
    assert.strictEqual(textOf("/srv/every/index.js"), "node …/index.js")
    assert.strictEqual(textOf("/srv/every/index.js", "--key", "s3cret"), "node …/index.js …")
    assert.strictEqual(textOf("s3cret.js"), "node …")
    assert.strictEqual(textOf("--key=/s3cret.js"), "node …")
  })

  it("says as JSON what is set, and what holds where nothing is", () => {
    assert.deepStrictEqual(SettingList.object(some), {
      files: { user: "/h/config.toml", read: ["/p/.vibe/config.toml"] },
      settings: [
        { name: "SOME_KEY", key: null, value: null, isSet: true, from: "environment", builtIn: null },
        { name: "SOME_URL", key: null, value: null, isSet: false, from: null, builtIn: "theirs" },
        {
          name: "VIBE_MODEL",
          key: "defaultModel",
          value: "google/x",
          isSet: true,
          from: "/p/.vibe/config.toml",
          builtIn: null,
        },
      ],
      presets: some.presets,
      models: [],
      agents: [
        {
          name: "mine",
          value: { command: "/bin/mine", format: "text", timeout: 60, env: ["MY_KEY"] },
          from: ["/h/config.toml"],
        },
      ],
      providers: [
        {
          name: "work",
          value: { baseUrl: "https://work/v1", keyVariable: "WORK_API_KEY" },
          from: ["/h/config.toml"],
        },
      ],
      mcp: some.mcp.map(({ from, name, value }) => ({ name, value, from })),
    })
  })

  it.prop(
    "never tells a key, nor a password or a query in an address",
    [FastCheck.stringMatching(/^[A-Z]{12,20}$/)],
    ([secret]) => {
      const settings = [
        SettingList.describeSetting(key, { from: "environment", value: secret }),
        SettingList.describeSetting(address, {
          from: "environment",
          value: `https://me:${secret}@host/path?key=${secret}#${secret}`,
        }),
      ]
      assert.notInclude(SettingList.text(list(settings), Style.plain), secret)
      assert.notInclude(JSON.stringify(SettingList.object(list(settings))), secret)
      assert.include(SettingList.text(list(settings), Style.plain), "https://host/path")
    },
  )
})
