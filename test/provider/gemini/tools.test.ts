import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Schema } from "effect"
import { z } from "zod"
import type { Json } from "../../../src/base/Json.ts"
import { getGeminiToolDeclarations } from "../../../src/provider/gemini/Gemini.ts"
import { declarations } from "../../../src/provider/gemini/tools.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"

const run = () => Effect.succeed("done")

const withSchema = (parameters: Tool.Tool["parameters"]) =>
  Tool.fromJsonSchema({ name: "raw", description: "Takes raw JSON Schema.", parameters, run })

const declared = (parameters: Tool.Tool["parameters"]): unknown =>
  declarations([withSchema(parameters)])[0]?.parametersJsonSchema

const dialect = "https://json-schema.org/draft/2020-12/schema"

describe("declarations", () => {
  it("convert bounds, tuples and flags of older drafts, at every level", () => {
    const pair = [{ type: "number" }, { type: "integer", minimum: 0, exclusiveMinimum: true }]
    assert.deepStrictEqual(
      declared({
        type: "object",
        properties: {
          pages: { type: "integer", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
          share: { type: "number", exclusiveMaximum: 1, required: true },
          lone: { type: "number", exclusiveMinimum: true },
          at: { type: "array", items: pair, additionalItems: false },
          of: { items: pair },
          list: { type: "array", items: { type: "array", items: pair } },
          any: { type: "array" },
          exclusiveMinimum: { type: "boolean", default: true },
        },
      }),
      {
        type: "object",
        properties: {
          pages: { type: "integer", exclusiveMinimum: 0, maximum: 9 },
          share: { type: "number", exclusiveMaximum: 1 },
          lone: { type: "number" },
          at: { type: "array", items: { anyOf: [{ type: "number" }, { type: "integer", exclusiveMinimum: 0 }] } },
          of: { items: { anyOf: [{ type: "number" }, { type: "integer", exclusiveMinimum: 0 }] } },
          list: {
            type: "array",
            items: {
              type: "array",
              items: { anyOf: [{ type: "number" }, { type: "integer", exclusiveMinimum: 0 }] },
            },
          },
          any: { type: "array", items: {} },
          exclusiveMinimum: { type: "boolean", default: true },
        },
      },
    )
  })
})

describe("getGeminiToolDeclarations", () => {
  it("declares every tool of the registry, in order, whatever the origin of its schema", () => {
    const tools = [
      Tool.make({
        name: "greet",
        description: "Greets.",
        parameters: Schema.Struct({
          message: Schema.String.annotations({ description: "Test message" }),
          count: Schema.optional(Schema.Number),
        }),
        run,
      }),
      Tool.fromStandard({
        name: "count",
        description: "Counts.",
        parameters: z.object({
          user: z.object({ age: z.number().min(0).describe("In years") }),
          options: z.array(z.string()),
          metadata: z.record(z.string(), z.unknown()).optional(),
        }),
        run,
      }),
      withSchema({ $schema: dialect, type: "object", properties: {} }),
    ]
    const registry = ToolRegistry.make(tools)
    assert.deepStrictEqual(getGeminiToolDeclarations(registry), [
      {
        name: "greet",
        description: "Greets.",
        parametersJsonSchema: {
          type: "object",
          required: ["message"],
          properties: { message: { type: "string", description: "Test message" }, count: { type: "number" } },
          additionalProperties: false,
        },
      },
      {
        name: "count",
        description: "Counts.",
        parametersJsonSchema: {
          type: "object",
          properties: {
            user: {
              type: "object",
              properties: { age: { type: "number", minimum: 0, description: "In years" } },
              required: ["age"],
            },
            options: { type: "array", items: { type: "string" } },
            metadata: { type: "object", propertyNames: { type: "string" }, additionalProperties: {} },
          },
          required: ["user", "options"],
        },
      },
      { name: "raw", description: "Takes raw JSON Schema.", parametersJsonSchema: { type: "object", properties: {} } },
    ])
  })

  it("removes $schema at every level, and inlines references", () => {
    assert.deepStrictEqual(
      declared({
        $schema: dialect,
        $defs: { name: { $schema: dialect, type: "string" } },
        type: "object",
        properties: {
          nested: { anyOf: [{ $schema: dialect, $ref: "#/$defs/name", description: "A name" }, { type: "null" }] },
        },
        additionalProperties: false,
      }),
      {
        type: "object",
        properties: { nested: { anyOf: [{ type: "string", description: "A name" }, { type: "null" }] } },
        additionalProperties: false,
      },
    )
  })

  it("accepts anything where a schema contains itself, which Gemini rejects", () => {
    assert.deepStrictEqual(
      declared({
        $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
        type: "object",
        properties: { list: { $ref: "#/$defs/node" } },
      }),
      { type: "object", properties: { list: { type: "object", properties: { next: {} } } } },
    )
  })

  it("leaves properties and values called $schema unchanged", () => {
    const schema = {
      type: "object",
      properties: {
        $schema: { type: "string", default: { $schema: dialect } },
        config: { const: { $schema: dialect }, examples: [{ $schema: dialect }], enum: [{ $schema: dialect }] },
        default: { type: "string" },
      },
    }
    assert.deepStrictEqual(declared(schema), schema)
  })

  it.prop(
    "leaves a schema without the keyword unchanged",
    [FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue())],
    ([schema]) => {
      // JSON values, by the arbitrary.
      const json = schema as Record<string, Json>
      FastCheck.pre(!/"(\$schema|\$ref|\$defs|definitions)":/.test(JSON.stringify(json)))
      assert.deepStrictEqual(declared(json), json)
    },
  )
})
