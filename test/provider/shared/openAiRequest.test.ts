import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import type { Json, JsonObject } from "../../../src/base/Json.ts"
import { declarations } from "../../../src/provider/shared/openAiRequest.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as OpenAiTools from "../../utils/OpenAiTools.ts"

const tool = (parameters: JsonObject) =>
  Tool.fromJsonSchema({ name: "look", description: "Looks.", parameters, run: () => Effect.succeed("") })

const schemaOf = (parameters: JsonObject) => declarations([tool(parameters)])[0]?.parameters

describe("declarations", () => {
  it("leaves a schema unchanged that every server accepts", () => {
    const schema = {
      type: "object",
      properties: { path: { type: "string", default: "." }, kinds: { type: "array", items: { enum: ["a", "b"] } } },
      required: ["path"],
      additionalProperties: false,
    }
    assert.deepStrictEqual(schemaOf(schema), schema)
  })

  it("declares an object with properties where a tool has no schema", () => {
    assert.deepStrictEqual(schemaOf({}), { type: "object", properties: {} })
    assert.deepStrictEqual(schemaOf({ type: "object" }), { type: "object", properties: {} })
  })

  it("inlines a reference at the top level, and ends a recursive one", () => {
    const tree = { type: "object", properties: { left: { $ref: "#/$defs/tree" } } }
    assert.deepStrictEqual(schemaOf({ $ref: "#/$defs/tree", $defs: { tree } }), {
      type: "object",
      properties: { left: {} },
    })
  })

  it("merges alternatives at the top level: what all of them require stays required", () => {
    const a = { type: "object", properties: { kind: { const: "a" }, x: { type: "number" } }, required: ["kind", "x"] }
    const b = { type: "object", properties: { kind: { const: "b" }, y: { type: "string" } }, required: ["kind"] }
    assert.deepStrictEqual(schemaOf({ anyOf: [a, b] }), {
      type: "object",
      properties: {
        kind: { anyOf: [{ const: "a" }, { const: "b" }] },
        x: { type: "number" },
        y: { type: "string" },
      },
      required: ["kind"],
    })
    assert.deepStrictEqual(schemaOf({ type: "object", properties: {}, allOf: [a, b] })?.required, ["kind", "x"])
  })

  it("converts the bounds of draft 4, whose exclusive ones are flags", () => {
    const properties = {
      a: { type: "integer", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    }
    assert.deepStrictEqual(schemaOf({ type: "object", properties })?.properties, {
      a: { type: "integer", exclusiveMinimum: 0, maximum: 9 },
    })
  })

  it("replaces tuples by alternatives, and adds items to arrays without them", () => {
    const pair = [{ type: "string" }, { type: "number" }]
    const properties = {
      a: { type: "array", prefixItems: pair, items: false },
      b: { type: "array", items: pair },
      c: { type: "array" },
    }
    assert.deepStrictEqual(schemaOf({ type: "object", properties }), {
      type: "object",
      properties: {
        a: { type: "array", items: { anyOf: pair } },
        b: { type: "array", items: { anyOf: pair } },
        c: { type: "array", items: {} },
      },
    })
  })

  it.prop(
    "breaks no rule of the wire, for any schema",
    [
      FastCheck.letrec<{ schema: Json; object: JsonObject }>((tie) => ({
        schema: FastCheck.oneof(
          { maxDepth: 4 },
          FastCheck.constantFrom<Json>({ type: "string" }, { type: "array" }, { const: 1 }, { $ref: "#" }, true, {}),
          tie("object"),
          tie("schema").map((items) => ({ type: "array", items })),
          tie("schema").map((first) => ({ type: "array", prefixItems: [first] })),
          tie("schema").map((first) => ({ anyOf: [first, { $ref: "#/$defs/a" }] })),
        ),
        object: FastCheck.dictionary(FastCheck.constantFrom("a", "b", "$schema"), tie("schema")).map((properties) => ({
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties,
        })),
      })).schema,
    ],
    ([schema]) => {
      const parameters: JsonObject = { $defs: { a: schema }, allOf: [schema], properties: { a: schema } }
      assert.isUndefined(OpenAiTools.broken([...declarations([tool(parameters)])]))
    },
  )
})
