import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as EditDistance from "../../src/search/EditDistance.ts"
import { cases } from "../thoroughness.ts"

/** Few letters, so that words have many in common; up to several times as long as the rows computed at once. */
const words = FastCheck.string({ unit: FastCheck.constantFrom("a", "b", "c", "é", "索"), maxLength: 80 })

/** By its definition, with the whole table of distances. */
const naive = (one: string, other: string): number => {
  const table = [Array.from({ length: other.length + 1 }, (_, n) => n)]
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= one.length; i++) {
    table.push([i])
    for (let j = 1; j <= other.length; j++) {
      const substituted = at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isTransposed = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const transposed = isTransposed ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      table[i]?.push(Math.min(substituted, transposed, at(i - 1, j) + 1, at(i, j - 1) + 1))
    }
  }
  return at(one.length, other.length)
}

describe("EditDistance.from", () => {
  it.each([
    ["append", "append", 0],
    ["append", "apend", 1],
    ["main", "mian", 1],
    ["kitten", "sitting", 3],
    ["ca", "abc", 3],
    ["", "abc", 3],
    ["abc", "", 3],
  ])("%s to %s is %d", (one, other, expected) => {
    assert.strictEqual(EditDistance.from(one, 9)(other), expected)
  })

  it("counts a transposition across the rows computed at once", () => {
    for (const length of [30, 31, 32, 33, 63, 64]) {
      const [start, end] = ["x".repeat(length), "y".repeat(40)]
      assert.strictEqual(EditDistance.from(`${start}ab${end}`, 9)(`${start}ba${end}`), 1)
    }
  })

  it("takes neither time nor memory for a text of a million letters, which is too long for every name", () => {
    const text = "word ".repeat(200_000)
    for (let times = 0; times < 100; times++) {
      assert.isUndefined(EditDistance.from(text, Math.floor(text.length / 3))("word"))
    }
  })

  it.prop(
    "is the distance of the definition, up to the maximum",
    [words, FastCheck.array(words, { minLength: 1, maxLength: 5 }), FastCheck.integer({ min: 0, max: 80 })],
    ([word, others, max]) => {
      const distance = EditDistance.from(word, max)
      for (const other of others) {
        const expected = naive(word, other)
        assert.strictEqual(distance(other), expected > max ? undefined : expected)
      }
    },
    { fastCheck: { numRuns: cases(500) } },
  )
})
