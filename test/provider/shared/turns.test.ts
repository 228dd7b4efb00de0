import { assert, describe, it } from "@effect/vitest"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { makeEncoder, type Rules, type Turn } from "../../../src/provider/shared/turns.ts"
import { messages } from "../../message/Messages.ts"

/** The rules of a wire that accepts short ids only, no thinking, and no blank text. */
const strict: Rules = {
  block: (block) => (block.type === "tool-use" || (block.type === "text" && block.text !== "") ? block : undefined),
  callId: /^[a-z0-9]{2,9}$/,
}

const turnsOf = (messages: ReadonlyArray<Message.Message>, rules = strict) =>
  makeEncoder<Turn>(rules, (turn) => [turn])(messages)

const call = (id: string) => Block.toolUse(id, "look", {})

const assistant = (first: Block.Block, ...rest: ReadonlyArray<Block.Block>): Message.Assistant => ({
  role: "assistant",
  content: [first, ...rest],
})

const callsOf = (turn: Turn | undefined) => (turn?.role === "assistant" ? turn.blocks.filter(Block.isToolUse) : [])

describe("Turns.makeEncoder", () => {
  it("begins and ends with the user", () => {
    const roles = turnsOf([assistant(Block.text("a"))]).map(({ role }) => role)
    assert.deepStrictEqual(roles, ["user", "assistant", "user"])
    assert.deepStrictEqual(
      turnsOf([]).map(({ role }) => role),
      ["user"],
    )
  })

  it("merges turns that become adjacent when an answer is dropped", () => {
    const turns = turnsOf([Message.user("a"), assistant(Block.thinking("hm")), Message.user("b")])
    assert.lengthOf(turns, 1)
  })

  it("replaces an id that the wire rejects, in the call and in its result", () => {
    const long = call("an id that is too long")
    const [, calling, answering] = turnsOf([Message.user("a"), assistant(long), Message.toolResult(long, "b", false)])
    const [sent] = callsOf(calling)
    assert.match(sent?.id ?? "", /^[a-z0-9]{9}$/)
    assert.deepStrictEqual(
      answering?.role === "user" && answering.results.map(({ call }): string | undefined => call.id),
      [sent?.id],
    )
  })

  it("gives two calls with the same id separate ids", () => {
    const path = [assistant(call("c1")), Message.toolResult(call("c1"), "a", false)]
    const ids = turnsOf([Message.user("a"), ...path, ...path])
      .flatMap(callsOf)
      .map(({ id }) => id)
    assert.strictEqual(new Set(ids).size, 2)
    assert.strictEqual(ids[0], "c1")
  })

  it("marks notices with the role system", () => {
    const [turn] = turnsOf([Message.user("a"), { role: "system", content: [Block.text("b")] }])
    assert.deepStrictEqual(turn?.role === "user" && turn.content.map(({ role }) => role), ["user", "system"])
  })
})

describe("Turns.makeEncoder: any history", () => {
  it.prop("alternates user and assistant, without blank turns", [messages], ([messages]) => {
    const turns = turnsOf(messages)
    assert.strictEqual(turns.length % 2, 1)
    for (const [index, turn] of turns.entries()) {
      assert.strictEqual(turn.role, index % 2 === 0 ? "user" : "assistant")
      if (turn.role === "assistant") assert.isNotEmpty(turn.blocks)
      else assert.isAbove(turn.results.length + turn.content.length, 0)
    }
  })

  it.prop("places the result of every call in the next turn, in order, under a unique id", [messages], ([messages]) => {
    const turns = turnsOf(messages)
    const calls = turns.flatMap(callsOf)
    assert.lengthOf(calls, messages.flatMap(Message.toolUses).length)
    assert.strictEqual(new Set(calls.map(({ id }) => id)).size, calls.length)
    for (const [index, turn] of turns.entries()) {
      if (turn.role === "user")
        assert.deepStrictEqual(
          turn.results.map(({ call }) => call),
          callsOf(turns[index - 1]),
        )
    }
  })

  it.prop("encodes successive requests like the last one alone", [messages, messages], ([path, more]) => {
    const encode = makeEncoder<Turn>(strict, (turn) => [turn])
    const whole = [...path, ...more]
    for (let length = 0; length <= whole.length; length++) {
      const sofar = whole.slice(0, length)
      assert.deepStrictEqual(encode(sofar), turnsOf(sofar))
    }
  })
})
