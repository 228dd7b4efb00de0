import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { inOrder } from "../../src/base/inOrder.ts"

class Word extends Context.Tag("test/Word")<Word, string>() {}
class Sentence extends Context.Tag("test/Sentence")<Sentence, string>() {}

/** A layer that notes when it is built and released. */
const noting = <I>(tag: Context.Tag<I, string>, value: string, notes: Array<string>) =>
  Layer.scoped(
    tag,
    Effect.acquireRelease(
      Effect.sync(() => {
        notes.push(`make ${value}`)
        return value
      }),
      () => Effect.sync(() => void notes.push(`release ${value}`)),
    ),
  )

const sentence = Layer.effect(
  Sentence,
  Effect.map(Word, (word) => `the ${word}`),
)

describe("inOrder", () => {
  it.effect("gives each layer what those before it provide, and provides all of it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual([yield* Word, yield* Sentence], ["tree", "the tree"])
    }).pipe(Effect.provide(inOrder(Layer.succeed(Word, "tree"), sentence))),
  )

  it.effect("lets a later layer replace what an earlier one provides, and use it", () =>
    Effect.map(Word, (word) => assert.strictEqual(word, "tree!")).pipe(
      Effect.provide(
        inOrder(
          Layer.succeed(Word, "tree"),
          Layer.effect(
            Word,
            Effect.map(Word, (word) => `${word}!`),
          ),
        ),
      ),
    ),
  )

  it.effect("builds one after the other, and releases the last one first", () =>
    Effect.gen(function* () {
      const notes: Array<string> = []
      const layer = inOrder(noting(Word, "one", notes), noting(Sentence, "two", notes))
      yield* Effect.provide(Effect.asVoid(Sentence), layer)
      assert.deepStrictEqual(notes, ["make one", "make two", "release two", "release one"])
    }),
  )

  it.effect("releases what is built if a later layer fails, and builds nothing after that", () =>
    Effect.gen(function* () {
      const notes: Array<string> = []
      const layer = inOrder(noting(Word, "one", notes), Layer.fail("broken"), noting(Sentence, "two", notes))
      const exit = yield* Effect.exit(Effect.provide(Effect.asVoid(Sentence), layer))
      assert.deepStrictEqual(exit, Exit.fail("broken"))
      assert.deepStrictEqual(notes, ["make one", "release one"])
    }),
  )

  it.effect("builds a layer once that others have, too", () =>
    Effect.gen(function* () {
      const notes: Array<string> = []
      const word = noting(Word, "one", notes)
      yield* Effect.provide(Effect.asVoid(Sentence), inOrder(word, Layer.provide(sentence, word)))
      assert.deepStrictEqual(notes, ["make one", "release one"])
    }),
  )
})
