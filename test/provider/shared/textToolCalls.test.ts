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
    ["an array", `[${call}]`],
    ["an unclosed tag", `<tool_call>${call}`],
    ["half an object", call.slice(0, -1)],
    ["two calls, one of them malformed", `<tool_call>${call}</tool_call><tool_call>{}</tool_call>`],
    ["nothing", ""],
  ])("treats %s as text", (_, text) => {
    assert.deepStrictEqual(parseCalls(text, tools), [])
  })
})

describe("findCallStart", () => {
  it.each<readonly [text: string, hasText: boolean, at: number]>([
    ["Hello", false, 5],
    [" ", false, 0],
    ["{", false, 0],
    ["\n``", false, 0],
    ["```json", false, 0],
    ["<tool", false, 0],
    ["{", true, 1],
    ["Look: <tool_call>{", false, 6],
    ["Look: <too", true, 6],
    ["a < b", true, 5],
  ])("is, for '%s' (other text before: %s), %i", (text, hasText, at) => {
    assert.strictEqual(findCallStart(text, hasText), at)
  })

  it.prop(
    "holds every tag back, in whatever pieces the text arrives",
    [FastCheck.string(), FastCheck.array(FastCheck.nat(12))],
    ([before, sizes]) => {
      FastCheck.pre(!before.includes("<tool_call>"))
      const text = `${before}<tool_call>{}`
      let emitted = ""
      let held = ""
      for (let at = 0, turn = 0; at < text.length; turn++) {
        const size = 1 + (sizes[turn % sizes.length] ?? 0)
        held += text.slice(at, at + size)
        at += size
        const until = findCallStart(held, emitted.trim() !== "")
        emitted += held.slice(0, until)
        held = held.slice(until)
      }
      assert.strictEqual(emitted + held, text)
      assert.include(held, "<tool_call>{}")
    },
  )
})
