import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../src/base/Json.ts"
import { convertArguments } from "../../../src/tool/internal/convertArguments.ts"

const properties: JsonObject = {
  count: { type: "integer" },
  ratio: { type: "number" },
  deep: { type: "boolean" },
  name: { type: "string" },
  names: { type: "array", items: { type: "string" } },
  counts: { type: "array", items: { type: "integer" } },
  options: { type: "object", properties: { depth: { type: "integer" } } },
  either: { anyOf: [{ type: "integer" }, { type: "string" }] },
  size: { anyOf: [{ type: "integer" }, { type: "null" }] },
  level: { enum: [1, 2] },
  filter: { oneOf: [{ type: "string" }, { type: "object", properties: { limit: { type: "number" } } }] },
  named: { $ref: "#/$defs/count" },
  pair: { type: "array", prefixItems: [{ type: "integer" }, { type: "boolean" }] },
  any: {},
  needed: { type: "integer" },
}

const schema: JsonObject = { type: "object", properties, required: ["needed"], $defs: { count: { type: "integer" } } }

describe("convertArguments", () => {
  it.each<readonly [given: JsonObject, expected: JsonObject]>([
    [{ count: "3" }, { count: 3 }],
    [{ count: " 3 " }, { count: 3 }],
    [{ ratio: "-2.5e3" }, { ratio: -2500 }],
    [{ deep: "true" }, { deep: true }],
    [{ deep: "False" }, { deep: false }],
    [{ names: '["a","b"]' }, { names: ["a", "b"] }],
    [{ counts: '["1", 2]' }, { counts: [1, 2] }],
    [{ options: '{"depth":"2"}' }, { options: { depth: 2 } }],
    [{ options: { depth: "2" } }, { options: { depth: 2 } }],
    [{ options: { depth: null } }, { options: {} }],
    [{ count: null, name: null }, {}],
    [{ count: "null" }, {}],
    [{ size: "7" }, { size: 7 }],
    [{ level: "2" }, { level: 2 }],
    [{ filter: { limit: "5" } }, { filter: { limit: 5 } }],
    [{ named: "4" }, { named: 4 }],
    [{ pair: ["1", "true"] }, { pair: [1, true] }],
    [{ name: 12 }, { name: "12" }],
  ])("converts %j to %j", (given, expected) => {
    assert.deepStrictEqual(convertArguments(schema, given), expected)
  })

  it.each<JsonObject>([
    { name: "3" },
    { name: "true" },
    { name: "[1]" },
    { name: "null" },
    { names: ["1", "true"] },
    { either: "3" },
    { size: null },
    { any: "3" },
    { any: null },
    { unknown: "3" },
    { unknown: null },
    { filter: '{"limit":5}' },
    { count: "three" },
    { count: "" },
    { count: "0x10" },
    { count: "12345678901234567890" },
    { count: "[1]" },
    { deep: "yes" },
    { deep: 1 },
    { names: "a" },
    { name: 1.5 },
    { needed: null },
  ])("leaves %j as it is", (given) => {
    assert.deepStrictEqual(convertArguments(schema, given), given)
  })

  it("converts the arguments as a whole", () => {
    assert.deepStrictEqual(convertArguments(schema, '{"count":"3"}'), { count: 3 })
  })

  it("ends for a schema that contains itself", () => {
    const tree = { type: "object", properties: { inner: { $ref: "#" }, count: { type: "integer" } } }
    assert.deepStrictEqual(convertArguments(tree, { inner: { inner: { count: "1" } } }), {
      inner: { inner: { count: 1 } },
    })
    const circle = { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }] } } }
    assert.deepStrictEqual(convertArguments(circle, { a: "1" }), { a: "1" })
  })

  it.each(["allOf", "anyOf", "oneOf"])("ends for references by %s that double with each level", (keyword) => {
    const levels = Array.from({ length: 60 }, (_, n) => {
      const below = { $ref: `#/$defs/level${n}` }
      return [`level${n + 1}`, { [keyword]: [below, below] }] as const
    })
    const doubling = {
      type: "object",
      properties: { a: { $ref: "#/$defs/level60" } },
      $defs: Object.fromEntries([["level0", { type: "string" }], ...levels]),
    }
    assert.deepStrictEqual(convertArguments(doubling, { a: "yes" }), { a: "yes" })
  })
})
