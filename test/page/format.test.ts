import { assert, describe, it } from "vitest"
import {
  byName,
  formatCost,
  formatCount,
  formatDeprecation,
  formatDuration,
  formatPlural,
  formatPrice,
  formatSeconds,
  formatShare,
  formatTime,
  sharedNamespace,
  shortenName,
  shortModel,
  splitAtCode,
  splitName,
} from "../../src/page/format.ts"

describe("numbers for people", () => {
  it("shows two digits that count of a cost", () => {
    const shown = [0, 1.3, 0.0123, 0.00042, 0.5, 0.000_001].map(formatCost)
    assert.deepStrictEqual(shown, ["$0", "$1.30", "$0.012", "$0.00042", "$0.50", "<$0.00001"])
  })

  it("shows tenths of a second only below ten", () => {
    const shown = [-5, 400, 9940, 9960, 59_600, 185_000].map(formatDuration)
    assert.deepStrictEqual(shown, ["0.0 s", "0.4 s", "9.9 s", "10 s", "1 min 0 s", "3 min 5 s"])
    assert.strictEqual(formatSeconds(3.9), "3 s")
  })

  it("shortens counts", () => {
    const shown = [950, 1000, 12_345, 128_000, 999_600, 1_200_000].map(formatCount)
    assert.deepStrictEqual(shown, ["950", "1k", "12.3k", "128k", "1M", "1.2M"])
  })

  it("puts a noun into the singular for one alone", () => {
    const shown = [0, 1, 2, 12_345].map((count) => formatPlural(count, "file"))
    assert.deepStrictEqual(shown, ["0 files", "1 file", "2 files", "12,345 files"])
  })

  it("shows prices without the dust of their arithmetic", () => {
    assert.deepStrictEqual([formatPrice(0.449_999_999_9), formatPrice(15), formatPrice(undefined)], ["0.45", "15", ""])
  })

  it("shows a small share as one, and none as none", () => {
    assert.deepStrictEqual([0, 0.0004, 0.01, 0.126, 1].map(formatShare), ["0 %", "under 1 %", "1 %", "13 %", "100 %"])
  })

  it("shortens a qualified name in its container, so that the beginning and the last part stay", () => {
    const shown = ["total", "LiveConversations.make.openModel", "aMethodOfMoreThanTwentyTwoLetters"].map((name) =>
      shortenName(name, 22),
    )
    assert.deepStrictEqual(shown, ["total", "LiveConvers….openModel", "aMethodOfMo…TwoLetters"])
    for (const name of ["a.".repeat(30), "x".repeat(23), `${"y".repeat(40)}.z`]) {
      assert.strictEqual(shortenName(name, 22).length, 22)
    }
  })

  it("divides a name as its language writes it, and leaves out the namespace that a list shares", () => {
    assert.deepStrictEqual(
      ["total", "Session.send", "GuzzleHttp\\Cookie\\SetCookie", "ns::A::b", "Flask.", "..."].map(splitName),
      [
        { container: "", last: "total" },
        { container: "Session.", last: "send" },
        { container: "GuzzleHttp\\Cookie\\", last: "SetCookie" },
        { container: "ns::A::", last: "b" },
        { container: "", last: "Flask." },
        { container: "", last: "..." },
      ],
    )
    assert.strictEqual(sharedNamespace(["GuzzleHttp\\Cookie\\A", "GuzzleHttp\\B.c"]), "GuzzleHttp\\")
    assert.strictEqual(sharedNamespace(["A.b.c", "A.b.d.e", "A.b.f"]), "A.b.")
    assert.strictEqual(sharedNamespace(["A.b", "C.d"]), "")
    assert.strictEqual(sharedNamespace(["A.b"]), "", "a single name keeps its own")
    assert.strictEqual(sharedNamespace([]), "")
  })

  it("says until when a deprecated model is there, and what to use then, where that is known", () => {
    assert.strictEqual(formatDeprecation({}), "deprecated")
    assert.strictEqual(
      formatDeprecation({ from: "2026-10-16", successor: "gemini-flash-latest" }),
      "deprecated, may be gone from 2026-10-16 on, then gemini-flash-latest",
    )
  })

  it("shows the hour as the language of the reader has it", () => {
    const at = Date.UTC(2026, 0, 5, 6, 19)
    const hour = new Date(at).toLocaleTimeString([], { hour: "numeric", minute: "2-digit" })
    assert.strictEqual(formatTime(at, at), hour)
  })

  it("leaves out the provider of a model", () => {
    assert.deepStrictEqual([shortModel("google/gemini"), shortModel("gemini")], ["gemini", "gemini"])
  })
})

describe("symbols that a name finds", () => {
  it("begin with those of exactly that name, types first, and keep their order otherwise", () => {
    const found = [
      { kind: "method", name: "Router.route" },
      { kind: "class", name: "BaseRoute" },
      { kind: "class", name: "tests.Route" },
      { kind: "function", name: "route" },
      { kind: "class", name: "Route" },
    ]
    const names = byName(found, " route", (one) => one).map(({ name }) => name)
    assert.deepStrictEqual(names, ["Route", "route", "tests.Route", "Router.route", "BaseRoute"])
  })
})

describe("purposes", () => {
  it("are divided at the code in them", () => {
    const splits = ["Joins `a` and `b`.", "`run` it", "an odd ` stays", ""].map(splitAtCode)
    assert.deepStrictEqual(splits, [["Joins ", "a", " and ", "b", "."], ["", "run", " it"], ["an odd ` stays"], [""]])
  })
})
