import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Reopened from "../../src/explore/Reopened.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import type * as IndexStore from "../../src/index/IndexStore.ts"
import { NOTHING } from "../../src/index/Purposes.ts"
import { openIndex, symbols } from "../index/IndexStore.fixture.ts"

const files = { "a.ts": "export function append() {\n}\n", "b.ts": "export function remove() {\n}\n" }

const record = (index: IndexStore.Index, symbol: string, weak?: string, node = "n", text = `What ${symbol} is for.`) =>
  Effect.flatMap(index.find(symbol), (entries) =>
    index.record(entries.map((entry) => ({ entry, text, model: "a/b", node, weak }))),
  )

const openIn = (index: IndexStore.Index) =>
  Effect.map(index.files, (files) => files.map(({ open, path }) => `${path} ${open}`))

describe("Reopened.reopen", () => {
  it.scoped("counts weak purposes as open until another one is recorded, be it as weak", () =>
    Effect.gen(function* () {
      const index = yield* openIndex("/repo", files)
      yield* record(index, "append", "says nothing")
      yield* record(index, "remove")
      assert.deepStrictEqual(yield* openIn(index), ["a.ts 0", "b.ts 0"])

      const reopened = yield* Reopened.reopen(index, { weak: { models: ["a/b"] } })
      assert.deepStrictEqual(yield* openIn(reopened), ["a.ts 1", "b.ts 0"])
      assert.strictEqual((yield* reopened.filesIn("a.ts"))[0]?.open, 1)
      const stale = yield* Effect.map(reopened.symbolsIn("a.ts"), ([entry]) => entry?.purpose?.stale)
      assert.isTrue(stale)

      yield* record(reopened, "append", "says nothing")
      assert.deepStrictEqual(yield* openIn(reopened), ["a.ts 0", "b.ts 0"])
      assert.deepInclude(yield* index.status, { weak: 1 })
      assert.deepStrictEqual(yield* openIn(yield* Reopened.reopen(index, { weak: { models: ["a/b"] } })), [
        "a.ts 1",
        "b.ts 0",
      ])
    }).pipe(Effect.provide(Layer.provideMerge(Sqlite.layerMemory, symbols))),
  )

  it.scoped("leaves out what a model of the run wrote twice, and asks another model", () =>
    Effect.gen(function* () {
      const index = yield* openIndex("/repo", files)
      yield* record(index, "append", "says nothing")
      yield* record(index, "append", "says nothing", "another call")
      assert.deepInclude((yield* index.weak)[0]?.purpose, { weak: "says nothing", confirmed: true })
      assert.deepStrictEqual(yield* openIn(yield* Reopened.reopen(index, { weak: { models: ["c/d", "a/b"] } })), [
        "a.ts 0",
        "b.ts 1",
      ])
      assert.deepStrictEqual(yield* openIn(yield* Reopened.reopen(index, { weak: { models: ["c/d"] } })), [
        "a.ts 1",
        "b.ts 1",
      ])
      yield* record(index, "append", undefined, "a better one")
      assert.notProperty((yield* index.find("append"))[0]?.purpose, "confirmed")
    }).pipe(Effect.provide(Layer.provideMerge(Sqlite.layerMemory, symbols))),
  )

  it.scoped("counts symbols that have nothing but a comment as open, unless a model has nothing to add", () =>
    Effect.gen(function* () {
      const index = yield* openIndex("/repo", {
        "a.ts":
          "// Repeats a failed upload with a longer delay each time.\nexport function append() {\n}\nexport function prepend() {\n}\n",
      })
      assert.deepStrictEqual(yield* openIn(index), ["a.ts 1"])
      assert.deepStrictEqual(yield* openIn(yield* Reopened.reopen(index, {})), ["a.ts 1"])

      const silent = yield* Reopened.reopen(index, { documented: true })
      yield* record(silent, "append", undefined, "n", NOTHING)
      assert.deepInclude((yield* index.find("append"))[0]?.purpose, { origin: "comment" })
      assert.deepStrictEqual(yield* openIn(yield* Reopened.reopen(index, { documented: true })), ["a.ts 1"])
      yield* record(silent, "append")
      assert.notProperty((yield* index.find("append"))[0]?.purpose, "confirmed")
    }).pipe(Effect.provide(Layer.provideMerge(Sqlite.layerMemory, symbols))),
  )

  it.scoped("counts a symbol that a model has explained over its comment as done", () =>
    Effect.gen(function* () {
      const index = yield* openIndex("/repo", {
        "a.ts":
          "// Repeats a failed upload with a longer delay each time.\nexport function append() {\n}\nexport function prepend() {\n}\n",
      })
      const reopened = yield* Reopened.reopen(index, { documented: true })
      assert.deepStrictEqual(yield* openIn(reopened), ["a.ts 2"])
      yield* record(reopened, "append")
      assert.deepStrictEqual(yield* openIn(reopened), ["a.ts 1"])
      assert.strictEqual((yield* index.find("append"))[0]?.purpose?.text, "What append is for.")
      assert.deepStrictEqual(yield* openIn(yield* Reopened.reopen(index, { documented: true })), ["a.ts 1"])
    }).pipe(Effect.provide(Layer.provideMerge(Sqlite.layerMemory, symbols))),
  )
})
