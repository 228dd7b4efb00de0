import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { JsonObject } from "../../src/base/Json.ts"
import * as SchemaCheck from "../../src/tool/SchemaCheck.ts"

const named = (schema: JsonObject): JsonObject => ({ type: "object", properties: { name: schema } })

describe("SchemaCheck.findFlaw", () => {
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
      const said = yield* SchemaCheck.findFlaw(named(schema))
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
      assert.isUndefined(yield* SchemaCheck.findFlaw(schema))
    }),
  )

  it.effect.each<readonly [what: string, schema: JsonObject, flaw: string]>([
    ["of one that is itself", { $ref: "#" }, "#: its references lead in a circle"],
    ["of two", { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }, "lead in a circle"],
    ["through a choice", { anyOf: [{ type: "string" }, { $ref: "#" }] }, "lead in a circle"],
    ["through conditions", { if: { not: { allOf: [{ oneOf: [{ $ref: "#" }] }] } } }, "lead in a circle"],
    ["through what another property asks for", { dependentSchemas: { a: { $ref: "#" } } }, "lead in a circle"],
  ])("finds references in a circle, %s", ([, schema, flaw]) =>
    Effect.gen(function* () {
      assert.include(yield* SchemaCheck.findFlaw(schema), flaw)
    }),
  )

  it.effect("follows thousands of references one after the other", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 2000 }, (_, at) => `${at}`)
      const chain = Object.fromEntries(names.map((name, at) => [name, { $ref: `#/$defs/${at + 1}` }]))
      assert.isUndefined(yield* SchemaCheck.findFlaw({ $defs: { ...chain, "2000": {} } }))
      assert.include(
        yield* SchemaCheck.findFlaw({ $defs: { ...chain, "2000": { $ref: "#/$defs/0" } } }),
        "lead in a circle",
      )
    }),
  )

  it.effect("says that a schema is nested too deeply", () =>
    Effect.gen(function* () {
      for (const levels of [300, 20_000, 100_000]) {
        const schema = JSON.parse(`${'{"not":'.repeat(levels)}{}${"}".repeat(levels)}`)
        assert.strictEqual(yield* SchemaCheck.findFlaw(schema), "it is nested more than 256 levels deep")
      }
    }),
  )

  it.effect("fails for two tools of the same name", () =>
    Effect.gen(function* () {
      const twice = { $id: "https://example.org/a" }
      assert.include(yield* SchemaCheck.findFlaw({ anyOf: [{ ...twice }, { ...twice }] }), "Duplicate")
    }),
  )
})
