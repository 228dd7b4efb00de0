import { assert, describe, it } from "@effect/vitest"
import { draftsAfter, notAnswered } from "../../src/conversation/storeMessage.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import { NodeId } from "../../src/message/NodeId.ts"

const one = Block.image("image/png", "b25l")
const two = Block.image("image/png", "dHdv")

/** A path that ends with this message. */
const endingWith = (draft: Draft): ReadonlyArray<Node> => [
  { ...draft, id: NodeId.make("n-1"), root: NodeId.make("r"), parent: NodeId.make("r"), createdAt: 0 },
]

const asked = (...content: ReadonlyArray<Block.Image | string>): Draft => {
  const [first = Block.text(""), ...rest] = content.map((part) => (typeof part === "string" ? Block.text(part) : part))
  return { message: { role: "user", content: [first, ...rest] }, source: { type: "user" } }
}

describe("draftsAfter", () => {
  it.each([
    ["text alone", [], asked("Look")],
    ["a picture before the text", [one], asked(one, "Look")],
    ["several pictures in order", [two, one, two], asked(two, one, two, "Look")],
  ] as const)("makes a message of %s", (_, pictures, expected) => {
    assert.deepStrictEqual(draftsAfter([], "Look", pictures), [expected])
  })

  it.each([
    ["the same text", asked("Look"), []],
    ["the same text and pictures", asked(one, two, "Look"), [one, two]],
    ["the same text, without the pictures that are stored", asked(one, "Look"), []],
  ] as const)("is none for %s", (_, stored, pictures) => {
    assert.deepStrictEqual(draftsAfter(endingWith(stored), "Look", pictures), [])
  })

  it.each([
    ["another text", asked("Listen"), [], asked("Look")],
    ["another text with the same picture", asked(one, "Listen"), [one], asked(one, "Look")],
    ["a picture that the stored message does not have", asked("Look"), [one], asked(one, "Look")],
    ["another picture", asked(one, "Look"), [two], asked(two, "Look")],
    ["one picture more", asked(one, "Look"), [one, two], asked(one, two, "Look")],
    ["one picture less", asked(one, two, "Look"), [one], asked(one, "Look")],
    ["pictures in another order", asked(one, two, "Look"), [two, one], asked(two, one, "Look")],
  ] as const)("follows a message without an answer with a notice and %s", (_, stored, pictures, expected) => {
    assert.deepStrictEqual(draftsAfter(endingWith(stored), "Look", pictures), [notAnswered, expected])
  })

  it("repeats a message after an answer with the same words", () => {
    const answer: Draft = { message: { role: "assistant", content: [Block.text("Look")] }, source: { type: "notice" } }
    assert.deepStrictEqual(draftsAfter(endingWith(answer), "Look", []), [asked("Look")])
  })
})
