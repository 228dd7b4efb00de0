import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { JsonObject } from "../../../src/base/Json.ts"
import { declarations } from "../../../src/provider/ollama/tools.ts"
import * as Tool from "../../../src/tool/Tool.ts"

const declared = (properties: JsonObject, more: JsonObject = {}) => {
  const parameters = { type: "object", properties, ...more }
  const tool = Tool.fromJsonSchema({ name: "odd", description: "Odd.", parameters, run: () => Effect.succeed("") })
  return declarations([tool])[0]?.function.parameters.properties
}

describe("declarations", () => {
  it("expresses unsupported keywords with supported ones", () => {
    assert.deepStrictEqual(
      declared(
        {
          kind: { const: "one", description: "which" },
          either: { oneOf: [{ type: "string" }, { type: "null" }] },
          named: { allOf: [{ $ref: "#/$defs/name" }], description: "the name" },
          pair: { type: "array", prefixItems: [{ type: "string" }, { const: 1 }], items: false },
          tree: { $ref: "#/$defs/tree" },
        },
        {
          $defs: {
            name: { type: "string", description: "any" },
            tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" } } },
          },
        },
      ),
      {
        kind: { description: "which", enum: ["one"] },
        either: { anyOf: [{ type: "string" }, { type: "null" }] },
        named: { type: "string", description: "the name" },
        pair: { type: "array", items: { anyOf: [{ type: "string" }, { enum: [1] }] } },
        tree: { type: "object", properties: { next: {} } },
      },
    )
  })

  it("contains no boolean schema, which the server rejects", () => {
    assert.deepStrictEqual(
      declared({
        any: true,
        none: false,
        list: { type: "array", items: true },
        some: { anyOf: [true, { type: "null" }] },
      }),
      { any: {}, none: {}, list: { type: "array", items: {} }, some: { anyOf: [{}, { type: "null" }] } },
    )
  })
})
