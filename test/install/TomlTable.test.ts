import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as TomlTable from "../../src/install/TomlTable.ts"

const entry = { command: "npx", args: ["-y", "vibe-index", "mcp"] }
const path = ["mcp_servers", "vibe"]
const table = '[mcp_servers.vibe]\ncommand = "npx"\nargs = ["-y", "vibe-index", "mcp"]\n'

const put = (text: string) => Either.getOrThrow(TomlTable.put(text, path, entry))
const remove = (text: string) => Either.getOrThrow(TomlTable.remove(text, path))
const problem = (text: string) => Either.getOrThrow(Either.flip(TomlTable.put(text, path, entry))).message

describe("TomlTable.put", () => {
  it("adds the table at the end, after a blank line", () => {
    const text = '# mine\nmodel = "o"\n\n[profiles.fast] # p\nmodel = "f"\n'
    assert.strictEqual(put(text), `${text}\n${table}`)
    assert.strictEqual(put("a = 1\r\n"), `a = 1\r\n\r\n${table.replaceAll("\n", "\r\n")}`)
    assert.strictEqual(put("a = 1"), `a = 1\n\n${table.trimEnd()}`)
  })

  it("changes only the keys that differ in a table that is there, wherever their text looks like a header", () => {
    const text = [
      "[other]",
      'text = """',
      "[mcp_servers.vibe]",
      'command = "no" """',
      '[ mcp_servers . "vibe" ] # vibe',
      "startup_timeout_sec = 30",
      'command = "vibe" # old',
      "args = [",
      '  "mcp", # [x]',
      "]",
      "[mcp_servers.vibe.env]",
      'command = "not this"',
      "",
    ].join("\n")
    assert.strictEqual(
      put(text),
      text
        .replace('command = "vibe"', 'command = "npx"')
        .replace(/args = \[[\s\S]*?\n\]/, 'args = ["-y", "vibe-index", "mcp"]'),
    )
  })

  it("adds a key that a table that is there lacks", () => {
    assert.strictEqual(
      put('[mcp_servers.vibe] # v\ncommand = "npx"\n'),
      '[mcp_servers.vibe] # v\nargs = ["-y", "vibe-index", "mcp"]\ncommand = "npx"\n',
    )
    assert.strictEqual(put("[mcp_servers.vibe] # v"), `${table.trimEnd().replace("]", "] # v")}`)
  })

  it("changes nothing where the table is as it should be", () => {
    const text = '[mcp_servers."vibe"]\nargs = [\n"-y", "vibe-index", "mcp"]\ncommand = \'npx\'\n'
    assert.strictEqual(put(text), text)
  })

  it.each<readonly [what: string, text: string, problem: string]>([
    ["half a list", "a = [\n", "not valid TOML at 2:1: "],
    ["a key twice", "a = 1\na = 2\n", "not valid TOML at 2:"],
    ["JSON", '{"a": 1}', "not valid TOML at 1:1: "],
    ["servers that are a number", "mcp_servers = 3\n", "'mcp_servers' is a number and not a table"],
    ["servers that are a list", "[[mcp_servers]]\na = 1\n", "'mcp_servers' is a list and not a table"],
    ["servers in one line", "mcp_servers = { a = 1 }\n", "'mcp_servers' is in a form that vibe does not change"],
    [
      "an entry in one line",
      '[mcp_servers]\nvibe = { command = "vibe", args = ["mcp"] }\n',
      "'mcp_servers.vibe' is in a form that vibe does not change",
    ],
    [
      "an entry by dotted keys",
      'mcp_servers.vibe.command = "vibe"\n',
      "'mcp_servers.vibe' is in a form that vibe does not change",
    ],
    ["ten thousand brackets", `a = ${"[".repeat(10_000)}`, "not valid TOML"],
  ])("refuses %s", (_, text, expected) => {
    assert.include(problem(text), expected)
  })
})

describe("TomlTable.remove", () => {
  it("removes a file that has nothing else", () => {
    assert.isUndefined(remove(TomlTable.create(path, entry)))
    assert.strictEqual(remove(`\n${TomlTable.create(path, entry)}`), "")
  })

  it("removes the tables below it, and no comment before the next table", () => {
    const text = `a = 1\n\n${table}\n[mcp_servers.vibe.env]\nA = "b"\n\n# the next\n[mcp_servers.vibes]\nb = 1\n`
    assert.strictEqual(remove(text), "a = 1\n\n# the next\n[mcp_servers.vibes]\nb = 1\n")
  })

  it("refuses a form that it does not change", () => {
    const text = "mcp_servers = { vibe = { command = 'vibe' } }\n"
    assert.strictEqual(Either.getOrThrow(Either.flip(TomlTable.remove(text, path)))._tag, "Unsupported")
  })
})

describe("TomlTable.create", () => {
  it("escapes what a TOML text cannot hold", () => {
    const text = TomlTable.create(path, { command: 'C:\\a "b"\u007f\u0001\n', args: [] })
    const value = Either.getOrThrow(TomlTable.read(text, path))
    assert.deepEqual(value, { command: 'C:\\a "b"\u007f\u0001\n', args: [] })
  })
})
