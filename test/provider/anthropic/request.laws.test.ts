import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Block from "../../../src/message/Block.ts"
import type * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import { type Body, type Form, makeEncoder } from "../../../src/provider/anthropic/request.ts"
import { messages } from "../../message/Messages.ts"
import * as AnthropicRules from "../../utils/AnthropicRules.ts"

const sonnet = "claude-sonnet-4-5"

const requestOf = (messages: Request["messages"]): Request => ({ system: "Be brief.", messages, tools: [] })

/** As serialised. */
const onWire = (body: Body): AnthropicRules.Body => AnthropicRules.read(JSON.parse(JSON.stringify(body)))

const forms: ReadonlyArray<Form> = ["signed", "unsigned"]

/** Thinking of a model of Anthropic: this one, or another. */
const thinking = FastCheck.record({
  model: FastCheck.constantFrom(sonnet, "claude-opus-4-5"),
  thinking: FastCheck.constantFrom("", "hm"),
  signature: FastCheck.base64String({ minLength: 1 }),
}).map((anthropic) => Block.thinking("", { anthropic }))

const redacted = FastCheck.record({
  model: FastCheck.constantFrom(sonnet, "claude-opus-4-5"),
  redacted: FastCheck.base64String({ minLength: 1 }),
}).map((anthropic) => Block.thinking("", { anthropic }))

/** With thinking before the other blocks of the assistant. */
const thoughtful = FastCheck.tuple(messages, FastCheck.infiniteStream(FastCheck.oneof(thinking, redacted))).map(
  ([path, thoughts]) =>
    path.map((message): Message.Message => {
      const block = thoughts.next().value
      return message.role === "assistant" && block !== undefined
        ? { ...message, content: [block, ...message.content] }
        : message
    }),
)

describe("makeEncoder, for any history", () => {
  it.prop("breaks no rule of Anthropic, in either form", [thoughtful], ([path]) => {
    for (const form of forms) {
      assert.isUndefined(AnthropicRules.broken(onWire(makeEncoder(sonnet, 8192)(requestOf(path), form))))
    }
  })

  it.prop(
    "is independent of earlier requests",
    [thoughtful, thoughtful, FastCheck.constantFrom(...forms)],
    ([path, more, form]) => {
      const encode = makeEncoder(sonnet, 8192)
      const whole = [...path, ...more]
      for (let length = 0; length <= whole.length; length++) {
        const sofar = requestOf(whole.slice(0, length))
        assert.deepStrictEqual(encode(sofar, form), makeEncoder(sonnet, 8192)(sofar, form))
      }
    },
  )

  it.prop("sends thinking back unchanged to the model that produced it, and to no other", [thoughtful], ([path]) => {
    const sent = (form: Form) =>
      onWire(makeEncoder(sonnet, 8192)(requestOf(path), form)).messages.flatMap(({ content }) =>
        content.filter(({ type }) => /thinking/.test(type)),
      )
    const own = path.flatMap((message) =>
      message.content.flatMap(({ meta }) => {
        // As made by the arbitraries above.
        const { model, redacted, ...signed } = (meta?.anthropic ?? {}) as Record<string, string>
        if (model !== sonnet) return []
        return redacted === undefined
          ? [{ type: "thinking", ...signed }]
          : [{ type: "redacted_thinking", data: redacted }]
      }),
    )
    assert.deepStrictEqual(sent("signed") as ReadonlyArray<object>, own)
    assert.deepStrictEqual(sent("unsigned"), [])
  })

  it.prop("has the same prefix as the previous request, except for breakpoints", [thoughtful], ([path]) => {
    const encode = makeEncoder(sonnet, 8192)
    const plain = (body: Body) =>
      body.messages.map(({ content, role }) => ({
        role,
        content: content.map(({ cache_control: _, ...block }) => block),
      }))
    const extended = [...path, userSays("so?")]
    const before = plain(encode(requestOf(extended), "signed"))
    const after = plain(
      encode(
        requestOf([...extended, { role: "assistant", content: [Block.text("yes")] }, userSays("go on")]),
        "signed",
      ),
    )
    assert.deepStrictEqual(after.slice(0, before.length), before)
  })
})

const userSays = (text: string): Message.User => ({ role: "user", content: [Block.text(text)] })
