import { assert, describe, it } from "@effect/vitest"
import * as Evidence from "../../src/wiki/Evidence.ts"
import * as EvidenceMerge from "../../src/wiki/EvidenceMerge.ts"

const line = (page: string, digest: string, hash = "h"): Evidence.Line => ({
  page,
  digest,
  kind: "claim",
  author: "model",
  citations: [{ path: "a.ts", symbol: "a", hash }],
})
const text = (...lines: ReadonlyArray<Evidence.Line>): string => Evidence.render({ lines, invalid: [] })

describe("EvidenceMerge.isEvidence", () => {
  const known = text(line("a", "1"))
  it.each([
    [true, "evidence", known],
    [true, "evidence with damaged lines before it", `{"digest"\n<<<<<<< ours\n${known}`],
    [
      true,
      "evidence whose keys stand in another order",
      JSON.stringify(Object.fromEntries(Object.entries(line("a", "1")).reverse())),
    ],
    [false, "nothing", ""],
    [false, "purposes that speak of a digest", '{"path":"a.ts","symbol":"a","purpose":"Has \\"digest\\"."}\n'],
    [false, "a line that has the key alone", '{"digest":"1"}\n'],
  ])("is %s for %s, on whichever side", (expected, _, some) => {
    for (const side of ["base", "ours", "theirs"]) {
      assert.strictEqual(EvidenceMerge.isEvidence({ base: "", ours: "", theirs: "", [side]: some }), expected)
    }
  })
})

describe("EvidenceMerge.merge", () => {
  it("takes additions, changes and removals of both sides", () => {
    const base = text(line("a", "1"), line("a", "2"), line("b", "3"))
    const ours = text(line("a", "1", "new"), line("a", "2"), line("b", "3"), line("c", "4"))
    const theirs = text(line("a", "1"), line("b", "3"), line("d", "5"))
    const merged = { text: text(line("a", "1", "new"), line("b", "3"), line("c", "4"), line("d", "5")), damaged: 0 }
    assert.deepStrictEqual(EvidenceMerge.merge({ base, ours, theirs }), merged)
    assert.deepStrictEqual(EvidenceMerge.merge({ base, ours: theirs, theirs: ours }), merged)
  })

  it("keeps one line where both sides have changed it, whichever is ours", () => {
    const sides = { base: text(line("a", "1")), ours: text(line("a", "1", "x")), theirs: text(line("a", "1", "y")) }
    const one = EvidenceMerge.merge(sides).text
    assert.strictEqual(one, EvidenceMerge.merge({ ...sides, ours: sides.theirs, theirs: sides.ours }).text)
    assert.lengthOf(Evidence.parse(one).lines, 1)
  })

  it("keeps the keys of a newer version, of lines and of citations, as they stand", () => {
    const newer = (page: string, hash?: string) => {
      const { citations, digest, ...others } = line(page, "1", hash)
      const written = { ...others, sources: ["a.ts", { line: 2 }], digest, citations: [{ from: 7, ...citations[0] }] }
      return `${JSON.stringify(written)}\n`
    }
    const base = text(line("a", "1"))
    for (const side of [newer("a", "new"), newer("a") + newer("b")]) {
      const merged = { text: side + text(line("c", "1")), damaged: 0 }
      const other = base + text(line("c", "1"))
      assert.deepStrictEqual(EvidenceMerge.merge({ base, ours: side, theirs: other }), merged)
      assert.deepStrictEqual(EvidenceMerge.merge({ base, ours: other, theirs: side }), merged)
    }
  })

  it("takes a change of one side where the other has only put the keys in another order, whichever is ours", () => {
    const base = text(line("a", "1"))
    const changed = text(line("a", "1", "new"))
    const { digest, page, ...others } = line("a", "1")
    const backwards = (value: object) => Object.fromEntries(Object.entries(value).reverse())
    const orders = [
      { page, ...others, digest },
      { ...line("a", "1"), citations: others.citations.map(backwards) },
      backwards(line("a", "1")),
    ]
    for (const order of orders) {
      const reordered = `${JSON.stringify(order)}\n`
      assert.strictEqual(EvidenceMerge.merge({ base, ours: reordered, theirs: changed }).text, changed)
      assert.strictEqual(EvidenceMerge.merge({ base, ours: changed, theirs: reordered }).text, changed)
      const unchanged = EvidenceMerge.merge({ base, ours: reordered, theirs: base }).text
      assert.strictEqual(EvidenceMerge.merge({ base, ours: base, theirs: reordered }).text, unchanged)
    }
  })

  it("leaves lines that it cannot read between the markers of a conflict", () => {
    const { damaged, text: merged } = EvidenceMerge.merge({ base: "", ours: "{\n", theirs: text(line("a", "1")) })
    assert.strictEqual(damaged, 1)
    assert.include(merged, "<<<<<<< ours\n{\n=======\n>>>>>>> theirs\n")
  })
})
