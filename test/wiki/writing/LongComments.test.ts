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

  it("leaves short comments as they are", () => {
    const lines = ["function a() {", "  // First it reads.", "  // Then it writes.", "  // Then it ends.", "  b()", "}"]
    assert.deepStrictEqual(shownOf(lines, []), lines)
  })
})
