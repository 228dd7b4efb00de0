import { assert, describe, it } from "@effect/vitest"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import { makeEncoder } from "../../../src/provider/anthropic/request.ts"

const encoded = (messages: Request["messages"], more: Partial<Request> = {}) =>
  makeEncoder("claude-sonnet-4-5", 8192)({ system: "", messages, tools: [], ...more }, "signed")

const assistant = (first: Block.Block, ...rest: ReadonlyArray<Block.Block>): Message.Assistant => ({
  role: "assistant",
  content: [first, ...rest],
})

const hello = Message.user("hello")

const cache_control = { type: "ephemeral" }

describe("makeEncoder", () => {
  it("omits empty fields", () => {
    const { max_tokens, messages, model, stream, ...rest } = encoded([hello])
    assert.deepStrictEqual(rest, {})
    assert.deepStrictEqual([max_tokens, model, stream], [8192, "claude-sonnet-4-5", true])
    assert.deepStrictEqual<unknown>(messages, [
      { role: "user", content: [{ type: "text", text: "hello", cache_control }] },
    ])
    assert.notProperty(encoded([hello], { system: " \n" }), "system")
  })

  it("marks results that are errors, and sends a blank result without content", () => {
    const [a, b] = [Block.toolUse("a", "look", {}), Block.toolUse("b", "look", {})]
    const { messages } = encoded([
      hello,
      assistant(a, b),
      Message.toolResult(a, "no such file", true),
      Message.toolResult(b, "", false),
    ])
    assert.deepStrictEqual<unknown>(messages[2]?.content, [
      { type: "tool_result", tool_use_id: "a", content: "no such file", is_error: true },
      { type: "tool_result", tool_use_id: "b", cache_control },
    ])
  })

  it("moves text after a call before the first call, and nothing else", () => {
    const { messages } = encoded([
      hello,
      assistant(Block.text("one"), Block.toolUse("a", "look", {}), Block.text("two"), Block.toolUse("b", "look", {})),
    ])
    assert.deepStrictEqual(
      messages[1]?.content.map((block) => (block.type === "text" ? block.text : block.type)),
      ["one", "two", "tool_use", "tool_use"],
    )
  })

  it("sends images of supported types, and a text for others", () => {
    const { messages } = encoded([
      { role: "user", content: [Block.image("image/webp", "AAAA"), Block.image("image/svg+xml", "BBBB")] },
      assistant(Block.image("image/png", "CCCC")),
      Message.user("Bluer."),
    ])
    assert.deepStrictEqual<unknown>(messages[0]?.content, [
      { type: "image", source: { type: "base64", media_type: "image/webp", data: "AAAA" } },
      { type: "text", text: "[a picture that cannot be shown here: image/svg+xml]", cache_control },
    ])
    assert.deepStrictEqual<unknown>(messages[1]?.content, [{ type: "text", text: "[a picture]" }])
  })

  it("replaces an invalid call id, in the call and in its result", () => {
    const call = Block.toolUse("functions.look:0", "look", {})
    const { messages } = encoded([hello, assistant(call), Message.toolResult(call, "seen", false)])
    const [first] = messages[1]?.content ?? []
    const [answer] = messages[2]?.content ?? []
    assert.match(first?.type === "tool_use" ? first.id : "", /^[\w-]+$/)
    assert.strictEqual(answer?.type === "tool_result" && answer.tool_use_id, first?.type === "tool_use" && first.id)
  })
})
