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

  it.each([300, 100_000])("leaves out a tool whose parameters have %d levels", (levels) => {
    assert.strictEqual(parametersOf(nested(levels)), "its parameters are nested more than 256 levels deep")
  })

  it("takes a list without tools, and a cursor that is no text", () => {
    assert.deepStrictEqual(ServerAnswers.mendToolList({ tools: null, nextCursor: null, _meta: null }).result, {
      tools: [],
    })
    assert.deepStrictEqual(ServerAnswers.mendToolList({ tools: [], nextCursor: 2 }).result, {
      tools: [],
      nextCursor: "2",
    })
    const pageOf = (nextCursor: Json.Json) => ServerAnswers.mendToolList({ tools: [], nextCursor }).result
    // An empty cursor would be asked for again and again.
    assert.deepStrictEqual(pageOf(""), { tools: [] })
    assert.deepStrictEqual(pageOf("next"), { tools: [], nextCursor: "next" })
    assert.deepStrictEqual(pageOf({}), { tools: [] })
  })

  it("takes for an anchor what is one to its end", () => {
    const schema = (id: string) => ({ type: "object", properties: { a: { id, type: "string" }, b: { $id: id } } })
    for (const id of ["#a", "#_a.b-c", "#A1"]) {
      const $anchor = id.slice(1)
      assert.deepStrictEqual(
        parametersOf(schema(id)),
        mendedTo({ type: "object", properties: { a: { $anchor, type: "string" }, b: { $anchor } } }),
      )
    }
    for (const id of ["#a/b", "#a b", "#1", "a#b", "#", "#a#"]) {
      assert.notInclude(JSON.stringify(parametersOf(schema(id))), "$anchor", id)
    }
  })

  it("names the tools that it leaves out, and why, and keeps of the others what is used", () => {
    const { leftOut, result } = ServerAnswers.mendToolList({
      _meta: { page: 1 },
      tools: [
        { name: "a", description: "Adds.", inputSchema: null, annotations: { readOnlyHint: true, title: "A" } },
        { name: "b", description: 3, inputSchema: {}, annotations: { readOnlyHint: "yes" }, outputSchema: {} },
        "c",
        { name: "" },
        { description: "Nameless." },
        { name: "d", inputSchema: "none" },
        { name: "e", inputSchema: { properties: 1 } },
      ],
    })
    assert.deepStrictEqual(result, {
      _meta: { page: 1 },
      tools: [
        {
          name: "a",
          description: "Adds.",
          inputSchema: { type: "object", properties: {} },
          annotations: { readOnlyHint: true },
        },
        { name: "b", inputSchema: { type: "object" } },
      ],
    })
    assert.deepStrictEqual(leftOut, [
      { name: undefined, why: "it is no object" },
      { name: undefined, why: "it has no name" },
      { name: undefined, why: "it has no name" },
      { name: "d", why: "its parameters are no object" },
      { name: "e", why: "its properties are no object" },
    ])
  })
})

/** An object with this many levels. JSON.parse has no limit of them. */
function nested(levels: number): Json.JsonObject {
  return JSON.parse(`${'{"not":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`)
}

