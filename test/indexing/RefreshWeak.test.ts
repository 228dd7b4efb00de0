import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Sqlite from "../../src/indexing/IndexStore/Sqlite.ts"
import type * as IndexStore from "../../src/indexing/IndexStore.ts"
import * as RefreshWeak from "../../src/indexing/RefreshWeak.ts"
import { openIndex, symbols } from "./IndexStore.fixture.ts"

const files = { "a.ts": "export function append() {\n}\n", "b.ts": "export function remove() {\n}\n" }

const record = (index: IndexStore.Index, symbol: string, weak?: string, node = "n") =>
  Effect.flatMap(index.find(symbol), (entries) =>
    index.record(entries.map((entry) => ({ entry, text: `What ${symbol} is for.`, model: "a/b", node, weak }))),
  )

const openIn = (index: IndexStore.Index) =>
  Effect.map(index.files, (files) => files.map(({ open, path }) => `${path} ${open}`))

describe("RefreshWeak.reopen", () => {
  it.scoped("counts weak purposes as open until another one is recorded, be it as weak", () =>
    Effect.gen(function* () {
      const index = yield* openIndex("/repo", files)
      yield* record(index, "append", "says nothing")
      yield* record(index, "remove")
      assert.deepStrictEqual(yield* openIn(index), ["a.ts 0", "b.ts 0"])

      const reopened = yield* RefreshWeak.reopen(index, ["a/b"])
      assert.deepStrictEqual(yield* openIn(reopened), ["a.ts 1", "b.ts 0"])
      assert.strictEqual((yield* reopened.filesIn("a.ts"))[0]?.open, 1)
      const stale = yield* Effect.map(reopened.symbolsIn("a.ts"), ([entry]) => entry?.purpose?.stale)
      assert.isTrue(stale)

      yield* record(reopened, "append", "says nothing")
      assert.deepStrictEqual(yield* openIn(reopened), ["a.ts 0", "b.ts 0"])
      assert.deepInclude(yield* index.status, { weak: 1 })
      assert.deepStrictEqual(yield* openIn(yield* RefreshWeak.reopen(index, ["a/b"])), ["a.ts 1", "b.ts 0"])
    }).pipe(Effect.provide(Layer.provideMerge(Sqlite.layerMemory, symbols))),
  )

  it.scoped("leaves out what a model of the run wrote twice, and asks another model", () =>
    Effect.gen(function* () {
      const index = yield* openIndex("/repo", files)
      yield* record(index, "append", "says nothing")
      yield* record(index, "append", "says nothing", "another call")
      assert.deepInclude((yield* index.weak)[0]?.purpose, { weak: "says nothing", confirmed: true })
      assert.deepStrictEqual(yield* openIn(yield* RefreshWeak.reopen(index, ["c/d", "a/b"])), ["a.ts 0", "b.ts 1"])
      assert.deepStrictEqual(yield* openIn(yield* RefreshWeak.reopen(index, ["c/d"])), ["a.ts 1", "b.ts 1"])
      yield* record(index, "append", undefined, "a better one")
      assert.notProperty((yield* index.find("append"))[0]?.purpose, "confirmed")
    }).pipe(Effect.provide(Layer.provideMerge(Sqlite.layerMemory, symbols))),
  )
})
