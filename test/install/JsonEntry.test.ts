import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as JsonEntry from "../../src/install/JsonEntry.ts"

const entry = { command: "npx", args: ["-y", "vibe-index", "mcp"] }
const path = ["mcpServers", "vibe"]
const comments = { comments: true }
const strict = { comments: false }

const put = (text: string, options = comments) => Either.getOrThrow(JsonEntry.put(text, path, entry, options))

const problem = (text: string, options = strict, at: ReadonlyArray<string> = path) =>
  Either.getOrThrow(Either.flip(JsonEntry.put(text, at, entry, options))).message

describe("JsonEntry.put", () => {
  it("adds the servers and the entry at the end, in the file's indentation and line ends", () => {
    assert.strictEqual(
      put('{\r\n\t"theme": "dark"\r\n}\r\n'),
      '{\r\n\t"theme": "dark",\r\n\t"mcpServers": {\r\n\t\t"vibe": {\r\n\t\t\t"command": "npx",\r\n\t\t\t"args": ["-y", "vibe-index", "mcp"]\r\n\t\t}\r\n\t}\r\n}\r\n',
    )
  })

  it("adds the entry after the last server and after the comment on its line", () => {
    assert.strictEqual(
      put('{\n  "mcpServers": {\n    "git": { "command": "uvx" } // local\n    // none more\n  }\n}\n'),
      '{\n  "mcpServers": {\n    "git": { "command": "uvx" }, // local\n    "vibe": {\n      "command": "npx",\n      "args": ["-y", "vibe-index", "mcp"]\n    }\n    // none more\n  }\n}\n',
    )
  })

  it("keeps a trailing comma", () => {
    assert.strictEqual(
      put('{\n  "mcpServers": {\n    "a": {}, // n\n  },\n}'),
      '{\n  "mcpServers": {\n    "a": {}, // n\n    "vibe": {\n      "command": "npx",\n      "args": ["-y", "vibe-index", "mcp"]\n    },\n  },\n}',
    )
  })

  it("adds the entry to an empty object on the line of its brace", () => {
    assert.strictEqual(
      put('{ "mcpServers": {} }'),
      '{ "mcpServers": { "vibe": { "command": "npx", "args": ["-y", "vibe-index", "mcp"] } } }',
    )
  })

  it.each<readonly [what: string, text: string, expected: string]>([
    ["with other servers", '{"mcpServers": {"git": {}}}', '{"mcpServers": {"git": {}, ENTRY}}'],
    ["with a trailing comma", '{"mcpServers": {"git": {},}}', '{"mcpServers": {"git": {}, ENTRY,}}'],
    ["with only a comment", '{"mcpServers": { /* none */ }}', '{"mcpServers": { /* none */ ENTRY }}'],
  ])("keeps an object in one line %s, and takes the entry back", (_, text, expected) => {
    const own = '"vibe": { "command": "npx", "args": ["-y", "vibe-index", "mcp"] }'
    assert.strictEqual(put(text), expected.replace("ENTRY", own))
    assert.strictEqual(Either.getOrThrow(JsonEntry.remove(put(text), path, comments)), text)
  })

  it("adds a field that an entry in one line lacks on that line", () => {
    assert.strictEqual(
      put('{"mcpServers":{"vibe":{"command":"npx"}}}'),
      '{"mcpServers":{"vibe":{"command":"npx", "args": ["-y", "vibe-index", "mcp"]}}}',
    )
  })

  it("keeps a byte order mark", () => {
    assert.isTrue(put('\ufeff{ "a": 1 }').startsWith('\ufeff{ "a": 1,'))
  })

  it("changes only the fields that differ in an entry that is there", () => {
    const text =
      '{"mcpServers": {"vibe": {"env": {"A": "b"}, /* old */ "command": "vibe", "args": ["mcp"], "timeout": 5}}}'
    assert.strictEqual(
      put(text),
      '{"mcpServers": {"vibe": {"env": {"A": "b"}, /* old */ "command": "npx", "args": ["-y", "vibe-index", "mcp"], "timeout": 5}}}',
    )
  })

  it("adds a field that an entry that is there lacks", () => {
    const text = put('{\n  "mcpServers": {\n    "vibe": {\n      "command": "vibe"\n    }\n  }\n}\n')
    assert.deepStrictEqual(JSON.parse(text), { mcpServers: { vibe: entry } })
    assert.include(text, '      "command": "npx",\n      "args": ["-y", "vibe-index", "mcp"]\n    }')
  })

  it("changes nothing where the entry is as it should be", () => {
    const text = '{"mcpServers":{"vibe":{"args":["-y","vibe-index","mcp"],"command":"npx"}}}'
    assert.strictEqual(put(text), text)
  })

  it.each<readonly [what: string, text: string, problem: string]>([
    ["an empty file", " \n", "not valid JSON at 1:1: the file is empty"],
    ["half a file", '{\n  "a": [1,', "not valid JSON at 2:11: "],
    ["comments where the agent reads none", "{ // a\n}", "not valid JSON at 1:3: a comment, and the agent reads none"],
    ["trailing commas where the agent reads none", '{"a": 1,}', "not valid JSON at 1:9: "],
    ["more after the object", "{} {}", "not valid JSON at 1:4: end of file expected"],
    ["a list", "[]", "the file is a list and not an object"],
    ["a text", '"x"', "the file is a string and not an object"],
    ["servers as a list", '{"mcpServers": [1]}', "'mcpServers' is a list and not an object"],
    ["servers as null", '{"mcpServers": null}', "'mcpServers' is a null and not an object"],
    ["servers twice", '{"mcpServers": {}, "mcpServers": {}}', "'mcpServers' is there twice"],
    ["the entry twice", '{"mcpServers": {"vibe": {}, "vibe": {}}}', "'mcpServers.vibe' is there twice"],
    ["an entry that is a text", '{"mcpServers": {"vibe": "x"}}', "'mcpServers.vibe' is a string and not an object"],
    ["a hundred thousand brackets", `{"a": ${"[".repeat(100_000)}`, "not valid JSON at 1:1: more than 500 levels"],
    ["comments that are not closed", `{${"/* ".repeat(300_000)}`, "not valid JSON at 1:"],
    ["texts that are not closed", `{"${'\\"'.repeat(300_000)}`, "not valid JSON at 1:"],
    ["brackets in a text that is not closed", `{"a": "${"]".repeat(9_000)}\n${"[".repeat(9_000)}`, "not valid JSON"],
  ])("refuses %s", (_, text, expected) => {
    assert.include(problem(text), expected)
  })

  it("takes names of object properties for keys like others", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const text = Either.getOrThrow(JsonEntry.put("{}\n", ["mcpServers", name], entry, strict))
      assert.include(text, `"${name}": {`)
      assert.strictEqual(Either.getOrThrow(JsonEntry.remove(text, ["mcpServers", name], strict)), "{}\n")
    }
  })
})

