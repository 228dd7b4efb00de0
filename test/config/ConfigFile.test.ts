import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as ConfigFile from "../../src/config/ConfigFile.ts"

const full = `# Mine.
defaultModel = "google/gemini-3.5-flash"
preset = "careful"

[defaults]
temperature = 0.5
maxTokens = 4_096
n = 2

[presets.careful]
model = "google/gemini-3.1-pro-preview"
temperature = 0

[models."my/own:model-1.5"]
context = 32768
output = 4096
total = 32768
prices = { input = 0.1, output = 0.4, cached = 0.01 }

[agents.mine]
command = "my-agent"
args = ["--ask", "two words"]
format = "markdown"
timeout = 90
env = ["MY_KEY"]

[providers.my-server]
baseUrl = "http://127.0.0.1:9000/v1"
keyVariable = "MY_SERVER_KEY"

[mcp.files]
command = "my-server"
args = ["."]
env = ["FILES_KEY"]
only = ["read"]
timeout = 30

[mcp.web]
url = "https://web.example.org/mcp"
keyVariable = "WEB_KEY"
header = "X-Key"

[web_search]
command = ["my-search", "--json"]
env = ["SEARCH_KEY"]
`

const settings = (text: string, owner: ConfigFile.Owner = "user") => Either.getOrThrow(ConfigFile.read(text, owner))

const wrong = (text: string, owner: ConfigFile.Owner = "user") =>
  Either.getOrThrow(Either.flip(ConfigFile.read(text, owner)))

