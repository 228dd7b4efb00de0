import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Http from "../../../src/provider/transport/http.ts"
import * as Ndjson from "../../../src/provider/transport/ndjson.ts"
import * as Sse from "../../../src/provider/transport/sse.ts"

const mebibyte = 1_048_576

/**
 * A body that never ends, in chunks of a mebibyte; `sent` returns how many were read, `closed` whether it was
 * cancelled.
 */
const endless = (piece: string) => {
  const bytes = new TextEncoder().encode(piece.repeat(Math.ceil(mebibyte / piece.length)).slice(0, mebibyte))
  let sent = 0
  let closed = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        sent++
        controller.enqueue(bytes)
      },
      cancel: () => {
        closed = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, sent: () => sent, closed: () => closed }
}

const rejection = (run: () => Promise<unknown>) => Effect.flip(Effect.tryPromise({ try: run, catch: (cause) => cause }))

/** Counts the turns of the event loop until the scope closes. */
const turns = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const counter = { count: 0, next: setImmediate(() => {}) }
      const turn = () => {
        counter.count++
        counter.next = setImmediate(turn)
      }
      turn()
      return counter
    }),
    (counter) => Effect.sync(() => clearImmediate(counter.next)),
  ),
  (counter) => () => counter.count,
)

describe("http", () => {
  it.scoped("reads a limited part of a body in one turn of the event loop", () =>
    Effect.gen(function* () {
      const turn = yield* turns
      const event = "data: {}\n\n"
      const events = new Map<number, number>()
      // All of it is available at once.
      const response = new Response(event.repeat(100_000))
      yield* Effect.promise(() => Sse.readEvents(response, () => events.set(turn(), (events.get(turn()) ?? 0) + 1)))
      assert.isAtMost(Math.max(...events.values()), 65_536 / event.length)
      assert.strictEqual(
        [...events.values()].reduce((sum, count) => sum + count),
        100_000,
      )
    }),
  )

  it.effect("scans lines that never end an event once, in whatever pieces they arrive", () =>
    Effect.gen(function* () {
      // Each line of what never became an event is looked at once more at the end: few long lines are enough.
      const lines = `data: ${"x".repeat(1017)}\n`
      let sent = 0
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += lines.length
          controller.enqueue(new TextEncoder().encode(lines))
          if (sent > 8 * mebibyte) controller.close()
        },
      })
      const error = yield* rejection(() => Sse.readEvents(new Response(body), () => {}))
      assert.instanceOf(error, SyntaxError)
    }),
  )

  it.effect("reads the beginning of an error response that never ends, and closes it", () =>
    Effect.gen(function* () {
      const { body, closed, sent } = endless("x")
      const fetchStrictly = Http.strictFetch(async () => new Response(body, { status: 500 }))
      const error = yield* rejection(() => fetchStrictly("http://127.0.0.1/"))
      assert.instanceOf(error, Http.HttpError)
      assert.strictEqual(sent(), 1)
      assert.isTrue(closed())
    }),
  )

  for (const [what, piece] of [
    ["a line", "x"],
    ["a document of lines", "{\n"],
  ] as const) {
    it.effect(`stops reading ${what} without an end at a limit of memory`, () =>
      Effect.gen(function* () {
        for (const read of [Sse.readEvents, Ndjson.readLines]) {
          const { body, sent } = endless(piece)
          const error = yield* rejection(() => read(new Response(body), () => assert.fail("it was heard")))
          assert.deepStrictEqual(error, new Http.BodyTooLong(33_554_432))
          assert.strictEqual(sent(), 33)
        }
      }),
    )
  }

  it.effect("stops reading a JSON document without an end, and closes the connection", () =>
    Effect.gen(function* () {
      const { body, closed, sent } = endless("[")
      const error = yield* rejection(() => Http.readJson(new Response(body)))
      assert.deepStrictEqual(error, new Http.BodyTooLong(33_554_432))
      assert.strictEqual(sent(), 33)
      assert.isTrue(closed())
    }),
  )

  it.effect("stops reading a body without an end, though nothing of it is pending", () =>
    Effect.gen(function* () {
      const { body, sent } = endless(": alive\n\n")
      const error = yield* rejection(() => Http.readText(new Response(body), /\n/, () => ""))
      assert.deepStrictEqual(error, new Http.BodyTooLong(268_435_456))
      assert.strictEqual(sent(), 257)
    }),
  )
})
