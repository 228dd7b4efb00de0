import { assert, describe, it } from "@effect/vitest"
import * as Repeats from "../../../src/loom/internal/repeats.ts"
import * as Block from "../../../src/message/Block.ts"
import * as ToolResult from "../../../src/tool/ToolResult.ts"

type Outcome = readonly [parameters: Block.ToolUse["parameters"], text: string]

/** For each turn, what is said of each of its results: how often it came, or nothing. */
const noticed = (...turns: ReadonlyArray<ReadonlyArray<Outcome>>) => {
  const tell = Repeats.make()
  return turns.map((turn) => {
    const results = new Map(
      turn.map(([parameters, text], index) => [Block.toolUse(`c${index}`, "look", parameters), ToolResult.text(text)]),
    )
    return Array.from(tell(results).values(), ({ text }) => /same result (\d+) times/.exec(text)?.[1])
  })
}

const a: Outcome = [{ path: "a" }, "1"]
const b: Outcome = [{ path: "b" }, "1"]

describe("repeats", () => {
  it("says so from the third time on", () => {
    assert.deepStrictEqual(noticed([a], [a], [a], [a], [a]), [[undefined], [undefined], ["3"], ["4"], ["5"]])
  })

  it("says so to a model that goes back and forth", () => {
    assert.deepStrictEqual(noticed([a], [b], [a], [b], [a], [b]).slice(4), [["3"], ["3"]])
  })

  it("says nothing where the result changes, or the arguments do", () => {
    const polls = Array.from({ length: 9 }, (_, n): ReadonlyArray<Outcome> => [[{ path: "a" }, `${n}`]])
    const files = Array.from({ length: 20 }, (_, n): ReadonlyArray<Outcome> => [[{ path: `${n}` }, "empty"]])
    for (const [notice] of [...noticed(...polls), ...noticed(...files)]) assert.isUndefined(notice)
  })

  it("says nothing to calls that are made at once", () => {
    assert.deepStrictEqual(noticed([a, a, a, a]), [[undefined, undefined, undefined, undefined]])
  })

  it("knows a call by its arguments, in whatever order they come", () => {
    const one: Outcome = [{ path: "a", range: { from: 1, to: 2 } }, "1"]
    const other: Outcome = [{ range: { to: 2, from: 1 }, path: "a" }, "1"]
    assert.deepStrictEqual(noticed([one], [other], [one]).at(-1), ["3"])
  })

  it("leaves the result itself as it is", () => {
    const tell = Repeats.make()
    const call = Block.toolUse("c", "look", {})
    const result = { text: "no", isError: true, filesWritten: ["a.ts"], data: 7 }
    const results = [1, 2, 3].map(() => tell(new Map([[call, result]])).get(call))
    assert.deepStrictEqual(results.slice(0, 2), [result, result])
    assert.deepStrictEqual({ ...results[2], text: "no" }, result)
    assert.match(results[2]?.text ?? "", /^no\n\n\(Notice: /)
  })
})
