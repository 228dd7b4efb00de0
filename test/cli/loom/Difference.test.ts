import { assert, describe, it } from "@effect/vitest"
import * as Difference from "../../../src/cli/loom/Difference.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import { answered, node, root } from "./Places.ts"

const said = (id: string, parent: string, text: string) => node(id, parent, { message: Message.user(text) })

const question = said("a", "r", "Write a ")
const poem = { root, nodes: [question, said("b", "a", "poem"), answered("c", "b", [Block.text("Roses are red")])] }
const long = { root, nodes: [question, said("d", "a", "long poem"), answered("e", "d", [Block.text("Roses are not")])] }

describe("Difference", () => {
  it("says how much is common, and marks words from there", () => {
    const difference = Difference.between(poem, long)
    assert.deepStrictEqual(
      { common: difference.common, onlyInOne: difference.onlyInOne, onlyInOther: difference.onlyInOther },
      { common: 1, onlyInOne: 2, onlyInOther: 2 },
    )
    assert.strictEqual(
      Difference.text(difference),
      [
        "1 message in common; then 2 in the first, 2 in the second",
        "",
        "user: {+long +}poem",
        "",
        "assistant: Roses are [-red-]{+not+}",
      ].join("\n"),
    )
  })

  it("finds nothing between a conversation and itself, nor before where one of the two ends", () => {
    assert.deepStrictEqual(Difference.between(poem, poem).pieces, [])
    const beginning = { root, nodes: poem.nodes.slice(0, 2) }
    const { common, pieces } = Difference.between(beginning, poem)
    assert.deepStrictEqual([common, pieces], [2, [{ kind: "added", text: "assistant: Roses are red" }]])
  })

  it("compares the same one's words, though one side alone goes on with what was said last", () => {
    const answer = (id: string, parent: string, text: string) => answered(id, parent, [Block.text(text)])
    const one = { root, nodes: [question, answer("f", "a", "Roses are white."), said("g", "f", "And on")] }
    const other = { root, nodes: [question, said("h", "a", "short poem"), answer("i", "h", "Roses are red.")] }
    const expected = ["", "user: {+short poem+}", "", "assistant: Roses are [-white-]{+red+}.", "", "[-user: And on-]"]
    assert.deepStrictEqual(Difference.text(Difference.between(one, other)).split("\n").slice(1), expected)
  })

  it("sets beside each other what different ones say", () => {
    const one = { root, nodes: [said("a", "r", "Hello")] }
    const other = { root, nodes: [answered("b", "r", [Block.text("Hi")])] }
    assert.include(Difference.text(Difference.between(one, other)), "\n\n[-user: Hello-]\n\n{+assistant: Hi+}")
  })

  it("has nothing in common between two trees", () => {
    const other = { ...poem, root: { ...root, id: NodeId.make("s") } }
    const difference = Difference.between(poem, other)
    assert.strictEqual(difference.common, 0)
    assert.match(Difference.text(difference), /^of two trees; then 3 in the first, 3 in the second\n/)
  })

  it("reads what one says in several messages as one", () => {
    const cut = { root, nodes: [said("a1", "r", "one "), said("a2", "a1", "two")] }
    const whole = { root, nodes: [said("a3", "r", "one two")] }
    assert.deepStrictEqual(Difference.between(cut, whole).pieces, [
      { kind: "same", text: "user: " },
      { kind: "same", text: "one two" },
    ])
  })
})
