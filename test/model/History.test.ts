import { assert, describe, it } from "@effect/vitest"
import * as Block from "../../src/message/Block.ts"
import { coalesce } from "../../src/message/Coalesce.ts"
import * as Message from "../../src/message/Message.ts"
import * as History from "../../src/model/History.ts"
import { messages } from "../message/Messages.ts"

const { user } = Message

const call = (id: string) => Block.toolUse(id, "x", {})

const assistant = (...content: Message.Assistant["content"]): Message.Message => ({ role: "assistant", content })

const said = (text: string) => assistant(Block.text(text))

const asked = (first: string, ...rest: ReadonlyArray<string>) => assistant(call(first), ...rest.map(call))

const result = (id: string, text = id) => Message.toolResult(call(id), text, false)

const interrupted = (id: string) =>
  Message.toolResult(call(id), "Error: tool 'x' was interrupted; it may or may not have run", true)

const notice = (text: string): Message.Message => ({ role: "system", content: [Block.text(text)] })

describe("History.history", () => {
  it.each<[string, ReadonlyArray<Message.Message>, ReadonlyArray<Message.Message>]>([
    [
      "leaves a whole path as it is",
      [user("a"), asked("c1"), result("c1"), said("b")],
      [user("a"), asked("c1"), result("c1"), said("b")],
    ],
    ["makes up an answer that is missing", [asked("c1"), user("a")], [asked("c1"), interrupted("c1"), user("a")]],
    ["makes up an answer at the end", [user("a"), asked("c1")], [user("a"), asked("c1"), interrupted("c1")]],
    [
      "makes up the one that is missing of two",
      [asked("c1", "c2"), result("c2"), said("a")],
      [asked("c1", "c2"), interrupted("c1"), result("c2"), said("a")],
    ],
    [
      "puts answers before the notices that came between",
      [asked("c1"), notice("a"), result("c1")],
      [asked("c1"), result("c1"), notice("a")],
    ],
    [
      "puts answers in the order of the calls",
      [asked("c1", "c2"), result("c2"), result("c1")],
      [asked("c1", "c2"), result("c1"), result("c2")],
    ],
    [
      "keeps the first of two answers",
      [asked("c1"), result("c1", "1"), result("c1", "2")],
      [asked("c1"), result("c1", "1")],
    ],
    ["drops what answers nothing", [result("c9"), user("a"), result("c9"), said("b")], [user("a"), said("b")]],
    [
      "takes no answer that comes after someone spoke",
      [asked("c1"), user("a"), result("c1")],
      [asked("c1"), interrupted("c1"), user("a")],
    ],
    [
      "takes the answer of its own call where an id comes twice",
      [asked("c1"), result("c1", "1"), asked("c1"), result("c1", "2")],
      [asked("c1"), result("c1", "1"), asked("c1"), result("c1", "2")],
    ],
    ["joins texts that an answer to nothing stood between", [user("a"), result("c9"), user("b")], [user("ab")]],
    ["drops blank messages and joins their neighbours", [user("a"), said(" \n"), user("b")], [user("ab")]],
    ["drops blank notices", [user("a"), notice(""), said("b")], [user("a"), said("b")]],
    [
      "drops a blank text beside a call",
      [assistant(Block.text("\n"), call("c1")), result("c1")],
      [asked("c1"), result("c1")],
    ],
    [
      "keeps a blank text that a provider signed, and thinking",
      [assistant(Block.text("", { google: { thoughtSignature: "s" } })), user("a"), assistant(Block.thinking(""))],
      [assistant(Block.text("", { google: { thoughtSignature: "s" } })), user("a"), assistant(Block.thinking(""))],
    ],
    ["finds an answer behind a blank message", [asked("c1"), user(""), result("c1")], [asked("c1"), result("c1")]],
  ])("%s", (_, messages, expected) => {
    assert.deepStrictEqual(History.history(messages), expected)
  })

  it.prop(
    "gives every call one result, right after its message and in the order of the calls",
    [messages],
    ([messages]) => {
      const history = History.history(messages)
      const expected = history.flatMap((message) => [
        ...(message.role === "tool" ? [] : [message.role]),
        ...Message.toolUses(message).map((call) => `answer to ${call.id}`),
      ])
      const told = history.map((message) =>
        message.role === "tool" ? `answer to ${message.tool_call_id}` : message.role,
      )
      assert.deepStrictEqual(told, expected)
    },
  )

  it.prop("is idempotent", [messages], ([messages]) => {
    const history = History.history(messages)
    assert.deepStrictEqual(History.history(history), history)
  })

  it.prop("is the same for a prefix and what is appended to it", [messages], ([path]) => {
    const turn = [asked("new", "new too"), result("new too"), Message.user("late"), result("new")]
    assert.deepStrictEqual(History.history([...path, ...turn]), [...History.history(path), ...History.history(turn)])
  })

  it.prop("has no blank text without provider metadata", [messages], ([messages]) => {
    for (const message of History.history(messages)) {
      assert.isAbove(message.content.length, 0)
      for (const block of message.content) {
        if (block.type === "text" && block.meta === undefined) assert.notStrictEqual(block.text.trim(), "")
      }
    }
  })

  it.prop("has no two adjacent texts of one role", [messages], ([messages]) => {
    const history = History.history(messages)
    assert.deepStrictEqual(coalesce(history), history)
  })

  it.prop("loses no call, and no result in the right place", [messages], ([messages]) => {
    const history = History.history(messages)
    assert.deepStrictEqual(history.flatMap(Message.toolUses), messages.flatMap(Message.toolUses))
    const madeUp = history.filter((message) => message.role === "tool" && message.isError === true)
    const heard = messages.filter((message) => !isBlank(message))
    const late = heard.flatMap((message, index) => {
      const next = heard.findIndex(({ role }, at) => at > index && (role === "user" || role === "assistant"))
      const following = heard.slice(index + 1, next === -1 ? undefined : next)
      return Message.toolUses(message).filter(
        (call) => !following.some((answer) => answer.role === "tool" && answer.tool_call_id === call.id),
      )
    })
    assert.lengthOf(madeUp, late.length)
  })
})

const isBlank = (message: Message.Message) =>
  message.content.every((block) => block.type === "text" && block.meta === undefined && block.text.trim() === "")

describe("History.unanswered", () => {
  it.each<[string, ReadonlyArray<Message.Message>, ReadonlyArray<string>]>([
    ["nothing of an empty path", [], []],
    ["nothing of a path that ends with a user", [asked("c1"), user("a")], []],
    ["nothing of a path that ends with a text", [user("a"), said("b")], []],
    ["nothing of answers without a call", [result("c1")], []],
    ["nothing where every call has its answer", [asked("c1", "c2"), result("c2"), result("c1")], []],
    ["all calls of a message that ends the path", [user("a"), asked("c1", "c2")], ["c1", "c2"]],
    ["the call that lacks its answer", [asked("c1", "c2", "c3"), result("c2")], ["c1", "c3"]],
    ["the call though its id was answered before", [asked("c1"), result("c1"), asked("c1")], ["c1"]],
    ["the call though another's answer is there", [asked("c1"), result("c9")], ["c1"]],
  ])("names %s", (_, messages, expected) => {
    assert.deepStrictEqual(
      History.unanswered(messages).map((call) => call.id),
      expected,
    )
  })

  it.prop("is empty for a complete history", [messages], ([messages]) => {
    assert.deepStrictEqual(History.unanswered(History.history(messages)), [])
  })
})
