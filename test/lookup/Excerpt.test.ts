import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Excerpt from "../../src/lookup/Excerpt.ts"

const numbered = (count: number, special: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, i) => special[i + 1] ?? `line ${i + 1}`).join("\n")

const at = (startLine: number, endLine: number, more: Partial<Excerpt.Place> = {}): Excerpt.Place => ({
  startLine,
  endLine,
  kind: "function",
  ...more,
})

describe("Excerpt.of", () => {
  it("shows a short symbol whole", () => {
    assert.deepStrictEqual(Excerpt.of(numbered(20), at(5, 7), "anything")(8), {
      firstLine: 5,
      lines: ["line 5", "line 6", "line 7"],
    })
  })

  it("shows the first three lines where no line answers", () => {
    const { firstLine, lines } = Excerpt.of(numbered(100), at(11, 90), "zebra")(8)
    assert.deepStrictEqual([firstLine, lines], [11, ["line 11", "line 12", "line 13"]])
  })

  it("shows the lines that name most words of the question, and a line around them", () => {
    const text = numbered(100, { 20: "retry", 21: "retry", 60: "const retryDelay = backoff(", 62: "  jitter" })
    assert.deepStrictEqual(Excerpt.of(text, at(1, 100), "retryBackoff jitter")(8), {
      firstLine: 59,
      lines: ["line 59", "const retryDelay = backoff(", "line 61", "  jitter", "line 63"],
    })
  })

  it("counts guessed identifiers half beside the words of the question", () => {
    const text = numbered(100, { 20: "backoff", 60: "jitter" })
    const first = (question: string, also?: ReadonlyArray<string>) =>
      Excerpt.of(text, at(1, 100), question, also)(3).lines
    assert.include(first("anything", ["jitter"]), "jitter")
    assert.include(first("backoff", ["jitter"]), "backoff")
    assert.include(first("jitter", ["backoff"]), "jitter")
  })

  it("has more lines than match where more are asked for", () => {
    const text = numbered(40, { 1: "function retry() {", 39: "  end" })
    assert.lengthOf(Excerpt.of(text, at(1, 40), "retry")(8).lines, 3)
    assert.deepStrictEqual(Excerpt.of(text, at(1, 40), "retry")(8, 8).lines.slice(-2), ["line 7", "line 8"])
    assert.lengthOf(Excerpt.of(text, at(1, 40), "end")(8, 8).lines, 8)
  })

  it("has at most as many lines as are asked for", () => {
    const text = numbered(100, { 20: "retry", 22: "retry again", 24: "a third retry" })
    for (const most of [1, 2, 3, 8]) assert.isAtMost(Excerpt.of(text, at(1, 100), "retry")(most).lines.length, most)
  })

  it("prefers a word that few lines have to one that many have", () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n + 1, "request request"]))
    const { lines } = Excerpt.of(numbered(60, { ...many, 50: "jitter" }), at(1, 60), "request jitter")(3)
    assert.include(lines, "jitter")
  })

  it("finds words in any form, and not those without a meaning", () => {
    const text = numbered(40, { 3: "that is what it was", 30: "await redirecting(response)" })
    assert.include(Excerpt.of(text, at(1, 40), "what was redirected")(3).lines, "await redirecting(response)")
  })

  it("leaves out a comment within the symbol that is shown beside it", () => {
    const text = [
      "def wait(n):",
      '    """',
      "    Waits for a busy server.",
      "",
      "    More.",
      '    """',
      "    sleep(n)",
    ].join("\n")
    const doc = "Waits for a busy server.\n\nMore."
    assert.deepStrictEqual(Excerpt.of(text, at(1, 7, { doc }), "busy server")(8), {
      firstLine: 7,
      lines: ["    sleep(n)"],
    })
    assert.include(Excerpt.of(text, at(1, 7), "busy server")(8).lines.join(), "busy server")
    const short = ["class Gone(Exception):", '    """It is gone."""'].join("\n")
    assert.deepStrictEqual(Excerpt.of(short, at(1, 2, { doc: "It is gone.", kind: "class" }), "gone")(8), {
      firstLine: 1,
      lines: ["class Gone(Exception):"],
    })
  })

  it("leaves out a declaration with a line for each parameter", () => {
    const text = ["def send(", "    self,", "    stream=None,", "    proxies=None,", "):", "    open(stream)"].join(
      "\n",
    )
    assert.deepStrictEqual(Excerpt.of(text, at(1, 6), "stream proxies")(8).lines, ["    open(stream)"])
    assert.include(Excerpt.of(text, at(1, 6, { kind: "constant" }), "stream proxies")(8).lines, "    proxies=None,")
  })

  it("shows lines without the carriage returns at their ends", () => {
    const { lines } = Excerpt.of("one\r\ntwo\r\n\rthree", at(1, 3), "one")(8)
    assert.deepStrictEqual(lines, ["one", "two", "\rthree"])
  })

  it("is empty for lines that no longer exist", () => {
    assert.deepStrictEqual(Excerpt.of("one\n", at(5, 9), "one")(8), { firstLine: 5, lines: [] })
  })

  it.prop(
    "shows whole lines of the symbol, at most so many, in order",
    [
      FastCheck.array(FastCheck.constantFrom("alpha", "beta", "", "gamma delta")),
      FastCheck.integer({ min: 1, max: 40 }),
      FastCheck.nat(40),
      FastCheck.integer({ min: 1, max: 8 }),
    ],
    ([lines, startLine, more, most]) => {
      const endLine = startLine + more
      const shown = Excerpt.of(lines.join("\n"), at(startLine, endLine, { doc: "beta" }), "alpha delta")(most)
      assert.isAtMost(shown.lines.length, most)
      assert.isAtLeast(shown.firstLine, startLine)
      const all = lines.join("\n").split("\n")
      const inside = all.slice(shown.firstLine - 1, shown.firstLine - 1 + shown.lines.length)
      assert.deepStrictEqual(shown.lines, inside)
      assert.isAtMost(shown.firstLine + shown.lines.length - 1, endLine)
    },
  )
})
