import { assert, describe, it } from "@effect/vitest"
import * as Batch from "../../src/explore/Batch.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"

const symbol = (path: string) =>
  new IndexEntry({
    path,
    name: "f",
    kind: "function",
    container: undefined,
    startLine: 1,
    endLine: 2,
    signature: "",
    exported: true,
    hash: "0",
    usedBy: 0,
    isMajor: true,
    doc: undefined,
    purpose: undefined,
  })

const batch = (area: string, ...paths: ReadonlyArray<string>): Batch.Batch => ({
  area,
  text: "",
  symbols: paths.map(symbol),
  tokens: 0,
})

describe("Batch.describe", () => {
  it.each([
    ["src/a.ts", batch("src/a.ts", "src/a.ts", "src/a.ts")],
    ["src", batch("src", "src/a.ts", "src/b.ts")],
    ["src/jsx, src", batch("src", "src/a.ts", "src/jsx/b.ts", "src/jsx/c.ts")],
    ["the top folder, src", batch(".", "a.ts", "b.ts", "src/c.ts")],
    ["the whole project", batch(".", "a.ts")],
    ["a, b, c", batch(".", "a/x.ts", "b/x.ts", "c/x.ts")],
    ["a, b and 2 more folders", batch(".", "a/x.ts", "b/x.ts", "c/x.ts", "d/x.ts")],
  ])("is %s", (expected, batch) => {
    assert.strictEqual(Batch.describe(batch), expected)
  })
})

describe("Batch.marksOf", () => {
  it("is a range, and for one symbol its mark", () => {
    assert.strictEqual(Batch.marksOf(batch("src", "a.ts", "b.ts", "c.ts")), "§1–§3")
    assert.strictEqual(Batch.marksOf(batch("src", "a.ts")), "§1")
  })
})

describe("Batch.symbolOf", () => {
  it.each([
    ["1", "a.ts"],
    ["12", "l.ts"],
    ["§2", "b.ts"],
    [" § 2 ", "b.ts"],
    ["13", undefined],
    ["0", undefined],
    ["-1", undefined],
    ["01", undefined],
    ["2.", undefined],
    ["2 and 3", undefined],
    ["no 2", undefined],
    ["x§2", undefined],
    ["", undefined],
  ])("finds by %j the symbol of %s", (number, path) => {
    const all = batch("src", ...Array.from("abcdefghijkl", (letter) => `${letter}.ts`))
    assert.strictEqual(Batch.symbolOf(all, number)?.path, path)
  })
})

describe("Batch.answerTokens", () => {
  it("has a part for the answer and one for each symbol", () => {
    assert.strictEqual(Batch.answerTokens(0), 30)
    assert.strictEqual(Batch.answerTokens(10), 30 + 10 * Batch.PURPOSE_TOKENS)
  })
})

describe("Batch.halve", () => {
  const symbols = (...described: ReadonlyArray<string>) =>
    described.map((each, at) => {
      const [name = "", usedBy = "0"] = each.split(" ")
      return new IndexEntry({ ...symbol("a.ts"), name, usedBy: Number(usedBy), startLine: at + 1, hash: String(at) })
    })
  const halvesOf = (...described: ReadonlyArray<string>) =>
    Batch.halve(symbols(...described)).map((half) => half.map(({ name }) => name).join(" "))

  it.each([
    [
      ["a 1", "b 9", "c 5", "d 2"],
      ["b c", "d a"],
    ],
    [
      ["a", "b", "c"],
      ["a b", "c"],
    ],
    [
      ["a 1", "b 2"],
      ["b", "a"],
    ],
    // Overloads count by the most used of them, and stay together though the halves are not of one size.
    [
      ["a 3", "f 1", "f 5", "b 4", "f", "c 2"],
      ["f f f", "b a c"],
    ],
    [
      ["f", "a 1", "f", "f"],
      ["a", "f f f"],
    ],
    [
      ["f", "f", "f"],
      ["f f", "f"],
    ],
    [["a"], ["a", ""]],
  ])("divides %j", (described, halves) => {
    assert.deepStrictEqual(halvesOf(...described), halves)
  })

  it("takes symbols of one name in two files for two", () => {
    const [one, other] = [symbol("a.ts"), symbol("b.ts")]
    assert.deepStrictEqual(Batch.halve([one, other]), [[one], [other]])
  })
})
