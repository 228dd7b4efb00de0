import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as RefusedTool from "../../src/model/RefusedTool.ts"
import type { Tool } from "../../src/tool/Tool.ts"

const tool = (name: string, parameters: Tool["parameters"], origin?: Tool["origin"]): Tool => ({
  name,
  description: "",
  parameters,
  readOnly: true,
  origin,
  execute: () => Effect.die("not called"),
})

const own = tool("query", { type: "object", properties: { words: { type: "array", items: { type: "string" } } } })
const pages = tool(
  "f_pages",
  { type: "object", properties: { n: { minimum: 0, exclusiveMinimum: true } } },
  { server: "f", tool: "pages" },
)
const tuple = tool(
  "g_x_at",
  { type: "object", properties: { at: { items: [{ type: "number" }] } } },
  { server: "g_x", tool: "at" },
)
const tools = [own, pages, tuple]

const PAGES = "the tool 'pages' of the server 'f' is refused: "
const TUPLE = "the tool 'at' of the server 'g_x' is refused: "

describe("RefusedTool.describe", () => {
  for (const [message, start] of [
    ["* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[n]: bad", PAGES],
    ['Invalid value at "tools[0].functionDeclarations[2].parametersJsonSchema"', TUPLE],
    ["tools.2.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12", TUPLE],
    ["tools[1].function.parameters is not a valid schema", PAGES],
    ["Invalid schema for function 'g_x_at': [{'type': 'number'}] is not of type 'object', 'boolean'.", TUPLE],
    ["value at f_pages.exclusiveMinimum must be a number", PAGES],
    ["exclusiveMinimum must be a number", PAGES],
    ["Invalid tool parameters schema: field `items` must be an object", TUPLE],
    ["Invalid schema for function 'query': bad", "the tool 'query' is refused: "],
  ] as const) {
    it(`names the tool: ${message}`, () => {
      const described = RefusedTool.describe(message, tools) ?? ""
      assert.isTrue(described.startsWith(start + message), described)
      assert.strictEqual(
        described.endsWith("; 'only' in the settings of that server can leave it out"),
        start !== "the tool 'query' is refused: ",
      )
    })
  }

  it("names several tools that may be meant", () => {
    const again = { ...pages, name: "f_lines", origin: { server: "f", tool: "lines" } }
    assert.match(
      RefusedTool.describe("exclusiveMinimum must be a number", [...tools, again]) ?? "",
      /^the tool 'pages' of the server 'f' or the tool 'lines' of the server 'f' is refused: /,
    )
  })

  for (const message of [
    "the query is too long",
    "messages.3: `tool_use` ids were found without `tool_result` blocks: query_1 of 'f_pages'",
    "temperature must be at most 1",
    "too many items in messages",
    "tools[7].function.parameters is not a valid schema",
  ]) {
    it(`is not about a tool: ${message}`, () => {
      assert.isUndefined(RefusedTool.describe(message, tools))
    })
  }
})
