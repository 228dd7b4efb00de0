import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Material from "../../../src/wiki/writing/Material.ts"
import * as Passage from "../../../src/wiki/writing/Passage.ts"

const readme = [
  "# Shop",
  "",
  "A shop for garden tools.",
  "",
  "## History",
  "",
  ...Array.from({ length: 40 }, (_, at) => `- ${2000 + at}: a spade was sold`),
  "",
  "## Installation",
  "",
  "Install it from the registry:",
  "",
  "```sh",
  "npm install shop",
  "",
  "npm exec shop serve",
  "```",
  "",
  "## Licence",
  "",
  "It is free.",
]

const textOf = (statements: ReadonlyArray<string>, maxTokens = 120): string => {
  const shown = Passage.find(readme, statements, maxTokens)
  return readme.filter((_, at) => shown.has(at)).join("\n")
}

describe("Passage.find", () => {
  it("finds the block of commands that a statement speaks of, with its introduction and its heading", () => {
    assert.strictEqual(
      textOf(["`npm exec shop serve` runs what `npm install shop` has installed."], 60),
      [
        "## Installation",
        "Install it from the registry:",
        "",
        "```sh",
        "npm install shop",
        "",
        "npm exec shop serve",
        "```",
      ].join("\n"),
    )
  })

  it("finds a passage for each statement", () => {
    const text = textOf(["The shop sells garden tools.", "It is free, by its licence."])
    assert.include(text, "A shop for garden tools.")
    assert.include(text, "It is free.")
  })

  it("finds nothing for a statement without a word of the document", () => {
    assert.strictEqual(textOf(["Quux!"]), "")
  })

  it.prop(
    "stays within the limit of tokens",
    [fc.array(fc.string({ maxLength: 80 }), { maxLength: 60 }), fc.array(fc.string(), { maxLength: 4 }), fc.nat(400)],
    ([lines, statements, maxTokens]) => {
      const shown = Passage.find(lines, statements, maxTokens)
      const tokens = Array.from(shown).reduce((sum, at) => sum + Material.sizeOf(lines[at] ?? ""), 0)
      assert.isAtMost(tokens, maxTokens)
    },
  )
})
