import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { tryParse } from "../../../src/base/Json.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Answer from "../../../src/wiki/writing/Answer.ts"
import * as CheckRequest from "../../../src/wiki/writing/CheckRequest.ts"
import * as FlowRequest from "../../../src/wiki/writing/FlowRequest.ts"
import * as PartRequest from "../../../src/wiki/writing/PartRequest.ts"

const steps = { steps: [{ t: "It starts.", c: [1, 2] }] }
const expected = [{ t: "It starts.", c: [1, 2] }]
const read = (...blocks: ReadonlyArray<Block.Block>) => Answer.read(FlowRequest.form, blocks)?.get(1)?.steps

describe("Answer.read", () => {
  it("reads the arguments of the call", () => {
    assert.deepStrictEqual(read(Block.text("Here it is."), Block.toolUse("1", "write_flows", steps)), expected)
  })

  it("reads a call of another name, since models invent some", () => {
    assert.deepStrictEqual(read(Block.toolUse("1", "writeFlow", steps)), expected)
  })

  it("reads JSON in a text: bare, in a fence, behind words, and in the form of a call", () => {
    const json = JSON.stringify(steps)
    for (const text of [
      json,
      `\`\`\`json\n${json}\n\`\`\``,
      `Sure, here are the steps:\n${json}\nDo you need more?`,
      JSON.stringify({ name: "write_flows", arguments: steps }),
      JSON.stringify({ name: "write_flows", arguments: json }),
    ]) {
      assert.deepStrictEqual(read(Block.text(text)), expected, text)
    }
  })

  it("reads the whole statements of an answer that was cut off", () => {
    const text = '{"steps": [{"t": "It starts.", "c": [1, 2]}, {"t": "It goes on and'
    assert.deepStrictEqual(read(Block.text(text)), expected)
    assert.deepStrictEqual(read(Block.text(`\`\`\`json\n${text}`)), expected)
  })

  it("takes numbers in the forms in which models write them", () => {
    for (const c of [["1", "2"], "[1, 2]", "1, 2", ["[1]", "[2]"]]) {
      assert.deepStrictEqual(read(Block.toolUse("1", "write_flows", { steps: [{ t: "It starts.", c }] })), expected)
    }
    const one = read(Block.toolUse("1", "write_flows", { steps: [{ t: "It starts.", c: 1.5 }] }))
    assert.deepStrictEqual(one, [{ t: "It starts.", c: [] }])
  })

  it("finds no answer in words, refusals and other JSON", () => {
    for (const text of [
      "",
      "I cannot help with that.",
      "{}",
      "[]",
      '{"steps": []}',
      '{"steps": "none"}',
      "{ not json }",
    ]) {
      assert.isUndefined(read(Block.text(text)), text)
    }
  })

  it("leaves out single entries of another form, and counts them", () => {
    const answer = Answer.read(FlowRequest.form, [
      Block.toolUse("1", "write_flows", { steps: [{ t: "It starts.", c: [1, 2] }, 8, { c: [1] }, null] }),
    ])
    assert.deepStrictEqual(answer, new Map([[1, { steps: expected, refused: 3 }]]))
  })

  it("reads statements without paragraphs, three in each", () => {
    const s = [1, 2, 3, 4].map((number) => ({ t: `Statement ${number}.`, c: [number] }))
    const answer = Answer.read(PartRequest.form, [Block.toolUse("1", "write_parts", { paragraphs: s })])
    assert.deepStrictEqual(
      answer?.get(1)?.paragraphs.map(({ length }) => length),
      [3, 1],
    )
  })

  it("reads the pages of several parts by their numbers, or by their order without any", () => {
    const page = (text: string, part?: unknown) => ({ part, paragraphs: [[`${text} [1]`]], change: [] })
    const read = (...pages: ReadonlyArray<unknown>) =>
      Array.from(
        Answer.read(PartRequest.form, [Block.toolUse("1", "write_parts", { pages })]) ?? [],
        ([number, { paragraphs }]) => [number, paragraphs[0]?.[0]?.t],
      )
    const both = [
      [2, "Second."],
      [1, "First."],
    ]
    assert.deepStrictEqual(read(page("Second.", 2), page("First.", "1")), both)
    assert.deepStrictEqual(read(page("First."), page("Second.")), both.toReversed())
    assert.deepStrictEqual(read(page("Second.", 2), "no page", page("Third.", 2), { part: 1 }), both.slice(0, 1))
  })

  it("takes a statement that is called both true and untrue for untrue", () => {
    const answer = Answer.read(CheckRequest.form, [
      Block.toolUse("1", "check_statements", {
        holds: [1, 2, 4],
        partly: [
          { i: 2, t: "Better." },
          { i: 3, t: "" },
        ],
        not: [1],
        unseen: [1, 2, 4],
      }),
    ])
    assert.deepStrictEqual(answer, {
      holds: new Set<number>(),
      corrected: new Map([[2, [{ text: "Better." }]]]),
      untrue: new Set([1]),
      // What is corrected may be undecided otherwise. A correction without words says only that it does not hold.
      unseen: new Set([2, 4, 3]),
    })
  })
})

describe("Answer.closeJson", () => {
  it.prop(
    "makes JSON of any beginning of a document of objects, with a part of it",
    [fc.array(fc.record({ t: fc.string(), c: fc.array(fc.nat(99)) }), { minLength: 1 }), fc.nat(400)],
    ([list, at]) => {
      const text = JSON.stringify({ steps: list })
      const cut = text.slice(0, at)
      const closed = Answer.closeJson(cut)
      if (closed === "") return
      const value = tryParse(closed)
      assert.isDefined(value, closed)
      assert.isTrue(text.startsWith(closed.replace(/[\]}]+$/, "")))
    },
  )
})

describe("Answer.numbered", () => {
  const read = (...numbers: ReadonlyArray<string | number | undefined>) =>
    Object.fromEntries(
      Answer.numbered(
        numbers.map((part, at) => ({ ...(part !== undefined && { part }), at })),
        "part",
        ({ at }) => at,
      ) ?? [],
    )

  it("takes the numbers of entries, from 1 or from 0, and positions without them", () => {
    assert.deepStrictEqual(read(2, 1), { 2: 0, 1: 1 })
    assert.deepStrictEqual(read(0, 1, 2), { 1: 0, 2: 1, 3: 2 })
    assert.deepStrictEqual(read("[3]", "Part 1"), { 3: 0, 1: 1 })
    assert.deepStrictEqual(read(undefined, undefined), { 1: 0, 2: 1 })
  })

  it("takes no digits of a name for a number", () => {
    assert.deepStrictEqual(read("cart2", "mail1"), { 1: 0, 2: 1 })
  })
})
