import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { END, gather, START } from "../../../../src/cli/View/terminal/Pastes.ts"

/** What is told of a text that comes in pieces of these lengths: pastes, and all else. */
const told = (text: string, lengths: ReadonlyArray<number>) => {
  const pastes: Array<string> = []
  let rest = ""
  const take = gather(
    (paste) => pastes.push(paste),
    (data) => {
      rest += data
    },
  )
  let from = 0
  for (const length of lengths) {
    take(text.slice(from, from + length))
    from += length
  }
  take(text.slice(from))
  return { pastes, rest }
}

describe("Pastes", () => {
  it("puts each paste together, and lets all else through", () => {
    const text = `a${START}one${END}b${START}${END}${START}two\x1b[201${END}\x1b[A`
    assert.deepStrictEqual(told(text, []), {
      pastes: [`${START}one${END}`, `${START}${END}`, `${START}two\x1b[201${END}`],
      rest: "ab\x1b[A",
    })
  })

  it("finds the end of a paste wherever it is cut", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.integer({ min: 1, max: 4 })), (lengths) => {
        const paste = `${START}one\x1b[20 \x1b[201 two${END}`
        const { pastes, rest } = told(`${paste}c`, [START.length, ...lengths])
        assert.deepStrictEqual(pastes, [paste])
        assert.strictEqual(rest, "c")
      }),
    ))
})
