import { assert, describe, it } from "@effect/vitest"
import * as LongComments from "../../../src/wiki/writing/LongComments.ts"

const docstring = [
  "def load(path):",
  '    """Loads a table.',
  "",
  ...Array.from({ length: 30 }, (_, at) => `    :param option${at}: one that says how a cell is read, number ${at}.`),
  "",
  "    .. versionchanged:: 8.2",
  "        A missing delimiter raises an error.",
  '    """',
  "    return 1",
]

const shownOf = (lines: ReadonlyArray<string>, statements: ReadonlyArray<string>, maxTokens = 80) => {
  const hidden = LongComments.find(lines, statements, maxTokens)
  return lines.filter((_, at) => !hidden.has(at))
}

describe("LongComments.find", () => {
  it("keeps the beginning of a long comment, and all code", () => {
    const shown = shownOf(docstring, [])
    assert.deepStrictEqual(
      shown.filter((line) => line.trim() !== ""),
      ["def load(path):", '    """Loads a table.', '    """', "    return 1"],
    )
  })

  it("keeps the passage that a statement speaks of", () => {
    const shown = shownOf(docstring, ["It raises an error if the delimiter is missing."])
    assert.include(shown, "        A missing delimiter raises an error.")
    assert.isBelow(shown.length, docstring.length - 15)
  })

  it("leaves out paragraphs together, and none of so few lines that a note of them is as long", () => {
    const fruits = ["apples", "berries", "cherries", "dates", "figs", "grapes", "lemons", "melons"]
    const paragraphs = fruits.flatMap((fruit) => ["", `    The column of ${fruit} is read before all others of it.`])
    const lines = ["def load(path):", '    """Loads a table.', ...paragraphs, '    """', "    return 1"]
    const hidden = LongComments.find(lines, [], 0)
    assert.deepStrictEqual(
      Array.from(hidden),
      Array.from({ length: 15 }, (_, at) => at + 3),
    )
    const shown = shownOf(lines, ["Cherries come first.", "Figs come first."]).join(" ")
    for (const fruit of ["cherries", "dates", "figs"]) assert.include(shown, fruit)
    assert.notInclude(shown, "melons")
  })

  it("leaves short comments as they are", () => {
    const lines = ["function a() {", "  // First it reads.", "  // Then it writes.", "  // Then it ends.", "  b()", "}"]
    assert.deepStrictEqual(shownOf(lines, []), lines)
  })
})
