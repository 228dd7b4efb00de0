import { assert, describe, it } from "@effect/vitest"
import * as Spending from "../../src/agent/Spending.ts"
import { TurnEvent } from "../../src/agent/TurnEvent.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"

const request: Request = { system: "", messages: [Message.user("x".repeat(1000))], tools: [] }
const sent = TurnEvent.RequestSent({ request })
const text = (text: string) => TurnEvent.PartReceived({ part: Part.Text({ text }) })

const pendingAfter = (...events: ReadonlyArray<TurnEvent>) =>
  events.reduce<Spending.Pending | undefined>(Spending.pending, undefined)

describe("Spending.estimate", () => {
  it("counts the request and what has arrived of its reply, by their characters", () => {
    const pending = pendingAfter(sent, text("y".repeat(100)), text("z".repeat(100))) ?? assert.fail("none is pending")
    const { cost, usage } = Spending.estimate(pending, { input: 1, output: 10 })
    assert.isAtLeast(usage.inputTokens, 300)
    assert.isAtMost(usage.inputTokens, 330)
    assert.strictEqual(usage.outputTokens, 60)
    assert.strictEqual(cost, (usage.inputTokens + 600) / 1_000_000)
  })

  it("is what the provider has counted, where it has", () => {
    const usage = { ...Usage.none, inputTokens: 7, outputTokens: 3 }
    const finish = TurnEvent.PartReceived({ part: Part.Finish({ reason: "stop", usage }) })
    const pending = pendingAfter(sent, text("words"), finish) ?? assert.fail("none is pending")
    assert.deepStrictEqual(Spending.estimate(pending, { input: 1, output: 1 }), { usage, cost: 0.00001 })
  })

  it("has no cost where the price is unknown, and no output before the first words", () => {
    const { cost, usage } = Spending.estimate(pendingAfter(sent) ?? assert.fail("none is pending"), undefined)
    assert.deepStrictEqual([cost, usage.outputTokens], [undefined, 0])
  })

  it("has nothing to count before a request, and after its reply", () => {
    const reply = { blocks: [{ type: "text", text: "y" }], finish: "stop", usage: Usage.none } as const
    assert.isUndefined(pendingAfter(text("stray")))
    const model = new ModelId({ provider: "test", name: "x" })
    assert.isUndefined(pendingAfter(sent, TurnEvent.ReplyReceived({ reply: { ...reply, model }, cost: 0 })))
  })
})
