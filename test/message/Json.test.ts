import { assert, describe, it } from "@effect/vitest"
import { isJson } from "../../src/message/Json.ts"

const nested = (levels: number): unknown => Array.from({ length: levels }).reduce((inner) => [inner], null)

const circle: Array<unknown> = []
circle.push(circle)

describe("isJson", () => {
  it.each([null, true, -0.5, "\0\ud800", [], [undefined], { a: { b: [1, null] }, c: undefined }, nested(1000)])(
    "takes what JSON writes and reads again: %j",
    (value) => assert.isTrue(isJson(value)),
  )

  it.each<readonly [what: string, value: unknown]>([
    ["NaN", Number.NaN],
    ["Infinity", [Number.POSITIVE_INFINITY]],
    ["a big integer", 1n],
    ["a function", { f: () => 1 }],
    ["a symbol", Symbol("s")],
    ["a date, which is written as text", new Date(0)],
    ["a circle", circle],
    ["what is nested too deep to be read", nested(1001)],
    ["a property that copies lose", JSON.parse('{"a":{"__proto__":null}}')],
  ])("refuses %s", (_, value) => assert.isFalse(isJson(value)))
})
