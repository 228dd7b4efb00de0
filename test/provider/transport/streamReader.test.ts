import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Queue, TestClock } from "effect"
import * as StreamReader from "../../../src/provider/transport/streamReader.ts"

const patience: StreamReader.IdleTimeouts = { first: Duration.minutes(5), next: () => Duration.seconds(90) }

/** Reads `open` to the end, and collects the chunks of each delivery. */
const reading = <A>(open: StreamReader.OpenStream<A>) => {
  const batches: Array<ReadonlyArray<A>> = []
  const received = (chunks: ReadonlyArray<A>) => Effect.sync(() => void batches.push(chunks))
  return {
    batches,
    all: StreamReader.readStream<A, unknown>(open, patience, { onChunks: received, onError: Effect.fail }),
  }
}

/** A request that answers with `chunks`, and for each time it was opened whether it was aborted. */
const request = <A>(chunks: () => AsyncIterable<A>) => {
  const signals: Array<AbortSignal> = []
  const open: StreamReader.OpenStream<A> = async (signal, onChunk) => {
    signals.push(signal)
    for await (const chunk of chunks()) onChunk(chunk)
  }
  return { open, aborted: () => signals.map((signal) => signal.aborted) }
}

const never = new Promise<never>(() => {})

/** A response that the test controls. */
const makeServer = () => {
  const words: Array<string> = []
  let wake = () => {}
  return {
    say: (word: string) => {
      words.push(word)
      wake()
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const word = words.shift()
        if (word !== undefined) yield word
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    },
  }
}

