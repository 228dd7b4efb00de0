import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Message from "../../../src/message/Message.ts"
import * as OpenAiCompatible from "../../../src/provider/openai-chat/OpenAiCompatible.ts"
import type * as ChatRules from "../../utils/ChatRules.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import * as Recordings from "../../utils/Recordings.ts"
import * as Wire from "../../utils/Wire.ts"

for (const [provider, name, ok, error] of [
  ["openai-chat", "openai", 15, 0],
  ["openai-compatible", "openai", 40, 4],
  ["openrouter", "openrouter", 35, 3],
  ["ollama", "openai", 6, 1],
] as const) {
  Recordings.decoded({
    provider,
    attempt: (url) =>
      OpenAiCompatible.attempt({
        server: OpenAiCompatible.servers[name],
        apiKey: Redacted.make("test-key"),
        model: "gpt-4o-mini",
        baseUrl: url,
      }),
    unsettled: (_, { protocol }) => (protocol === "openai-chat" ? undefined : `it speaks ${protocol}`),
    atLeast: { ok, error },
  })
}

/** What a recorded client sent back of an answer: its calls and metadata. */
const keptIn = (body: unknown) => {
  // As recorded; `undefined` where the body was not stored.
  const { messages = [] } = (body ?? {}) as Partial<ChatRules.Body>
  const answer = messages.findLast(({ role }) => role === "assistant")
  return answer && { calls: (answer.tool_calls ?? []).map(plain), details: answer.reasoning_details ?? [] }
}

/** With decoded arguments, since clients format JSON differently. */
const plain = ({ function: called, id }: ChatRules.Call) => [id, called.name, JSON.parse(called.arguments)]

describe.skipIf(!Wire.isPresent)("openrouter: recorded loops", () => {
  it.live(
    "sends calls and reasoning details back like the recorded client, where the server accepted them",
    () =>
      Effect.gen(function* () {
        let [calls, details] = [0, 0]
        for (const { exchanges, name } of Wire.fixtures("openrouter")) {
          for (const [index, exchange] of exchanges.entries()) {
            const next = exchanges[index + 1]
            const expected = next?.response.status === 200 ? keptIn(next.request.body) : undefined
            if (expected === undefined || expected.calls.length === 0) continue
            const { requests, url } = yield* FakeServer.serve([Recordings.answerOf(exchange)])
            const attempt = OpenAiCompatible.attempt({
              server: OpenAiCompatible.servers.openrouter,
              apiKey: Redacted.make("test-key"),
              model: "x",
              baseUrl: url,
            })
            const { blocks } = yield* Recordings.ask(attempt, [Message.user("hello")])
            const [first = assert.fail(`${name}: it said nothing`), ...rest] = blocks
            const answer: Message.Assistant = { role: "assistant", content: [first, ...rest] }
            const answers = Message.toolUses(answer).map((call) => Message.toolResult(call, "done", false))
            yield* Recordings.ask(attempt, [Message.user("hello"), answer, ...answers])
            const kept = keptIn(requests[1]?.body)
            assert.deepStrictEqual(kept?.calls, expected.calls, `${name}[${index}]`)
            if (expected.details.length > 0)
              assert.deepStrictEqual(kept?.details, expected.details, `${name}[${index}]`)
            calls += expected.calls.length
            details += expected.details.length
          }
        }
        console.info(`openrouter: ${calls} calls and ${details} reasoning details sent back as they were recorded`)
        assert.isAtLeast(calls, 8)
        assert.isAtLeast(details, 2)
      }).pipe(Effect.scoped),
    240_000,
  )
})
