/** Recorded answers, decoded by an adapter and judged as a command's would be. The same for every provider. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Ref } from "effect"
import * as Message from "../../src/message/Message.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import type { ModelError } from "../../src/model/ModelError.ts"
import * as Reply from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import { some } from "../thoroughness.ts"
import type * as FakeServer from "./FakeServer.ts"
import { serve } from "./FakeServer.ts"
import * as Pieces from "./Pieces.ts"
import * as Wire from "./Wire.ts"

export interface Recordings {
  /** The folder of them. */
  readonly provider: string
  /** Asks the model that was recorded. */
  readonly attempt: (url: string, exchange: Wire.Exchange) => LanguageModel.Attempt
  /** Why a recorded exchange settles nothing for this adapter; most do. */
  readonly unsettled: (exchange: Wire.Exchange, expected: Wire.Expected) => string | undefined
  /** What is known to be recorded wrongly: the exchange as the test names it, and why. */
  readonly wrong?: Readonly<Record<string, string>> | undefined
  /** Another library reads the bytes, so the test does not vary the pieces in which they arrive. */
  readonly isReadElsewhere?: boolean | undefined
  /** At least so many must be answers, and so many failures: else the test looks at nothing. */
  readonly atLeast: { readonly ok: number; readonly error: number }
}

/** As it was recorded, or with other ends of lines. */
export const answerOf = ({ response }: Wire.Exchange, line?: "\n" | "\r\n"): FakeServer.Answer => ({
  status: response.status,
  headers: { "content-type": response.headers["content-type"] ?? "text/event-stream" },
  // Inside JSON there are no raw line breaks: these stand between lines of events, or are white space.
  body: line === undefined ? response.body : response.body.replaceAll(/\r?\n/g, line),
})

/** One attempt, folded as far as it came. */
export const ask = (attempt: LanguageModel.Attempt, messages: Request["messages"]) =>
  Effect.gen(function* () {
    const draft = yield* Ref.make(Reply.empty)
    const request = { system: "", messages, tools: [] }
    yield* attempt(request, (parts) => Ref.update(draft, (draft) => parts.reduce(Reply.step, draft)))
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

/** The recorded exchanges that settle something, and those that are set aside. */
const settledOf = ({ provider, unsettled, wrong: known = {} }: Recordings) => {
  const aside: Array<string> = []
  const settled = Wire.fixtures(provider).flatMap((fixture) =>
    fixture.exchanges.flatMap((exchange, index) => {
      const expected = fixture.expected[index]
      if (expected === undefined) return []
      const name = `${fixture.name}[${index}]`
      const why = unsettled(exchange, expected) ?? known[name]
      if (why === undefined) return [{ name, exchange, expected, fixture }]
      aside.push(`${name}: ${why}`)
      return []
    }),
  )
  return { aside, settled }
}

type Settled = Readonly<ReturnType<typeof settledOf>["settled"]>

/** Returns how many of each kind there are. */
const kindsOf = (settled: Settled) =>
  Effect.map(Wire.conformance, ({ expectation }) => {
    const kinds = { ok: 0, error: 0, either: 0 }
    for (const each of settled) kinds[wantOf(expectation, each).kind]++
    return kinds
  })

const wantOf = (expectation: Wire.Conformance["expectation"], { exchange, expected, fixture }: Settled[number]) =>
  expectation({ ...fixture, exchanges: [exchange], expected: [expected] })

/** Decodes them, all as expected. */
const decodes = (attempt: Recordings["attempt"], settled: Settled, line?: "\n" | "\r\n") =>
  Effect.gen(function* () {
    const { compare, expectation } = yield* Wire.conformance
    let answer: FakeServer.Answer = { body: "" }
    const { url } = yield* serve(() => answer)
    const wrong: Array<string> = []
    for (const recording of settled) {
      answer = answerOf(recording.exchange, line)
      const outcome = yield* Effect.either(ask(attempt(url, recording.exchange), [Message.user("hello")]))
      const difference = compare(wantOf(expectation, recording), printed(outcome))
      if (difference !== undefined) wrong.push(`${recording.name}: ${difference}`)
    }
    assert.deepStrictEqual(wrong, [])
  }).pipe(Effect.scoped)

/** How the pieces and the ends of lines vary. */
const VARIANTS = 8

/** Fewer than these are all decoded in each variant. */
const FEW = 10

/** Checks that every recording of a provider decodes as expected, in whatever pieces it arrives. */
export const decoded = (recordings: Recordings): void => {
  const { atLeast, attempt, isReadElsewhere = false, provider } = recordings
  let read: ReturnType<typeof settledOf> | undefined
  const readRecordings = () => {
    read ??= settledOf(recordings)
    return read
  }
  /** In a short run each variant decodes others, and together they decode all, so that as recorded a share is enough. */
  const shareOf = (settled: Settled, variant: number): Settled =>
    isReadElsewhere || settled.length < FEW ? settled : some(settled, variant, VARIANTS)
  describe.skipIf(!Wire.isPresent)(`${provider}, on recorded traffic`, () => {
    it.live(
      "decodes every exchange as recorded",
      () =>
        Effect.gen(function* () {
          const { aside, settled } = readRecordings()
          const kinds = yield* kindsOf(settled)
          assert.isAtLeast(kinds.ok, atLeast.ok)
          assert.isAtLeast(kinds.error, atLeast.error)
          yield* decodes(attempt, shareOf(settled, VARIANTS))
          console.info(
            `${provider}: ${settled.length} exchanges settle something, ${aside.length} are set aside`,
            kinds,
          )
        }),
      120_000,
    )

    if (isReadElsewhere) return
    let variants = 0
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
        const variant = variants++
        it.scopedLive(
          `decodes them the same ${what}, lines ending in ${line}`,
          () =>
            Effect.gen(function* () {
              const { settled } = readRecordings()
              yield* Pieces.cut(size)
              yield* decodes(attempt, shareOf(settled, variant), end)
            }),
          240_000,
        )
      }
    }
  })
}
