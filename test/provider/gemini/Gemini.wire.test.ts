import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import type * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Gemini from "../../../src/provider/gemini/Gemini.ts"
import { splitEvents } from "../../../src/provider/transport/sse.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import * as Recordings from "../../utils/Recordings.ts"
import * as Wire from "../../utils/Wire.ts"

const attempt: Recordings.Recordings["attempt"] = (url, { request }) => {
  const model = /\/models\/([^:/?]+)[:/?]/.exec(request.path ?? "")?.[1] ?? "gemini-2.5-flash"
  return Gemini.attempt({ apiKey: Redacted.make("test-key"), model, baseUrl: url })
}

Recordings.decoded({
  provider: "gemini",
  attempt,
  unsettled: ({ request, response }, { protocol, toolCalls = [] }) => {
    if (protocol !== "gemini") return `it speaks ${protocol}`
    if (/(embed|countTokens|batch)/i.test(request.path ?? "")) return "it is no chat"
    if (/^\s*\{\s*"total(Tokens|BillableCharacters)"/.test(response.body)) return "it counts tokens"
    if (toolCalls.some(({ args }) => typeof args !== "object"))
      return "its arguments come in pieces, which we never ask for"
    return undefined
  },
  atLeast: { ok: 101, error: 6 },
})

interface WirePart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: object }
}

/** The parts of a content that a model has to get back unchanged: its calls and signed texts. */
const binding = (parts: ReadonlyArray<WirePart>): ReadonlyArray<WirePart> =>
  parts.flatMap(
    ({ functionCall, text, ...part }): ReadonlyArray<WirePart> =>
      functionCall !== undefined
        ? [{ ...part, functionCall: { args: {}, ...functionCall } }]
        : text !== undefined && part.thoughtSignature !== undefined
          ? [{ ...part, text }]
          : [],
  )

const saidIn = ({ response }: Wire.Exchange): ReadonlyArray<WirePart> =>
  splitEvents(response.body, true).events.flatMap((event) => JSON.parse(event).candidates?.[0]?.content?.parts ?? [])

const modelContents = ({ body }: FakeServer.Received): ReadonlyArray<{ readonly parts: ReadonlyArray<WirePart> }> => {
  // The last request sent.
  const { contents } = body as { contents: ReadonlyArray<{ role: string; parts: ReadonlyArray<WirePart> }> }
  return contents.filter(({ role }) => role === "model")
}

describe.skipIf(!Wire.isPresent)("Gemini: recorded loops", () => {
  it.live(
    "sends the model's calls and signatures back unchanged, in every recorded loop",
    () =>
      Effect.gen(function* () {
        let echoed = 0
        for (const { exchanges, name } of Wire.fixtures("gemini")) {
          const [first, ...rest] = exchanges
          if (first === undefined || rest.length === 0) continue
          const server = yield* FakeServer.serve([
            Recordings.answerOf(first),
            ...rest.map((exchange) => Recordings.answerOf(exchange)),
          ])
          let messages: Request["messages"] = [Message.user("hello")]
          for (const [index, exchange] of exchanges.entries()) {
            const outcome = yield* Effect.either(Recordings.ask(attempt(server.url, exchange), messages))
            const sent = server.requests[index] ?? assert.fail(`${name}: no request ${index}`)
            for (const [turn, { parts }] of modelContents(sent).entries()) {
              assert.deepStrictEqual(binding(parts), binding(saidIn(exchanges[turn] ?? exchange)), `${name}[${index}]`)
              echoed += binding(parts).length
            }
            if (Either.isLeft(outcome)) break
            const unique = (block: Block.Block): Block.Block =>
              block.type === "tool-use" ? { ...block, id: `${block.id}_${index}` } : block
            const [block, ...blocks] = outcome.right.blocks.map(unique)
            if (block === undefined) break
            const said: Message.Assistant = { role: "assistant", content: [block, ...blocks] }
            const answers = Message.toolUses(said).map((call) => Message.toolResult(call, "done", false))
            messages = [...messages, said, ...(answers.length > 0 ? answers : [Message.user("go on")])]
          }
        }
        console.info(`gemini: ${echoed} calls and signed parts sent back as they came`)
        assert.isAbove(echoed, 50)
      }).pipe(Effect.scoped),
    240_000,
  )
})

it.skipIf(!Wire.isPresent)("finds the recorded loops", () => {
  assert.isNotEmpty(Wire.fixtures("gemini"))
})
