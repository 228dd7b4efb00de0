import { assert, describe, it } from "@effect/vitest"
import { draftsAfter } from "../../../src/chat/internal/nextMessage.ts"
import { notAnswered } from "../../../src/chat/internal/notAnswered.ts"
import type { Node } from "../../../src/forest/Node.ts"
import * as Block from "../../../src/message/Block.ts"
import type * as Message from "../../../src/message/Message.ts"
import { NodeId } from "../../../src/message/NodeId.ts"

const picture = (data: string) => Block.image("image/png", data)

const user = (text: string, ...pictures: ReadonlyArray<Block.Image>): Message.Message => {
  const [first = Block.text(text), ...rest] = [...pictures, Block.text(text)]
  return { role: "user", content: [first, ...rest] }
}

const endingWith = (message: Message.Message): ReadonlyArray<Node> => [
  {
    id: NodeId.make("n-1"),
    parent: NodeId.make("n-0"),
    root: NodeId.make("n-0"),
    message,
    source: { type: "user" },
    createdAt: 0,
  },
]

const red = picture("cmVk")
const blue = picture("Ymx1ZQ==")

describe("draftsAfter", () => {
  it("stores a message after an answer, also one that says what the answer says", () => {
    const answer: Message.Message = { role: "assistant", content: [Block.text("Hello")] }
    const draft = { message: user("Hello"), source: { type: "user" } }
    assert.deepStrictEqual(draftsAfter(endingWith(answer), "Hello"), [draft])
    assert.deepStrictEqual(draftsAfter([], "Hello"), [draft])
  })

  it("stores a message once that is sent again without an answer, with its pictures or without", () => {
    assert.deepStrictEqual(draftsAfter(endingWith(user("Look")), "Look"), [])
    assert.deepStrictEqual(draftsAfter(endingWith(user("Look", red, blue)), "Look", [red, blue]), [])
    assert.deepStrictEqual(draftsAfter(endingWith(user("Look", red)), "Look"), [])
  })

  it("stores another message behind one without an answer, and says that it has none", () => {
    const other = (text: string, ...pictures: ReadonlyArray<Block.Image>) => [
      notAnswered,
      { message: user(text, ...pictures), source: { type: "user" } },
    ]
    assert.deepStrictEqual(draftsAfter(endingWith(user("Look", red)), "See", [red]), other("See", red))
    assert.deepStrictEqual(draftsAfter(endingWith(user("Look", red)), "Look", [blue]), other("Look", blue))
    assert.deepStrictEqual(draftsAfter(endingWith(user("Look", red, blue)), "Look", [red]), other("Look", red))
  })
})
