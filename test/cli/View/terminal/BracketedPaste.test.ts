import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { collect, END, START } from "../../../../src/cli/View/terminal/BracketedPaste.ts"

/** Collects a text in chunks of these lengths: its pastes, and the rest. */
const collectAll = (text: string, lengths: ReadonlyArray<number>) => {
  const pastes: Array<string> = []
  let rest = ""
  const take = collect(
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

describe("BracketedPaste", () => {
  it("joins each paste, and passes on all other input", () => {
    const text = `a${START}one${END}b${START}${END}${START}two\x1b[201${END}\x1b[A`
    assert.deepStrictEqual(collectAll(text, []), {
      pastes: [`${START}one${END}`, `${START}${END}`, `${START}two\x1b[201${END}`],
      rest: "ab\x1b[A",
    })
  })

  it("finds the end of a paste however it is divided", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.integer({ min: 1, max: 4 })), (lengths) => {
        const paste = `${START}one\x1b[20 \x1b[201 two${END}`
        const { pastes, rest } = collectAll(`${paste}c`, [START.length, ...lengths])
        assert.deepStrictEqual(pastes, [paste])
        assert.strictEqual(rest, "c")
      }),
    ))
})
