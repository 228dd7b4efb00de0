import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { Message } from "../../src/message/Message.ts"
import * as Tokens from "../../src/message/Tokens.ts"
import { messages } from "./Messages.ts"

/** As the requirement puts it. */
const whole = (system: string, history: ReadonlyArray<Message>): number =>
  Math.floor(0.3 * (system.length + JSON.stringify(history).length))

describe("Tokens", () => {
  it("are three tenths of the characters of the system prompt and of the messages as JSON (E-89)", () => {
    assert.strictEqual(Tokens.estimate("", []), 0)
    assert.strictEqual(Tokens.estimate("0123456789", []), 3)
    const hello: Message = { role: "user", content: [{ type: "text", text: "hello" }] }
    assert.strictEqual(Tokens.estimate("be kind", [hello, hello]), 37)
    assert.strictEqual(whole("be kind", [hello, hello]), 37)
  })

  it.prop(
    "are the same counted at once and message by message",
    [FastCheck.string(), messages],
    ([system, history]) => {
      let tally = Tokens.start(system)
      history.forEach((message, i) => {
        tally = Tokens.add(tally, message)
        assert.strictEqual(Tokens.tokens(tally), whole(system, history.slice(0, i + 1)))
      })
      assert.strictEqual(Tokens.estimate(system, history), whole(system, history))
    },
  )

  it.prop("never become fewer by another message", [FastCheck.string(), messages], ([system, history]) => {
    assert.isAtMost(Tokens.estimate(system, history.slice(0, -1)), Tokens.estimate(system, history))
  })
})