describe("readStream", () => {
  it.effect("delivers chunks in order and then the end, with a signal for each request, which is not aborted", () =>
    Effect.gen(function* () {
      const { aborted, open } = request(async function* () {
        yield 1
        await new Promise(setImmediate)
        yield 2
      })
      const { all, batches } = reading(open)
      assert.deepStrictEqual(aborted(), [])
      yield* all
      yield* all
      assert.deepStrictEqual(batches.flat(), [1, 2, 1, 2])
      assert.deepStrictEqual(aborted(), [false, false])
    }),
  )

  it.effect("delivers a flood of chunks over several turns of the event loop", () =>
    Effect.gen(function* () {
      const { open } = request(async function* () {
        yield* Array.from({ length: 100_000 }, (_, n) => n)
      })
      const sizes: Array<number> = []
      const ends: Array<boolean> = []
      const turns: Array<number> = []
      let turn = 0
      const count = () => {
        turn++
        if (ends.at(-1) !== true) setImmediate(count)
      }
      count()
      yield* StreamReader.readStream(open, patience, {
        onChunks: (chunks, ended) =>
          Effect.sync(() => {
            sizes.push(chunks.length)
            ends.push(ended)
            turns.push(turn)
          }),
        onError: Effect.die,
      })
      assert.isAtMost(Math.max(...sizes), 16_384)
      assert.strictEqual(
        sizes.reduce((sum, size) => sum + size),
        100_000,
      )
      assert.deepStrictEqual(
        ends.map((ended, at) => ended === (at === ends.length - 1)),
        ends.map(() => true),
      )
      assert.isAbove(new Set(turns).size, 4)
    }),
  )

  it.effect("delivers chunks that arrived together at once, with the end", () =>
    Effect.gen(function* () {
      const numbers = Array.from({ length: 100 }, (_, n) => n)
      const { open } = request(async function* () {
        yield* numbers
      })
      const received: Array<unknown> = []
      yield* StreamReader.readStream(open, patience, {
        onChunks: (...what) => Effect.sync(() => void received.push(what)),
        onError: Effect.die,
      })
      assert.deepStrictEqual(received, [[numbers, true]])
    }),
  )

  it.live("aborts the request when interrupted before the response", () =>
    Effect.gen(function* () {
      const opened = yield* Deferred.make<AbortSignal>()
      const { all } = reading((signal) => {
        Deferred.unsafeDone(opened, Effect.succeed(signal))
        return never
      })
      const fiber = yield* Effect.fork(all)
      const signal = yield* Deferred.await(opened)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(signal.aborted)
    }),
  )

  const unfinished = () =>
    request(async function* () {
      yield 1
      await never
    })

  it.live("aborts the request when interrupted during a delivery", () =>
    Effect.gen(function* () {
      const { aborted, open } = unfinished()
      const received = yield* Deferred.make<ReadonlyArray<number>>()
      const fiber = yield* Effect.fork(
        StreamReader.readStream(open, patience, {
          onChunks: (chunks) => Effect.zipRight(Deferred.succeed(received, chunks), Effect.never),
          onError: Effect.die,
        }),
      )
      assert.deepStrictEqual(yield* Deferred.await(received), [1])
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(aborted(), [true])
    }),
  )

  it.effect("aborts the request where the listener fails", () =>
    Effect.gen(function* () {
      const { aborted, open } = unfinished()
      const foreign = StreamReader.readStream(open, patience, {
        onChunks: () => Effect.fail("foreign"),
        onError: Effect.die,
      })
      assert.strictEqual(yield* Effect.flip(foreign), "foreign")
      assert.deepStrictEqual(aborted(), [true])
    }),
  )

  it.effect("fails as the request does, opened or not, after the chunks before it", () =>
    Effect.gen(function* () {
      const rejecting = reading(() => Promise.reject("refused"))
      assert.strictEqual(yield* Effect.flip(rejecting.all), "refused")
      assert.deepStrictEqual(rejecting.batches, [])
      const failing = reading(
        request(async function* () {
          yield 1
          throw "broken"
        }).open,
      )
      assert.strictEqual(yield* Effect.flip(failing.all), "broken")
      assert.deepStrictEqual(failing.batches, [[1]])
    }),
  )

  it.effect("fails with IdleTimeout when no chunk arrives within the limit", () =>
    Effect.gen(function* () {
      const server = makeServer()
      const { aborted, open } = request(() => server)
      const words = yield* Queue.unbounded<ReadonlyArray<string>>()
      const fiber = yield* Effect.fork(
        StreamReader.readStream<string, unknown>(open, patience, {
          onChunks: (chunks) => Queue.offer(words, chunks),
          onError: Effect.fail,
        }),
      )
      yield* TestClock.adjust("89 seconds")
      server.say("hello")
      assert.deepStrictEqual(yield* Queue.take(words), ["hello"])
      yield* TestClock.adjust("89999 millis")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail(new StreamReader.IdleTimeout(patience.next())))
      assert.deepStrictEqual(aborted(), [true])
    }),
  )

  it.effect("waits as long as the state of the listener requires", () =>
    Effect.gen(function* () {
      const server = makeServer()
      const words: Array<string> = []
      const silences = new Map([
        ["brief", Duration.millis(100)],
        ["long", Duration.minutes(3)],
      ])
      const received = yield* Queue.unbounded<ReadonlyArray<string>>()
      const next = () => silences.get(words.at(-1) ?? "") ?? patience.next()
      const fiber = yield* Effect.fork(
        StreamReader.readStream<string, unknown>(
          request(() => server).open,
          { ...patience, next },
          {
            onChunks: (chunks) => {
              words.push(...chunks)
              return Queue.offer(received, chunks)
            },
            onError: Effect.fail,
          },
        ),
      )
      for (const word of ["brief", "long", "brief"]) {
        server.say(word)
        yield* Queue.take(received)
        yield* TestClock.adjust(Duration.subtract(next(), "1 millis"))
        assert.isNull(fiber.unsafePoll())
      }
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail(new StreamReader.IdleTimeout(Duration.millis(100))))
    }),
  )

  it.effect("waits longer for the first chunk than for the others", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(reading(request(makeServer).open).all)
      yield* TestClock.adjust("299 seconds")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 seconds")
      assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail(new StreamReader.IdleTimeout(patience.first)))
    }),
  )
})
