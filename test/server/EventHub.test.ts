import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Stream, TestClock } from "effect"
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
})
