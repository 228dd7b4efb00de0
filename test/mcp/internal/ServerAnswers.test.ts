import { assert, describe, it } from "@effect/vitest"
import type * as Json from "../../../src/base/Json.ts"
import * as ServerAnswers from "../../../src/mcp/internal/ServerAnswers.ts"

const parametersOf = (inputSchema: Json.Json) => {
  const { leftOut, result } = ServerAnswers.mendToolList({ tools: [{ name: "a", inputSchema }] })
  return leftOut[0]?.why ?? result.tools
}

const mendedTo = (inputSchema: Json.JsonObject) => [{ name: "a", inputSchema }]

describe("ServerAnswers.mendToolList", () => {
  it("mends schemas within the parameters, too", () => {
    assert.deepStrictEqual(
      parametersOf({
        type: "OBJECT",
        properties: {
          a: { type: "string", description: null, enum: null, default: null, required: true },
          b: null,
          c: [],
          d: { type: "array", items: { type: "object", properties: [], required: "x" } },
          e: { anyOf: [{ type: "object", properties: null }, []] },
        },
        required: ["a", 1],
        additionalProperties: null,
        $defs: [],
      }),
      mendedTo({
        type: "object",
        properties: {
          a: { type: "string", default: null },
          b: {},
          c: {},
          d: { type: "array", items: { type: "object", properties: {}, required: ["x"] } },
          e: { anyOf: [{ type: "object" }, {}] },
        },
        required: ["a"],
        $defs: {},
      }),
    )
  })

  it("leaves out empty lists that would allow no value, and reads anchors of earlier drafts", () => {
    assert.deepStrictEqual(
      parametersOf({
        $schema: "http://json-schema.org/draft-04/schema#",
        id: "http://example.org/tool.json",
        type: [],
        properties: {
          a: { type: [], enum: [] },
          b: { id: "#b", type: "integer", minimum: 0, exclusiveMinimum: true },
          c: { $ref: "#b" },
          d: { $id: "#d", type: "array", items: [{ type: "string", enum: [] }] },
          id: { type: "string", enum: ["#x"] },
        },
      }),
      mendedTo({
        $schema: "http://json-schema.org/draft-04/schema#",
        id: "http://example.org/tool.json",
        type: "object",
        properties: {
          a: {},
          b: { $anchor: "b", type: "integer", minimum: 0, exclusiveMinimum: true },
          c: { $ref: "#b" },
          d: { $anchor: "d", type: "array", items: [{ type: "string" }] },
          id: { type: "string", enum: ["#x"] },
        },
      }),
    )
  })

  it("reads the types by the names of programming languages, at any depth", () => {
    assert.deepStrictEqual(
      parametersOf({
        type: "dict",
        properties: {
          type: { type: "str", enum: ["int", "any"], default: "float", examples: [{ type: "list" }] },
          a: { type: "list", items: { type: "Int" } },
          b: { type: "map", additionalProperties: { type: "float" }, propertyNames: { type: "str" } },
          c: { type: ["STRING", "str", "none"] },
          d: { anyOf: [{ type: "bool" }, { type: "Dictionary", properties: { e: { type: "any", minimum: 1 } } }] },
          f: { type: ["null", "Any"] },
          j: { type: ["integer", null] },
          g: { type: "tuple", prefixItems: [{ type: "double" }, { $ref: "#/$defs/h" }] },
          i: { const: { type: "int" } },
        },
        $defs: { h: { type: "int64" } },
        unevaluatedProperties: { type: "list" },
      }),
      mendedTo({
        type: "object",
        properties: {
          type: { type: "string", enum: ["int", "any"], default: "float", examples: [{ type: "list" }] },
          a: { type: "array", items: { type: "integer" } },
          b: { type: "object", additionalProperties: { type: "number" }, propertyNames: { type: "string" } },
          c: { type: ["string", "null"] },
          d: { anyOf: [{ type: "boolean" }, { type: "object", properties: { e: { minimum: 1 } } }] },
          f: {},
          j: { type: ["integer", "null"] },
          g: { type: "array", prefixItems: [{ type: "number" }, { $ref: "#/$defs/h" }] },
          i: { const: { type: "int" } },
        },
        $defs: { h: { type: "integer" } },
        unevaluatedProperties: { type: "array" },
      }),
    )
    assert.deepStrictEqual(parametersOf({ type: "any" }), mendedTo({ type: "object" }))
  })

  it("leaves a type that it does not know to the check of the schema", () => {
    const schema: Json.JsonObject = {
      type: "object",
      properties: { a: { type: "date" }, b: { type: "constructor" }, c: { type: ["string", { type: "date" }, 1] } },
    }
    assert.deepStrictEqual(parametersOf(schema), mendedTo(schema))
  })

  it("leaves a sound schema as it is", () => {
    const schema: Json.JsonObject = {
      type: "object",
      properties: { a: { const: null }, b: { type: ["string", "null"], enum: ["x", null] }, c: true },
      required: [],
      additionalProperties: false,
    }
    const { result } = ServerAnswers.mendToolList({ tools: [{ name: "a", inputSchema: schema }] })
    assert.deepStrictEqual(result, { tools: mendedTo(schema) })
  })

  it.each<readonly [inputSchema: Json.Json, why: string]>([
    ["text", "its parameters are no object"],
    [[1], "its parameters are no object"],
    [{ type: "array" }, 'its parameters are of the type "array", not of an object'],
    [{ type: "str" }, 'its parameters are of the type "string", not of an object'],
    [{ properties: "all" }, "its properties are no object"],
  ])("leaves out a tool with the parameters %j", (inputSchema, why) => {
    assert.strictEqual(parametersOf(inputSchema), why)
  })

  it("takes a list without tools, and a cursor that is no text", () => {
    assert.deepStrictEqual(ServerAnswers.mendToolList({ tools: null, nextCursor: null, _meta: null }).result, {
      tools: [],
    })
    assert.deepStrictEqual(ServerAnswers.mendToolList({ tools: [], nextCursor: 2 }).result, {
      tools: [],
      nextCursor: "2",
    })
  })
})

describe("ServerAnswers.mendToolResult", () => {
  it("leaves a result that asks for input as it is", () => {
    const result = { resultType: "input_required", inputRequests: {} }
    assert.deepStrictEqual(ServerAnswers.mendToolResult(result), result)
  })

  it("names a long binary value in an unknown block with its size", () => {
    assert.strictEqual(
      ServerAnswers.resultText({ content: [{ type: "video", data: "AAAA".repeat(100) }] }),
      '{"type":"video","data":"[binary data, 300 bytes, not shown]"}',
    )
  })
})
