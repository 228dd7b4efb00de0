import { assert, describe, it } from "@effect/vitest"
import * as Block from "../../src/message/Block.ts"
import { coalesce } from "../../src/message/Coalesce.ts"
import * as Message from "../../src/message/Message.ts"
import * as History from "../../src/model/History.ts"
import { messages } from "../message/Messages.ts"

const { user } = Message

const call = (id: string) => Block.toolUse(id, "x", {})

const assistant = (...content: Message.Assistant["content"]): Message.Message => ({ role: "assistant", content })

const textMessage = (text: string) => assistant(Block.text(text))

const callMessage = (first: string, ...rest: ReadonlyArray<string>) => assistant(call(first), ...rest.map(call))

const result = (id: string, text = id) => Message.toolResult(call(id), text, false)

const interrupted = (id: string) =>
  Message.toolResult(call(id), "Error: tool 'x' was interrupted; it may or may not have run", true)

const notice = (text: string): Message.Message => ({ role: "system", content: [Block.text(text)] })

describe("History.history", () => {
  it.each<[string, ReadonlyArray<Message.Message>, ReadonlyArray<Message.Message>]>([
    [
      "leaves a complete path unchanged",
      [user("a"), callMessage("c1"), result("c1"), textMessage("b")],
      [user("a"), callMessage("c1"), result("c1"), textMessage("b")],
    ],
    [
      "gives calls of one id their own results, in order",
      [callMessage("c1", "c2", "c1"), result("c1", "first"), result("c2"), result("c1", "second")],
      [callMessage("c1", "c2", "c1"), result("c1", "first"), result("c2"), result("c1", "second")],
    ],
    [
      "adds the missing result of the second of two calls of one id",
      [callMessage("c1", "c1"), result("c1", "first")],
      [callMessage("c1", "c1"), result("c1", "first"), interrupted("c1")],
    ],
    ["adds a missing result", [callMessage("c1"), user("a")], [callMessage("c1"), interrupted("c1"), user("a")]],
    [
      "adds a missing result at the end",
      [user("a"), callMessage("c1")],
      [user("a"), callMessage("c1"), interrupted("c1")],
    ],
    [
      "adds the missing result of one of two calls",
      [callMessage("c1", "c2"), result("c2"), textMessage("a")],
      [callMessage("c1", "c2"), interrupted("c1"), result("c2"), textMessage("a")],
    ],
    [
      "moves results before the notices between",
      [callMessage("c1"), notice("a"), result("c1")],
      [callMessage("c1"), result("c1"), notice("a")],
    ],
    [
      "sorts results by the order of the calls",
      [callMessage("c1", "c2"), result("c2"), result("c1")],
      [callMessage("c1", "c2"), result("c1"), result("c2")],
    ],
    [
      "keeps the first of two results",
      [callMessage("c1"), result("c1", "1"), result("c1", "2")],
      [callMessage("c1"), result("c1", "1")],
    ],
    [
      "drops results without a call",
      [result("c9"), user("a"), result("c9"), textMessage("b")],
      [user("a"), textMessage("b")],
    ],
    [
      "ignores results after another message",
      [callMessage("c1"), user("a"), result("c1")],
      [callMessage("c1"), interrupted("c1"), user("a")],
    ],
    [
      "matches results with their own call where an id repeats",
      [callMessage("c1"), result("c1", "1"), callMessage("c1"), result("c1", "2")],
      [callMessage("c1"), result("c1", "1"), callMessage("c1"), result("c1", "2")],
    ],
    ["joins texts on both sides of a dropped result", [user("a"), result("c9"), user("b")], [user("a\n\nb")]],
    ["drops blank messages and joins their neighbours", [user("a"), textMessage(" \n"), user("b")], [user("a\n\nb")]],
    ["drops blank notices", [user("a"), notice(""), textMessage("b")], [user("a"), textMessage("b")]],
    [
      "drops a blank text beside a call",
      [assistant(Block.text("\n"), call("c1")), result("c1")],
      [callMessage("c1"), result("c1")],
    ],
    [
      "keeps a blank text with provider metadata, and thinking",
      [assistant(Block.text("", { google: { thoughtSignature: "s" } })), user("a"), assistant(Block.thinking(""))],
      [assistant(Block.text("", { google: { thoughtSignature: "s" } })), user("a"), assistant(Block.thinking(""))],
    ],
    [
      "finds a result after a blank message",
      [callMessage("c1"), user(""), result("c1")],
      [callMessage("c1"), result("c1")],
    ],
  ])("%s", (_, messages, expected) => {
    assert.deepStrictEqual(History.repair(messages), expected)
  })

  it.prop(
    "gives every call one result, right after its message and in the order of the calls",
    [messages],
    ([messages]) => {
      const history = History.repair(messages)
      const expected = history.flatMap((message) => [
        ...(message.role === "tool" ? [] : [message.role]),
        ...Message.toolUses(message).map((call) => `answer to ${call.id}`),
      ])
      const roles = history.map((message) =>
        message.role === "tool" ? `answer to ${message.tool_call_id}` : message.role,
      )
      assert.deepStrictEqual(roles, expected)
    },
  )

  it.prop("is idempotent", [messages], ([messages]) => {
    const history = History.repair(messages)
    assert.deepStrictEqual(History.repair(history), history)
  })

  it.prop("is the same for a prefix and what is appended to it", [messages], ([path]) => {
    const turn = [callMessage("new", "new too"), result("new too"), Message.user("late"), result("new")]
    assert.deepStrictEqual(History.repair([...path, ...turn]), [...History.repair(path), ...History.repair(turn)])
  })

  it.prop("has no blank text without provider metadata", [messages], ([messages]) => {
    for (const message of History.repair(messages)) {
      assert.isAbove(message.content.length, 0)
      for (const block of message.content) {
        if (block.type === "text" && block.meta === undefined) assert.notStrictEqual(block.text.trim(), "")
      }
    }
  })

  it.prop("has no two adjacent texts of one role", [messages], ([messages]) => {
    const history = History.repair(messages)
    assert.deepStrictEqual(coalesce(history), history)
  })

  it.prop("loses no call, and no result in the right place", [messages], ([messages]) => {
    const history = History.repair(messages)
    assert.deepStrictEqual(history.flatMap(Message.toolUses), messages.flatMap(Message.toolUses))
    const madeUp = history.filter((message) => message.role === "tool" && message.isError === true)
    const contentful = messages.filter((message) => !isBlank(message))
    const late = contentful.flatMap((message, index) => {
      const next = contentful.findIndex(({ role }, at) => at > index && (role === "user" || role === "assistant"))
      const following = contentful.slice(index + 1, next === -1 ? undefined : next)
      return Message.toolUses(message).filter(
        (call) => !following.some((answer) => answer.role === "tool" && answer.tool_call_id === call.id),
      )
    })
    assert.lengthOf(madeUp, late.length)
  })
})

