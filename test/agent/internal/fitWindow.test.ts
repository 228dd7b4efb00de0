import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { outputLimit } from "../../../src/agent/internal/fitWindow.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Tokens from "../../../src/message/Tokens.ts"
import { clamp } from "../../../src/model/Limits.ts"

const limits = { context: 1_000, output: 300 }

describe("outputLimit", () => {
  it("is none where none is requested", () => {
    assert.isUndefined(outputLimit("", undefined, limits)([Message.user("a")]))
  })

  it("is the requested one, within the limits of the model", () => {
    assert.strictEqual(outputLimit("", 200, limits)([]), 200)
    assert.strictEqual(outputLimit("", 999_999, limits)([]), 300)
    assert.strictEqual(outputLimit("", 999_999, undefined)([]), 8_192)
  })

  it("shrinks as the conversation grows, and is at least 1", () => {
    const limit = outputLimit("x".repeat(2_000), 999, limits)
    const long = Message.user("y".repeat(500))
    const found = [[], [long], [long, long], [long, long, long], [long]].map(limit)
    assert.deepStrictEqual(found, [300, 234, 68, 1, 234])
  })

  it.prop(
    "is the same however the conversation grew",
    [
      FastCheck.array(FastCheck.string({ maxLength: 400 }), { maxLength: 12 }),
      FastCheck.array(FastCheck.nat({ max: 12 })),
    ],
    ([texts, lengths]) => {
      const messages = texts.map(Message.user)
      const limit = outputLimit("system", 500, limits)
      for (const length of lengths) {
        const told = messages.slice(0, length)
        assert.strictEqual(limit(told), clamp(500, limits, Tokens.estimate("system", told)))
      }
    },
  )
})