describe("ServerAnswers.mendResponse", () => {
  it("makes a result an object, and leaves what is no response as it is", () => {
    const mend = ServerAnswers.mendResponse
    assert.deepStrictEqual(mend({ id: 1, result: "done" }), { id: 1, result: { content: "done" } })
    assert.deepStrictEqual(mend({ id: 1, result: null }), { id: 1, result: { content: null } })
    assert.deepStrictEqual(mend({ id: 0, result: { a: 1, _meta: [] } }), { id: 0, result: { a: 1 } })
    assert.deepStrictEqual(mend({ id: 0, result: { _meta: { a: 1 } } }), { id: 0, result: { _meta: { a: 1 } } })
    for (const other of [{ result: "done" }, { id: 1 }, { id: 1, error: null }, [], "text", null]) {
      assert.strictEqual(mend(other), other)
    }
  })

  it.each<readonly [error: Json.Json, mended: object]>([
    [
      { code: 1, message: "no", data: [1] },
      { code: 1, message: "no", data: [1] },
    ],
    ["no", { code: -32_603, message: "no" }],
    [{}, { code: -32_603, message: "{}" }],
    [
      { code: "E", message: "no" },
      { code: -32_603, message: "no" },
    ],
    [
      { code: 1.5, message: { a: 1 } },
      { code: -32_603, message: '{"a":1}' },
    ],
    [[1], { code: -32_603, message: "[1]" }],
    [false, { code: -32_603, message: "false" }],
  ])("makes the error %j one with a code and a message", (error, mended) => {
    assert.deepStrictEqual(ServerAnswers.mendResponse({ id: 1, error }), { id: 1, error: mended })
  })

  it("drops the null of a result and an error, as the first version of JSON-RPC has both", () => {
    const mend = ServerAnswers.mendResponse
    assert.deepStrictEqual(mend({ id: 1, result: { a: 1 }, error: null }), { id: 1, result: { a: 1 } })
    const error = { code: 1, message: "no" }
    assert.deepStrictEqual(mend({ id: 1, result: null, error }), { id: 1, error })
  })

  it("reads an error of any depth", () => {
    const { error } = ServerAnswers.mendResponse({ id: 1, error: nested(100_000) }) as { error: { message: string } }
    assert.include(error.message, "[nested too deeply]")
  })
})

