import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../src/base/Json.ts"
import { inlineReferences, rewrite } from "../../../src/provider/shared/toolSchema.ts"

describe("inlineReferences", () => {
  it("replaces a reference by its target, merged with the keywords beside it", () => {
    const schema: JsonObject = {
      $defs: { name: { type: "string", description: "any" }, "a/b": { type: "number" } },
      type: "object",
      properties: {
        first: { $ref: "#/$defs/name", description: "the first" },
        list: { type: "array", items: { $ref: "#/$defs/a~1b" } },
      },
    }
    assert.deepStrictEqual(inlineReferences(schema), {
      type: "object",
      properties: {
        first: { type: "string", description: "the first" },
        list: { type: "array", items: { type: "number" } },
      },
    })
  })

  it("accepts anything for recursive and dangling references", () => {
    const tree: JsonObject = {
      $defs: { tree: { type: "object", properties: { left: { $ref: "#/$defs/tree" } } } },
      type: "object",
      properties: {
        tree: { $ref: "#/$defs/tree" },
        all: { $ref: "#" },
        gone: { $ref: "#/$defs/gone" },
        far: { $ref: "http://x" },
        anchor: { $ref: "#tree", description: "A tree." },
      },
    }
    assert.deepStrictEqual(inlineReferences(tree), {
      type: "object",
      properties: {
        tree: { type: "object", properties: { left: {} } },
        all: {},
        gone: {},
        far: {},
        anchor: { description: "A tree." },
      },
    })
  })

  it("terminates for schemas that would grow without end", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    )
    const schema = inlineReferences({ $defs, type: "object", properties: { a: { $ref: "#/$defs/d0" } } })
    assert.isBelow(JSON.stringify(schema).length, 100_000)
  })
})

describe("rewrite", () => {
  it("visits every schema, and no value", () => {
    const seen: Array<unknown> = []
    rewrite(
      {
        type: "object",
        properties: { const: { enum: [{ type: "no" }], default: { type: "no" } } },
        anyOf: [{ required: ["const"] }],
        required: ["const"],
      },
      (schema) => {
        seen.push(schema)
        return schema
      },
    )
    assert.lengthOf(seen, 3)
  })
})
