import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type * as Block from "../../../src/message/Block.ts"
import type * as Message from "../../../src/message/Message.ts"
import { type CompatibleServer, custom, servers } from "../../../src/model/CompatibleServers.ts"
import type { Request } from "../../../src/model/Request.ts"
import { makeEncoder } from "../../../src/provider/openai-chat/request.ts"
import { messages } from "../../message/Messages.ts"
import * as ChatRules from "../../utils/ChatRules.ts"

const model = "gpt-5-mini"

const all: ReadonlyArray<CompatibleServer> = [
  ...Object.values(servers),
  custom("elsewhere", "http://127.0.0.1:1", undefined),
]

/** Metadata of some model of some server: this one, another, or malformed. */
const meta = FastCheck.record({
  name: FastCheck.constantFrom(...all.map(({ name }) => name)),
  model: FastCheck.constantFrom(model, "another"),
  kept: FastCheck.constantFrom(
    { thinking: "reasoning_content" },
    { thinking: "reasoning" },
    { thinking: "parts" },
    { thinking: "none of these" },
    { details: [{ type: "reasoning.text", text: "hm", signature: "s" }] },
    { extra: { google: { thought_signature: "s" } } },
  ),
}).map(({ kept, model, name }): Block.Meta => ({ [name]: { model, ...kept } }))

/** Histories with such metadata in their blocks. */
const histories = FastCheck.tuple(messages, FastCheck.array(FastCheck.option(meta, { nil: undefined }))).map(
  ([messages, metas]) => {
    let at = 0
    const next = () => metas[at++ % Math.max(1, metas.length)]
    const kept = <B extends Block.Block>(block: B): B => {
      const meta = next()
      return meta === undefined ? block : { ...block, meta }
    }
    return messages.map((message): Message.Message => {
      if (message.role !== "assistant") return message
      const [first, ...rest] = message.content
      return { ...message, content: [kept(first), ...rest.map(kept)] }
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
const wire = (body: unknown): ChatRules.Body => JSON.parse(JSON.stringify(body))

describe("makeEncoder, for any history", () => {
  it.prop("breaks no rule of any server, in either form", [histories], ([path]) => {
    for (const server of all) {
      for (const form of ["full", "plain"] as const) {
        assert.isUndefined(ChatRules.broken(server, wire(makeEncoder(server, model)(request(path), form))))
      }
    }
  })

  it.prop(
    "is independent of earlier requests",
    [histories, FastCheck.nat(12), FastCheck.constantFrom(...all)],
    ([path, cut, server]) => {
      const encode = makeEncoder(server, model)
      encode(request(path.slice(0, cut)), "full")
      assert.deepStrictEqual(encode(request(path), "full"), makeEncoder(server, model)(request(path), "full"))
    },
  )

  it.prop("sends no metadata of one model to another", [histories], ([path]) => {
    for (const server of all) {
      const body = JSON.stringify(makeEncoder(server, "a third")(request(path), "full"))
      assert.notMatch(body, /"(reasoning|reasoning_details|extra_content|thinking)":/)
      assert.notMatch(body, /"reasoning_content":"[^"]/)
    }
  })
})
