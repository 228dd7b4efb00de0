/**
 * With a watch of the real file system: whatever happens to the files, the index has it when a question is answered.
 */
import { assert, it } from "@effect/vitest"
import { Effect, FastCheck, Layer } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as NodeWatcher from "../../src/code/Watcher/Node.ts"
import * as Watcher from "../../src/code/Watcher.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Freshness from "../../src/index/Freshness.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { cases } from "../thoroughness.ts"
import { story } from "./fileOperations.ts"
import { symbols } from "./IndexStore.fixture.ts"

const contents = (index: IndexStore.Index) =>
  Effect.flatMap(index.files, (files) =>
    Effect.forEach(files, (file) =>
      Effect.map(index.symbolsIn(file.path), (symbols) => ({
        ...file,
        symbols: symbols.map(({ hash, qualifiedName, startLine, usedBy }) => [qualifiedName, startLine, hash, usedBy]),
      })),
    ),
  )

const onDisk = Layer.provide(Sqlite.layer, symbols)

const inMemory = Layer.fresh(Layer.provide(Sqlite.layerMemory, symbols))

const newIndex = (root: string) =>
  Effect.gen(function* () {
    const index = yield* (yield* IndexStore.IndexStore).open(yield* Workspace.open(root))
    yield* index.refresh
    return yield* contents(index)
  }).pipe(Effect.scoped, Effect.provide(inMemory))

it.effect.prop(
  "has the same files and symbols after any changes as a new index",
  [story, FastCheck.boolean()],
  ([story, isWatchLate]) =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const workspace = yield* Workspace.open(root)
      const index = yield* (yield* IndexStore.IndexStore).open(workspace)
      const watch = yield* (yield* Watcher.Watcher).watch(workspace)
      const freshness = yield* Freshness.make(index, { watch, isWatchLate })
      let number = 0
      for (const operations of [[], ...story]) {
        for (const operation of operations) {
          number += 1
          try {
            operation(root, number)
          } catch {
            // The path is not there, or is something else by now.
          }
        }
        const state = yield* freshness.refresh
        assert.strictEqual(state._tag, "Current")
        assert.deepStrictEqual(yield* contents(index), yield* newIndex(root))
      }
    }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(onDisk, NodeFiles.layer, NodeWatcher.layer))),
  { fastCheck: { numRuns: cases(40) } },
)
