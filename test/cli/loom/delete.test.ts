import { assert, describe, it } from "@effect/vitest"
import { describeDeletion } from "../../../src/cli/loom/delete.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { answered, node } from "./nodes.ts"

describe("describeDeletion", () => {
  const call = Block.toolUse("c1", "look", {})
  const asking = answered("a", "r", [call])
  const answers = ["b", "c"].map((id) => node(id, "a", { message: Message.toolResult(call, "there", false) }))

  it("counts the deleted nodes", () => {
    assert.strictEqual(describeDeletion({ nodes: [asking], answers: [], bookmarks: [] }), "deleted 1 node")
  })

  it("names the answers and bookmarks that were deleted along", () => {
    assert.strictEqual(
      describeDeletion({ nodes: [asking, ...answers], answers, bookmarks: [] }),
      "deleted 3 nodes (with 2 answers to its calls)",
    )
    assert.strictEqual(
      describeDeletion({
        nodes: [asking, ...answers.slice(1)],
        answers: answers.slice(1),
        bookmarks: ["x", "y\u001b"],
      }),
      "deleted 2 nodes (with 1 answer to its calls) and the bookmarks x, y",
    )
  })
})
