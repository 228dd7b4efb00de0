/** Batches ask about whole files, and the index keeps the answers. */
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Layer, Stream } from "effect"
import type { Batch } from "../../src/explore/Batch.ts"
import * as Batches from "../../src/explore/Batches.ts"
import * as FileEntry from "../../src/index/FileEntry.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { workspace } from "../index/IndexStore.fixture.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)

const twoFunctions = "export function a(x: string) {\n  return x\n}\n\nexport function b(x: string) {\n  return x\n}\n"

const files = {
  "src/bare.ts": twoFunctions,
  "src/said.ts": `/** Reads the orders of customers from the disk. */\n\n${twoFunctions}`,
  "src/one.ts": "export function c(x: string) {\n  return x\n}\n",
  "src/store.ts": `export class Store {\n  get(x: string) {\n    return x\n  }\n}\n\n${twoFunctions}`,
}

const withIndex = <A, E>(
  run: (
    index: IndexStore.Index,
    plan: (options?: Batches.Options) => Effect.Effect<ReadonlyArray<Batch>>,
  ) => Effect.Effect<A, E>,
) =>
  Effect.gen(function* () {
    const opened = yield* workspace("/repository", files)
    const index = yield* (yield* IndexStore.IndexStore).open(opened)
    yield* index.refresh
    const plan = (options: Batches.Options = { summaries: true }) =>
      Batches.plan(opened, index, options).pipe(Stream.runCollect, Effect.map(Chunk.toReadonlyArray), Effect.orDie)
    return yield* run(index, plan)
  }).pipe(Effect.scoped, Effect.provide(Layer.fresh(layer)))

const filesOf = (batches: ReadonlyArray<Batch>) =>
  batches.flatMap(({ symbols }) => symbols.filter(FileEntry.isFile).map(({ path }) => path))

describe("Batches.plan", () => {
  it.effect(
    "asks for each file that neither a comment, nor its type, nor its only symbol explains, below its symbols",
    () =>
      withIndex((_, plan) =>
        Effect.gen(function* () {
          const batches = yield* plan()
          assert.deepStrictEqual(filesOf(batches), ["src/bare.ts"])
          const [batch = assert.fail("no batch")] = batches
          const number = batch.symbols.findIndex(FileEntry.isFile) + 1
          assert.match(batch.text, new RegExp(`function b[\\s\\S]*\n§${number} the whole file src/bare.ts\n==`))
          // Every number has its mark, in order.
          const marks = Array.from(batch.text.matchAll(/^§(\d+)/gm), ([, mark]) => Number(mark))
          assert.deepStrictEqual(
            marks,
            batch.symbols.map((_, at) => at + 1),
          )
        }),
      ),
  )

  it.effect("asks for a file once, however many batches show it, and never a model that explains types alone", () =>
    withIndex((_, plan) =>
      Effect.gen(function* () {
        const batches = yield* plan({ summaries: true, maxSymbols: 1 })
        assert.isAbove(batches.length, 3)
        assert.deepStrictEqual(filesOf(batches), ["src/bare.ts"])
        assert.deepStrictEqual(filesOf(yield* plan({ summaries: true, only: "definitions" })), [])
        assert.deepStrictEqual(filesOf(yield* plan({})), [])
      }),
    ),
  )

  it.effect("does not ask again for a file that a model has explained", () =>
    withIndex((index, plan) =>
      Effect.gen(function* () {
        const entry = (yield* index.fileEntry("src/bare.ts")) ?? assert.fail("no entry")
        yield* index.record([{ entry, text: "Passes values on.", model: "scripted/test", node: "n-1" }])
        assert.deepInclude((yield* index.fileEntry("src/bare.ts"))?.purpose, {
          text: "Passes values on.",
          stale: false,
        })
        assert.deepStrictEqual(filesOf(yield* plan()), [])
        assert.isUndefined((yield* index.fileEntry("src/one.ts"))?.purpose)
        assert.isUndefined(yield* index.fileEntry("src/gone.ts"))
      }),
    ),
  )
})
