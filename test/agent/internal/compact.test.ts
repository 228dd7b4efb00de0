import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import { compact } from "../../../src/agent/internal/compact.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import * as History from "../../../src/model/History.ts"
import { messages } from "../../message/Messages.ts"

const call = (id: string) => Block.toolUse(id, "look", { path: id })

const asked = (...[first, ...rest]: readonly [string, ...ReadonlyArray<string>]): Message.Message => ({
  role: "assistant",
  content: [call(first), ...rest.map(call)],
})

const result = (id: string, length: number) => Message.toolResult(call(id), "x".repeat(length), false)

const leftOut = (length: number) => `(left out to make room: ${length} characters; ask again for what is needed)`

const texts = (messages: ReadonlyArray<Message.Message>) =>
  messages.flatMap((message) => (message.role === "tool" ? [Message.text(message)] : []))

const compacted = (messages: ReadonlyArray<Message.Message>) => Option.getOrThrow(compact(messages))

describe("compact", () => {
  it("replaces the oldest results until the history is halved", () => {
    const history = [
      Message.user("Go"),
      asked("a", "b"),
      result("a", 1000),
      result("b", 1000),
      asked("c", "d"),
      result("c", 1000),
      result("d", 1000),
    ]
    const { leftOut: count, messages } = compacted(history)
    assert.strictEqual(count, 3)
    assert.deepStrictEqual(texts(messages), [leftOut(1000), leftOut(1000), leftOut(1000), "x".repeat(1000)])
    assert.isBelow(JSON.stringify(messages).length, JSON.stringify(history).length / 2)
  })

  it("replaces a result that the model has not read yet, where that is too long", () => {
    const { messages } = compacted([Message.user("Go"), asked("a"), result("a", 100_000)])
    assert.deepStrictEqual(texts(messages), [leftOut(100_000)])
  })

  it("cannot shorten a history of long messages", () => {
    assert.isTrue(Option.isNone(compact([Message.user("x".repeat(100_000))])))
    assert.isTrue(Option.isNone(compact([Message.user("Go"), asked("a"), result("a", 10)])))
    assert.isTrue(Option.isNone(compact([])))
  })

  it("can be repeated until nothing is left to replace", () => {
    let history: ReadonlyArray<Message.Message> = [
      Message.user("Go"),
      asked("a", "b", "c"),
      ...["a", "b", "c"].map((id) => result(id, 5000)),
    ]
    const counts: Array<number> = []
    for (let next = compact(history); Option.isSome(next); next = compact(history)) {
      counts.push(next.value.leftOut)
      history = next.value.messages
    }
    assert.deepStrictEqual(counts, [2, 1])
  })

  /** Some results of any history are long. */
  const histories = FastCheck.tuple(messages, FastCheck.array(FastCheck.nat({ max: 3000 }), { minLength: 12 })).map(
    ([messages, lengths]) =>
      messages.map(
        (message, index): Message.Message =>
          message.role === "tool" ? { ...message, content: [Block.text("x".repeat(lengths[index] ?? 0))] } : message,
      ),
  )

  it.prop("keeps calls with their results, and the texts of users and models", [histories], ([messages]) => {
    const { messages: shorter } = Option.getOrElse(compact(messages), () => ({ messages }))
    const withoutResults = (messages: ReadonlyArray<Message.Message>) =>
      messages.map((message) => (message.role === "tool" ? { ...message, content: [] } : message))
    assert.deepStrictEqual(withoutResults(shorter), withoutResults(messages))
    assert.deepStrictEqual(withoutResults(History.repair(shorter)), withoutResults(History.repair(messages)))
  })

  it.prop("shortens the history, or returns none", [histories], ([messages]) => {
    const length = JSON.stringify(messages).length
    Option.match(compact(messages), {
      onNone: () => assert.isTrue(texts(messages).every((text) => text.length < 200)),
      onSome: (shorter) => assert.isBelow(JSON.stringify(shorter.messages).length, length),
    })
  })
})
