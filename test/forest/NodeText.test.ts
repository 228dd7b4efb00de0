import { assert, describe, it } from "@effect/vitest"
import * as NodeText from "../../src/forest/NodeText.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
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

  it("says that a tree has no system prompt", () => {
    assert.strictEqual(NodeText.line(root), 'root "Be kind."')
    assert.strictEqual(NodeText.line({ ...root, systemPrompt: " \n" }), "root (no system prompt)")
  })
})
