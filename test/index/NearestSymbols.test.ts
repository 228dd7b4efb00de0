import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import type * as Embedding from "../../src/index/Embedding.ts"
import { run } from "../../src/index/Embedding.ts"
import * as NearestSymbols from "../../src/index/NearestSymbols.ts"
import { ModelError, Unauthorized } from "../../src/model/ModelError.ts"
import * as HashedWords from "../utils/HashedWords.ts"
import * as VectorRoot from "../utils/VectorRoot.ts"

const texts = (all: ReadonlyArray<string>): Embedding.Texts => ({
  texts: all.map((text) => ({ key: text, text, symbols: [{ qualifiedName: text, hash: "h" }] })),
  symbols: all.length,
  beyond: 0,
})

const embed = (root: string, all: ReadonlyArray<string>, embedder = HashedWords.make().embedder) =>
  run({ root, embedder, texts: texts(all), parallel: 1, onProgress: () => Effect.void })

const sentences = ["waits before asking again", "signs a cookie", "reads a file", "opens a window"]

describe("NearestSymbols", () => {
  it.scoped("finds the symbols with the nearest texts, the nearest first, by one request", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      yield* embed(root, sentences)
      const { embedder, requests } = HashedWords.make()
      const { problem, symbols } = yield* NearestSymbols.makeFinder(embedder)(
        root,
        "how long it waits before it asks again",
      )
      assert.isUndefined(problem)
      assert.strictEqual(symbols[0]?.qualifiedName, sentences[0])
      assert.lengthOf(symbols, 4)
      assert.isAbove(symbols[0]?.similarity ?? 0, symbols[1]?.similarity ?? 1)
      assert.deepStrictEqual(requests, [["how long it waits before it asks again"]])
    }),
  )

  it.scoped("sends only the beginning of a question of any length", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      yield* embed(root, sentences)
      const { embedder, requests } = HashedWords.make()
      yield* NearestSymbols.makeFinder(embedder)(root, "long ".repeat(100_000))
      assert.strictEqual(requests[0]?.[0]?.length, 3_000)
    }),
  )

  it.scoped("finds what was embedded since its last search", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      yield* embed(root, sentences)
      const find = NearestSymbols.makeFinder(HashedWords.make().embedder)
      yield* find(root, "closes a door")
      yield* embed(root, [...sentences, "closes a door"])
      assert.strictEqual((yield* find(root, "closes a door")).symbols[0]?.qualifiedName, "closes a door")
    }),
  )

  it.scoped("gives up after two seconds, and interrupts the request", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      yield* embed(root, sentences)
      let interrupted = false
      const before = Effect.never.pipe(
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            interrupted = true
          }),
        ),
      )
      const fiber = yield* Effect.fork(
        NearestSymbols.makeFinder(HashedWords.make({ before }).embedder)(root, "question"),
      )
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.join(fiber), {
        symbols: [],
        problem: "test/words: no answer within 2s",
      })
      assert.isTrue(interrupted)
    }),
  )

  it.scoped("says why there are none where the server refuses, and asks once", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      yield* embed(root, sentences)
      const fail = () => new ModelError({ model: "test/words", reason: new Unauthorized({ message: "no such key" }) })
      const { embedder, requests } = HashedWords.make({ fail })
      const { problem, symbols } = yield* NearestSymbols.makeFinder(embedder)(root, "question")
      assert.deepStrictEqual([symbols.length, problem, requests.length], [0, "test/words: no such key", 1])
    }),
  )

  it.scoped("says that the server returns other dimensions than the index has", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      yield* embed(root, sentences)
      const { embedder } = HashedWords.make({ dimensions: () => 32 })
      const { problem } = yield* NearestSymbols.makeFinder(embedder)(root, "question")
      assert.strictEqual(
        problem,
        "test/words: the server returned 32 dimensions, and the index has 64: remove .vibe/index.db.vectors and run 'vibe index'",
      )
    }),
  )

  it.scoped("sends nothing where the vectors are of another model, or there are none", () =>
    Effect.gen(function* () {
      const root = yield* VectorRoot.make
      yield* embed(root, sentences)
      const { embedder, requests } = HashedWords.make()
      const other = NearestSymbols.makeFinder({ ...embedder, id: "test/other/own/1" })
      assert.strictEqual(
        (yield* other(root, "question")).problem,
        "the vectors of the index are of test/words/own/1: 'vibe index' makes those of test/other/own/1",
      )
      const empty = yield* VectorRoot.make
      assert.isDefined((yield* NearestSymbols.makeFinder(embedder)(empty, "question")).problem)
      assert.lengthOf(requests, 0)
    }),
  )
})
