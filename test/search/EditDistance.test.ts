import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as EditDistance from "../../src/search/EditDistance.ts"

/** Few letters, so that words have many in common; more than once as long as what is computed at once. */
const words = FastCheck.string({ unit: FastCheck.constantFrom("a", "b", "c", "é", "索"), maxLength: 80 })

/** The same by the table of all distances. */
const naive = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? Number.NaN
}

describe("EditDistance.from", () => {
  it.each([
    ["append", "append", 0],
    ["append", "apend", 1],
    ["kitten", "sitting", 3],
    ["", "abc", 3],
    ["abc", "", 3],
  ])("%s to %s is %d", (one, other, expected) => {
    assert.strictEqual(EditDistance.from(one, 9)(other), expected)
  })

  it.prop(
    "is what the whole table of distances says, up to the most that is asked for",
    [words, FastCheck.array(words, { minLength: 1, maxLength: 5 }), FastCheck.integer({ min: 0, max: 80 })],
    ([word, others, most]) => {
      const distance = EditDistance.from(word, most)
      for (const other of others) {
        const expected = naive(word, other)
        assert.strictEqual(distance(other), expected > most ? undefined : expected)
      }
    },
  )
})
