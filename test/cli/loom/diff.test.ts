import { assert, describe, it } from "@effect/vitest"
import { compare, format } from "../../../src/cli/loom/diff.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import { answered, node, root } from "./nodes.ts"

const said = (id: string, parent: string, text: string) => node(id, parent, { message: Message.user(text) })

const question = said("a", "r", "Write a ")
const poem = { root, nodes: [question, said("b", "a", "poem"), answered("c", "b", [Block.text("Roses are red")])] }
const long = { root, nodes: [question, said("d", "a", "long poem"), answered("e", "d", [Block.text("Roses are not")])] }

describe("loom diff", () => {
  it("counts the common messages, and marks the words that differ after them", () => {
    const difference = compare(poem, long)
    assert.deepStrictEqual(
      { common: difference.common, onlyInOne: difference.onlyInOne, onlyInOther: difference.onlyInOther },
      { common: 1, onlyInOne: 2, onlyInOther: 2 },
    )
    assert.strictEqual(
      format(difference),
      [
        "1 message in common; then 2 in the first, 2 in the second",
        "",
        "user: {+long +}poem",
        "",
        "assistant: Roses are [-red-]{+not+}",
      ].join("\n"),
    )
  })

  it("compares messages whole that an edit has divided", () => {
    const begin = { ...question, splitFrom: NodeId.make("b") }
    const difference = compare(
      { root, nodes: [begin, ...poem.nodes.slice(1)] },
      { root, nodes: [begin, ...long.nodes.slice(1)] },
    )
    assert.strictEqual(
      format(difference),
      [
        "0 messages in common; then 2 in the first, 2 in the second",
        "",
        "user: Write a {+long +}poem",
        "",
        "assistant: Roses are [-red-]{+not+}",
      ].join("\n"),
    )
  })

  it("finds no difference between a conversation and itself, nor before the end of the shorter one", () => {
    assert.deepStrictEqual(compare(poem, poem).pieces, [])
    const beginning = { root, nodes: poem.nodes.slice(0, 2) }
    const { common, pieces } = compare(beginning, poem)
    assert.deepStrictEqual([common, pieces], [2, [{ kind: "added", text: "assistant: Roses are red" }]])
  })

  it("compares turns of the same role, where only one side continues the last common message", () => {
    const answer = (id: string, parent: string, text: string) => answered(id, parent, [Block.text(text)])
    const one = { root, nodes: [question, answer("f", "a", "Roses are white."), said("g", "f", "And on")] }
    const other = { root, nodes: [question, said("h", "a", "short poem"), answer("i", "h", "Roses are red.")] }
    const expected = ["", "user: {+short poem+}", "", "assistant: Roses are [-white-]{+red+}.", "", "[-user: And on-]"]
    assert.deepStrictEqual(format(compare(one, other)).split("\n").slice(1), expected)
  })

  it("shows turns of different roles as wholes", () => {
    const one = { root, nodes: [said("a", "r", "Hello")] }
    const other = { root, nodes: [answered("b", "r", [Block.text("Hi")])] }
    assert.include(format(compare(one, other)), "\n\n[-user: Hello-]\n\n{+assistant: Hi+}")
  })

  it("finds no common messages in two trees", () => {
    const other = { ...poem, root: { ...root, id: NodeId.make("s") } }
    const difference = compare(poem, other)
    assert.strictEqual(difference.common, 0)
    assert.match(format(difference), /^of two trees; then 3 in the first, 3 in the second\n/)
  })

  it("joins adjacent messages of one role", () => {
    const cut = { root, nodes: [said("a1", "r", "one "), said("a2", "a1", "two")] }
    const whole = { root, nodes: [said("a3", "r", "one two")] }
    assert.deepStrictEqual(compare(cut, whole).pieces, [
      { kind: "same", text: "user: " },
      { kind: "same", text: "one two" },
    ])
  })
})
