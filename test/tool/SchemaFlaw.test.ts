import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { JsonObject } from "../../src/message/Json.ts"
import * as SchemaFlaw from "../../src/tool/SchemaFlaw.ts"

const named = (schema: JsonObject): JsonObject => ({ type: "object", properties: { name: schema } })

describe("SchemaFlaw.of", () => {
  it.effect.each<readonly [JsonObject, string]>([
    [{ type: "strng" }, 'name/type: there is no type "strng"'],
    [{ type: ["string", "nul"] }, 'name/type: there is no type "nul"'],
    [{ pattern: "(" }, "name/pattern: Invalid regular expression"],
    [{ pattern: 5 }, "name/pattern: is no text"],
    [{ patternProperties: { "[": {} } }, "name/patternProperties: Invalid regular expression"],
    [{ patternProperties: "a" }, "name/patternProperties: is no object"],
    [{ $ref: "#/nowhere" }, 'name/$ref: nothing is there by the name "#/nowhere"'],
    [{ $ref: "https://example.org/schema" }, "nothing is there by the name"],
    [{ items: { anyOf: [{}, { enum: "a" }] } }, "name/items/anyOf/1/enum: is no list"],
    [{ required: true }, "name/required: is no list"],
    [{ properties: ["a"] }, "name/properties: is no object"],
    [{ properties: { a: "string" } }, "name/properties/a is no schema"],
    [{ additionalProperties: { not: { type: "any" } } }, 'name/additionalProperties/not/type: there is no type "any"'],
  ])("says what is wrong within %j", ([schema, flaw]) =>
    Effect.gen(function* () {
      const said = yield* SchemaFlaw.of(named(schema))
      assert.include(said, flaw)
      assert.notInclude(said, "\n")
    }),
  )

  it.effect.each<JsonObject>([
    { $defs: { id: { type: "string", pattern: "^\\w+$" } }, $ref: "#/$defs/id" },
    { $id: "https://example.org/node", properties: { next: { $ref: "#" }, other: { $ref: "node" } } },
    { definitions: { id: { $anchor: "id", type: ["integer", "null"] } }, items: [true, { $ref: "#id" }] },
    // Names of the author's choice, and values that are no schemas.
    { properties: { type: {}, pattern: { pattern: "a" }, $ref: { $ref: "#" }, required: false } },
    { default: { type: "strng" }, const: { pattern: "(" }, examples: [{ type: "x" }], "x-mine": { type: "x" } },
    { dependencies: { type: ["a"] }, not: false },
  ])("finds nothing wrong within %j", (schema) =>
    Effect.gen(function* () {
      assert.isUndefined(yield* SchemaFlaw.of(schema))
    }),
  )

  it.effect("minds two of a name", () =>
    Effect.gen(function* () {
      const twice = { $id: "https://example.org/a" }
      assert.include(yield* SchemaFlaw.of({ anyOf: [{ ...twice }, { ...twice }] }), "Duplicate")
    }),
  )
})
