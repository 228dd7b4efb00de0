import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Unexplained from "../../src/search/Unexplained.ts"

/** Its own score, and what its purpose adds: less than the most that counts. */
const explained = FastCheck.tuple(
  FastCheck.double({ min: 1, max: 100, noNaN: true }),
  FastCheck.double({ min: 0, max: 0.25, noNaN: true }),
).map(([own, share]) => ({ own, ofPurpose: share * own, explained: 1 }))

describe("Unexplained.averageGain", () => {
  it("is what purposes add to the explained ones, as a share of their own scores", () => {
    const gain = Unexplained.averageGain([
      { own: 10, ofPurpose: 4, explained: 1 },
      { own: 10, ofPurpose: 0, explained: 1 },
      { own: 80, ofPurpose: 0, explained: 0 },
    ])
    assert.closeTo(gain, 0.2, 1e-9)
  })

  it("is at most a quarter, whatever a single match gained", () => {
    assert.strictEqual(Unexplained.averageGain([{ own: 0.1, ofPurpose: 4, explained: 1 }]), 0.25)
  })

  it("is nothing where none is explained", () => {
    assert.strictEqual(Unexplained.averageGain([{ own: 10, ofPurpose: 0, explained: 0 }]), 0)
    assert.strictEqual(Unexplained.averageGain([]), 0)
  })
})

describe("Unexplained.score", () => {
  it.prop(
    "gives an unexplained one what an explained one with the same score gets on average",
    [FastCheck.array(explained, { minLength: 1, maxLength: 20 })],
    ([best]) => {
      const gain = Unexplained.averageGain(best)
      const sum = (scores: ReadonlyArray<number>) => scores.reduce((sum, score) => sum + score, 0)
      assert.closeTo(
        sum(best.map(({ own }) => Unexplained.score({ own, ofPurpose: 0, explained: 0 }, gain))),
        sum(best.map((each) => Unexplained.score(each, gain))),
        1e-6,
      )
    },
  )

  it("adds to a file in part explained the more of its purposes and of the average for the rest", () => {
    assert.strictEqual(Unexplained.score({ own: 10, ofPurpose: 1, explained: 0.5 }, 0.4), 12)
    assert.strictEqual(Unexplained.score({ own: 10, ofPurpose: 3, explained: 0.5 }, 0.4), 13)
    assert.strictEqual(Unexplained.score({ own: 10, ofPurpose: 1, explained: 1 }, 0.4), 11)
  })
})

describe("Unexplained.shareOfFile", () => {
  it("is all where half of the symbols are explained", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 4].map((explained) => Unexplained.shareOfFile(explained, 4)),
      [0, 0.5, 1, 1],
    )
  })
})
