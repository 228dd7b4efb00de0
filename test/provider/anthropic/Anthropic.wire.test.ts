import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import { isObject } from "../../../src/base/Json.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Anthropic from "../../../src/provider/anthropic/Anthropic.ts"
import { splitEvents } from "../../../src/provider/transport/sse.ts"
import * as AnthropicRules from "../../utils/AnthropicRules.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import * as Recordings from "../../utils/Recordings.ts"
import * as Wire from "../../utils/Wire.ts"

const attempt: Recordings.Recordings["attempt"] = (url, { request: { body } }) => {
  const model = isObject(body) && typeof body.model === "string" ? body.model : "claude-sonnet-4-5"
  return Anthropic.attempt({ apiKey: Redacted.make("test-key"), model, baseUrl: url })
}

Recordings.decoded({
  provider: "anthropic",
  attempt,
  unsettled: (_, { protocol }) => (protocol === "anthropic" ? undefined : `it speaks ${protocol}`),
  atLeast: { ok: 70, error: 0 },
})

/** The blocks that a model has to get back unchanged: its thinking and its calls. */
const binding = (content: ReadonlyArray<AnthropicRules.Content>) =>
  content.flatMap(({ cache_control: _, ...block }) =>
    ["thinking", "redacted_thinking", "tool_use"].includes(block.type) ? [block] : [],
  )

interface Delta {
  readonly thinking?: string
  readonly signature?: string
  readonly partial_json?: string
}

/** Assembled as Anthropic documents it, from a whole message or its events. */
const saidIn = ({ response }: Wire.Exchange): ReadonlyArray<AnthropicRules.Content> => {
  const blocks: Array<AnthropicRules.Content> = []
  const inputs: Array<string> = []
  for (const text of splitEvents(response.body, true).events) {
    const event = JSON.parse(text)
    if (event.type === "message") return event.content
    if (event.type === "content_block_start") blocks[event.index] = event.content_block
    if (event.type === "content_block_delta") {
      const { partial_json = "", signature = "", thinking = "" }: Delta = event.delta
      const block = blocks[event.index] ?? assert.fail("a delta of nothing")
      inputs[event.index] = (inputs[event.index] ?? "") + partial_json
      if (block.type !== "thinking") continue
      blocks[event.index] = {
        ...block,
        thinking: (block.thinking ?? "") + thinking,
        signature: (block.signature ?? "") + signature,
      }
    }
  }
  return blocks.map((block, index) => (inputs[index] ? { ...block, input: JSON.parse(inputs[index]) } : block))
}

/** Without the caller of a call, which is not used. */
const plain = (content: ReadonlyArray<AnthropicRules.Content>) =>
  content.map(({ data, id, input, name, signature, thinking, type }) => ({
    type,
    ...(type === "tool_use" && { id, name, input }),
    ...(type === "thinking" && { thinking, signature }),
    ...(type === "redacted_thinking" && { data }),
  }))

describe.skipIf(!Wire.isPresent)("Anthropic: recorded loops", () => {
  it.scopedLive(
    "sends thinking and calls back unchanged, and breaks no rule of the wire",
    () =>
      Effect.gen(function* () {
        let echoed = 0
        for (const { exchanges, expected, name } of Wire.fixtures("anthropic")) {
          const [first, ...rest] = exchanges.filter((_, index) => expected[index]?.protocol === "anthropic")
          if (first === undefined || rest.length === 0) continue
          const server = yield* FakeServer.serve([
            Recordings.answerOf(first),
            ...rest.map((exchange) => Recordings.answerOf(exchange)),
          ])
          let messages: Request["messages"] = [Message.user("hello")]
          const loop = [first, ...rest]
          for (const [index, exchange] of loop.entries()) {
            // All of them belong to one conversation with one model.
            const outcome = yield* Effect.either(Recordings.ask(attempt(server.url, first), messages))
            const sent = AnthropicRules.read(
              (server.requests[index] ?? assert.fail(`${name}: no request ${index}`)).body,
            )
            assert.isUndefined(AnthropicRules.broken(sent), `${name}[${index}]`)
            const turns = sent.messages.filter(({ role }) => role === "assistant")
            for (const [turn, { content }] of turns.entries()) {
              const came = plain(binding(saidIn(loop[turn] ?? exchange)))
              assert.deepStrictEqual(plain(binding(content)), came, `${name}[${index}]`)
              echoed += came.length
            }
            if (Either.isLeft(outcome)) break
            const [block, ...blocks] = outcome.right.blocks
            if (block === undefined) break
            const answer: Message.Assistant = { role: "assistant", content: [block, ...blocks] }
            const answers = answer.content
              .filter(Block.isToolUse)
              .map((call) => Message.toolResult(call, "done", false))
            messages = [...messages, answer, ...(answers.length > 0 ? answers : [Message.user("go on")])]
          }
        }
        console.info(`anthropic: ${echoed} calls and thoughts sent back as they came`)
        assert.isAbove(echoed, 20)
      }),
    240_000,
  )
})
