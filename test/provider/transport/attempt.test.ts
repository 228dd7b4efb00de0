import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Exit, Fiber, TestClock } from "effect"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import { InvalidRequest, Overloaded, StreamIncomplete, Unreachable } from "../../../src/model/ModelError.ts"
import { Part } from "../../../src/model/Reply.ts"
import * as Attempt from "../../../src/provider/transport/attempt.ts"

/** A text, the stream state after it, or a number of tokens. */
interface Chunk {
  readonly words?: string
  readonly progress?: Attempt.StreamState
  readonly read?: number
}

interface Answer {
  readonly progress: Attempt.StreamState
  readonly usage: Usage.Usage
}

const decoder: Attempt.Decoder<Answer, Chunk> = {
  initial: { progress: "streaming", usage: Usage.none },
  decodeChunk: ({ progress, usage }, chunk) =>
    Either.right([
      { progress: chunk.progress ?? progress, usage: { ...usage, inputTokens: chunk.read ?? usage.inputTokens } },
      chunk.words === undefined ? [] : [Part.Text({ text: chunk.words })],
    ]),
  streamState: ({ progress }) => progress,
  end: ({ progress, usage }) =>
    progress === "streaming"
      ? Either.left(new StreamIncomplete({ message: "the answer ended early" }))
      : Either.right([Part.Finish({ reason: "stop", usage })]),
}

const busy = new Overloaded({ message: "busy" })

const disconnected = new Unreachable({ message: "no connection" })

/** An attempt with a scripted server that may fail; `emitted` waits for the text to be emitted. */
const runAttempt = Effect.gen(function* () {
  const parts: Array<Part> = []
  const opened = yield* Deferred.make<{
    readonly onChunk: (chunk: Chunk) => void
    readonly fail: (reason: unknown) => void
  }>()
  const aborted = yield* Deferred.make<void>()
  const attempt = Attempt.run<Answer, Chunk>(
    {
      id: new ModelId({ provider: "some", name: "model" }),
      open: (signal, onChunk) =>
        new Promise((_, fail) => {
          signal.addEventListener("abort", () => Deferred.unsafeDone(aborted, Effect.void))
          Deferred.unsafeDone(opened, Effect.succeed({ onChunk, fail }))
        }),
      decoder,
      toReason: (cause) =>
        cause instanceof Overloaded || cause instanceof Unreachable ? cause : new InvalidRequest({ message: "" }),
    },
    (emitted) => Effect.sync(() => void parts.push(...emitted)),
  )
  const fiber = yield* Effect.fork(attempt)
  const { fail, onChunk } = yield* Deferred.await(opened)
  return {
    parts,
    fail,
    /** All chunks at once. */
    send: (...chunk: ReadonlyArray<Chunk>) =>
      Effect.zipRight(
        Effect.sync(() => chunk.forEach(onChunk)),
        turns,
      ),
    isOver: () => fiber.unsafePoll() !== null,
    exit: Fiber.await(fiber),
    aborted: Deferred.await(aborted),
  }
})

/** All of it is emitted by then. */
const turns = Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))

const textOf = (parts: ReadonlyArray<Part>) => parts.map((part) => (part._tag === "Text" ? part.text : part._tag))

describe("an attempt", () => {
  it.effect("joins text that arrives together into one part", () =>
    Effect.gen(function* () {
      const { exit, fail, parts, send } = yield* runAttempt
      yield* send({ words: "one " }, { words: "two " })
      yield* send({ words: "three", progress: "closed" })
      fail(disconnected)
      yield* exit
      assert.deepStrictEqual(textOf(parts), ["one two ", "three", "Finish"])
    }),
  )
})

describe("an attempt, once its answer is complete", () => {
  it.effect("reads what follows, and ends two seconds after the last chunk", () =>
    Effect.gen(function* () {
      const { exit, isOver, aborted, parts, send } = yield* runAttempt
      yield* send({ words: "fine", progress: "complete" })
      yield* TestClock.adjust("1999 millis")
      yield* send({ read: 7 })
      yield* TestClock.adjust("1999 millis")
      assert.isFalse(isOver())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(Exit.isSuccess(yield* exit))
      assert.deepStrictEqual(parts, [
        Part.Text({ text: "fine" }),
        Part.Finish({ reason: "stop", usage: { ...Usage.none, inputTokens: 7 } }),
      ])
      yield* aborted
    }),
  )

  it.effect("succeeds where the connection breaks after it, and fails where the provider reports an error", () =>
    Effect.gen(function* () {
      for (const [reason, isWell] of [
        [disconnected, true],
        [busy, false],
      ] as const) {
        const { exit, fail, send } = yield* runAttempt
        yield* send({ words: "fine", progress: "complete" })
        fail(reason)
        assert.strictEqual(Exit.isSuccess(yield* exit), isWell)
      }
    }),
  )

  it.effect("keeps streaming where the server sends a finish reason with every chunk", () =>
    Effect.gen(function* () {
      const { exit, fail, isOver, send } = yield* runAttempt
      yield* send({ words: "one ", progress: "complete" }, { words: "two ", progress: "complete" })
      yield* TestClock.adjust("89 seconds")
      assert.isFalse(isOver())
      fail(disconnected)
      assert.isTrue(Exit.isFailure(yield* exit))
    }),
  )
})

describe("an attempt, once its stream is closed", () => {
  it.effect("ignores further chunks, and waits a tenth of a second for the body to end", () =>
    Effect.gen(function* () {
      const { exit, isOver, aborted, parts, send } = yield* runAttempt
      yield* send({ words: "fine" }, { progress: "closed" }, { words: "and another thing" })
      yield* TestClock.adjust("99 millis")
      yield* send({ words: "and more" })
      assert.isFalse(isOver())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(Exit.isSuccess(yield* exit))
      assert.deepStrictEqual(textOf(parts), ["fine", "Finish"])
      yield* aborted
    }),
  )

  it.effect("succeeds, whatever happens after it", () =>
    Effect.gen(function* () {
      for (const reason of [disconnected, busy]) {
        const { exit, fail, send } = yield* runAttempt
        yield* send({ words: "fine", progress: "closed" })
        fail(reason)
        assert.isTrue(Exit.isSuccess(yield* exit))
      }
    }),
  )
})
