/** The contract of every provider's adapter: the answers that it asks for again, breaks off, or does not accept. */
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import * as Block from "../../src/message/Block.ts"
import { hello, withoutWaiting } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import { type Adapter, askThrough, call, finish, once, text } from "./LanguageModel.adapter.ts"

export const brokenAnswers = (adapter: Adapter): void => {
  const {
    models: [model],
    name,
    open,
    wire,
  } = adapter
  const { anything, failure, has } = askThrough(adapter)

  describe(`LanguageModel (${name}): broken answers`, () => {
    it.scoped("retries an empty answer twice, with a correction", () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([
          wire.streamed([finish("stop")]),
          wire.streamed([text(" \n"), finish("stop")]),
          wire.streamed([text("fine"), finish("stop")]),
        ])
        const reply = yield* open(model, url).generate({ ...hello, system: "Be brief." })
        assert.deepStrictEqual(reply.blocks, [Block.text("fine")])
        assert.deepStrictEqual(
          requests.map((request) => wire.sent(request).system.includes("empty")),
          [false, true, true],
        )
      }),
    )

    for (const [what, content] of [
      ["nothing", []],
      ["words", [text("half")]],
      ["a call", [call("call_a", { path: "a" })]],
    ] as const) {
      it.scoped(`does not accept an answer that ends after ${what}`, () =>
        Effect.gen(function* () {
          for (const ending of ["end", "reset"] as const) {
            const reason = yield* failure({ ...wire.streamed(content), ending })
            assert.include(["StreamIncomplete", "Unreachable"], reason._tag)
          }
        }),
      )
    }

    /** Calls a server that completes its answer and leaves the connection open; `meanwhile` runs then. */
    const whileOpen = (meanwhile: (server: FakeServer.FakeServer) => Effect.Effect<void>) =>
      Effect.gen(function* () {
        const complete = wire.streamed([text("fine"), finish("stop")])
        const server = yield* FakeServer.serve([{ ...complete, ending: "hang" }, complete])
        const emitted = yield* Deferred.make<void>()
        const part = () => Effect.asVoid(Deferred.succeed(emitted, undefined))
        const asked = yield* Effect.fork(once(open(model, server.url).generate(hello, { part })))
        yield* Deferred.await(emitted)
        yield* meanwhile(server)
        const { blocks, finish: end } = yield* Fiber.join(asked)
        assert.deepStrictEqual(blocks, [Block.text("fine")])
        assert.strictEqual(end, "stop")
        return server
      })

    it.scoped("accepts an answer once the server has completed it, and closes a connection that stays open", () =>
      Effect.gen(function* () {
        const server = yield* whileOpen(() => TestClock.adjust("2 seconds"))
        yield* server.abandoned
        assert.lengthOf(server.requests, 1)
      }),
    )

    it.scoped("accepts an answer once the server has completed it, even if the connection breaks then", () =>
      Effect.gen(function* () {
        const server = yield* whileOpen(({ resetAll }) => resetAll)
        assert.lengthOf(server.requests, 1)
      }),
    )

    it.scoped.skipIf(!has("late ends"))("reuses a connection whose body ends a moment after the answer", () =>
      Effect.gen(function* () {
        const server = yield* whileOpen(({ endAll }) => endAll)
        // The connection is free one turn of the event loop after the end.
        yield* Effect.promise(() => setImmediate())
        yield* open(model, server.url).generate(hello)
        assert.lengthOf(server.requests, 2)
        assert.strictEqual(yield* server.connections, 1)
      }),
    )

    it.scoped("discards an answer that broke off, and returns the next one alone", () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([
          { ...wire.streamed([text("half"), call("call_a", { path: "a" })]), ending: "reset" },
          wire.streamed([text("fine"), finish("stop")]),
        ])
        const { result } = yield* withoutWaiting((observer) => open(model, url).generate(anything, observer))
        assert.deepStrictEqual(result.blocks, [Block.text("fine")])
        assert.lengthOf(requests, 2)
      }),
    )

    it.scoped("fails on an HTML page, and on an empty body", () =>
      Effect.gen(function* () {
        const page = yield* failure({ body: "<html>\n\n</html>", headers: { "content-type": "text/html" } })
        assert.strictEqual(page._tag, "StreamIncomplete")
        if (has("pages")) assert.include(page.message, "a page, not an API response")
        assert.strictEqual((yield* failure({ body: "" }))._tag, "StreamIncomplete")
        assert.strictEqual((yield* failure({ body: "data: null\n\n" }))._tag, "StreamIncomplete")
      }),
    )

    it.scoped("closes the connection when cancelled, before and during the answer", () =>
      Effect.gen(function* () {
        const half = wire.streamed([text("half")])
        for (const answer of [
          { ...half, ending: "mute" },
          { ...half, ending: "hang" },
        ] as const) {
          const server = yield* FakeServer.serve([answer])
          const fiber = yield* Effect.fork(open(model, server.url).generate(hello))
          yield* server.asked
          yield* Fiber.interrupt(fiber)
          yield* server.abandoned
        }
      }),
    )
  })
}
