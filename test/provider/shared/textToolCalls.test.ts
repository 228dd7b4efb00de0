import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { findCallStart, parseCalls } from "../../../src/provider/shared/textToolCalls.ts"

const tools = ["read_file", "list"]

const call = '{"name": "read_file", "arguments": {"path": "a.ts"}}'

const expected = { name: "read_file", parameters: { path: "a.ts" } }

describe("parseCalls", () => {
  it.each<readonly [what: string, text: string]>([
    ["an object alone", ` ${call}\n`],
    ["arguments under the name parameters", call.replace("arguments", "parameters")],
    ["a JSON block", `\`\`\`json\n${call}\n\`\`\``],
    ["a block without a language", `\`\`\`\n${call}\n\`\`\`\n`],
    ["a tag", `<tool_call>\n${call}\n</tool_call>`],
  ])("finds a call in %s", (_, text) => {
    assert.deepStrictEqual(parseCalls(text, tools), [expected])
  })

  it("finds consecutive calls in tags", () => {
    const text = `<tool_call>${call}</tool_call>\n<tool_call>{"name":"list","arguments":{}}</tool_call>`
    assert.deepStrictEqual(parseCalls(text, tools), [expected, { name: "list", parameters: {} }])
  })

  it.each<readonly [what: string, text: string]>([
    ["text around it", `I would say ${call}`],
    ["text after it", `${call} is how it is done`],
    ["text between tags", `<tool_call>${call}</tool_call> and <tool_call>${call}</tool_call>`],
    ["an unknown tool", call.replace("read_file", "rm")],
    ["arguments that are not an object", '{"name": "list", "arguments": "all"}'],
    ["no arguments", '{"name": "list"}'],
    ["another key", '{"name": "list", "arguments": {}, "note": "for example"}'],
    ["both arguments and parameters", '{"name": "list", "arguments": {}, "parameters": {}}'],
    ["an unclosed tag", `<tool_call>${call}`],
    ["half an object", call.slice(0, -1)],
    ["two calls, one of them malformed", `<tool_call>${call}</tool_call><tool_call>{}</tool_call>`],
    ["nothing", ""],
  ])("treats %s as text", (_, text) => {
    assert.deepStrictEqual(parseCalls(text, tools), [])
  })
})

describe("findCallStart", () => {
  it.each<readonly [text: string, lead: string, at: number]>([
    ["Hello", "", 5],
    [" ", "", 0],
    ["{", "", 0],
    ['{"name', "", 0],
    ['{"rows": 1', "", 10],
    ["[", "", 0],
    ["[1", "", 2],
    ["\n``", "", 0],
    ["```json", "", 0],
    ["```ts", "", 5],
    ["<tool", "", 0],
    ["{", "Hello", 1],
    ["Look: <tool_call>{", "", 6],
    ["Look: <too", "Hello", 6],
    ["a < b", "Hello", 5],
    ["Look.\n\n```json\n{", "", 7],
    ['Look.\n\n```json\n{\n  "rows": 1', "", 28],
    ["Look.\n\n[TOOL", "", 7],
    ["For example: <tool_call>", "", 24],
    ["```json", "x".repeat(400), 7],
  ])("is, for %j after %j, %i", (text, lead, at) => {
    assert.strictEqual(findCallStart(text, lead), at)
  })

  it.prop(
    "holds every tag back, in whatever pieces the text arrives",
    [FastCheck.string(), FastCheck.array(FastCheck.nat(12))],
    ([before, sizes]) => {
      FastCheck.pre(!/[<`"'([{]/.test(before))
      const text = `${before}<tool_call>{}`
      let emitted = ""
      let held = ""
      for (let at = 0, turn = 0; at < text.length; turn++) {
        const size = 1 + (sizes[turn % sizes.length] ?? 0)
        held += text.slice(at, at + size)
        at += size
        const until = findCallStart(held, emitted)
        emitted += held.slice(0, until)
        held = held.slice(until)
      }
      assert.strictEqual(emitted + held, text)
      assert.include(held, "<tool_call>{}")
    },
  )
})
