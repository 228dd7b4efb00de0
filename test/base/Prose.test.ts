import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { firstSentence, splitSentences } from "../../src/base/Prose.ts"

describe("Sentences", () => {
  it.each([
    ["Reads a file. Closes it.", ["Reads a file.", "Closes it."]],
    ["Reads files, e.g. settings. `Closes` them!", ["Reads files, e.g. settings.", "`Closes` them!"]],
    ['It says "done." Then it ends.', ['It says "done."', "Then it ends."]],
    ["Takes v1.2 of a file", ["Takes v1.2 of a file"]],
    ["", [""]],
  ])("splits %j", (prose, sentences) => {
    assert.deepStrictEqual(splitSentences(prose), sentences)
    assert.strictEqual(firstSentence(prose), sentences[0])
  })

  it.prop(
    "loses nothing but the spaces between sentences",
    [fc.string({ unit: fc.constantFrom(...'aA. !?)`"') })],
    ([prose]) => {
      assert.strictEqual(splitSentences(prose).join(" "), prose)
    },
  )
})
