import { assert, describe, it } from "vitest"
import { atEnd, clip, growDown, growUp, most, step } from "../../../src/page/conversation/drawn.ts"

const infinite = Number.POSITIVE_INFINITY

describe("what is drawn of a path", () => {
  it("is its end at first, and follows what is added", () => {
    assert.deepStrictEqual(clip(atEnd, 800, 1000), { from: 1000 - step, to: 1000 })
    assert.deepStrictEqual(clip(atEnd, 800, 1001), { from: 1001 - step, to: 1001 })
    assert.deepStrictEqual(clip(atEnd, 0, 3), { from: 0, to: 3 })
    assert.deepStrictEqual(clip(atEnd, 0, 0), { from: 0, to: 0 })
  })

  it("reaches every message upwards and downwards, and is never more than its limit", () => {
    const total = 1003
    let drawn = clip(atEnd, 0, total)
    for (let turn = 0; drawn.from > 0; turn++) {
      assert.isBelow(turn, 100)
      drawn = clip(growUp(drawn, total), 0, total)
      assert.isAtMost(drawn.to - drawn.from, most)
    }
    for (let turn = 0; drawn.to < total; turn++) {
      assert.isBelow(turn, 100)
      const grown = growDown(drawn, total)
      if (grown.to === infinite) assert.isAtLeast(drawn.to + step, total)
      drawn = clip(grown, 0, total)
      assert.isAtMost(drawn.to - drawn.from, most)
    }
    assert.strictEqual(growDown(drawn, total).to, infinite)
  })

  it("has none that the page has not read", () => {
    assert.deepStrictEqual(clip({ from: 700, to: 900 }, 800, 1000), { from: 800, to: 900 })
  })
})
