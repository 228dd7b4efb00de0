import { assert, describe, it } from "@effect/vitest"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { formats, render } from "../../src/model/AgentPrompt.ts"

const assistant = (...content: Message.Assistant["content"]): Message.Message => ({ role: "assistant", content })

const talk = [Message.user("first"), assistant(Block.text("reply")), Message.user("second")]

describe("AgentPrompt.render", () => {
  it("wraps everything in tags, and ends with the beginning of the answer", () => {
    assert.strictEqual(
      render("xml", { system: "S", messages: talk }),
      [
        "<system>",
        "S",
        "</system>",
        "",
        "<conversation>",
        "User: first",
        "Assistant: reply",
        "</conversation>",
        "",
        "User: second",
        "Assistant:",
      ].join("\n"),
    )
  })

  it("puts everything under headings", () => {
    assert.strictEqual(
      render("markdown", { system: "S", messages: talk }),
      [
        "## Instructions",
        "",
        "S",
        "",
        "## Conversation History",
        "",
        "User: first",
        "Assistant: reply",
        "",
        "## Current Request",
        "",
        "second",
      ].join("\n"),
    )
  })

  it("adds nothing to the text", () => {
    assert.strictEqual(render("text", { system: "S", messages: talk }), "S\n\nUser: first\nAssistant: reply\n\nsecond")
  })

  it("omits empty sections", () => {
    const messages = [Message.user("Hello")]
    assert.strictEqual(render("xml", { system: "S", messages }), "<system>\nS\n</system>\n\nUser: Hello\nAssistant:")
    assert.strictEqual(render("xml", { system: " ", messages }), "User: Hello\nAssistant:")
    assert.strictEqual(render("markdown", { system: "", messages }), "## Current Request\n\nHello")
    assert.strictEqual(render("text", { system: "", messages }), "Hello")
  })

  it("describes calls and images in text, and omits thinking", () => {
    const call = Block.toolUse("1", "read_file", { path: "a.ts" })
    const prompt = render("text", {
      system: "",
      messages: [
        { role: "user", content: [Block.text("look"), Block.image("image/png", "AAAA")] },
        assistant(Block.thinking("hm"), Block.text("I will"), call),
        Message.toolResult(call, "no such file", true),
        { role: "system", content: [Block.text("the file was renamed")] },
        assistant(Block.thinking("nothing but this")),
        Message.user("and now?"),
      ],
    })
    assert.strictEqual(
      prompt,
      [
        "User: look",
        "[a picture]",
        "Assistant: I will",
        '[read_file was called with {"path":"a.ts"}]',
        "Tool: [read_file answered] no such file",
        "System: the file was renamed",
        "",
        "and now?",
      ].join("\n"),
    )
  })

  it.each(formats)("requests a continuation where the last message is not the user's, in %s", (format) => {
    const prompt = render(format, { system: "", messages: talk.slice(0, 2) })
    assert.include(prompt, "Assistant: reply")
    assert.match(prompt, /Please continue\.(\nAssistant:)?$/)
    assert.include(render(format, { system: "", messages: [] }), "Please continue.")
  })

  it.each(formats)("contains the current request once, in %s", (format) => {
    assert.lengthOf(render(format, { system: "S", messages: talk }).match(/second/g) ?? [], 1)
  })
})
