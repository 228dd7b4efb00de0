import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import * as Similarity from "../../src/app/Similarity.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import { IndexError, NotIndexed } from "../../src/indexing/IndexError.ts"
import * as IndexStore from "../../src/indexing/IndexStore.ts"

describe("Similarity.layer", () => {
  it.effect("opens an index as its caller says: refreshed at once, or later", () =>
    Effect.gen(function* () {
      const opened = yield* Ref.make<ReadonlyArray<unknown>>([])
      const fail = new IndexError({ path: "/repo", reason: new NotIndexed() })
      const store = Layer.succeed(IndexStore.IndexStore, {
        claim: () => fail,
        open: () => fail,
        openExisting: (_, options) =>
          Effect.zipRight(
            Ref.update(opened, (all) => [...all, options]),
            fail,
          ),
      })
      const workspace = yield* Effect.provide(Workspace.open("/repo"), Files.layerMemory({ "/repo/a.ts": "" }))
      yield* Effect.gen(function* () {
        const { openExisting } = yield* IndexStore.IndexStore
        yield* Effect.flip(openExisting(workspace))
        yield* Effect.flip(openExisting(workspace, { refresh: "later" }))
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.fresh(Similarity.layer(store))),
        Effect.provide(Files.layerMemory({})),
      )
      assert.deepStrictEqual(yield* Ref.get(opened), [undefined, { refresh: "later" }])
    }),
  )
})
