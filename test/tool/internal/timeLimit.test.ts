import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { runWithin } from "../../../src/tool/internal/timeLimit.ts"

describe("runWithin", () => {
  it("returns what the work returns, also if that is nothing", () => {
    assert.deepStrictEqual(
      runWithin(1000, () => 1),
      Option.some(1),
    )
    assert.deepStrictEqual(
      runWithin(1000, () => undefined),
      Option.some(undefined),
    )
  })

  it("throws what the work throws", () => {
    const error = new RangeError("too far")
    assert.throws(
      () =>
        runWithin(1000, () => {
          throw error
        }),
      error,
    )
  })

  it.each<readonly [what: string, work: () => unknown]>([
    ["a loop", () => endless()],
    ["a regular expression", () => /^(a+)+$/u.test(`${"a".repeat(60)}!`)],
  ])("ends %s without an end, and the next work has its own time", (_, work) => {
    assert.deepStrictEqual(runWithin(20, work), Option.none())
    assert.deepStrictEqual(
      runWithin(1000, () => "next"),
      Option.some("next"),
    )
  })
})

const endless = (): number => {
  let n = 0
  while (n >= 0) n = (n + 1) % 7
  return n
}
