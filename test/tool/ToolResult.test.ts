import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ToolResult from "../../src/tool/ToolResult.ts"
import { anyText } from "../utils/anyText.ts"

const { limit, presentable } = ToolResult

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** The two ends that a long text was cut to, and the stated number of bytes between them. */
const cut = (text: string) => {
  const [, head = "", left = "", tail = ""] =
    /^(.*)\n\[… (\d+) bytes left out …\]\n(.*)$/s.exec(presentable(text)) ?? assert.fail("nothing was left out")
  return { head, left: Number(left), tail }
}

describe("ToolResult.presentable", () => {
  it("is 50 KB at the most", () => {
    assert.strictEqual(limit, 51_200)
  })

  it.each([
    ["a text", "one\ntwo", "one\ntwo"],
    ["nothing", "", "(empty result)"],
    ["a text with NUL in it", "é\0", "[binary, 3 bytes]"],
    ["halves of surrogate pairs", "a\ud83db\ude00c", "a\ufffdb\ufffdc"],
    ["as much as there may be", "x".repeat(limit), "x".repeat(limit)],
  ])("makes %s fit", (_, text, expected) => {
    assert.strictEqual(presentable(text), expected)
  })

  it.each([
    ["one-byte characters", "x".repeat(3_000_000)],
    ["one character too many", "x".repeat(limit + 1)],
    ["two-byte characters", "é".repeat(1_000_000)],
    ["three-byte characters", `x${"語".repeat(1_000_000)}`],
    ["surrogate pairs", "😀".repeat(500_000)],
    ["surrogate pairs at odd places", `x${"😀".repeat(500_000)}x`],
  ])("keeps the head and the tail of megabytes: %s", (_, text) => {
    const { head, left, tail } = cut(text)
    assert.isAtMost(bytesOf(presentable(text)), limit)
    assert.isAbove(bytesOf(head + tail), limit - 100)
    assert.isTrue(text.startsWith(head) && text.endsWith(tail))
    assert.strictEqual(bytesOf(head) + left + bytesOf(tail), bytesOf(text))
  })

  it("counts the bytes of halves of surrogate pairs as they are sent", () => {
    const { head, left, tail } = cut("\ud83d".repeat(limit))
    assert.isTrue((head + tail).isWellFormed())
    assert.strictEqual(bytesOf(head + tail) + left, 3 * limit)
  })

  it.prop(
    "is well-formed, not empty, not binary and within the limit, whatever the text",
    [
      FastCheck.array(
        FastCheck.oneof(
          anyText(),
          FastCheck.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)),
        ),
      ).map((pieces) => pieces.join("")),
      FastCheck.constantFrom(1, 10, 10_000),
    ],
    ([piece, times]) => {
      const shown = presentable(piece.repeat(times))
      assert.isTrue(shown.isWellFormed())
      assert.notInclude(shown, "\0")
      assert.isAtMost(bytesOf(shown), limit)
      assert.isAbove(shown.length, 0)
      assert.strictEqual(presentable(shown), shown)
    },
  )
})
