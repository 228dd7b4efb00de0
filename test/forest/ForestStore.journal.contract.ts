/** The contract of every ForestStore: its journal of entries and operations. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Purged } from "../../src/forest/ForestError.ts"
import type * as ForestStore from "../../src/forest/ForestStore.ts"
import { type Change, inverse } from "../../src/forest/JournalEntry.ts"
import { id, mark, node, planted, root, type Specify } from "./storedNodes.ts"

export const keepsJournal = (specify: Specify): void => {
  specify("undoes no entry that a purge has emptied, or marked", (store) =>
    Effect.gen(function* () {
      const step = (changes: ReadonlyArray<Change>) =>
        store.write((rows) => rows.appendEntry({ root: id("r"), operation: "append", at: 5, changes }))
      yield* store.write(planted([node("a", "r")]))
      yield* step([{ type: "added", node: id("a") }])
      yield* step([])
      yield* step([{ type: "removed", node: id("a") }, { type: "purged" }])
      assert.strictEqual((yield* store.read((rows) => rows.latest()))?.id, 1)
      const error = yield* Effect.flip(store.write((rows) => rows.apply({ type: "purged" })))
      assert.instanceOf(error.reason, Purged)
    }),
  )

  specify("stores a journal, and finds the next entry to undo", (store) =>
    Effect.gen(function* () {
      const changes: ReadonlyArray<Change> = [
        { type: "changed", before: node("a", "r"), after: node("a", "r") },
        { type: "bookmarked", after: mark("here", "a") },
      ]
      yield* store.write((rows) => {
        planted([node("a", "r"), node("b", "r")])(rows)
        rows.insertRoot(root("s"))
        rows.appendEntry({
          root: id("r"),
          operation: "append",
          at: 5,
          changes: [
            { type: "added", node: id("a") },
            { type: "added", node: id("b") },
          ],
        })
        rows.appendEntry({ root: id("r"), operation: "edit", at: 6, changes })
        rows.appendEntry({ root: id("s"), operation: "root", at: 7, changes: [{ type: "planted", root: id("s") }] })
      })
      const latest = (tree?: string) => store.read((rows) => rows.latest(tree === undefined ? {} : { root: id(tree) }))
      assert.deepStrictEqual(yield* latest(), {
        id: 3,
        root: id("s"),
        operation: "root",
        at: 7,
        changes: [{ type: "planted", root: id("s") }],
      })
      assert.deepStrictEqual(yield* latest("r"), { id: 2, root: id("r"), operation: "edit", at: 6, changes })
      yield* store.write((rows) =>
        rows.appendEntry({ root: id("r"), operation: "undo", at: 8, changes: [], undoes: 2 }),
      )
      assert.deepStrictEqual((yield* latest("r"))?.changes, [
        { type: "added", node: id("a") },
        { type: "added", node: id("b") },
      ])
      assert.strictEqual((yield* latest())?.id, 3)
    }),
  )

  specify("finds the entries of an operation, their author, and the entries that undid them", (store) =>
    Effect.gen(function* () {
      const entry = { root: id("r"), at: 5 }
      const added = (name: string): ReadonlyArray<Change> => [{ type: "added", node: id(name) }]
      const moved: Change = { type: "changed", before: node("c", "r"), after: node("c", "a") }
      yield* store.write((rows) => {
        planted([node("a", "r"), node("b", "r"), node("c", "r")])(rows)
        rows.appendEntry({
          ...entry,
          operation: "append",
          changes: added("a"),
          operationId: "o",
          author: "loom append",
        })
        rows.appendEntry({ ...entry, operation: "append", changes: added("b"), author: "loomed" })
        rows.appendEntry({
          ...entry,
          operation: "edit",
          changes: [moved, ...added("c")],
          operationId: "o",
          author: "loom",
        })
        rows.appendEntry({ ...entry, operation: "undo", changes: inverse(added("b")), undoes: 2, author: "chat" })
        rows.appendEntry({ ...entry, operation: "redo", changes: added("b"), undoes: 4 })
      })
      yield* store.read((rows) => {
        assert.deepStrictEqual(
          [1, 2, 3, 9].map((entry) => rows.operation(entry).map(({ id }) => id)),
          [[1, 3], [2], [1, 3], []],
        )
        const third = { ...entry, id: 3, operation: "edit", operationId: "o", author: "loom", nodes: 2, first: 1 }
        assert.deepStrictEqual<unknown>(rows.entry(3), third)
        assert.isUndefined(rows.entry(9))
        assert.deepStrictEqual([rows.undoOf(2)?.id, rows.undoOf(4)?.id, rows.undoOf(1)?.id], [4, 5, undefined])
        assert.deepStrictEqual(
          rows.recent(3).map((entries) => entries.map(({ id }) => id)),
          [[5], [4], [1, 3]],
        )
        assert.lengthOf(rows.recent(9), 4)
        const found: ReadonlyArray<ForestStore.EntryFilter> = [
          {},
          { by: "loom" },
          { by: "loom append" },
          { by: "loom append", except: ["o"] },
          { by: "loomed" },
          { isUndo: true },
          { root: id("s") },
        ]
        assert.deepStrictEqual(
          found.map((which) => rows.latest(which)?.id),
          [5, 3, 1, undefined, undefined, undefined, undefined],
        )
        assert.deepStrictEqual(
          ["a", "b", "c", "r", "nowhere"].map((name) => rows.entryThatAdded(id(name))),
          [1, 2, 3, undefined, undefined],
        )
        assert.deepStrictEqual(
          [0, 3].map((since) => rows.changedSince(since).map(({ id }) => id)),
          [[3], []],
        )
      })
    }),
  )

  specify("lists running operations", (store) =>
    Effect.gen(function* () {
      const underWay = store.read((rows) => rows.runningOperations())
      yield* store.write((rows) => {
        rows.startOperation("one")
        rows.startOperation("other")
      })
      yield* store.write((rows) => rows.startOperation("one"))
      assert.sameMembers([...(yield* underWay)], ["one", "other"])
      yield* store.endOperation("one")
      yield* store.endOperation("nowhere")
      assert.deepStrictEqual(yield* underWay, ["other"])
    }),
  )
}
