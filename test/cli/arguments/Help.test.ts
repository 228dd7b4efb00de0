import { assert, describe, it } from "@effect/vitest"
import * as Help from "../../../src/cli/arguments/Help.ts"
import * as Spec from "../../../src/cli/arguments/Spec.ts"
import * as Cli from "../../../src/cli/Cli.ts"
import * as Loom from "../../../src/cli/loom/command.ts"
import * as Style from "../../../src/cli/terminal/Style.ts"

const specs = Cli.withLoom(Loom.specs)

describe("Spec.of", () => {
  it.each(specs)("reads off $name what it takes, with words on each", ({ examples, operands, options, summary }) => {
    assert.isNotEmpty(summary)
    assert.isNotEmpty(examples)
    for (const { description, name } of [...options, ...operands]) assert.isNotEmpty(description, name)
  })

  it("gives an option of one name a value in all commands or in none, so that it can stand before the command", () => {
    const shapes = new Map<string, Set<boolean>>()
    for (const { name, value } of specs.flatMap(({ options }) => options)) {
      shapes.set(name, (shapes.get(name) ?? new Set()).add(value !== undefined))
    }
    for (const [name, values] of shapes) assert.strictEqual(values.size, 1, name)
  })
})

describe("Help", () => {
  const index = specs.find(({ name }) => name === "index") as Spec.Spec

  it("tells what a command takes, and shows it", () => {
    const text = Help.command(Style.plain, index)
    for (const part of ["vibe index [PATH] [OPTIONS]", "--verbose", "--model PROVIDER/NAME", "vibe index ."]) {
      assert.include(text, part)
    }
  })

  it("lists commands, settings and examples of the program", () => {
    const text = Help.program(Style.plain, {
      version: "1.2.3",
      summary: "is helpful",
      specs,
      settings: [["SOME_KEY", "opens"]],
      examples: ["vibe index ."],
    })
    for (const part of ["vibe 1.2.3", "index [PATH]", "query TEXT...", "show SYMBOL", "status", "SOME_KEY  opens"]) {
      assert.include(text, part)
    }
  })

  it("tells the commands of a group", () => {
    const loom = specs.filter(({ name }) => name.startsWith("loom "))
    const text = Help.group(Style.plain, Spec.group("loom", "keeps conversations"), loom)
    for (const part of ["vibe loom: keeps conversations", "loom log [NODE]", "loom split NODE POSITION"]) {
      assert.include(text, part)
    }
  })

  it("is coloured only by its style", () => {
    assert.notInclude(Help.command(Style.plain, index), "\x1b")
    assert.include(Help.command(Style.coloured, index), "\x1b[1mOptions\x1b[22m")
  })
})
