/** The contract of IndexStore: one run at a time, and what others see of it. */

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as RunProgress from "../../src/index/RunProgress.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { workspace } from "./IndexStore.fixture.ts"
import { files, type It, type NewRoot } from "./IndexStore.project.ts"

export const admitsOneRun = (it: It, root: NewRoot): void => {
  it.scoped("is locked by one run at a time, until its scope closes", () =>
    Effect.gen(function* () {
      const here = yield* root
      const [store, explored] = yield* Effect.all([IndexStore.IndexStore, workspace(here, files)])
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* store.claim(explored)
          const error = yield* Effect.flip(Effect.scoped(store.claim(explored)))
          assert.strictEqual(
            error.message,
            `${here}/.vibe: another vibe index is at work here (process ${process.pid})`,
          )
        }),
      )
      yield* store.claim(explored)
    }),
  )

  it.scoped("has what the run that locks it has published, until its scope closes", () =>
    Effect.gen(function* () {
      const [store, explored] = yield* Effect.all([IndexStore.IndexStore, workspace(yield* root, files)])
      const first = RunProgress.start(new ModelId({ provider: "scripted", name: "test" }), 1000)
      const published = store.progressOf(explored, process.pid)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* store.claim(explored)
          assert.isUndefined(yield* published)
          yield* store.publish(explored, first)
          yield* store.publish(explored, { ...first, requests: 3, cost: 0.5 })
          assert.deepStrictEqual(yield* published, { ...first, requests: 3, cost: 0.5 })
          assert.isUndefined(yield* store.progressOf(explored, process.pid + 1))
        }),
      )
      assert.isUndefined(yield* published)
    }),
  )

  it.scoped("answers without a refresh while another run makes the first structure", () =>
    Effect.gen(function* () {
      const here = yield* root
      const [store, explored] = yield* Effect.all([IndexStore.IndexStore, workspace(here, files)])
      yield* store.claim(explored)
      const run = yield* store.open(explored)
      const { index, outdated } = yield* store.openExisting(explored)
      assert.strictEqual(outdated?.reason._tag, "AtWork")
      assert.strictEqual((yield* Effect.flip(index.refresh)).reason._tag, "AtWork")
      assert.strictEqual((yield* Effect.flip(index.refreshPaths(["src/Forest.ts"]))).reason._tag, "AtWork")
      assert.deepStrictEqual([yield* index.files, yield* index.isMade], [[], false])
      yield* run.refresh
      assert.isTrue(yield* index.isMade)
      assert.lengthOf(yield* index.files, 4)
      assert.deepInclude(yield* index.refresh, { files: 4, parsed: 0 })
    }),
  )
}
