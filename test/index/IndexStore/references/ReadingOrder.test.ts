import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as ReadingOrder from "../../../../src/index/IndexStore/internal/references/ReadingOrder.ts"

const candidates = fc.array(fc.record({ file: fc.nat(2), score: fc.nat(9) }), { maxLength: 30 })

describe("ReadingOrder.rank", () => {
  it("counts the second symbol of a file half, so that one file does not hide the others", () => {
    const inOneFile = [9, 8, 7].map((score) => ({ file: 1, score }))
    assert.deepStrictEqual(
      ReadingOrder.rank([...inOneFile, { file: 2, score: 5 }, { file: 3, score: 3 }]),
      [0, 3, 1, 4, 2],
    )
  })

  it.prop("has every candidate once, and those of one file by their scores", [candidates], ([all]) => {
    const order = ReadingOrder.rank(all)
    assert.sameMembers(Array.from(order), Array.from(all.keys()))
    for (const file of [0, 1, 2]) {
      const ofFile = all.flatMap((each, position) => (each.file === file ? [position] : []))
      assert.deepStrictEqual(
        order.filter((position) => ofFile.includes(position)),
        ofFile.toSorted((one, other) => (all[other]?.score ?? 0) - (all[one]?.score ?? 0)),
      )
    }
  })

  it.prop(
    "has the candidates of some files in the order that they have without the others",
    [candidates, fc.subarray([0, 1, 2])],
    ([all, files]) => {
      const some = all.flatMap((each, position) => (files.includes(each.file) ? [position] : []))
      assert.deepStrictEqual(
        ReadingOrder.rank(all).filter((position) => some.includes(position)),
        ReadingOrder.rank(all.filter(({ file }) => files.includes(file))).map((position) => some[position] ?? -1),
      )
    },
  )
})

describe("ReadingOrder.interleave", () => {
  it("takes a way in, then two that most is built on, and so on", () => {
    const [main, run, core, type, helper, least] = [0, 1, 2, 3, 4, 5]
    assert.deepStrictEqual(ReadingOrder.interleave([main, core, run], [type, helper, core, main, least], 9), [
      main,
      type,
      helper,
      core,
      run,
      least,
    ])
  })

  it.prop(
    "has each symbol once, and none that most is built on more than half as late again",
    [fc.uniqueArray(fc.nat(30)), fc.uniqueArray(fc.nat(30)), fc.nat(20)],
    ([ways, used, limit]) => {
      const order = ReadingOrder.interleave(ways, used, 100)
      assert.strictEqual(new Set(order).size, order.length)
      assert.includeMembers(Array.from(order), used)
      for (const [place, id] of used.entries()) assert.isAtMost(order.indexOf(id), place + Math.floor(place / 2) + 1)
      assert.deepStrictEqual(
        ReadingOrder.interleave(ways.slice(0, limit), used.slice(0, limit), limit),
        order.slice(0, limit),
      )
    },
  )
})