describe("ServerAnswers.mendToolResult", () => {
  it("cuts off what is nested too deeply, in blocks and beside them", () => {
    for (const result of [{ structuredContent: nested(100_000) }, { content: [{ type: "odd", x: nested(100_000) }] }]) {
      assert.include(JSON.stringify(ServerAnswers.mendToolResult(result)), "[nested too deeply]")
    }
  })

  it("leaves a result that asks for input as it is", () => {
    const result = { resultType: "input_required", inputRequests: {} }
    assert.deepStrictEqual(ServerAnswers.mendToolResult(result), result)
  })

  it("makes one text of a result that is complete, and says whether it is an error", () => {
    const content = [{ type: "text", text: "found" }]
    for (const resultType of [undefined, null, "complete"]) {
      const given = { content, ...(resultType !== undefined && { resultType }) }
      assert.deepStrictEqual(ServerAnswers.mendToolResult({ ...given, structuredContent: { a: 1 }, toolResult: 2 }), {
        ...(resultType !== undefined && { resultType }),
        content: [{ type: "text", text: 'found\n{"a":1}' }],
        isError: false,
      })
    }
    for (const [isError, expected] of [
      [true, true],
      ["true", true],
      [false, false],
      ["false", false],
      [1, false],
      [null, false],
    ] as const) {
      assert.strictEqual(ServerAnswers.mendToolResult({ content, isError }).isError, expected)
    }
    assert.deepStrictEqual(ServerAnswers.mendToolResult({ content, _meta: 1 })._meta, undefined)
    assert.deepStrictEqual(ServerAnswers.mendToolResult({ content, _meta: { a: 1 } })._meta, { a: 1 })
  })

  it("has structured content that the texts do not hold, whatever they hold beside it", () => {
    const textOf = (texts: ReadonlyArray<string>, structuredContent: Json.Json) =>
      ServerAnswers.resultText({ content: texts.map((text) => ({ type: "text", text })), structuredContent })
    assert.strictEqual(textOf(["no { JSON"], { a: 1 }), 'no { JSON\n{"a":1}')
    assert.strictEqual(textOf(['{"b":2,"a":1}'], { a: 1, b: 2 }), '{"b":2,"a":1}')
    assert.strictEqual(textOf(["no { JSON"], { result: "no { JSON" }), "no { JSON")
    assert.strictEqual(textOf(["no { JSON"], "no { JSON"), "no { JSON")
    assert.strictEqual(textOf(["no", "JSON"], { items: ["no", "JSON"] }), "no\nJSON")
    assert.strictEqual(textOf(["3"], { result: 3 }), "3")
    assert.strictEqual(textOf(["1", "2"], { items: [1, 2] }), "1\n2")
    assert.strictEqual(textOf(["1", "2"], { items: [2, 1] }), '1\n2\n{"items":[2,1]}')
    assert.strictEqual(textOf(["3"], { result: 3, more: 4 }), '3\n{"result":3,"more":4}')
    assert.strictEqual(textOf([], null), "")
    assert.strictEqual(textOf([], 0), "0")
  })

  it.each<readonly [block: Json.Json, text: string]>([
    ["a text", "a text"],
    [3, "3"],
    [{ type: "text", text: "a" }, "a"],
    [{ text: "a" }, "a"],
    [{ type: null, text: "a" }, "a"],
    [{ type: "text", text: 1 }, '{"type":"text","text":1}'],
    [{ type: "note", text: "a" }, '{"type":"note","text":"a"}'],
    [{ type: "resource_link", uri: "file:///a", name: "A", title: "B" }, "[A: file:///a]"],
    [{ type: "resource_link", uri: "file:///a", name: "", title: "B" }, "[B: file:///a]"],
    [{ type: "resource_link", uri: "file:///a" }, "[link: file:///a]"],
    [{ type: "resource_link" }, '{"type":"resource_link"}'],
    [{ type: "image", data: "AAAA", mimeType: "image/png" }, "[image/png, 3 bytes, not shown]"],
    [{ type: "audio", data: "AAAA" }, "[audio, 3 bytes, not shown]"],
    [{ type: "image" }, '{"type":"image"}'],
    [{ type: "resource", resource: { text: "a", blob: "AAAA" } }, "a"],
    [
      { type: "resource", resource: { blob: "AAAA", uri: "file:///a", mimeType: "a/b" } },
      "[a/b of file:///a, 3 bytes, not shown]",
    ],
    [{ type: "resource", resource: { blob: "AAAA" } }, "[binary data, 3 bytes, not shown]"],
    [{ type: "other", resource: { text: "a" } }, '{"type":"other","resource":{"text":"a"}}'],
    [{ type: "resource", resource: "a", text: "b" }, '{"type":"resource","resource":"a","text":"b"}'],
    [{ type: "resource", resource: null }, '{"type":"resource","resource":null}'],
    [{ type: "resource_link", name: "A", uri: 1 }, '{"type":"resource_link","name":"A","uri":1}'],
    [{ type: "other", uri: "file:///a" }, '{"type":"other","uri":"file:///a"}'],
    [{ type: "other", data: "AAAA" }, '{"type":"other","data":"AAAA"}'],
    [null, "null"],
    [[], "[]"],
    [{ type: "image", data: "AAAAA", mimeType: "" }, "[image, 3 bytes, not shown]"],
    [{ type: "resource", resource: { blob: "AAAA", uri: 1 } }, "[binary data, 3 bytes, not shown]"],
    [{ type: "resource", resource: { blob: 1 } }, '{"type":"resource","resource":{"blob":1}}'],
    [{ type: "resource", resource: {} }, '{"type":"resource","resource":{}}'],
    [{ type: "x", data: "A".repeat(256) }, `{"type":"x","data":"${"A".repeat(256)}"}`],
    [{ type: "x", data: `${"A".repeat(256)} ` }, `{"type":"x","data":"${"A".repeat(256)} "}`],
  ])("reads the block %j", (block, text) => {
    assert.strictEqual(ServerAnswers.resultText({ content: [block] }), text)
  })

  it("reads content that is no list, and that of the first revision", () => {
    assert.strictEqual(ServerAnswers.resultText({ content: "a" }), "a")
    assert.strictEqual(ServerAnswers.resultText({ content: { type: "text", text: "a" } }), "a")
    assert.strictEqual(ServerAnswers.resultText({ toolResult: "a" }), "a")
    assert.strictEqual(ServerAnswers.resultText({}), "")
  })

  it("names a long binary value in an unknown block with its size", () => {
    assert.strictEqual(
      ServerAnswers.resultText({ content: [{ type: "video", data: "AAAA".repeat(100) }] }),
      '{"type":"video","data":"[binary data, 300 bytes, not shown]"}',
    )
  })
})
