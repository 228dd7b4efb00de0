import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Message from "../../src/message/Message.ts"

const text = { type: "text", text: "Hello" }
const call = { type: "tool-use", id: "c1", name: "look", parameters: { at: "it" } }
const image = { type: "image", media_type: "image/png", data: "aGVsbG8=" }
const thinking = { type: "thinking", text: "Hm" }

const isMessage = Schema.is(Message.Message)

describe("Message", () => {
  it.each<readonly [what: string, message: unknown]>([
    ["a user's text", { role: "user", content: [text] }],
    ["a user's blank text", { role: "user", content: [{ type: "text", text: "" }] }],
    ["a user's picture", { role: "user", content: [text, image] }],
    ["a model's text", { role: "assistant", content: [text] }],
    ["a call without text", { role: "assistant", content: [call] }],
    ["several calls between texts and thinking", { role: "assistant", content: [thinking, text, call, text, call] }],
    ["a call without arguments", { role: "assistant", content: [{ ...call, parameters: {} }] }],
    ["what a provider wants back", { role: "assistant", content: [{ ...call, meta: { google: { id: 1 } } }] }],
    ["an answer", { role: "tool", tool_call_id: "c1", name: "look", content: [text] }],
    ["an answer that is an error", { role: "tool", tool_call_id: "c1", name: "look", isError: true, content: [text] }],
    ["a notice", { role: "system", content: [text] }],
  ])("is %s", (_, message) => {
    assert.isTrue(isMessage(message))
  })

  it.each<readonly [what: string, message: unknown]>([
    ["nothing", null],
    ["a text alone", "Hello"],
    ["of nobody", { content: [text] }],
    ["of somebody else", { role: "model", content: [text] }],
    ["without content", { role: "user" }],
    ["with none", { role: "user", content: [] }],
    ["with a text for content, as it once was", { role: "user", content: "Hello" }],
    ["with a block of no known type", { role: "user", content: [{ type: "audio", data: "" }] }],
    ["with a text that is none", { role: "user", content: [{ type: "text", text: null }] }],
    ["a user's call", { role: "user", content: [call] }],
    ["a user's thinking", { role: "user", content: [thinking] }],
    ["a call in an answer", { role: "tool", tool_call_id: "c1", name: "look", content: [call] }],
    ["an answer to no call", { role: "tool", name: "look", content: [text] }],
    ["an answer to a call without a name", { role: "tool", tool_call_id: "", name: "look", content: [text] }],
    ["an answer of no tool", { role: "tool", tool_call_id: "c1", content: [text] }],
    ["a call without an id", { role: "assistant", content: [{ ...call, id: "" }] }],
    ["a call of no tool", { role: "assistant", content: [{ ...call, name: "" }] }],
    ["a call with a list for arguments", { role: "assistant", content: [{ ...call, parameters: [1] }] }],
    ["a call with null for arguments", { role: "assistant", content: [{ ...call, parameters: null }] }],
    ["a call with a text for arguments", { role: "assistant", content: [{ ...call, parameters: "{}" }] }],
    ["a picture of no kind", { role: "user", content: [{ ...image, media_type: "text/plain" }] }],
  ])("is not %s", (_, message) => {
    assert.isFalse(isMessage(message))
  })
})
