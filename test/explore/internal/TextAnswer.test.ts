import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as TextAnswer from "../../../src/explore/internal/TextAnswer.ts"

const entries = [{ purposes: ["1: Lets guests in.", "2: Rings at the {door}."] }]

describe("TextAnswer.read", () => {
  it.each([
    ["the arguments", JSON.stringify({ entries })],
    ["the arguments in several lines", JSON.stringify({ entries }, null, 2)],
    [
      "a fenced block behind words",
      `Here they are:\n\n\`\`\`json\n${JSON.stringify({ entries })}\n\`\`\`\nAll of them.`,
    ],
    [
      "a fenced block between words with brackets",
      `For {each}:\n\n\`\`\`json\n${JSON.stringify({ entries }, null, 2)}\n\`\`\`\nThat is [all] of {them}.`,
    ],
    ["the entries alone", JSON.stringify(entries)],
    ["one entry", JSON.stringify(entries[0])],
    ["a call in the words of a program", `create_index_entry(${JSON.stringify({ entries })})`],
    ["a call as protocols write it", JSON.stringify({ name: "create_index_entry", arguments: { entries } })],
  ])("reads %s", (_, text) => {
    assert.deepStrictEqual(TextAnswer.read(text), entries)
  })

  it("reads purposes by number, and a list of them", () => {
    assert.deepStrictEqual(TextAnswer.read('{"1": "Lets guests in."}'), [{ purposes: { "1": "Lets guests in." } }])
    assert.deepStrictEqual(TextAnswer.read('["1: Lets guests in."]'), ["1: Lets guests in."])
  })

  it("reads numbered lines, marks and bullets too, with a few words around them", () => {
    const lines = ["1: Lets guests in.", "- §2: Rings at the door.", "**3**. is none", "4. Opens the gate."]
    assert.deepStrictEqual(TextAnswer.read(["My answer:", "", ...lines].join("\n")), [
      { purposes: [lines[0], lines[1], lines[3]] },
    ])
  })

  it("leaves out the last line of an answer that was cut off, and JSON that was", () => {
    assert.deepStrictEqual(TextAnswer.read("1: Lets guests in.\n2: Rings at", false), [
      { purposes: ["1: Lets guests in."] },
    ])
    assert.isUndefined(TextAnswer.read('{"entries": [{"purposes": ["1: Lets', false))
  })

  it.each([
    "I would rather not.",
    "{}",
    "[1, 2]",
    '{"map": "A house."}',
    "I see:\nmany doors\n1. one of them\nand more",
    "",
  ])("finds nothing in other texts: %s", (text) => {
    assert.isUndefined(TextAnswer.read(text))
  })

  it.prop(
    "reads whatever entries are written as JSON, wherever it stands",
    [FastCheck.json(), FastCheck.boolean()],
    ([json, isFenced]) => {
      const written: unknown = JSON.parse(json)
      const text = JSON.stringify({ entries: [{ purposes: ["1: x"], note: written }] })
      const read = TextAnswer.read(isFenced ? `\`\`\`json\n${text}\n\`\`\`` : text)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(read)), [{ purposes: ["1: x"], note: written }])
    },
  )
})
