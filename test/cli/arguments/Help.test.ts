import { assert, describe, it } from "@effect/vitest"
import * as Style from "../../../src/base/Style.ts"
import * as Command from "../../../src/cli/arguments/Command.ts"
import * as Help from "../../../src/cli/arguments/Help.ts"
import { commands } from "../../utils/commands.ts"

const plain: Help.Layout = { style: Style.plain, columns: 80 }

describe("the declaration of a command", () => {
  it.each(commands)("says of $name what it takes, with words on each", ({ examples, operands, options, summary }) => {
    assert.isNotEmpty(summary)
    assert.isNotEmpty(examples)
    for (const { description, name } of [...options, ...operands]) assert.isNotEmpty(description, name)
  })

  it("gives an option the same description in all commands, but for what it is about there", () => {
    const texts = new Map<string, Set<string>>()
    for (const { description, name } of commands.flatMap(({ options }) => options)) {
      texts.set(name, (texts.get(name) ?? new Set()).add(description))
    }
    for (const name of [
      "--max-tokens",
      "--max-run-tokens",
      "--max-cost",
      "--temperature",
      "--system-file",
      "--forest",
    ]) {
      assert.strictEqual(texts.get(name)?.size, 1, name)
    }
  })

  it("gives a short name to one option only", () => {
    const names = new Map<string, Set<string>>()
    for (const { alias, name } of commands.flatMap(({ options }) => options)) {
      if (alias !== undefined) names.set(alias, (names.get(alias) ?? new Set()).add(name))
    }
    for (const [alias, meanings] of names) {
      assert.strictEqual(meanings.size, 1, alias)
      assert.isFalse(
        commands.some(({ options }) => options.some(({ name }) => name === alias)),
        alias,
      )
    }
  })

  it("gives an option of one name a value in all commands or in none, so that it can stand before the command", () => {
    const shapes = new Map<string, Set<boolean>>()
    for (const { name, value } of commands.flatMap(({ options }) => options)) {
      shapes.set(name, (shapes.get(name) ?? new Set()).add(value !== undefined))
    }
    for (const [name, values] of shapes) assert.strictEqual(values.size, 1, name)
  })
})

describe("Help", () => {
  const index = commands.find(({ name }) => name === "index") as Command.Command

  it("lists the arguments, options and examples of a command", () => {
    const text = Help.command(plain, index)
    for (const part of ["vibe index [PATH] [OPTIONS]", "--verbose", "--model PROVIDER/NAME", "vibe index ."]) {
      assert.include(text, part)
    }
  })

  const named = (name: string) => commands.filter((command) => command.name === name)

  it("lists the commands of the program by what people do, in the same columns, and says where the rest is", () => {
    const text = Help.program(plain, {
      version: "1.2.3",
      summary: "is helpful",
      groups: [
        { heading: "Find", commands: named("query") },
        { heading: "Share", commands: named("merge-driver") },
      ],
      examples: ["vibe index ."],
    })
    assert.deepStrictEqual(text.split("\n").slice(0, 9), [
      "vibe 1.2.3: is helpful",
      "",
      "Usage",
      "  vibe COMMAND [OPTIONS]",
      "  vibe index .",
      "",
      "Find",
      "  query         Find symbols by what they are for, with the lines that matter",
      "",
    ])
    assert.include(text, "\nShare\n  merge-driver  Merge purposes.jsonl")
    for (const part of [
      "  help COMMAND",
      "  help settings",
      "  version",
      "--help, -h",
      "--version, -v, -V",
      "--color",
    ]) {
      assert.include(text, part)
    }
  })

  it("lists the settings with what they set, and says where the others are", () => {
    const text = Help.settings(plain, [["SOME_KEY", "opens"]])
    assert.include(text, "Settings\n  SOME_KEY  opens\n")
    assert.include(text, "  config  ")
  })

  it("lists the commands of a group", () => {
    const loom = commands.filter(({ name }) => name.startsWith("loom "))
    const text = Help.group(plain, Command.group("loom", "keeps conversations"), loom)
    for (const part of ["vibe loom: keeps conversations", "loom log [NODE]", "loom split NODE POSITION"]) {
      assert.include(text, part)
    }
  })

  it("leaves out options that are only accepted", () => {
    assert.notInclude(Help.command(plain, index), "--ext")
    assert.notInclude(Help.command(plain, index), "--include-markdown")
  })

  it.each(commands)("fits the help of $name into the terminal", (command) => {
    for (const columns of [60, 80, 140]) {
      const lines = Help.command({ ...plain, columns }, command).split("\n")
      // Examples and usages are to be copied whole.
      const broken = lines.filter(
        (line) => line.length > columns && !line.startsWith("  vibe ") && !line.includes(" | "),
      )
      assert.deepStrictEqual(broken, [])
    }
  })

  it("prints a long name on a line of its own", () => {
    const text = Help.settings({ ...plain, columns: 40 }, [
      ["A_VERY_LONG_NAME_OF_A_SETTING", "what it does, in more words than fit on one line"],
    ])
    assert.include(text, "  A_VERY_LONG_NAME_OF_A_SETTING\n")
    assert.isTrue(text.split("\n").every((line) => !line.startsWith("  ") || line.length <= 40))
  })

  it("is coloured only by its style", () => {
    assert.notInclude(Help.command(plain, index), "\x1b")
    assert.include(Help.command({ ...plain, style: Style.coloured }, index), "\x1b[1mOptions\x1b[22m")
  })
})
