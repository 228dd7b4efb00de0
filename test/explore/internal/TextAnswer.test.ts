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

describe("TextAnswer.read, its borders", () => {
  const entry = { purpose: "Opens." }

  it.each<readonly [text: string, entries: unknown]>([
    [JSON.stringify({ parameters: { entries: [entry] } }), [entry]],
    [JSON.stringify({ args: { entries: [entry] } }), [entry]],
    [JSON.stringify({ input: { entries: [entry] } }), [entry]],
    [JSON.stringify({ arguments: "none", input: { entries: [entry] } }), [entry]],
    [JSON.stringify({ other: { entries: entry } }), undefined],
    [JSON.stringify({ entries: null }), null],
    [JSON.stringify([1, entry, { "2": "Shuts." }]), [1, entry, { purposes: { "2": "Shuts." } }]],
    [JSON.stringify({ "§1": "Opens.", a12: "no" }), undefined],
    [JSON.stringify({ "§ 1": "Opens.", "12": "Shuts." }), [{ purposes: { "12": "Shuts.", "§ 1": "Opens." } }]],
    [JSON.stringify({ "1": "Opens.", note: "b" }), undefined],
    [JSON.stringify({ purposes: ["1: Opens."] }), [{ purposes: ["1: Opens."] }]],
    [`Here: ${JSON.stringify([entry])}, all.`, [entry]],
    [`\`\`\`\n${JSON.stringify([entry])}\n\`\`\``, [entry]],
    // Lines have to be more than half of the text.
    ["1: Opens.\nand more", undefined],
    ["1: Opens.\n2: Shuts.\nand more", [{ purposes: ["1: Opens.", "2: Shuts."] }]],
    ["```\n1: Opens.\n\n```", [{ purposes: ["1: Opens."] }]],
    ["12 – Opens.", [{ purposes: ["12 – Opens."] }]],
    ["12 Opens.", undefined],
    ["12:", undefined],
    ["see 12: Opens.", undefined],
  ])("reads %j as %j", (text, entries) => assert.deepStrictEqual(TextAnswer.read(text), entries))

  it("keeps the last line of an answer that was cut off behind it, and has none if it was the only one", () => {
    assert.deepStrictEqual(TextAnswer.read("1: Opens.\n2: Shuts.\nand", false), [
      { purposes: ["1: Opens.", "2: Shuts."] },
    ])
    assert.isUndefined(TextAnswer.read("1: Opens", false))
  })
})
