import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ClientTools from "../../../src/mcp/internal/ClientTools.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { anyText } from "../../utils/anyText.ts"

const asIs = (text: string) => text

const result = (content: Parameters<typeof ClientTools.toResult>[0]["content"]) =>
  ClientTools.toResult({ content }, asIs)

describe("ClientTools.toolName", () => {
  it("is {server}_{tool}", () => {
    assert.strictEqual(ClientTools.toolName("files", "read_text_file"), "files_read_text_file")
    assert.strictEqual(ClientTools.toolName("all", "get-sum"), "all_get-sum")
  })

  it("has only characters that every provider takes", () => {
    assert.strictEqual(ClientTools.toolName("a", "issues/list all.☃"), "a_issues_list_all__")
    assert.strictEqual(ClientTools.toolName("1password", "get"), "_1password_get")
    assert.strictEqual(ClientTools.toolName("-", "get"), "_-_get")
  })

  it.prop(
    "is accepted by every provider, and that of any other tool only where both are the same after replacing and cutting",
    [FastCheck.stringMatching(/^[\w-]{1,80}$/), anyText(), FastCheck.string()],
    ([server, one, other]) => {
      const [a, b] = [ClientTools.toolName(server, one), ClientTools.toolName(server, other)]
      assert.match(a, /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
      // Unchanged where nothing has to change.
      if (/^[a-zA-Z_]/.test(server) && /^[\w-]*$/.test(one)) assert.isTrue(`${server}_${one}`.startsWith(a))
      const isSafe = (name: string) => /^[\w-]*$/.test(name) && `_${server}_${name}`.length <= 64
      if (one !== other && isSafe(one) && isSafe(other)) assert.notStrictEqual(a, b)
    },
  )
})

describe("ClientTools.toResult", () => {
  it("joins texts, and names what is no text with its size", () => {
    assert.deepStrictEqual(
      result([
        { type: "text", text: "one" },
        { type: "resource", resource: { uri: "file:///a", text: "two" } },
        { type: "resource", resource: { uri: "file:///b", blob: "AAAA", mimeType: "application/zip" } },
        { type: "resource", resource: { uri: "file:///c", blob: "" } },
        { type: "resource_link", name: "a page", uri: "https://a.example" },
        { type: "image", mimeType: "image/png", data: "AAAA".repeat(100) },
        { type: "audio", mimeType: "audio/wav", data: "AAAA" },
      ]),
      {
        text: [
          "one",
          "two",
          "[application/zip of file:///b, 3 bytes, not shown]",
          "[binary data of file:///c, 0 bytes, not shown]",
          "[a page: https://a.example]",
          "[image/png, 300 bytes, not shown]",
          "[audio/wav, 3 bytes, not shown]",
        ].join("\n"),
      },
    )
  })

  it("has the data as JSON if no text holds it", () => {
    const structuredContent = { answer: 42 }
    const textOf = (...texts: ReadonlyArray<string>) =>
      ClientTools.toResult({ content: texts.map((text) => ({ type: "text", text })), structuredContent }, asIs).text
    assert.strictEqual(textOf(), '{"answer":42}')
    assert.strictEqual(textOf("there is an answer"), 'there is an answer\n{"answer":42}')
    assert.strictEqual(textOf("42"), "42")
    assert.strictEqual(textOf('{ "answer": 42 }'), '{ "answer": 42 }')
  })

  it("has the data once if the texts are the items of its only list", () => {
    const content = ['{"id":1}', '{"id":2}'].map((text) => ({ type: "text" as const, text }))
    const structuredContent = { result: [{ id: 1 }, { id: 2 }] }
    assert.deepStrictEqual(ClientTools.toResult({ content, structuredContent }, asIs), { text: '{"id":1}\n{"id":2}' })
  })

  it("is an error where the server says so, and is redacted", () => {
    const content = [{ type: "text" as const, text: "wrong k3y" }]
    assert.deepStrictEqual(
      ClientTools.toResult({ content, isError: true }, (text) => text.replaceAll("k3y", "[key]")),
      { text: "wrong [key]", isError: true },
    )
  })
})

describe("ClientTools.costNote", () => {
  const tool = Tool.fromJsonSchema({
    name: "a_b",
    description: "d".repeat(1000),
    parameters: { type: "object" },
    run: () => Tool.fail("unused"),
  })

  it("says how many tokens the definitions take", () => {
    assert.strictEqual(ClientTools.costNote("a", []), "tool server a: no tools")
    assert.strictEqual(ClientTools.costNote("a", [tool]), "tool server a: 1 tool, about 320 tokens in each request")
    assert.strictEqual(
      ClientTools.costNote("a", [tool, tool]),
      "tool server a: 2 tools, about 640 tokens in each request",
    )
  })
})
