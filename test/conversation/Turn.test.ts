import { assert, describe, it } from "@effect/vitest"
import * as Spending from "../../src/agent/Spending.ts"
import * as Turn from "../../src/conversation/Turn.ts"
import * as Message from "../../src/message/Message.ts"
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