describe("JsonEntry.remove", () => {
  const remove = (text: string) => Either.getOrThrow(JsonEntry.remove(text, path, comments))

  it("removes a file that has nothing else", () => {
    assert.isUndefined(remove(JsonEntry.create(path, entry)))
  })

  it("keeps a file that has a comment besides", () => {
    assert.strictEqual(remove(`// mine\n${JsonEntry.create(path, entry)}`), "// mine\n{\n}\n")
  })

  it("changes nothing where there is no entry", () => {
    for (const text of ["{}", '{"mcpServers": {"other": {}}}', '{"mcpServers": {}}']) {
      assert.strictEqual(remove(text), text)
    }
  })

  it.each<readonly [what: string, text: string, without: string]>([
    ["first", '{"mcpServers": {"vibe": {}, "b": 1}}', '{"mcpServers": { "b": 1}}'],
    ["between others", '{"mcpServers": {"a": 1, "vibe": {}, "b": 1}}', '{"mcpServers": {"a": 1, "b": 1}}'],
    ["before a comma on the next line", '{"mcpServers": {"vibe": {}\n, "b": 1}}', '{"mcpServers": {\n "b": 1}}'],
    ["last, after a comment", '{"mcpServers": {"a": 1, /* x */ "vibe": {}}}', '{"mcpServers": {"a": 1 /* x */}}'],
    ["alone, with a trailing comma", '{"mcpServers": {"vibe": {},}}', '{"mcpServers": {}}'],
  ])("removes an entry that stands %s", (_, text, without) => {
    assert.strictEqual(remove(text), without)
  })
})
