import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Http from "../../../src/provider/transport/http.ts"
import * as Ndjson from "../../../src/provider/transport/ndjson.ts"
import * as Sse from "../../../src/provider/transport/sse.ts"

const mebibyte = 1_048_576

/** A body that never ends, of pieces of a mebibyte; `sent` tells how many of them were wanted, `closed` whether it was let go. */
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

const thrown = (run: () => Promise<unknown>) => Effect.flip(Effect.tryPromise({ try: run, catch: (cause) => cause }))

describe("http", () => {
  it.effect("reads the beginning of a refusal that never ends, and lets it go", () =>
    Effect.gen(function* () {
      const { body, closed, sent } = endless("x")
      const refusing = Http.strictFetch(async () => new Response(body, { status: 500 }))
      const refused = yield* thrown(() => refusing("http://127.0.0.1/"))
      assert.instanceOf(refused, Http.HttpError)
      assert.strictEqual(sent(), 1)
      assert.isTrue(closed())
    }),
  )

  for (const [what, piece] of [
    ["a line", "x"],
    ["a document of lines", "{\n"],
  ] as const) {
    it.effect(`gives up ${what} without an end before it fills the memory`, () =>
      Effect.gen(function* () {
        for (const read of [Sse.readEvents, Ndjson.readLines]) {
          const { body, sent } = endless(piece)
          const error = yield* thrown(() => read(new Response(body), () => assert.fail("it was heard")))
          assert.deepStrictEqual(error, new Http.BodyTooLong(33_554_432))
          assert.strictEqual(sent(), 33)
        }
      }),
    )
  }

  it.effect("gives up a body without an end, though nothing is left over of it", () =>
    Effect.gen(function* () {
      const { body, sent } = endless(": alive\n\n")
      const error = yield* thrown(() => Http.readText(new Response(body), () => ""))
      assert.deepStrictEqual(error, new Http.BodyTooLong(268_435_456))
      assert.strictEqual(sent(), 257)
    }),
  )
})
