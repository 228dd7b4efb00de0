import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Block from "../../src/message/Block.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as Reply from "../../src/model/Reply.ts"

const { Part } = Reply

const fold = (parts: ReadonlyArray<Reply.Part>) => parts.reduce(Reply.step, Reply.empty)

const call = (id?: string) => Part.ToolUse({ id, name: "read_file", parameters: { path: "a.ts" } })

describe("Reply.step", () => {
  it("joins text into one block, separate from thinking", () => {
    const { blocks } = fold([
      Part.Thinking({ text: "let me " }),
      Part.Thinking({ text: "see" }),
      Part.Text({ text: "It " }),
      Part.Text({ text: "works." }),
    ])
    assert.deepStrictEqual(blocks, [Block.thinking("let me see"), Block.text("It works.")])
  })

  it("keeps text with metadata in a block of its own, also an empty one", () => {
    const meta = { google: { thoughtSignature: "c2ln" } }
    const { blocks } = fold([
      Part.Text({ text: "a" }),
      Part.Text({ text: "", meta }),
      Part.Text({ text: "b" }),
      Part.Text({ text: "" }),
    ])
    assert.deepStrictEqual(blocks, [Block.text("a"), Block.text("", meta), Block.text("b")])
  })

  it("numbers calls without an id by their position among the calls", () => {
    const { blocks } = fold([call(), Part.Text({ text: "and" }), call("from-the-provider"), call()])
    assert.deepStrictEqual(
      blocks.filter(Block.isToolUse).map(({ id }) => id),
      ["call_0", "from-the-provider", "call_2"],
    )
  })

  it("keeps images in their position", () => {
    const { blocks } = fold([
      Part.Text({ text: "a" }),
      Part.Image({ media_type: "image/png", data: "aGVsbG8=" }),
      Part.Text({ text: "b" }),
    ])
    assert.deepStrictEqual(blocks, [Block.text("a"), Block.image("image/png", "aGVsbG8="), Block.text("b")])
  })

  it("is finished by Finish only", () => {
    const open = fold([Part.Text({ text: "a" }), call()])
    assert.isUndefined(open.finish)
    const usage = { ...Usage.none, outputTokens: 3 }
    assert.deepStrictEqual(Reply.step(open, Part.Finish({ reason: "tool_calls", usage })), {
      ...open,
      finish: "tool_calls",
      usage,
    })
  })

  it.prop("is the same in whatever pieces the text arrived", [FastCheck.array(FastCheck.string())], ([words]) => {
    const text = words.join("")
    assert.deepStrictEqual(fold(words.map((text) => Part.Text({ text }))).blocks, text === "" ? [] : [Block.text(text)])
  })
})

const joined = (come: ReadonlyArray<Reply.Part>) => {
  const parts: Array<Reply.Part> = []
  for (const part of come) Reply.join(parts, part)
  return parts
}

const meta = FastCheck.option(FastCheck.constant({ some: "signature" }), { nil: undefined })
const words = FastCheck.record({ text: FastCheck.constantFrom("", " ", "a", "b c"), meta })

const anyPart: FastCheck.Arbitrary<Reply.Part> = FastCheck.oneof(
  words.map((words) => Part.Text(words)),
  words.map((words) => Part.Thinking(words)),
  FastCheck.constant(call()),
  FastCheck.constant(Part.Image({ media_type: "image/png", data: "aGVsbG8=" })),
)

describe("Reply.join", () => {
  it("joins adjacent text of a kind without metadata", () => {
    const signed = Part.Thinking({ text: "", meta: { some: "signature" } })
    const [one, two] = [{ text: "one " }, { text: "two" }]
    assert.deepStrictEqual(
      joined([Part.Thinking(one), Part.Thinking(two), signed, Part.Text(one), Part.Text(two), call(), Part.Text(two)]),
      [Part.Thinking({ text: "one two" }), signed, Part.Text({ text: "one two" }), call(), Part.Text(two)],
    )
  })

  it.prop("does not change the resulting reply", [FastCheck.array(anyPart)], ([come]) => {
    assert.deepStrictEqual(fold(joined(come)), fold(come))
  })
})
