import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Block from "../../../src/message/Block.ts"
import type * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import { makeEncoder } from "../../../src/provider/openai-responses/request.ts"
import { messages } from "../../message/Messages.ts"
import * as ResponsesRules from "../../utils/ResponsesRules.ts"

const reasoning = FastCheck.constantFrom("gpt-5-mini", "gpt-4o-mini", "another").map((model) =>
  Block.thinking("", { "openai-responses": { model, encrypted: `of ${model}`, summary: ["hm"] } }),
)

/** Histories with reasoning among the blocks of the assistant. */
const histories = FastCheck.tuple(messages, FastCheck.array(FastCheck.tuple(FastCheck.nat(3), reasoning))).map(
  ([messages, reasoning]) => {
    let at = 0
    return messages.map((message): Message.Message => {
      const [place, thought] = reasoning[at++] ?? []
      if (message.role !== "assistant" || thought === undefined || place === undefined) return message
      const [first, ...rest] = message.content
      return {
        ...message,
        content: place === 0 ? [thought, first, ...rest] : [first, ...rest.toSpliced(place - 1, 0, thought)],
      }
    })
  },
)

const request = (messages: Request["messages"]): Request => ({
  system: "Be brief.",
  messages,
  tools: [],
  temperature: 0,
})

// As serialised.
const wire = (body: unknown): ResponsesRules.Body => JSON.parse(JSON.stringify(body))

describe("makeEncoder, for any history", () => {
  it.prop("breaks no rule of OpenAI, in either form", [histories], ([path]) => {
    for (const model of ["gpt-5-mini", "gpt-4o-mini"]) {
      for (const form of ["full", "plain"] as const) {
        const body = wire(makeEncoder(model, model === "gpt-5-mini")(request(path), form))
        assert.isUndefined(ResponsesRules.broken(body))
        const encrypted = body.input.flatMap(({ encrypted_content }) => encrypted_content ?? [])
        assert.isTrue(encrypted.every((text) => form === "full" && text === `of ${model}`))
      }
    }
  })

  it.prop("is independent of earlier requests", [histories, FastCheck.nat(12)], ([path, cut]) => {
    const encode = makeEncoder("gpt-5-mini", true)
    encode(request(path.slice(0, cut)), "full")
    assert.deepStrictEqual(encode(request(path), "full"), makeEncoder("gpt-5-mini", true)(request(path), "full"))
  })
})
