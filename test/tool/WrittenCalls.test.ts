import { assert, describe, it } from "@effect/vitest"
import * as WrittenCalls from "../../src/tool/WrittenCalls.ts"

const json = '{"name": "list", "arguments": {"path": "."}}'

const one = { name: "list", parameters: { path: "." } }

describe("WrittenCalls.parse", () => {
  it.each<readonly [what: string, text: string]>([
    ["Qwen3-Coder", "<function=list>\n<parameter=path>\n.\n</parameter>\n</function>"],
    [
      "Qwen3-Coder in tags",
      "<tool_call>\n<function=list>\n<parameter=path>\n.\n</parameter>\n</function>\n</tool_call>",
    ],
    [
      "Qwen3-Coder without the opening tag",
      "<function=list>\n<parameter=path>.</parameter>\n</function>\n</tool_call>",
    ],
    ["Llama's element", '<function=list>{"path": "."}</function>'],
    ["Mistral", `[TOOL_CALLS][${json}]`],
    ["Mistral with a blank and an end", `[TOOL_CALLS] [${json}]</s>`],
    ["a newer Mistral", '[TOOL_CALLS]list[ARGS]{"path": "."}'],
    ["Llama 3", `<|python_tag|>${json.replace("arguments", "parameters")}<|eom_id|>`],
    ["an array", `[${json}]`],
    ["a type and a name", '{"type":"function","name":"list","parameters":{"path":"."}}'],
    ["OpenAI's form", '{"type":"function","function":{"name":"list","arguments":{"path":"."}}}'],
    [
      "OpenAI's form with an id",
      '[{"id":"c1","type":"function","function":{"name":"list","arguments":"{\\"path\\":\\".\\"}"}}]',
    ],
    ["a list under tool_calls", `{"tool_calls":[${json}]}`],
    ["arguments as a text", '<tool_call>\n{"name":"list","arguments":"{\\"path\\":\\".\\"}"}\n</tool_call>'],
    ["tools in tags", `<tools>${json}</tools>`],
    ["a fence for calls", `\`\`\`tool_call\n${json}\n\`\`\``],
    ["a fence around tags", `\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\``],
    [
      "an invocation",
      '<function_calls>\n<invoke name="list">\n<parameter name="path">.</parameter>\n</invoke>\n</function_calls>',
    ],
    ["the tool under the key tool", '{"tool": "list", "args": {"path": "."}}'],
  ])("reads %s", (_, text) => {
    assert.deepStrictEqual(WrittenCalls.parse(text), [one])
  })

  it.each<readonly [what: string, text: string]>([
    ["lines", `${json}\n${json}`],
    ["a list", `[${json}, ${json}]`],
    ["elements", "<function=list><parameter=path>.</parameter></function>\n".repeat(2)],
    ["Llama's separator", `<|python_tag|>${json}; ${json}`],
    ["one pair of tags", `<tool_call>${json}\n${json}</tool_call>`],
  ])("reads several calls in %s", (_, text) => {
    assert.deepStrictEqual(WrittenCalls.parse(text), [one, one])
  })

  it("keeps the lines of a value, and a text that looks like a number", () => {
    assert.deepStrictEqual(
      WrittenCalls.parse("<function=write><parameter=text>\n a\n\n</parameter><parameter=n>3</parameter></function>"),
      [{ name: "write", parameters: { text: " a\n", n: "3" } }],
    )
    assert.deepStrictEqual(WrittenCalls.parse("<function=now></function>"), [{ name: "now", parameters: {} }])
  })

  it.each<readonly [what: string, text: string]>([
    ["text after it", `[TOOL_CALLS][${json}] is how Mistral does it`],
    ["text between calls", `${json} and ${json}`],
    ["a list with something else", `[${json}, 1]`],
    ["an empty list", "[]"],
    ["half a list", `[TOOL_CALLS][${json}`],
    ["a definition of a tool", '{"type":"function","function":{"name":"list","description":"Lists","parameters":{}}}'],
    ["another type", '{"type":"object","name":"list","parameters":{}}'],
    ["an element without end", "<function=list><parameter=path>."],
    ["text in an element", "<function=list>the path<parameter=path>.</parameter></function>"],
    ["a code block of a language", `\`\`\`ts\n${json}\n\`\`\``],
    ["arguments as a text that is no object", '{"name":"list","arguments":"[1]"}'],
  ])("reads no call in %s", (_, text) => {
    assert.deepStrictEqual(WrittenCalls.parse(text), [])
  })
})

describe("WrittenCalls.find", () => {
  it.each<readonly [lead: string, text: string]>([
    ["I will look.\n\n", `\`\`\`json\n${json}\n\`\`\``],
    ["I can look at that.\n", `<tool_call>${json}</tool_call>`],
    ["Let me see.", `[TOOL_CALLS][${json}]`],
    ["Step 1 < 2. Let me [look]:\n", "<function=list><parameter=path>.</parameter></function>"],
  ])("finds a call after %j", (lead, text) => {
    assert.deepStrictEqual(WrittenCalls.find(lead + text), { lead, calls: [one] })
  })

  it.each([
    `To list files, you would write:\n\`\`\`json\n${json}\n\`\`\``,
    `For example: <tool_call>${json}</tool_call>`,
    `Mistral writes \`[TOOL_CALLS][${json}]\``,
    `I will look.\n\n\`\`\`json\n${json}\n\`\`\`\n\nThen I will answer.`,
    `I would say ${json}`,
    `${"It is a long explanation. ".repeat(20)}\n\`\`\`json\n${json}\n\`\`\``,
    "An answer",
    "",
  ])("finds none in %j", (text) => {
    assert.isUndefined(WrittenCalls.find(text))
  })
})

describe("WrittenCalls.describe", () => {
  it("names the calls, or says that one cannot be read", () => {
    assert.strictEqual(WrittenCalls.describe(`[${json},${json.replace("list", "rm")}]`), "a call of list, rm")
    assert.strictEqual(WrittenCalls.describe('[TOOL_CALLS][{"name": "list"'), "a tool call")
    assert.isUndefined(WrittenCalls.describe("<tool_calls are what I write"))
  })
})
