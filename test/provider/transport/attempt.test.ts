import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Exit, Fiber, TestClock } from "effect"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import { InvalidRequest, Overloaded, StreamIncomplete, Unreachable } from "../../../src/model/ModelError.ts"
import { Part } from "../../../src/model/Reply.ts"
import * as Attempt from "../../../src/provider/transport/attempt.ts"

/** Words, how far the answer has come with them, or how much was read for it. */
interface Told {
  readonly words?: string
  readonly progress?: Attempt.StreamState
  readonly read?: number
}

interface Answer {
  readonly progress: Attempt.StreamState
  readonly usage: Usage.Usage
}

const decoder: Attempt.Decoder<Answer, Told> = {
  initial: { progress: "streaming", usage: Usage.none },
  decodeChunk: ({ progress, usage }, told) =>
    Either.right([
      { progress: told.progress ?? progress, usage: { ...usage, inputTokens: told.read ?? usage.inputTokens } },
      told.words === undefined ? [] : [Part.Text({ text: told.words })],
    ]),
  streamState: ({ progress }) => progress,
  end: ({ progress, usage }) =>
    progress === "streaming"
      ? Either.left(new StreamIncomplete({ message: "the answer ended early" }))
      : Either.right([Part.Finish({ reason: "stop", usage })]),
}

const busy = new Overloaded({ message: "busy" })

const broken = new Unreachable({ message: "no connection" })

/** An attempt whose server says what it is told to, and may fail for a reason; `heard` waits for the words to be said on. */
const asking = Effect.gen(function* () {
  const parts: Array<Part> = []
  const opened = yield* Deferred.make<{
    readonly hear: (told: Told) => void
    readonly fail: (reason: unknown) => void
  }>()
  const letGo = yield* Deferred.make<void>()
  const attempt = Attempt.run<Answer, Told>(
    {
      id: new ModelId({ provider: "some", name: "model" }),
      open: (signal, hear) =>
        new Promise((_, fail) => {
          signal.addEventListener("abort", () => Deferred.unsafeDone(letGo, Effect.void))
          Deferred.unsafeDone(opened, Effect.succeed({ hear, fail }))
        }),
      decoder,
      toReason: (cause) =>
        cause instanceof Overloaded || cause instanceof Unreachable ? cause : new InvalidRequest({ message: "" }),
    },
    (said) => Effect.sync(() => void parts.push(...said)),
  )
  const fiber = yield* Effect.fork(attempt)
  const { fail, hear } = yield* Deferred.await(opened)
  return {
    parts,
    fail,
    /** All of it at once. */
    tell: (...told: ReadonlyArray<Told>) =>
      Effect.zipRight(
        Effect.sync(() => told.forEach(hear)),
        turns,
      ),
    isOver: () => fiber.unsafePoll() !== null,
    exit: Fiber.await(fiber),
    letGo: Deferred.await(letGo),
  }
})

/** What was told is heard by then. */
const turns = Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))

const textOf = (parts: ReadonlyArray<Part>) => parts.map((part) => (part._tag === "Text" ? part.text : part._tag))

describe("an attempt", () => {
  it.effect("joins text that arrives together into one part", () =>
    Effect.gen(function* () {
      const { exit, fail, parts, tell } = yield* asking
      yield* tell({ words: "one " }, { words: "two " })
      yield* tell({ words: "three", progress: "closed" })
      fail(broken)
      yield* exit
      assert.deepStrictEqual(textOf(parts), ["one two ", "three", "Finish"])
    }),
  )
})

describe("an attempt, once its answer is complete", () => {
  it.effect("reads what follows, and ends two seconds after the last chunk", () =>
    Effect.gen(function* () {
      const { exit, isOver, letGo, parts, tell } = yield* asking
      yield* tell({ words: "fine", progress: "complete" })
      yield* TestClock.adjust("1999 millis")
      yield* tell({ read: 7 })
      yield* TestClock.adjust("1999 millis")
      assert.isFalse(isOver())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(Exit.isSuccess(yield* exit))
      assert.deepStrictEqual(parts, [
        Part.Text({ text: "fine" }),
        Part.Finish({ reason: "stop", usage: { ...Usage.none, inputTokens: 7 } }),
      ])
      yield* letGo
    }),
  )

  it.effect("succeeds where the connection breaks then, and fails where the provider reports an error", () =>
    Effect.gen(function* () {
      for (const [reason, isWell] of [
        [broken, true],
        [busy, false],
      ] as const) {
        const { exit, fail, tell } = yield* asking
        yield* tell({ words: "fine", progress: "complete" })
        fail(reason)
        assert.strictEqual(Exit.isSuccess(yield* exit), isWell)
      }
    }),
  )

  it.effect("keeps streaming where the server sends a finish reason with every chunk", () =>
    Effect.gen(function* () {
      const { exit, fail, isOver, tell } = yield* asking
      yield* tell({ words: "one ", progress: "complete" }, { words: "two ", progress: "complete" })
      yield* TestClock.adjust("89 seconds")
      assert.isFalse(isOver())
      fail(broken)
      assert.isTrue(Exit.isFailure(yield* exit))
    }),
  )
})

describe("an attempt, once its stream is closed", () => {
  it.effect("ignores further chunks, and waits a tenth of a second for the body to end", () =>
    Effect.gen(function* () {
      const { exit, isOver, letGo, parts, tell } = yield* asking
      yield* tell({ words: "fine" }, { progress: "closed" }, { words: "and another thing" })
      yield* TestClock.adjust("99 millis")
      yield* tell({ words: "and more" })
      assert.isFalse(isOver())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(Exit.isSuccess(yield* exit))
      assert.deepStrictEqual(textOf(parts), ["fine", "Finish"])
      yield* letGo
    }),
  )

  it.effect("ends well, whatever happens then", () =>
    Effect.gen(function* () {
      for (const reason of [broken, busy]) {
        const { exit, fail, tell } = yield* asking
        yield* tell({ words: "fine", progress: "closed" })
        fail(reason)
        assert.isTrue(Exit.isSuccess(yield* exit))
      }
    }),
  )
})
