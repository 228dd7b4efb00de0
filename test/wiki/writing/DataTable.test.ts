import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { IndexEntry } from "../../../src/index/IndexEntry.ts"
import * as DataTable from "../../../src/wiki/writing/DataTable.ts"
import * as Material from "../../../src/wiki/writing/Material.ts"

type Kind = IndexEntry["kind"]

const write = (path: string, kind: Kind, source: string, maxTokens = 2_000): ReadonlyArray<string> | undefined => {
  const table = DataTable.read(path, source, { kind })
  return table && DataTable.write(table, maxTokens)
}

const defaults = `M.defaults = {
  root = vim.fn.stdpath("data") .. "/lazy", -- directory where plugins are installed
  -- Options of Git. They are for all plugins.
  git = {
    -- kill processes that take more than two minutes
    timeout = 120,
    url_format = "https://github.com/%s.git",
    throttle = {
      enabled = false,
      rate = 2, -- at most two in five seconds
    },
  },
  debug = false,
}`

describe("DataTable.read", () => {
  const tables: ReadonlyArray<readonly [name: string, path: string, kind: Kind, source: string]> = [
    ["the defaults of settings", "config.lua", "field", defaults],
    ["an object", "a.ts", "constant", 'export const kinds = {\n  a: "one",\n  b: "two",\n  c: 3,\n}'],
    ["a list", "a.py", "constant", 'NAMES = [\n    "a",\n    "b",\n    "c",\n]'],
    [
      "an annotated dictionary",
      "a.py",
      "variable",
      'states: dict[str, bool] = {\n  "1": True,\n  "0": False,\n  "y": True,\n}',
    ],
    [
      "an enumeration",
      "a.rs",
      "enum",
      "pub enum Mode {\n    /// Nothing is asked.\n    Quiet,\n    Ask,\n    Always,\n}",
    ],
    [
      "a type of fields",
      "a.go",
      "class",
      "type Config struct {\n\tPort int // where it listens\n\tHost string\n\tTLS bool\n}",
    ],
  ]
  for (const [name, path, kind, source] of tables) {
    it(`reads ${name}`, () => assert.isDefined(DataTable.read(path, source, { kind })))
  }

  const others: ReadonlyArray<readonly [name: string, path: string, kind: Kind, source: string]> = [
    ["a function", "a.ts", "function", "function a() {\n  b = 1\n  c = 2\n  d = 3\n}"],
    [
      "a table of functions",
      "a.lua",
      "field",
      "M.commands = {\n  a = function() return b() end,\n  c = function() return d() end,\n  e = function() return f() end,\n}",
    ],
    [
      "what a call returns",
      "a.lua",
      "field",
      "self.handle = uv.spawn(\n  self.cmd,\n  self.args,\n  self.env,\n  x\n)",
    ],
    [
      "an interface of methods",
      "a.go",
      "interface",
      "type Store interface {\n\tGet(key string) string\n\tSet(key, value string)\n\tDelete(key string)\n}",
    ],
    [
      "a class with methods",
      "a.py",
      "class",
      "class A:\n    b = 1\n    c = 2\n    d = 3\n    def e(self):\n        pass",
    ],
    ["a single value", "a.ts", "constant", "const limit = 12"],
  ]
  for (const [name, path, kind, source] of others) {
    it(`does not take ${name} for data`, () => assert.isUndefined(DataTable.read(path, source, { kind })))
  }
})

describe("DataTable.write", () => {
  it("writes each entry with its value and the first sentence of its comment, and divides long ones", () => {
    assert.deepStrictEqual(write("config.lua", "field", defaults), [
      "M.defaults = {",
      '  root = vim.fn.stdpath("data") .. "/lazy" — directory where plugins are installed',
      '  git = {timeout = 120, url_format = "https://github.com/%s.git", throttle = {enabled = false, rate = 2}} — Options of Git.',
      "  debug = false",
    ])
  })

  it("writes short entries without comments in one line", () => {
    const names = Array.from({ length: 9 }, (_, at) => `  "name${at}",`)
    assert.deepStrictEqual(write("a.ts", "constant", `const names = [\n${names.join("\n")}\n]`), [
      "const names = [",
      `  ${Array.from({ length: 9 }, (_, at) => `"name${at}"`).join(", ")}`,
    ])
  })

  it("leaves comments out first if there is little room, then the ends of entries, and names those that it leaves out", () => {
    const all = write("config.lua", "field", defaults)?.join("\n") ?? ""
    const size = Material.sizeOf(all)
    const bare = write("config.lua", "field", defaults, size - 12)?.join("\n") ?? ""
    assert.notInclude(bare, "directory where")
    assert.include(bare, "timeout = 120")
    const short = write("config.lua", "field", defaults, 40) ?? []
    assert.match(short.at(-1) ?? "", /^… \d lines more, of .*debug/)
  })

  it("shortens the words of a long entry, so that the values behind them stay", () => {
    const words = "Puts the thing back into the state in which the file has it, with all that belongs to it"
    const rows = Array.from(
      { length: 9 },
      (_, at) => `  row${at} = { desc = "${words}", long = "${words}", id = ${at}, key = "k${at}" },`,
    )
    const lines = write("config.lua", "field", `M.rows = {\n${rows.join("\n")}\n}`, 330) ?? []
    assert.lengthOf(lines, 10)
    for (const [at, line] of lines.slice(1).entries()) {
      assert.match(line, new RegExp(`row${at} = \\{desc = "Puts the thing.*…", .*id = ${at}, key = "k${at}"\\}$`))
    }
  })

  it("takes no mark in a string for a comment, and no hash of another language", () => {
    const lines = write(
      "a.ts",
      "constant",
      'const a = {\n  url: "https://x.org", // the site\n  color: "#fff",\n  n: 1,\n}',
    )
    assert.deepStrictEqual(lines, ["const a = {", '  url: "https://x.org" — the site', '  color: "#fff", n: 1'])
  })

  it.prop(
    "stays within the limit of tokens, whatever the source",
    [
      fc.array(fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom("a = {", "},", "b = 1,", "-- note", '"c",')), {
        maxLength: 60,
      }),
      fc.integer({ min: 60, max: 900 }),
    ],
    ([body, maxTokens]) => {
      const table = DataTable.read("a.lua", ["M.a = {", ...body, "}"].join("\n"), { kind: "field" })
      if (table === undefined) return
      const lines = DataTable.write(table, maxTokens)
      assert.isAtMost(
        lines.reduce((sum, line) => sum + Material.sizeOf(line), 0),
        maxTokens,
      )
    },
  )
})

describe("a string of Python below a value", () => {
  it("is the comment of that value, and neither of the next one nor of the first", () => {
    const source = [
      "class Source(enum.IntEnum):",
      '    """Where a value is from."""',
      "    PROMPT = auto()",
      '    """Asked for."""',
      "",
      "    LINE = auto()",
      "    '''Given in the command line.'''",
      "    DEFAULT = auto()",
    ]
    assert.deepStrictEqual(write("a.py", "class", source.join("\n")), [
      "class Source(enum.IntEnum):",
      "PROMPT = auto() — Asked for.",
      "LINE = auto() — Given in the command line.",
      "DEFAULT = auto()",
    ])
  })
})
