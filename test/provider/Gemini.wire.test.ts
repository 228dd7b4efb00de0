import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Redacted, Ref } from "effect"
import type * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import type { ModelError } from "../../src/model/ModelError.ts"
import * as Reply from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Gemini from "../../src/provider/Gemini.ts"
import { split } from "../../src/provider/internal/events.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import * as Pieces from "../utils/Pieces.ts"
import * as Wire from "../utils/Wire.ts"

const request = (messages: Request["messages"]): Request => ({ system: "", messages, tools: [] })

const modelOf = ({ request }: Wire.Exchange) =>
  /\/models\/([^:/?]+)[:/?]/.exec(request.path ?? "")?.[1] ?? "gemini-2.5-flash"

/** As it was recorded, or with other ends of lines. */
const answerOf = ({ response }: Wire.Exchange, line?: "\n" | "\r\n"): FakeServer.Answer => ({
  status: response.status,
  headers: { "content-type": response.headers["content-type"] ?? "text/event-stream" },
  // Inside JSON there are no raw line breaks: these stand between lines of events, or are white space.
  body: line === undefined ? response.body : response.body.replaceAll(/\r?\n/g, line),
})

/** One attempt, folded as far as it came. */
const ask = (url: string, model: string, messages: Request["messages"]) =>
  Effect.gen(function* () {
    const draft = yield* Ref.make(Reply.empty)
    const attempt = Gemini.attempt({ apiKey: Redacted.make("test-key"), model, baseUrl: url })
    yield* attempt(request(messages), (parts) => Ref.update(draft, (draft) => parts.reduce(Reply.step, draft)))
    return yield* Ref.get(draft)
  })

/** As `vibe ask --json` prints it. */
const printed = Either.match({
  onLeft: (error: ModelError): Wire.Run => ({
    code: 1,
    printed: { error: { reason: error.reason._tag, message: error.message } },
  }),
  onRight: ({ blocks, finish, usage }: Reply.Draft): Wire.Run => ({
    code: 0,
    printed: {
      text: blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(""),
      toolCalls: blocks.flatMap((block) =>
        block.type === "tool-use" ? [{ name: block.name, arguments: block.parameters }] : [],
      ),
      finishReason: finish,
      usage,
    },
  }),
})

/** Why a recorded exchange settles nothing for us; most do. */
const unsettled = ({ request, response }: Wire.Exchange, { protocol, toolCalls = [] }: Wire.Expected) => {
  if (protocol !== "gemini") return `it speaks ${protocol}`
  if (/(embed|countTokens|batch)/i.test(request.path ?? "")) return "it is no chat"
  if (/^\s*\{\s*"total(Tokens|BillableCharacters)"/.test(response.body)) return "it counts tokens"
  if (toolCalls.some(({ args }) => typeof args !== "object"))
    return "its arguments come in pieces, which we never ask for"
  return undefined
}

interface WirePart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: object }
}

/** The parts of a content that a model has to get back as it sent them: its calls, and the words that it signed. */
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
  split(response.body, true).events.flatMap((event) => JSON.parse(event).candidates?.[0]?.content?.parts ?? [])

const modelContents = ({ body }: FakeServer.Received): ReadonlyArray<{ readonly parts: ReadonlyArray<WirePart> }> => {
  // What we have just sent ourselves.
  const { contents } = body as { contents: ReadonlyArray<{ role: string; parts: ReadonlyArray<WirePart> }> }
  return contents.filter(({ role }) => role === "model")
}

describe.skipIf(!Wire.isPresent)("Gemini, on recorded traffic", () => {
  const decodes = (line?: "\n" | "\r\n") =>
    Effect.gen(function* () {
      const { compare, expectation } = yield* Wire.conformance
      const wrong: Array<string> = []
      const aside: Array<string> = []
      const kinds = { ok: 0, error: 0, either: 0 }
      for (const fixture of Wire.fixtures("gemini")) {
        for (const [index, exchange] of fixture.exchanges.entries()) {
          const expected = fixture.expected[index]
          if (expected === undefined) continue
          const name = `${fixture.name}[${index}]`
          const why = unsettled(exchange, expected)
          if (why !== undefined) {
            aside.push(`${name}: ${why}`)
            continue
          }
          const outcome = yield* FakeServer.serve([answerOf(exchange, line)]).pipe(
            Effect.flatMap(({ url }) => Effect.either(ask(url, modelOf(exchange), [Message.user("hello")]))),
            Effect.scoped,
          )
          const want = expectation({ ...fixture, exchanges: [exchange], expected: [expected] })
          const difference = compare(want, printed(outcome))
          if (difference === undefined) kinds[want.kind]++
          else wrong.push(`${name}: ${difference}`)
        }
      }
      const right = kinds.ok + kinds.error + kinds.either
      const judged = right + wrong.length
      console.info(`gemini: ${right} of ${judged} exchanges as recorded, ${aside.length} set aside`, kinds)
      assert.deepStrictEqual(wrong, [])
      assert.isAbove(kinds.ok, 100)
      assert.isAbove(kinds.error, 5)
    })

  it.live("B1: decodes every exchange as it was recorded", () => decodes(), 120_000)

  for (const [line, end] of [
    ["LF", "\n"],
    ["CRLF", "\r\n"],
  ] as const) {
    for (const [what, size] of [
      ["whole", () => Number.POSITIVE_INFINITY],
      ["a byte at a time", () => 1],
      ["seven bytes at a time", () => 7],
      ["in random pieces", Pieces.random()],
    ] as const) {
      it.scopedLive(
        `B2: decodes them the same ${what}, lines ending in ${line}`,
        () => Effect.zipRight(Pieces.cut(size), decodes(end)),
        120_000,
      )
    }
  }

  it.live(
    "E1: sends the model's calls and signatures back exactly as they came, through every recorded loop",
    () =>
      Effect.gen(function* () {
        let echoed = 0
        for (const { exchanges, name } of Wire.fixtures("gemini")) {
          const [first, ...rest] = exchanges
          if (first === undefined || rest.length === 0) continue
          const server = yield* FakeServer.serve([answerOf(first), ...rest.map((exchange) => answerOf(exchange))])
          let messages: Request["messages"] = [Message.user("hello")]
          for (const [index, exchange] of exchanges.entries()) {
            const outcome = yield* Effect.either(ask(server.url, modelOf(exchange), messages))
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
    120_000,
  )
})

it.skipIf(Wire.isPresent)("finds no recorded traffic: ../shared/wire is absent", () => {})
