import { assert, describe, it } from "@effect/vitest"
import * as Repeats from "../../../src/agent/internal/repeats.ts"
import * as Block from "../../../src/message/Block.ts"
import * as ToolResult from "../../../src/tool/ToolResult.ts"

type Outcome = readonly [parameters: Block.ToolUse["parameters"], text: string]

/** For each turn the notices on its results: how often each came, or nothing. */
const noticed = (...turns: ReadonlyArray<ReadonlyArray<Outcome>>) => {
  const see = Repeats.make(() => true)
  return turns.map((turn) => {
    const results = new Map(
      turn.map(([parameters, text], index) => [Block.toolUse(`c${index}`, "look", parameters), ToolResult.text(text)]),
    )
    return Array.from(see(results).results.values(), ({ text }) => /same result (\d+) times/.exec(text)?.[1])
  })
}

const a: Outcome = [{ path: "a" }, "1"]
const b: Outcome = [{ path: "b" }, "1"]

/** The turn after which a repetition is reported, and the report. */
const stopped = (turns: ReadonlyArray<Outcome>, isKnown = (_: number) => true) => {
  let at = -1
  const see = Repeats.make(() => isKnown(at))
  for (const [parameters, text] of turns) {
    at++
    const { repetitionOf: repeated } = see(new Map([[Block.toolUse("c", "look", parameters), ToolResult.text(text)]]))
    if (repeated !== undefined) return [at + 1, repeated]
  }
  return undefined
}

describe("repeats", () => {
  it("adds a notice from the third time on", () => {
    assert.deepStrictEqual(noticed([a], [a], [a], [a], [a]), [[undefined], [undefined], ["3"], ["4"], ["5"]])
  })

  it("adds a notice for a model that alternates between two calls", () => {
    assert.deepStrictEqual(noticed([a], [b], [a], [b], [a], [b]).slice(4), [["3"], ["3"]])
  })

  it("adds none where the result or the arguments change", () => {
    const polls = Array.from({ length: 9 }, (_, n): ReadonlyArray<Outcome> => [[{ path: "a" }, `${n}`]])
    const files = Array.from({ length: 20 }, (_, n): ReadonlyArray<Outcome> => [[{ path: `${n}` }, "empty"]])
    for (const [notice] of [...noticed(...polls), ...noticed(...files)]) assert.isUndefined(notice)
  })

  it("adds none for equal calls of one turn", () => {
    assert.deepStrictEqual(noticed([a, a, a, a]), [[undefined, undefined, undefined, undefined]])
  })

  it("compares arguments regardless of their order", () => {
    const one: Outcome = [{ path: "a", range: { from: 1, to: 2 } }, "1"]
    const other: Outcome = [{ range: { to: 2, from: 1 }, path: "a" }, "1"]
    assert.deepStrictEqual(noticed([one], [other], [one]).at(-1), ["3"])
  })

  it("does not change the result itself", () => {
    const see = Repeats.make(() => true)
    const call = Block.toolUse("c", "look", {})
    const result: ToolResult.ToolResult = { text: "no", isError: true, filesWritten: ["a.ts"], data: 7 }
    const results = [1, 2, 3].map(() => see(new Map([[call, result]])).results.get(call))
    assert.deepStrictEqual(results.slice(0, 2), [result, result])
    assert.deepStrictEqual({ ...results[2], text: "no" }, result)
    assert.match(results[2]?.text ?? "", /^no\n\n\(Notice: /)
  })

  it("reports a repetition after the fifth time", () => {
    assert.deepStrictEqual(stopped(Array.from({ length: 9 }, () => a)), [
      5,
      "the same call of look, with the same result, 5 times",
    ])
  })

  it("reports a cycle of two or three turns after four rounds", () => {
    const c: Outcome = [{ path: "c" }, "1"]
    assert.deepStrictEqual(stopped([a, b, a, b, a, b, a, b, a]), [
      8,
      "the same 2 calls, with the same results, 4 times",
    ])
    assert.deepStrictEqual(stopped([c, a, b, c, a, b, c, a, b, c, a, b, c]), [
      12,
      "the same 3 calls, with the same results, 4 times",
    ])
  })

  it("reports three consecutive turns with only unknown tools, and not two", () => {
    const files = Array.from({ length: 9 }, (_, n): Outcome => [{ path: `${n}` }, "unknown"])
    assert.deepStrictEqual(
      stopped(files, (at) => at % 3 === 2),
      undefined,
    )
    assert.deepStrictEqual(
      stopped(files, (at) => at < 2),
      [5, "calls of tools that are not there, 3 times in a row"],
    )
  })

  it("does not report reads of twenty files, or polling", () => {
    assert.isUndefined(stopped(Array.from({ length: 20 }, (_, n): Outcome => [{ path: `${n}` }, "empty"])))
    assert.isUndefined(stopped(Array.from({ length: 20 }, (_, n): Outcome => [{ path: "a" }, `${n}`])))
  })
})
