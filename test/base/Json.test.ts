import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Json from "../../src/base/Json.ts"
import { isThorough } from "../thoroughness.ts"

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

describe("Json.isDeeperThan", () => {
  it.each<readonly [json: string, levels: number]>([
    ["1", 0],
    ["null", 0],
    ["{}", 1],
    ["[[1],2]", 2],
    ['{"a":[{"b":null}]}', 3],
  ])("counts in %s the levels %i", (json, levels) => {
    assert.isFalse(Json.isDeeperThan(JSON.parse(json), levels))
    if (levels > 0) assert.isTrue(Json.isDeeperThan(JSON.parse(json), levels - 1))
  })

  it("stops at the level in question", () => {
    assert.isTrue(Json.isDeeperThan(JSON.parse(nested(isThorough ? 1_000_000 : 100_000)), 100))
    const circle: { self?: object } = {}
    circle.self = circle
    assert.isTrue(Json.isDeeperThan(circle, 100))
  })
})

describe("Json.withinLevels", () => {
  it.prop("returns values within the limit unchanged", [FastCheck.jsonValue()], ([value]) => {
    assert.strictEqual(Json.withinLevels(value), value)
  })

  it.prop(
    "cuts off deeper values, and changes nothing else",
    [FastCheck.jsonValue({ maxDepth: 6 }), FastCheck.integer({ min: 1, max: 5 })],
    ([value, levels]) => {
      const before = JSON.stringify(value)
      const within = Json.withinLevels(value, levels)
      assert.isAtMost(depthOf(within), levels)
      if (depthOf(value) <= levels) assert.deepStrictEqual(within, value)
      else assert.include(JSON.stringify(within), '"[nested too deeply]"')
      assert.strictEqual(JSON.stringify(value), before)
    },
  )

  it("keeps properties of any name", () => {
    const within = Json.withinLevels(JSON.parse('{"__proto__":{"a":1},"b":[[]]}'), 1)
    assert.strictEqual(JSON.stringify(within), '{"__proto__":"[nested too deeply]","b":"[nested too deeply]"}')
  })
})

describe("Json.parse", () => {
  it("parses JSON of any depth, cut off at the limit", () => {
    assert.deepStrictEqual(Json.parse(nested(256)), JSON.parse(nested(256)))
    for (const text of [nested(257), nested(5000), nested(isThorough ? 1_000_000 : 50_000)]) {
      assert.strictEqual(depthOf(Json.parse(text)), 256)
      assert.deepStrictEqual(Json.tryParse(text), Json.parse(text))
    }
  })

  it("throws as JSON.parse does, and tryParse returns undefined", () => {
    assert.throws(() => Json.parse("{"), SyntaxError)
    assert.isUndefined(Json.tryParse("{"))
  })
})

const nestedValue = (levels: number): unknown => Array.from({ length: levels }).reduce((inner) => [inner], null)

const circle: Array<unknown> = []
circle.push(circle)

describe("isJson", () => {
  it.each([null, true, -0.5, "\0\ud800", [], [undefined], { a: { b: [1, null] }, c: undefined }, nestedValue(1000)])(
    "takes what JSON writes and reads again: %j",
    (value) => assert.isTrue(Json.isJson(value)),
  )

  it.each<readonly [what: string, value: unknown]>([
    ["NaN", Number.NaN],
    ["Infinity", [Number.POSITIVE_INFINITY]],
    ["a big integer", 1n],
    ["a function", { f: () => 1 }],
    ["a symbol", Symbol("s")],
    ["a date, which is written as text", new Date(0)],
    ["a circle", circle],
    ["what is nested too deep to be read", nestedValue(1001)],
  ])("refuses %s", (_, value) => assert.isFalse(Json.isJson(value)))
})

describe("withoutProto", () => {
  it("leaves out properties named __proto__, at any depth", () => {
    const value = JSON.parse('{"__proto__":1,"a":[{"__proto__":{"b":2},"c":3}]}')
    assert.strictEqual(JSON.stringify(Json.withoutProto(value)), '{"a":[{"c":3}]}')
  })

  it("returns a value that has none as it is", () => {
    const value = { a: [1, { b: null }] }
    assert.strictEqual(Json.withoutProto(value), value)
  })
})