const isBlank = (message: Message.Message) =>
  message.content.every((block) => block.type === "text" && block.meta === undefined && block.text.trim() === "")

describe("History.findUnanswered", () => {
  it.each<[string, ReadonlyArray<Message.Message>, ReadonlyArray<string>]>([
    ["nothing for an empty path", [], []],
    ["nothing for a path that ends with the user", [callMessage("c1"), user("a")], []],
    ["nothing for a path that ends with a text", [user("a"), textMessage("b")], []],
    ["nothing for results without a call", [result("c1")], []],
    ["nothing where every call has its result", [callMessage("c1", "c2"), result("c2"), result("c1")], []],
    ["all calls of the last message", [user("a"), callMessage("c1", "c2")], ["c1", "c2"]],
    ["the calls without a result", [callMessage("c1", "c2", "c3"), result("c2")], ["c1", "c3"]],
    ["a call whose id had a result before", [callMessage("c1"), result("c1"), callMessage("c1")], ["c1"]],
    ["a call with a result for another id", [callMessage("c1"), result("c9")], ["c1"]],
  ])("names %s", (_, messages, expected) => {
    assert.deepStrictEqual(
      History.findUnanswered(messages).map((call) => call.id),
      expected,
    )
  })

  it.prop("is empty for a complete history", [messages], ([messages]) => {
    assert.deepStrictEqual(History.findUnanswered(History.repair(messages)), [])
  })
})
