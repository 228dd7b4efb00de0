import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as ReadingOrder from "../../../../src/index/IndexStore/internal/references/ReadingOrder.ts"

const candidate = (file: string, use: number, reach: number, isOffered = false): ReadingOrder.Candidate => ({
  file,
  use,
  reach,
  isOffered,
})

const candidates = fc.array(
  fc.record({
    file: fc.constantFrom("a", "b", "c"),
    use: fc.nat(9),
    reach: fc.nat(9),
    isOffered: fc.boolean(),
  }),
  { maxLength: 30 },
)

describe("ReadingOrder.order", () => {
  it("takes a way in, then two that most is built on, and so on", () => {
    const [main, run, type, helper, least] = [0, 1, 2, 3, 4]
    assert.deepStrictEqual(
      ReadingOrder.order([
        candidate("main", 0, 9),
        candidate("core", 1, 8),
        candidate("types", 9, 0),
        candidate("util", 8, 1),
        candidate("more", 7, 0),
      ]),
      [main, type, helper, run, least],
    )
  })

  it("counts twice what the project offers to others", () => {
    assert.deepStrictEqual(ReadingOrder.order([candidate("a", 0, 5), candidate("b", 0, 3, true)]), [1, 0])
    assert.deepStrictEqual(ReadingOrder.order([candidate("a", 0, 5), candidate("b", 0, 2, true)]), [0, 1])
  })

  it("counts the second symbol of a file half, so that one file does not hide the others", () => {
    const inOneFile = [candidate("a", 9, 0), candidate("a", 8, 0), candidate("a", 7, 0)]
    assert.deepStrictEqual(
      ReadingOrder.order([...inOneFile, candidate("b", 5, 0), candidate("c", 3, 0)]),
      [0, 3, 1, 4, 2],
    )
  })

  it("never takes what is no way in before what more is built on, whether or not it is offered", () => {
    assert.deepStrictEqual(ReadingOrder.order([candidate("a", 1, 0, true), candidate("b", 2, 0)]), [1, 0])
  })

  it.prop(
    "has every candidate once, and none that most is built on more than half as late again",
    [candidates],
    ([all]) => {
      const order = ReadingOrder.order(all)
      assert.sameMembers(Array.from(order), Array.from(all.keys()))
      const byUse = ReadingOrder.order(all.map((each) => ({ ...each, reach: 0 })))
      for (const [place, position] of byUse.entries()) {
        assert.isAtMost(order.indexOf(position), place + Math.floor(place / 2) + 1)
      }
    },
  )
})
