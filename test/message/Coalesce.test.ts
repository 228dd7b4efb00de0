import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Block from "../../src/message/Block.ts"
import { coalesce } from "../../src/message/Coalesce.ts"
import * as Message from "../../src/message/Message.ts"
import { messages } from "./Messages.ts"

const { user } = Message

const call = Block.toolUse("c1", "x", {})

const assistant = (...content: Message.Assistant["content"]): Message.Message => ({ role: "assistant", content })

const said = (text: string) => assistant(Block.text(text))

const notice = (text: string): Message.Message => ({ role: "system", content: [Block.text(text)] })

const isPlain = (message: Message.Message) =>
  (message.role === "user" || message.role === "assistant") &&
  message.content.every((block) => block.type === "text" && block.meta === undefined)

describe("coalesce", () => {
  it("joins adjacent texts of one role, and keeps calls and results", () => {
    assert.deepStrictEqual(
      coalesce([
        user("A"),
        user("B"),
        said("C"),
        said("D"),
        assistant(call),
        said("E"),
        Message.toolResult(call, "result-1", false),
        Message.toolResult(call, "result-2", false),
      ]),
      [
        user("A\n\nB"),
        said("C\n\nD"),
        assistant(call),
        said("E"),
        Message.toolResult(call, "result-1", false),
        Message.toolResult(call, "result-2", false),
      ],
    )
  })

  it("parts what one speaker said in several messages by a blank line", () => {
    assert.deepStrictEqual(coalesce([user("Write a poem"), user("About the sea"), user("In rhymes")]), [
      user("Write a poem\n\nAbout the sea\n\nIn rhymes"),
    ])
  })

  it("joins the blocks of a joined message by line breaks", () => {
    assert.deepStrictEqual(coalesce([assistant(Block.text("a"), Block.text("b")), said("c"), said("d")]), [
      said("a\nb\n\nc\n\nd"),
    ])
  })

  it.each<[string, Message.Message, Message.Message]>([
    ["speakers that differ", user("a"), said("b")],
    ["a text and a call", said("a"), assistant(call)],
    ["a text beside a call", assistant(Block.text("a"), call), said("b")],
    ["a text and thinking", said("a"), assistant(Block.thinking("b"))],
    ["notices", notice("a"), notice("b")],
    ["a user and a notice", user("a"), notice("b")],
    ["a text that a provider signed", said("a"), assistant(Block.text("b", { google: { thoughtSignature: "s" } }))],
    ["a signed text and another", assistant(Block.text("a", { google: {} })), said("b")],
    ["results", Message.toolResult(call, "a", false), Message.toolResult(call, "b", false)],
  ])("does not join %s", (_, first, second) => {
    assert.deepStrictEqual(coalesce([first, second]), [first, second])
  })

  it.prop("is idempotent", [messages], ([messages]) => {
    assert.deepStrictEqual(coalesce(coalesce(messages)), coalesce(messages))
  })

  it.prop("leaves no adjacent texts of one role", [messages], ([messages]) => {
    const joined = coalesce(messages)
    joined.slice(1).forEach((message, index) => {
      const before = joined[index] ?? message
      assert.isFalse(before.role === message.role && isPlain(before) && isPlain(message))
    })
  })

  it.prop("keeps messages that are not plain text, in order", [messages], ([messages]) => {
    const others = (messages: ReadonlyArray<Message.Message>) => messages.filter((message) => !isPlain(message))
    assert.deepStrictEqual(others(coalesce(messages)), others(messages))
  })

  it.prop(
    "keeps the whole text",
    [FastCheck.array(FastCheck.tuple(FastCheck.boolean(), FastCheck.string()))],
    ([talk]) => {
      const messages = talk.map(([mine, text]) => (mine ? user(text) : said(text)))
      const spoken = (messages: ReadonlyArray<Message.Message>) => messages.map(Message.text).join("\n\n")
      assert.strictEqual(spoken(coalesce(messages)), spoken(messages))
    },
  )
})
