import { assert, describe, it } from "@effect/vitest"
import * as BatchRequest from "../../src/explore/BatchRequest.ts"

const whole = { isPart: false, symbols: 5 }

describe("BatchRequest.reactionTo", () => {
  it.each(["ContextOverflow", "OutputLimit"] as const)("sends a batch again in parts after %s, once", (reason) => {
    assert.strictEqual(BatchRequest.reactionTo(reason, whole), "split")
    assert.strictEqual(BatchRequest.reactionTo(reason, { ...whole, isPart: true }), "skip")
    assert.strictEqual(BatchRequest.reactionTo(reason, { ...whole, symbols: 1 }), "skip")
  })

  it.each(["Blocked", "Empty", "InvalidRequest", "TimedOut"] as const)("leaves a batch open after %s", (reason) => {
    assert.strictEqual(BatchRequest.reactionTo(reason, whole), "skip")
  })

  it.each(["Unauthorized", "QuotaExhausted", "Overloaded", "ModelNotFound"] as const)(
    "ends the run after %s",
    (reason) => {
      assert.strictEqual(BatchRequest.reactionTo(reason, whole), "end")
    },
  )

  it("takes back a batch that the budget does not cover", () => {
    assert.strictEqual(BatchRequest.reactionTo("BudgetReached", whole), "shrink")
  })
})

describe("BatchRequest.mostFrequent", () => {
  it("is the reason that comes most often, and the first of equal ones", () => {
    assert.strictEqual(BatchRequest.mostFrequent(["too short", "repeats the name", "too short"]), "too short")
    assert.strictEqual(BatchRequest.mostFrequent(["one", "other"]), "one")
    assert.isUndefined(BatchRequest.mostFrequent([]))
  })
})

describe("BatchRequest.choiceOf", () => {
  it("requires the tool only of a model that does not think", () => {
    assert.deepStrictEqual(BatchRequest.choiceOf("off"), { tool: "create_index_entry" })
    assert.strictEqual(BatchRequest.choiceOf(undefined), "auto")
  })
})
