import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Excerpt from "../../../src/cli/query/Excerpt.ts"

const numbered = (count: number, special: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, i) => special[i + 1] ?? `line ${i + 1}`).join("\n")

describe("Excerpt.best", () => {
  it("shows a short symbol whole", () => {
    assert.deepStrictEqual(Excerpt.best(numbered(20), { startLine: 5, endLine: 7 }, "anything"), {
      firstLine: 5,
      lines: ["line 5", "line 6", "line 7"],
    })
  })

  it("shows the first ten lines where no line answers", () => {
    const { firstLine, lines } = Excerpt.best(numbered(100), { startLine: 11, endLine: 90 }, "zebra")
    assert.strictEqual(firstLine, 11)
    assert.lengthOf(lines, 10)
  })

  it("shows the ten lines that name most words of the query", () => {
    const text = numbered(100, { 20: "retry", 21: "retry", 60: "const retryDelay = backoff(", 62: "  jitter" })
    const { lines } = Excerpt.best(text, { startLine: 1, endLine: 100 }, "retryBackoff jitter")
    assert.include(lines.join("\n"), "jitter")
    assert.include(lines.join("\n"), "backoff")
  })

  it("shows lines without the carriage returns at their ends", () => {
    const { lines } = Excerpt.best("one\r\ntwo\r\n\rthree", { startLine: 1, endLine: 3 }, "one")
    assert.deepStrictEqual(lines, ["one", "two", "\rthree"])
  })

  it("is empty for lines that no longer exist", () => {
    assert.deepStrictEqual(Excerpt.best("one\n", { startLine: 5, endLine: 9 }, "one"), { firstLine: 5, lines: [] })
  })

  it.prop(
    "shows lines of the symbol, at most ten, in order",
    [
      FastCheck.array(FastCheck.constantFrom("alpha", "beta", "", "gamma delta")),
      FastCheck.integer({ min: 1, max: 40 }),
      FastCheck.nat(40),
    ],
    ([lines, startLine, more]) => {
      const endLine = startLine + more
      const shown = Excerpt.best(lines.join("\n"), { startLine, endLine }, "alpha delta")
      assert.isAtMost(shown.lines.length, Excerpt.LINES)
      assert.isAtLeast(shown.firstLine, startLine)
      const all = lines.join("\n").split("\n")
      const inside = all.slice(shown.firstLine - 1, shown.firstLine - 1 + shown.lines.length)
      assert.deepStrictEqual(shown.lines, inside)
      assert.isAtMost(shown.firstLine + shown.lines.length - 1, endLine)
    },
  )
})
