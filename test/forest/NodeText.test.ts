import { assert, describe, it } from "@effect/vitest"
import type { Node } from "../../src/forest/Node.ts"
import * as NodeText from "../../src/forest/NodeText.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { answered, node, root } from "../cli/loom/nodes.ts"

describe("NodeText.line", () => {
  it("has the question, not the files and the input that precede it", () => {
    const files = '<file path="plan.md">\n# Plan\n</file>\n\n<stdin>\nlog\n</stdin>\n\n'
    const asked = node("a", "r", { message: Message.user(`${files}What is @plan.md about?`) })
    assert.strictEqual(NodeText.line(asked), 'user "What is @plan.md about?"')
    assert.include(NodeText.body(asked), "# Plan")
  })

  it("leaves what a model says as it is", () => {
    const text = '<file path="a">\n</file>\n\nDone'
    assert.strictEqual(
      NodeText.line(answered("b", "r", [Block.text(text)])),
      'assistant "<file path="a"> </file> Done"',
    )
  })

  it("begins and ends with a word, whatever white space is around the text", () => {
    const said = (text: string) => NodeText.line(node("a", "r", { message: Message.user(text) }))
    assert.strictEqual(said("\n\n  What is it?\n "), 'user "What is it?"')
    assert.strictEqual(NodeText.line(answered("b", "r", [Block.text("\n Done\n")])), 'assistant "Done"')
  })

  it("says that a tree has no system prompt", () => {
    assert.strictEqual(NodeText.line(root), 'root "Be kind."')
    assert.strictEqual(NodeText.line({ ...root, systemPrompt: " \n" }), "root (no system prompt)")
  })
})

describe("NodeText.maker", () => {
  it("is the owner of a tree, the model of a reply, or the tool of a result, and says what a summary is of", () => {
    const from = (source: Node["source"]) => NodeText.maker(node("a", "r", { source }))
    const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, thinkingTokens: 0 }
    const summary = { type: "summary", upTo: NodeId.make("r"), keeps: 0, model: "a/b", usage } as const
    assert.strictEqual(NodeText.maker(root), root.owner)
    assert.strictEqual(NodeText.maker(answered("a", "r", [Block.text("x")])), "google/gemini-2.5-flash")
    assert.strictEqual(from({ type: "tool", tool: "find" }), "find")
    assert.strictEqual(from({ ...summary, messages: 3 }), "summary of 3 messages")
    assert.strictEqual(from({ ...summary, messages: 1 }), "summary of 1 message")
    assert.deepStrictEqual([from({ type: "user" }), from({ type: "notice" })], ["", ""])
  })
})
