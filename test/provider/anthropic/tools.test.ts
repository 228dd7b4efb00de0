import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Block from "../../../src/message/Block.ts"
import { declarations, declarationsOfCalls } from "../../../src/provider/anthropic/tools.ts"
import * as Tool from "../../../src/tool/Tool.ts"

const declared = (parameters: Tool.Tool["parameters"], description = "Looks.") =>
  declarations([Tool.fromJsonSchema({ name: "look", description, parameters, run: () => Effect.succeed("") })])[0]

const schemaOf = (parameters: Tool.Tool["parameters"]) => declared(parameters)?.input_schema

describe("declarations", () => {
  it("leaves a schema of the current draft unchanged, including references", () => {
    const schema = {
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
      type: "object",
      properties: {
        list: { $ref: "#/$defs/node" },
        kind: { const: "one" },
        pair: { type: "array", prefixItems: [{ type: "string" }], items: false },
        count: { type: "integer", minimum: 0, exclusiveMaximum: 9 },
      },
      required: ["kind"],
      additionalProperties: false,
    }
    assert.deepStrictEqual<unknown>(
      schemaOf({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }),
      schema,
    )
  })

  it("converts tuples and bounds of older drafts", () => {
    assert.deepStrictEqual<unknown>(
      schemaOf({
        $schema: "http://json-schema.org/draft-04/schema#",
        type: "object",
        properties: {
          pair: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false },
          list: { type: "array", items: { type: "number", minimum: 0, exclusiveMinimum: true } },
          low: { type: "number", maximum: 1, exclusiveMaximum: false },
        },
      }),
      {
        type: "object",
        properties: {
          pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
          list: { type: "array", items: { type: "number", exclusiveMinimum: 0 } },
          low: { type: "number", maximum: 1 },
        },
      },
    )
  })

  it("merges alternatives at the top level, and leaves those below it", () => {
    assert.deepStrictEqual<unknown>(
      schemaOf({
        type: "object",
        properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
        required: ["a"],
        anyOf: [
          { properties: { b: { type: "string" } }, required: ["b"] },
          { properties: { c: { type: "string" } }, required: ["c"] },
        ],
      }),
      {
        type: "object",
        properties: {
          b: { type: "string" },
          c: { type: "string" },
          a: { anyOf: [{ type: "string" }, { type: "null" }] },
        },
        required: ["a"],
      },
    )
  })

  it("drops properties with names that Anthropic rejects", () => {
    assert.deepStrictEqual<unknown>(
      schemaOf({
        type: "object",
        properties: { $filter: { type: "string" }, path: { type: "string" }, ["x".repeat(65)]: {} },
        required: ["path", "$filter"],
      }),
      { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    )
  })

  it("omits an empty description", () => {
    assert.notProperty(declared({ type: "object" }, " "), "description")
  })
})

describe("declarationsOfCalls", () => {
  it("declares each tool of the calls once", () => {
    const calls = ["look", "write", "look"].map((name, index) => Block.toolUse(`c${index}`, name, {}))
    assert.deepStrictEqual(
      declarationsOfCalls(calls).map(({ name }) => name),
      ["look", "write"],
    )
  })
})
