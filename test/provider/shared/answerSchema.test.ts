import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "../../../src/base/Json.ts"
import { isStrict, restrictSchema } from "../../../src/provider/shared/answerSchema.ts"

const text = { type: "string" }

describe("restrictSchema", () => {
  for (const [what, given, made] of [
    [
      "closes each object with properties, and no other",
      { type: "object", properties: { at: { type: "object" }, by: { properties: { name: text } } } },
      {
        type: "object",
        properties: { at: { type: "object" }, by: { properties: { name: text }, additionalProperties: false } },
        additionalProperties: false,
      },
    ],
    [
      "leaves objects open that are declared open",
      { type: "object", properties: {}, additionalProperties: text },
      { type: "object", properties: {}, additionalProperties: text },
    ],
    [
      "leaves all parts of an object open that have properties",
      {
        properties: { name: text },
        allOf: [{ properties: { a: text }, required: ["a"] }, { anyOf: [{ properties: { b: text } }] }],
        oneOf: [{ properties: { c: { properties: { d: text } } } }],
      },
      {
        properties: { name: text },
        allOf: [{ properties: { a: text }, required: ["a"] }, { anyOf: [{ properties: { b: text } }] }],
        anyOf: [{ properties: { c: { properties: { d: text }, additionalProperties: false } } }],
      },
    ],
    [
      "closes alternatives, and objects without other parts",
      { anyOf: [{ properties: { a: text } }, { allOf: [{ properties: { b: text } }, { required: ["b"] }] }] },
      {
        anyOf: [
          { properties: { a: text }, additionalProperties: false },
          { allOf: [{ properties: { b: text }, additionalProperties: false }, { required: ["b"] }] },
        ],
      },
    ],
    [
      "removes bounds, and keeps properties with their names",
      { type: "array", minItems: 1, items: { properties: { pattern: { type: "string", pattern: "[0-9]" } } } },
      { type: "array", items: { properties: { pattern: text }, additionalProperties: false } },
    ],
    ["converts oneOf to anyOf", { oneOf: [text, { type: "null" }] }, { anyOf: [text, { type: "null" }] }],
    [
      "removes references and $schema",
      { $schema: "http://json-schema.org/draft-07/schema#", $defs: { name: text }, items: { $ref: "#/$defs/name" } },
      { items: text },
    ],
  ] satisfies ReadonlyArray<readonly [string, JsonObject, JsonObject]>) {
    it(what, () => assert.deepStrictEqual<Json>(restrictSchema(given), made))
  }

  it("is computed once per schema", () => {
    const schema = { type: "object" }
    assert.strictEqual(restrictSchema(schema), restrictSchema(schema))
  })
})

describe("isStrict", () => {
  const closed = { type: "object", properties: { name: text }, required: ["name"], additionalProperties: false }

  for (const [what, schema, strict] of [
    ["an object with all properties required", closed, true],
    ["an array of them", { type: "array", items: closed }, true],
    ["words", text, true],
    ["an object with an optional property", { ...closed, required: [] }, false],
    ["one within another object", { ...closed, properties: { name: { type: "object", properties: {} } } }, false],
    ["an object with any properties", { type: "object" }, false],
    ["an object of several parts", { allOf: [closed] }, false],
    ["an open object", { ...closed, additionalProperties: true }, false],
  ] satisfies ReadonlyArray<readonly [string, JsonObject, boolean]>) {
    it(`${strict ? "accepts" : "does not accept"} ${what}`, () => assert.strictEqual(isStrict(schema), strict))
  }
})
