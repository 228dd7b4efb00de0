import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Block from "../../../src/message/Block.ts"
import type * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import { type Body, type Form, makeEncoder } from "../../../src/provider/anthropic/request.ts"
import { messages } from "../../message/Messages.ts"
import * as AnthropicRules from "../../utils/AnthropicRules.ts"

const sonnet = "claude-sonnet-4-5"

const asked = (messages: Request["messages"]): Request => ({ system: "Be brief.", messages, tools: [] })

/** As it goes over the wire. */
const onWire = (body: Body): AnthropicRules.Body => AnthropicRules.read(JSON.parse(JSON.stringify(body)))

const forms: ReadonlyArray<Form> = ["signed", "unsigned"]

/** What a model of Anthropic's thought: this one, or another. */
const thinking = FastCheck.record({
  model: FastCheck.constantFrom(sonnet, "claude-opus-4-5"),
  thinking: FastCheck.constantFrom("", "hm"),
  signature: FastCheck.base64String({ minLength: 1 }),
}).map((anthropic) => Block.thinking("", { anthropic }))

const redacted = FastCheck.record({
  model: FastCheck.constantFrom(sonnet, "claude-opus-4-5"),
  redacted: FastCheck.base64String({ minLength: 1 }),
}).map((anthropic) => Block.thinking("", { anthropic }))

/** With thinking before whatever else the assistant says. */
const thoughtful = FastCheck.tuple(messages, FastCheck.infiniteStream(FastCheck.oneof(thinking, redacted))).map(
  ([path, thoughts]) =>
    path.map((message): Message.Message => {
      const thought = thoughts.next().value
      return message.role === "assistant" && thought !== undefined
        ? { ...message, content: [thought, ...message.content] }
        : message
    }),
)

describe("makeEncoder, for any history", () => {
  it.prop("no rule of Anthropic's is broken, in whatever form", [thoughtful], ([path]) => {
    for (const form of forms) {
      assert.isUndefined(AnthropicRules.broken(onWire(makeEncoder(sonnet, 8192)(asked(path), form))))
    }
  })

  it.prop(
    "it is the same whether its beginning was sent before or not",
    [thoughtful, thoughtful, FastCheck.constantFrom(...forms)],
    ([path, more, form]) => {
      const encode = makeEncoder(sonnet, 8192)
      const whole = [...path, ...more]
      for (let length = 0; length <= whole.length; length++) {
        const sofar = asked(whole.slice(0, length))
        assert.deepStrictEqual(encode(sofar, form), makeEncoder(sonnet, 8192)(sofar, form))
      }
    },
  )

  it.prop("thinking goes back to the model that thought it, as it came, and to no other", [thoughtful], ([path]) => {
    const sent = (form: Form) =>
      onWire(makeEncoder(sonnet, 8192)(asked(path), form)).messages.flatMap(({ content }) =>
        content.filter(({ type }) => /thinking/.test(type)),
      )
    const own = path.flatMap((message) =>
      message.content.flatMap(({ meta }) => {
        // As the arbitraries above have it.
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

  it.prop(
    "what a request has in common with the one before is the same, but for its breakpoints",
    [thoughtful],
    ([path]) => {
      const encode = makeEncoder(sonnet, 8192)
      const plain = (body: Body) =>
        body.messages.map(({ content, role }) => ({
          role,
          content: content.map(({ cache_control: _, ...block }) => block),
        }))
      const asking = [...path, userSays("so?")]
      const before = plain(encode(asked(asking), "signed"))
      const after = plain(
        encode(asked([...asking, { role: "assistant", content: [Block.text("yes")] }, userSays("go on")]), "signed"),
      )
      assert.deepStrictEqual(after.slice(0, before.length), before)
    },
  )
})

const userSays = (text: string): Message.User => ({ role: "user", content: [Block.text(text)] })
