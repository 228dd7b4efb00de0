import { assert, describe, it } from "@effect/vitest"
import * as Completion from "../../../src/cli/completion/Completion.ts"
import { commands } from "../../utils/commands.ts"

const words = (...typed: ReadonlyArray<string>) => Completion.candidates(commands, typed).words

const isNode = (...typed: ReadonlyArray<string>) => Completion.candidates(commands, typed).names === "nodes"

describe("Completion.candidates", () => {
  it("offers commands, groups, and the commands of a group", () => {
    assert.includeMembers([...words("")], ["index", "loom", "help"])
    assert.deepStrictEqual(words("qu"), ["query"])
    assert.deepStrictEqual(words("loom", "bo"), ["bookmark", "bookmarks"])
    assert.deepStrictEqual(words("loom", "--json", "sp"), ["split"])
  })

  it("offers the options of the typed command", () => {
    assert.deepStrictEqual(words("loom", "delete", "x", "--ca"), ["--cascade"])
    assert.deepStrictEqual(words("query", "--l"), ["--limit"])
    assert.deepStrictEqual(words("--h"), ["--help"])
  })

  it("offers the choices of an option that takes one of a few words", () => {
    assert.deepStrictEqual(words("index", "--thinking", ""), ["off", "low", "medium", "high", "auto"])
    assert.deepStrictEqual(words("loom", "append", "--role", ""), ["user", "assistant"])
    assert.deepStrictEqual(words("loom", "search", "--role=a"), ["--role=assistant"])
  })

  it("offers nodes and bookmarks where a node is named", () => {
    assert.isTrue(isNode("loom", "show", ""))
    assert.isTrue(isNode("loom", "log", "--limit", "3", "d"))
    assert.isTrue(isNode("loom", "diff", "a", "b"))
    assert.isTrue(isNode("loom", "search", "x", "--root", ""))
    assert.isTrue(isNode("loom", "bookmark", "title", ""))
    assert.strictEqual(Completion.candidates(commands, ["loom", "bookmark", "--delete", ""]).names, "bookmarks")
    for (const typed of [
      ["loom", "show", "a", ""],
      ["loom", "log", "--limit", ""],
      ["loom", ""],
      ["nope", ""],
    ]) {
      assert.isFalse(isNode(...typed), typed.join(" "))
    }
  })

  it("leaves paths to the shell, and offers them nowhere else", () => {
    const names = (...typed: ReadonlyArray<string>) => Completion.candidates(commands, typed).names
    for (const typed of [
      ["index", ""],
      ["status", "../o"],
      ["map", ""],
      ["check", "--json", ""],
      ["diff", "../"],
      ["diff", "main", ""],
      ["query", "--root", ""],
      ["ask", "--file", ""],
    ]) {
      assert.strictEqual(names(...typed), "files", typed.join(" "))
    }
    for (const typed of [
      ["ask", "--model", ""],
      ["chat", "-m", "go"],
    ])
      assert.strictEqual(names(...typed), "models")
    for (const typed of [
      ["query", ""],
      ["help", ""],
      ["loom", ""],
      ["query", "--limit", ""],
    ]) {
      assert.isUndefined(names(...typed), typed.join(" "))
    }
  })

  it("offers symbols where one is named", () => {
    assert.strictEqual(Completion.candidates(commands, ["show", "Fo"]).names, "symbols")
    assert.strictEqual(Completion.candidates(commands, ["show", "--json", ""]).names, "symbols")
  })

  it("offers the values of an option, also behind an equals sign", () => {
    assert.deepStrictEqual(words("chat", "--agent", "c"), ["claude", "codex"])
    assert.deepStrictEqual(words("chat", "--agent=c"), ["--agent=claude", "--agent=codex"])
    assert.deepStrictEqual(words("loom", "generate", "--tool", "i"), ["introspect"])
    assert.deepStrictEqual(words("loom", "generate", "--tool-choice", "c"), ["current_date"])
    const { before, names } = Completion.candidates(commands, ["chat", "--resume=my"])
    assert.deepStrictEqual([before, names], ["--resume=", "nodes"])
  })

  it("offers presets and agents of the configuration where one is named", () => {
    for (const [option, names] of [
      ["--preset", "presets"],
      ["--agent", "agents"],
    ] as const) {
      const command = option === "--preset" ? "ask" : "chat"
      assert.strictEqual(Completion.candidates(commands, [command, option, ""]).names, names)
    }
  })

  it("offers commands and the settings to help, and shells to completion", () => {
    assert.deepStrictEqual(words("help", "qu"), ["query"])
    assert.deepStrictEqual(words("help", "se"), ["serve", "settings"])
    assert.deepStrictEqual(words("help", "loom", "bo"), ["bookmark", "bookmarks"])
    assert.deepStrictEqual(words("help", "query", ""), [])
    assert.deepStrictEqual(words("completion", ""), ["bash", "zsh", "fish"])
  })

  it("does not offer options that are only accepted", () => {
    assert.deepStrictEqual(words("index", "--ext"), [])
  })

  it("offers nothing for an unknown command", () => {
    assert.deepStrictEqual(Completion.candidates(commands, ["loom", "nope", ""]), { words: [] })
    assert.deepStrictEqual(Completion.candidates(commands, []), Completion.candidates(commands, [""]))
  })
})

describe("Completion.quote", () => {
  it("leaves a name one word to a shell, and nothing in it that the shell would run", () => {
    assert.strictEqual(Completion.quote("bash", "my talk"), "my\\ talk")
    assert.strictEqual(Completion.quote("bash", "$(rm *);`x`'\""), "\\$\\(rm\\ \\*\\)\\;\\`x\\`\\'\\\"")
    assert.strictEqual(Completion.quote("bash", "01jx@^~3"), "01jx@^~3")
  })

  it("leaves it to zsh and fish to escape a name", () => {
    assert.strictEqual(Completion.quote("zsh", "my talk"), "my talk")
    assert.strictEqual(Completion.quote("fish", "$(x)"), "$(x)")
  })
})

describe("Completion.unprefix", () => {
  it("takes one sign away from each word, and leaves out what has none", () => {
    assert.deepStrictEqual(Completion.unprefix(["zsh", "=loom", "=", "==x", "=--json"]), ["loom", "", "=x", "--json"])
  })
})