describe("ConfigFile.read", () => {
  it("turns the keys of a file into settings", () => {
    assert.deepStrictEqual(settings(full), [
      [["VIBE_MODEL"], "google/gemini-3.5-flash"],
      [["VIBE_PRESET"], "careful"],
      [["VIBE_TEMPERATURE"], "0.5"],
      [["VIBE_MAX_TOKENS"], "4096"],
      [["VIBE_N"], "2"],
      [["VIBE_WEB_SEARCH"], '["my-search","--json"]'],
      [["VIBE_WEB_SEARCH_ENV"], '["SEARCH_KEY"]'],
      [["VIBE_PRESETS", "careful", "model"], "google/gemini-3.1-pro-preview"],
      [["VIBE_PRESETS", "careful", "temperature"], "0"],
      [["VIBE_MODELS", "my/own:model-1.5", "context"], "32768"],
      [["VIBE_MODELS", "my/own:model-1.5", "output"], "4096"],
      [["VIBE_MODELS", "my/own:model-1.5", "total"], "32768"],
      [["VIBE_MODELS", "my/own:model-1.5", "prices", "input"], "0.1"],
      [["VIBE_MODELS", "my/own:model-1.5", "prices", "output"], "0.4"],
      [["VIBE_MODELS", "my/own:model-1.5", "prices", "cached"], "0.01"],
      [["VIBE_AGENTS", "mine", "command"], "my-agent"],
      [["VIBE_AGENTS", "mine", "args"], '["--ask","two words"]'],
      [["VIBE_AGENTS", "mine", "format"], "markdown"],
      [["VIBE_AGENTS", "mine", "timeout"], "90"],
      [["VIBE_AGENTS", "mine", "env"], '["MY_KEY"]'],
      [["VIBE_PROVIDERS", "my-server", "baseUrl"], "http://127.0.0.1:9000/v1"],
      [["VIBE_PROVIDERS", "my-server", "keyVariable"], "MY_SERVER_KEY"],
      [["VIBE_MCP", "files", "command"], "my-server"],
      [["VIBE_MCP", "files", "args"], '["."]'],
      [["VIBE_MCP", "files", "env"], '["FILES_KEY"]'],
      [["VIBE_MCP", "files", "only"], '["read"]'],
      [["VIBE_MCP", "files", "timeout"], "30"],
      [["VIBE_MCP", "web", "url"], "https://web.example.org/mcp"],
      [["VIBE_MCP", "web", "keyVariable"], "WEB_KEY"],
      [["VIBE_MCP", "web", "header"], "X-Key"],
    ])
    assert.deepStrictEqual(settings(""), [])
  })

  it.each<readonly [what: string, text: string, line: number, message: string]>([
    ["an unknown key", 'x = 1\ndefaultModle = "google/x"', 1, "x: is unknown; there are defaultModel, preset, "],
    ["an unknown key of a table", "# a\n\n[defaults]\ntemprature = 1", 4, "defaults.temprature: is unknown"],
    ["a text in place of a number", '[defaults]\n\ntemperature = "hot"', 3, "defaults.temperature: Expected"],
    ["a negative number", "[defaults]\nmaxTokens = -1", 2, "defaults.maxTokens: Expected"],
    ["more answers than the limit", "[presets.a]\nn = 1000", 2, "presets.a.n: Expected"],
    ["a fraction of a token", '[models."a/b"]\noutput = 1\ncontext = 1.5', 3, "models.a/b.context: Expected"],
    ["a model without a name", 'defaultModel = "google/"', 1, "defaultModel: a model is written PROVIDER/NAME"],
    [
      "a price of input without one of output",
      '[models."a/b"]\nprices = { input = 1 }',
      2,
      "models.a/b.prices.output: is missing",
    ],
    ["a preset of a name that no flag can take", '[presets."a b"]\nn = 1', 1, "presets.a b: is not a name of letters"],
    ["a line break in the name of a model", '[models."a/b\\nprices"]\noutput = 1', 1, "is not a model, PROVIDER/NAME"],
    ["a model's entry without a provider", '[models."/b"]\noutput = 1', 1, "models./b: is not a model"],
    ["a server of a name that no flag can take", '[providers."a b"]\nbaseUrl = "http://a"', 1, "a b: is not a name of"],
    ["a tool that there is not", '\n[mcp]\ntools = ["status", "run"]', 3, "mcp.tools"],
    ["a relative safe folder", '\nsafeFolders = ["/a", "b/*"]', 2, "is an absolute path, or *"],
    ["an escape in a model", 'defaultModel = "a/\\u001b[1m"', 1, "defaultModel: holds a control character"],
    ["a line break in a preset", 'preset = "a\\nb"', 1, "preset: holds a control character"],
    ["a path with a NUL", 'record = "a\\u0000"', 1, "record: holds a control character"],
    ["an infinite delay", "\nmaxWait = inf", 2, "maxWait: Expected a finite number"],
    ["a price that is no number", '[models."a/b"]\nprices = { input = nan, output = 1 }', 2, "prices.input: Expected"],
    ["a table in place of a text", "[defaultModel]\na = 1", 1, "defaultModel: Expected string"],
    ["an unknown table within a table", "#\n[x.y]\nz = 1", 2, "x: is unknown"],
    ["a command by a relative path", '[agents.a]\ncommand = "./a"', 2, "agents.a.command: is no name on PATH"],
    ["arguments as one text", '[agents.a]\nargs = "-p --quiet"', 2, "agents.a.args: Expected"],
    ["an unknown format", '[agents.a]\nformat = "yaml"', 2, "agents.a.format: Expected"],
    ["a variable together with its value", '[agents.a]\nenv = ["KEY=x"]', 2, "agents.a.env"],
    [
      "a search program by a relative path",
      '[web_search]\ncommand = ["./a"]',
      2,
      "web_search.command: begins with a name",
    ],
    ["a search without a program", "[web_search]\ncommand = []", 2, "web_search.command"],
    ["variables for a search without a program", '[web_search]\nenv = ["K"]', 1, "web_search.command: is missing"],
    ["a tool server by a relative path", '[mcp.a]\ncommand = "./a"', 2, "mcp.a.command: is no name on PATH"],
    ["a tool server that is nowhere", "[mcp.a]\nonly = []", 1, "mcp.a: needs a command or a url"],
    ["a tool server in two places", '[mcp.a]\ncommand = "a"\nurl = "http://a"', 1, "mcp.a: has a command and a url"],
    ["arguments of an address", '[mcp.a]\nurl = "http://a"\nargs = []', 1, "mcp.a: has args or env"],
    ["a key of a program", '[mcp.a]\ncommand = "a"\nkeyVariable = "K"', 1, "mcp.a: has keyVariable or header"],
    ["a header that is none", '[mcp.a]\nurl = "http://a"\nheader = "a b"', 3, "mcp.a.header"],
    ["a longer call than any tool has", '[mcp.a]\ncommand = "a"\ntimeout = 600', 3, "mcp.a.timeout: Expected"],
    [
      "a tool server of a name that no tool can have",
      '[mcp."a b"]\ncommand = "a"',
      1,
      "mcp.a b: is not a name of letters, digits, hyphens and underscores",
    ],
    ["a tool server of the name of a setting", '[mcp.tools]\ncommand = "a"', 1, "'tools' is no name for a tool server"],
    [
      "a command with its arguments",
      '[mcp.a]\ncommand = "node /x/index.js"',
      2,
      "mcp.a.command: is no name on PATH and no absolute path; put arguments into args",
    ],
    ["a relative command", '[mcp.a]\ncommand = "bin/x y"', 2, "no absolute path"],
    ["a server without an address", '[providers.a]\nkeyVariable = "K"', 1, "providers.a.baseUrl: is missing"],
    [
      "an address with a password",
      '[providers.a]\nbaseUrl = "http://:p@h"',
      2,
      "baseUrl: cannot hold a name or a password",
    ],
    ["an address that is not a URL", '[providers.a]\nbaseUrl = "x:1"', 2, "providers.a.baseUrl: is not an http"],
    ["a key in place of its variable", '[providers.a]\nbaseUrl = "http://a"\nkeyVariable = "sk-1"', 3, "keyVariable"],
    ["a syntax error", 'preset = "a"\ndefaultModel = google', 2, "is no TOML: invalid value in column 16"],
    ["a key that is set twice", "n = 1\nn = 2", 2, "is no TOML"],
    ["a key that is a property of JavaScript objects", "__proto__ = 1", 1, "is no TOML"],
  ])("reports the line and the key of %s", (_, text, line, message) => {
    const problem = wrong(text)
    assert.include(problem.message, message)
    assert.strictEqual(problem.line, line)
    assert.notInclude(problem.message, "\n")
  })

  it.each([
    'googleApiKey = "k"',
    'GOOGLE_API_KEY = "k"',
    '[google]\n[defaults]\nbaseUrl = "http://evil"',
    '[providers.google]\nbaseUrl = "http://evil"',
    '[providers.openai-responses]\nbaseUrl = "http://evil"',
    '[providers.mine]\nbaseUrl = "http://127.0.0.1"\napiKey = "evil"',
    '[models."google/x"]\nurl = "http://evil"',
    '[models."google/x".headers]\na = "b"',
    '[mcp_servers.a]\ncommand = "rm"',
    '[presets.a]\ncommand = "rm"',
    'GOOGLE_GEMINI_BASE_URL = "http://evil"',
    'proxy = "http://evil"',
  ])("refuses keys, addresses of known providers and unknown commands in any file: %s", (text) => {
    for (const owner of ["user", "project"] as const) {
      assert.match(wrong(text, owner).message, /is not read from a file|is unknown/)
      assert.notInclude(wrong(text, owner).message, "evil")
    }
  })

  it("says where keys and addresses are set instead", () => {
    for (const text of ['[providers.google]\nbaseUrl = "x"', 'apiKey = "k"', '[defaults]\nbase_url = "x"']) {
      assert.include(wrong(text).message, "keys and addresses come from the environment alone")
    }
  })

  it.each<readonly [what: string, text: string, line: number]>([
    ["a scripted model", 'defaultModel = "scripted/evil.json"', 1],
    ["a scripted model named by one word", 'defaultModel = "scripted"', 1],
    ["a scripted model in a preset", '[presets.a]\nmodel = " scripted/evil.json"', 2],
    ["prices", '[models."google/x"]\ncontext = 1\nprices = { input = 0, output = 0 }', 3],
    ["an agent", 'defaultModel = "cli/claude"', 1],
    ["an agent in a preset", '[presets.a]\nmodel = "cli/mine"', 2],
    ["the command of an agent", '\n[agents.mine]\ncommand = "rm"', 2],
    ["the program that searches the web", '\n[web_search]\ncommand = ["rm"]', 3],
    ["the tool that searches conversations", '\n[mcp]\ntools = ["status", "search_conversations"]', 3],
    ["a tool server", '\n[mcp.mine]\ncommand = "rm"', 2],
    ["safe folders", '\nsafeFolders = ["*"]', 2],
    ["a server", '\n[providers.mine]\nbaseUrl = "http://evil"', 2],
  ])("allows %s in the user's file, and refuses it in a project's", (_, text, line) => {
    assert.isTrue(Either.isRight(ConfigFile.read(text, "user")))
    assert.strictEqual(wrong(text, "project").line, line)
  })

  it.prop(
    "decodes any text to settings, or reports one line",
    [
      FastCheck.oneof(FastCheck.string(), FastCheck.constantFrom(...full.split("\n")), FastCheck.json()),
      FastCheck.constantFrom("user" as const, "project" as const),
    ],
    ([text, owner]) => {
      const read = ConfigFile.read(text, owner)
      if (Either.isLeft(read)) assert.notInclude(read.left.message, "\n")
      else for (const [path] of read.right) assert.match(path[0] ?? "", /^VIBE_/)
    },
  )
})
