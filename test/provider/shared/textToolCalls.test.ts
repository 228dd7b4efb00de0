import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { findCallStart, parseCalls } from "../../../src/provider/shared/textToolCalls.ts"

const tools = ["read_file", "list"]

const call = '{"name": "read_file", "arguments": {"path": "a.ts"}}'

const expected = { name: "read_file", parameters: { path: "a.ts" } }

describe("parseCalls", () => {
  it.each<readonly [what: string, text: string]>([
    ["an object alone", ` ${call}\n`],
    ["arguments that are called parameters", call.replace("arguments", "parameters")],
    ["a block of JSON", `\`\`\`json\n${call}\n\`\`\``],
    ["a block of nothing in particular", `\`\`\`\n${call}\n\`\`\`\n`],
    ["a tag", `<tool_call>\n${call}\n</tool_call>`],
  ])("finds a call in %s", (_, text) => {
    assert.deepStrictEqual(parseCalls(text, tools), [expected])
  })

  it("finds calls in tags one after the other", () => {
    const text = `<tool_call>${call}</tool_call>\n<tool_call>{"name":"list","arguments":{}}</tool_call>`
    assert.deepStrictEqual(parseCalls(text, tools), [expected, { name: "list", parameters: {} }])
  })

  it.each<readonly [what: string, text: string]>([
    ["words around it", `I would say ${call}`],
    ["words behind it", `${call} is how it is done`],
    ["words between tags", `<tool_call>${call}</tool_call> and <tool_call>${call}</tool_call>`],
    ["a tool that there is not", call.replace("read_file", "rm")],
    ["arguments that are no object", '{"name": "list", "arguments": "all"}'],
    ["no arguments", '{"name": "list"}'],
    ["something besides", '{"name": "list", "arguments": {}, "note": "for example"}'],
    ["both arguments and parameters", '{"name": "list", "arguments": {}, "parameters": {}}'],
    ["a list", `[${call}]`],
    ["a tag that does not close", `<tool_call>${call}`],
    ["half an object", call.slice(0, -1)],
    ["one call of two that is none", `<tool_call>${call}</tool_call><tool_call>{}</tool_call>`],
    ["nothing", ""],
  ])("leaves %s as words", (_, text) => {
    assert.deepStrictEqual(parseCalls(text, tools), [])
  })
})

describe("findCallStart", () => {
  it.each<readonly [text: string, begun: boolean, at: number]>([
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
  ])("says of '%s' (others said before: %s) that it may at %i", (text, begun, at) => {
    assert.strictEqual(findCallStart(text, begun), at)
  })

  it.prop(
    "holds every tag back, however the words before it come",
    [FastCheck.string(), FastCheck.array(FastCheck.nat(12))],
    ([before, sizes]) => {
      FastCheck.pre(!before.includes("<tool_call>"))
      const text = `${before}<tool_call>{}`
      let said = ""
      let held = ""
      for (let at = 0, turn = 0; at < text.length; turn++) {
        const size = 1 + (sizes[turn % sizes.length] ?? 0)
        held += text.slice(at, at + size)
        at += size
        const until = findCallStart(held, said.trim() !== "")
        said += held.slice(0, until)
        held = held.slice(until)
      }
      assert.strictEqual(said + held, text)
      assert.include(held, "<tool_call>{}")
    },
  )
})
