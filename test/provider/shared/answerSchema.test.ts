import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "../../../src/message/Json.ts"
import { isStrict, restrictSchema } from "../../../src/provider/shared/answerSchema.ts"

const text = { type: "string" }

describe("restrictSchema", () => {
  for (const [what, given, made] of [
    [
      "closes each object that says what is in it, and no other",
      { type: "object", properties: { at: { type: "object" }, by: { properties: { name: text } } } },
      {
        type: "object",
        properties: { at: { type: "object" }, by: { properties: { name: text }, additionalProperties: false } },
        additionalProperties: false,
      },
    ],
    [
      "leaves open what is meant to be",
      { type: "object", properties: {}, additionalProperties: text },
      { type: "object", properties: {}, additionalProperties: text },
    ],
    [
      "leaves all parts of an object open that name keys of it",
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
      "closes alternatives, and what has no other part",
      { anyOf: [{ properties: { a: text } }, { allOf: [{ properties: { b: text } }, { required: ["b"] }] }] },
      {
        anyOf: [
          { properties: { a: text }, additionalProperties: false },
          { allOf: [{ properties: { b: text }, additionalProperties: false }, { required: ["b"] }] },
        ],
      },
    ],
    [
      "leaves out bounds, and a property of such a name in",
      { type: "array", minItems: 1, items: { properties: { pattern: { type: "string", pattern: "[0-9]" } } } },
      { type: "array", items: { properties: { pattern: text }, additionalProperties: false } },
    ],
    ["takes one of several for any of them", { oneOf: [text, { type: "null" }] }, { anyOf: [text, { type: "null" }] }],
    [
      "has no references, and no dialect",
      { $schema: "http://json-schema.org/draft-07/schema#", $defs: { name: text }, items: { $ref: "#/$defs/name" } },
      { items: text },
    ],
  ] satisfies ReadonlyArray<readonly [string, JsonObject, JsonObject]>) {
    it(what, () => assert.deepStrictEqual<Json>(restrictSchema(given), made))
  }

  it("is made once", () => {
    const schema = { type: "object" }
    assert.strictEqual(restrictSchema(schema), restrictSchema(schema))
  })
})

describe("isStrict", () => {
  const closed = { type: "object", properties: { name: text }, required: ["name"], additionalProperties: false }

  for (const [what, schema, strict] of [
    ["an object all of whose properties are required", closed, true],
    ["a list of them", { type: "array", items: closed }, true],
    ["words", text, true],
    ["an object that may lack one", { ...closed, required: [] }, false],
    ["one within another", { ...closed, properties: { name: { type: "object", properties: {} } } }, false],
    ["an object of any properties", { type: "object" }, false],
    ["one of several parts", { allOf: [closed] }, false],
    ["an open one", { ...closed, additionalProperties: true }, false],
  ] satisfies ReadonlyArray<readonly [string, JsonObject, boolean]>) {
    it(`${strict ? "takes" : "does not take"} ${what}`, () => assert.strictEqual(isStrict(schema), strict))
  }
})
