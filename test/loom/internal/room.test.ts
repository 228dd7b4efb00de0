import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Room from "../../../src/loom/internal/room.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Tokens from "../../../src/message/Tokens.ts"
import { clamp } from "../../../src/model/Limits.ts"

const limits = { context: 1_000, output: 300 }

describe("room for an answer", () => {
  it("is not said where nobody asked", () => {
    assert.isUndefined(Room.make("", undefined, limits)([Message.user("a")]))
  })

  it("is what was asked for, as far as the model goes", () => {
    assert.strictEqual(Room.make("", 200, limits)([]), 200)
    assert.strictEqual(Room.make("", 999_999, limits)([]), 300)
    assert.strictEqual(Room.make("", 999_999, undefined)([]), 8_192)
  })

  it("shrinks as the conversation grows, and is never nothing", () => {
    const room = Room.make("x".repeat(2_000), 999, limits)
    const long = Message.user("y".repeat(500))
    const rooms = [[], [long], [long, long], [long, long, long], [long]].map(room)
    assert.deepStrictEqual(rooms, [300, 234, 68, 1, 234])
  })

  it.prop(
    "is the same however the conversation came about",
    [
      FastCheck.array(FastCheck.string({ maxLength: 400 }), { maxLength: 12 }),
      FastCheck.array(FastCheck.nat({ max: 12 })),
    ],
    ([texts, lengths]) => {
      const messages = texts.map(Message.user)
      const room = Room.make("system", 500, limits)
      for (const length of lengths) {
        const told = messages.slice(0, length)
        assert.strictEqual(room(told), clamp(500, limits, Tokens.estimate("system", told)))
      }
    },
  )
})
