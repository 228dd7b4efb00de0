/** The contract of every ForestStore: what is changed, removed and purged, whole or not at all. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { BlankText, Changed, ForestError, Unwritable } from "../../src/forest/ForestError.ts"
import type * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Change } from "../../src/forest/JournalEntry.ts"
import * as Message from "../../src/message/Message.ts"
import { id, mark, names, node, planted, root, type Specify } from "./storedNodes.ts"

export const changes = (specify: Specify): void => {
  specify("does not see what was removed, until it is added again, where it was", (store) =>
    Effect.gen(function* () {
      const change = (change: Change) => store.write((rows) => rows.apply(change))
      const seen = store.read((rows) => [
        names(rows.children(id("r"))),
        names(rows.subtree(id("r"))),
        names(rows.leaves(9)),
        names(rows.search({ text: "text" })),
        rows.node(id("b"))?.id ?? "",
        names(rows.prefix(id("r"), [node("b", "r").message])),
      ])
      yield* store.write(planted([node("a", "r"), node("b", "r"), node("c", "r")]))
      const before = yield* seen
      yield* change({ type: "removed", node: id("b") })
      assert.deepStrictEqual(yield* seen, [["a", "c"], ["a", "c"], ["c", "a"], ["c", "a"], "", []])
      yield* change({ type: "added", node: id("b") })
      assert.deepStrictEqual(yield* seen, before)
    }),
  )

  specify("changes the text and the parent of a node", (store) =>
    Effect.gen(function* () {
      const [a, b, c] = [node("a", "r"), node("b", "a"), node("c", "b")]
      const after = { ...c, parent: id("r"), message: Message.user("other words") }
      yield* store.write(planted([a, b, c]))
      yield* store.write((rows) => rows.apply({ type: "changed", before: c, after }))
      yield* store.read((rows) => {
        assert.deepStrictEqual(rows.node(id("c")), after)
        assert.deepStrictEqual(rows.path(id("c")), [after])
        assert.deepStrictEqual([rows.children(id("r")), rows.children(id("b"))].map(names), [["a", "c"], []])
        assert.deepStrictEqual(names(rows.search({ text: "words" })), ["c"])
        assert.deepStrictEqual(names(rows.search({ text: "text" })), ["b", "a"])
        assert.deepStrictEqual(names(rows.prefix(id("r"), [after.message])), ["c"])
        assert.deepStrictEqual(rows.prefix(id("r"), [c.message]), [])
      })
    }),
  )

  specify("begins a conversation in the folder of its step, never in that of an earlier or a failed one", (store) =>
    Effect.gen(function* () {
      yield* store.write((rows) => {
        rows.setFolder("/home/me")
        planted([node("a", "r")])(rows)
      })
      yield* store.write((rows) => rows.insert(node("b", "r")))
      yield* Effect.flip(
        store.write((rows) => {
          rows.setFolder("/home/you")
          throw new ForestError({ reason: new BlankText() })
        }),
      )
      yield* store.write((rows) => rows.insert(node("c", "r")))
      const folders = yield* store.read((rows) => ["a", "b", "c"].map((name) => rows.conversation(id(name))?.folder))
      assert.deepStrictEqual(folders, ["/home/me", undefined, undefined])
    }),
  )

  specify("moves bookmarks, and lists them by title", (store) =>
    Effect.gen(function* () {
      yield* store.write((rows) => {
        planted([node("a", "r"), node("b", "r")])(rows)
        rows.apply({ type: "bookmarked", after: mark("z", "a") })
        rows.apply({ type: "bookmarked", after: mark("Ä b", "a") })
        rows.apply({ type: "bookmarked", before: mark("z", "a"), after: mark("z", "b") })
      })
      yield* store.read((rows) => {
        assert.deepStrictEqual(rows.bookmarks(), [mark("z", "b"), mark("Ä b", "a")])
        assert.deepStrictEqual(rows.bookmark("z"), mark("z", "b"))
        assert.isUndefined(rows.bookmark("Z"))
      })
      yield* store.write((rows) => rows.apply({ type: "bookmarked", before: mark("z", "b") }))
      assert.deepStrictEqual(yield* store.read((rows) => rows.bookmarks()), [mark("Ä b", "a")])
    }),
  )

  specify("changes nothing that is not as it was left", (store) =>
    Effect.gen(function* () {
      yield* store.write((rows) => {
        planted([node("a", "r"), node("b", "r")])(rows)
        rows.apply({ type: "removed", node: id("b") })
        rows.apply({ type: "bookmarked", after: mark("here", "a") })
      })
      const changes: ReadonlyArray<Change> = [
        { type: "removed", node: id("b") },
        { type: "added", node: id("a") },
        { type: "removed", node: id("nowhere") },
        { type: "planted", root: id("r") },
        { type: "changed", before: node("b", "r"), after: node("b", "a") },
        { type: "bookmarked", before: mark("here", "b"), after: mark("here", "a") },
        { type: "bookmarked", after: mark("here", "a") },
        { type: "bookmarked", before: mark("gone", "a") },
        { type: "bookmarked", after: mark("there", "b") },
      ]
      for (const change of changes) {
        const error = yield* Effect.flip(store.write((rows) => rows.apply(change)))
        assert.instanceOf(error.reason, Changed)
      }
    }),
  )

  specify("keeps all of a step or nothing", (store) =>
    Effect.gen(function* () {
      yield* store.write(planted([node("a", "r"), node("b", "a")]))
      const refusal = new ForestError({ reason: new BlankText() })
      const refused = yield* Effect.flip(
        store.write((rows) => {
          rows.insertRoot(root("s"))
          rows.insert(node("c", "b"))
          const other = { ...node("a", "r"), message: Message.user("other words") }
          rows.apply({ type: "changed", before: node("a", "r"), after: other })
          rows.apply({ type: "changed", before: node("b", "a"), after: node("b", "r") })
          rows.apply({ type: "removed", node: id("b") })
          rows.apply({ type: "bookmarked", after: mark("here", "a") })
          rows.appendEntry({ root: id("r"), operation: "append", at: 1, changes: [] })
          throw refusal
        }),
      )
      assert.strictEqual(refused, refusal)
      // Where nothing was there before, nothing tells that it is no more.
      const added = store.write((rows) => {
        rows.insert(node("c", "b"))
        throw refusal
      })
      assert.strictEqual(yield* Effect.flip(added), refusal)
      yield* store.read((rows) => {
        assert.deepStrictEqual(names(rows.roots()), ["r"])
        assert.deepStrictEqual(rows.subtree(id("r")), [node("a", "r"), node("b", "a")])
        assert.isUndefined(rows.node(id("c")))
        assert.deepStrictEqual(rows.bookmarks(), [])
        assert.isUndefined(rows.latest())
      })
    }),
  )

  specify("gives no id twice, not even that of what was removed", (store) =>
    Effect.gen(function* () {
      yield* store.write((rows) => {
        planted([node("a", "r"), node("b", "r")])(rows)
        rows.apply({ type: "removed", node: id("b") })
      })
      const writes: ReadonlyArray<(rows: ForestStore.Writer) => void> = [
        (rows) => rows.insertRoot(root("r", "thief")),
        (rows) => rows.insertRoot(root("a")),
        (rows) => rows.insert(node("r", "r")),
        (rows) => rows.insert(node("a", "r", { message: Message.user("another") })),
        (rows) => rows.insert(node("b", "r")),
      ]
      for (const write of writes) assert.instanceOf((yield* Effect.flip(store.write(write))).reason, Unwritable)
      assert.deepStrictEqual(yield* store.read((rows) => rows.subtree(id("r"))), [node("a", "r")])
    }),
  )

  specify("finds removed nodes by a prefix of the id, and lists everything that is stored", (store) =>
    Effect.gen(function* () {
      yield* store.write((rows) => {
        planted([node("ab", "r"), node("aa", "ab"), node("b", "ab", { splitFrom: id("aa") })])(rows)
        rows.insertRoot(root("s"))
        for (const name of ["b", "aa"]) rows.apply({ type: "removed", node: id(name) })
        rows.apply({ type: "uprooted", root: id("s") })
        rows.appendEntry({ root: id("r"), operation: "append", at: 5, changes: [{ type: "added", node: id("ab") }] })
      })
      yield* store.read((rows) => {
        const removed = ["", "a", "x"].map((prefix) => rows.removedIdsByPrefix(prefix, 2))
        assert.deepStrictEqual<unknown>(removed, [["aa", "b"], ["aa"], []])
        const inventory = rows.inventory()
        assert.deepStrictEqual(Array.from(inventory.trees), [
          { id: id("r"), isRemoved: false, isErased: false },
          { id: id("s"), isRemoved: true, isErased: false },
        ])
        const stored = { root: id("r"), splitFrom: undefined }
        assert.deepStrictEqual(Array.from(inventory.nodes), [
          { ...stored, id: id("ab"), parent: id("r"), isRemoved: false },
          { ...stored, id: id("aa"), parent: id("ab"), isRemoved: true },
          { ...stored, id: id("b"), parent: id("ab"), isRemoved: true, splitFrom: id("aa") },
        ])
        assert.deepStrictEqual(
          Array.from(inventory.entries).map(({ entry, root }) => [root, entry?.changes]),
          [[id("r"), [{ type: "added", node: id("ab") }]]],
        )
        assert.deepStrictEqual(inventory.messageOf(id("aa")), node("aa", "ab").message)
      })
    }),
  )

  specify("removes for good what is planned, and gives its id to another", (store) =>
    Effect.gen(function* () {
      const [a, b, c] = [node("a", "r"), node("b", "a"), node("c", "r", { splitFrom: id("a") })]
      const added: Change = { type: "added", node: c.id }
      yield* store.write((rows) => {
        planted([a, b, c])(rows)
        rows.insertRoot(root("s"))
        rows.apply({ type: "bookmarked", after: mark("here", "b") })
        rows.appendEntry({
          root: id("r"),
          operation: "append",
          at: 5,
          changes: [{ type: "added", node: a.id }, added],
        })
      })
      yield* store.erase((rows) =>
        rows.purge({
          nodes: new Set([a.id, b.id]),
          trees: new Set([id("s")]),
          uprooted: new Set([id("s")]),
          entries: new Map([[1, [added]]]),
          touched: new Set([id("r"), id("s")]),
          purged: { nodes: 2, trees: 1, texts: 0, bookmarks: ["here"] },
        }),
      )
      yield* store.read((rows) => {
        const { splitFrom: _, ...rest } = c
        assert.deepStrictEqual(rows.subtree(id("r")), [rest])
        assert.deepStrictEqual(rows.bookmarks(), [])
        assert.deepStrictEqual(names(rows.roots()), ["r"])
        assert.deepStrictEqual(rows.removedIdsByPrefix("", 9), [])
        assert.deepStrictEqual(rows.latest()?.changes, [added])
      })
      yield* store.write((rows) => rows.insert(a))
      assert.deepStrictEqual(names(yield* store.read((rows) => rows.subtree(id("r")))), ["c", "a"])
    }),
  )
}
