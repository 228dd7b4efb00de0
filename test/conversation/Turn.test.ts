import { assert, describe, it } from "@effect/vitest"
import * as Spending from "../../src/agent/Spending.ts"
import * as Turn from "../../src/conversation/Turn.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"

const price = { input: 1, output: 2 }
const spending: Spending.Spending = { usage: { ...Usage.none, inputTokens: 10, outputTokens: 5 }, cost: 0.5 }
const request = { system: "", messages: [Message.user("x".repeat(400))], tools: [] }
const pending: Spending.Pending = { request, characters: 40, usage: undefined }

describe("Turn.charge", () => {
  it("charges a complete turn with the tokens that its provider has counted", () => {
    const expected = { spending, isEstimated: false }
    assert.deepStrictEqual(Turn.charge({ spending, pending: undefined }, { price, wasStopped: false }), expected)
    assert.deepStrictEqual(Turn.charge({ spending, pending: undefined }, { price, wasStopped: true }), expected)
  })

  it("adds an estimate of the reply that was stopped", () => {
    const charged = Turn.charge({ spending, pending }, { price, wasStopped: true })
    assert.deepStrictEqual(charged.spending, Spending.add(spending, Spending.estimate(pending, price)))
    assert.isAbove(charged.spending.usage.inputTokens, 100)
    assert.isTrue(charged.isEstimated)
  })

  it("does not call tokens of a stopped reply estimated if its provider has counted them", () => {
    const usage = { ...Usage.none, inputTokens: 100, outputTokens: 10 }
    const charged = Turn.charge({ spending, pending: { ...pending, usage } }, { price, wasStopped: true })
    assert.isFalse(charged.isEstimated)
    assert.strictEqual(charged.spending.usage.outputTokens, 15)
  })

  it("adds nothing for a turn that failed by itself", () => {
    const charged = Turn.charge({ spending, pending }, { price, wasStopped: false })
    assert.deepStrictEqual(charged, { spending, isEstimated: false })
  })
})

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

describe("Turn.draftsAfter", () => {
  it.each([
    ["text alone", [], asked("Look")],
    ["a picture before the text", [one], asked(one, "Look")],
    ["several pictures in order", [two, one, two], asked(two, one, two, "Look")],
  ] as const)("makes a message of %s", (_, pictures, expected) => {
    assert.deepStrictEqual(Turn.draftsAfter([], "Look", pictures), [expected])
  })

  it("makes one of pictures alone where the text is blank, and of a blank text where there are none", () => {
    assert.deepStrictEqual(Turn.draftsAfter([], " \n", [one]), [asked(one)])
    assert.deepStrictEqual(Turn.draftsAfter([], "", [one, two]), [asked(one, two)])
    assert.deepStrictEqual(Turn.draftsAfter([], " ", []), [asked(" ")])
  })

  it.each([
    ["the same text", asked("Look"), []],
    ["the same text and pictures", asked(one, two, "Look"), [one, two]],
    ["the same text, without the pictures that are stored", asked(one, "Look"), []],
  ] as const)("is none for %s", (_, stored, pictures) => {
    assert.deepStrictEqual(Turn.draftsAfter(endingWith(stored), "Look", pictures), [])
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
    assert.deepStrictEqual(Turn.draftsAfter(endingWith(stored), "Look", pictures), [Turn.notAnswered, expected])
  })

  it("repeats a message after an answer with the same words", () => {
    const answer: Draft = { message: { role: "assistant", content: [Block.text("Look")] }, source: { type: "notice" } }
    assert.deepStrictEqual(Turn.draftsAfter(endingWith(answer), "Look", []), [asked("Look")])
  })
})
