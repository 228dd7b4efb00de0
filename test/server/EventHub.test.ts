import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Stream, TestClock } from "effect"
import * as EventHub from "../../src/server/EventHub.ts"

const delta = (text: string) => ({ type: "delta", conversation: "c", answer: "a", at: 0, text }) as const

const read = (lines: Stream.Stream<Uint8Array>, count: number) =>
  Effect.map(Stream.runCollect(Stream.take(lines, count)), (chunk) =>
    Chunk.toReadonlyArray(chunk).map((bytes) => new TextDecoder().decode(bytes)),
  )

describe("EventHub", () => {
  it.scoped("begins a connection with the name of the server, and passes on what is published from then on", () =>
    Effect.gen(function* () {
      const hub = yield* EventHub.make("this run")
      yield* hub.publish(delta("too early"))
      const lines = yield* hub.connect(() => {})
      yield* hub.publish(delta("hello"))
      assert.deepStrictEqual(yield* read(lines, 3), [
        "retry: 1000\n\n",
        'data: {"type":"hello","server":"this run"}\n\n',
        'data: {"type":"delta","conversation":"c","answer":"a","at":0,"text":"hello"}\n\n',
      ])
    }),
  )

  it.scoped("drops a page that does not read, and keeps nothing for it", () =>
    Effect.gen(function* () {
      const hub = yield* EventHub.make("this run")
      let dropped = 0
      yield* hub.connect(() => void dropped++)
      for (let count = 0; count < 100; count++) yield* hub.publish(delta("x".repeat(100_000)))
      assert.strictEqual(dropped, 1)
      assert.strictEqual(yield* hub.connections, 0)
    }),
  )

  it.scoped("sends a comment every 15 seconds", () =>
    Effect.gen(function* () {
      const hub = yield* EventHub.make("this run")
      yield* TestClock.adjust("14 seconds")
      const lines = yield* hub.connect(() => {})
      yield* hub.publish({ type: "forest" })
      yield* TestClock.adjust("17 seconds")
      assert.deepStrictEqual((yield* read(lines, 5)).slice(2), ['data: {"type":"forest"}\n\n', ": \n\n", ": \n\n"])
    }),
  )

  it.scoped("has room again once a connection has closed", () =>
    Effect.gen(function* () {
      const hub = yield* EventHub.make("this run")
      const fill = Effect.forEach(Array.from({ length: EventHub.MAX_CONNECTIONS }), () => hub.connect(() => {}))
      yield* Effect.scoped(Effect.zipRight(fill, Effect.flip(hub.connect(() => {}))))
      assert.strictEqual(yield* hub.connections, 0)
      yield* hub.connect(() => {})
    }),
  )

  it.scoped("keeps 4 MB for a page that does not read, and not a byte more", () =>
    Effect.gen(function* () {
      const hub = yield* EventHub.make("this run")
      let dropped = 0
      const greeting = 'retry: 1000\n\ndata: {"type":"hello","server":"this run"}\n\n'.length
      const empty = 'data: {"type":"delta","conversation":"c","answer":"a","at":0,"text":""}\n\n'.length
      const fill = (bytes: number) => hub.publish(delta("x".repeat(bytes - empty)))
      yield* hub.connect(() => void dropped++)
      yield* fill(4 * 1024 * 1024 - greeting - empty)
      yield* fill(empty)
      assert.deepStrictEqual([dropped, yield* hub.connections], [0, 1])
      yield* fill(empty)
      assert.deepStrictEqual([dropped, yield* hub.connections], [1, 0])
    }),
  )

  it.scoped("keeps a page for as long as it reads, however much that is", () =>
    Effect.gen(function* () {
      const hub = yield* EventHub.make("this run")
      let dropped = 0
      const lines = yield* hub.connect(() => void dropped++)
      yield* read(lines, 2)
      for (let count = 0; count < 3; count++) {
        yield* hub.publish(delta("x".repeat(3_000_000)))
        assert.lengthOf(yield* read(lines, 1), 1)
      }
      assert.deepStrictEqual([dropped, yield* hub.connections], [0, 1])
      // It may wait for the next event.
      const next = yield* Effect.fork(read(lines, 1))
      yield* Effect.yieldNow()
      yield* hub.publish({ type: "forest" })
      assert.deepStrictEqual(yield* Fiber.join(next), ['data: {"type":"forest"}\n\n'])
    }),
  )
})
