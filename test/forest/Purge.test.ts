/** A purge leaves nothing of what it removes, and everything else as it was, whatever keeps the forest. */
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import { ForestError, NotFound, Unwritable } from "../../src/forest/ForestError.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { isThorough } from "../thoroughness.ts"
import { hurried } from "../utils/hurried.ts"

const said = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

const MARKER = "HUNTER2XYZ"

const texts = (nodes: ReadonlyArray<Node>) => nodes.map(({ message }) => Message.text(message))

const forestIn = <E>(store: Layer.Layer<ForestStore.ForestStore, E>) =>
  Layer.fresh(Forest.layer.pipe(Layer.provideMerge(store), Layer.provide(Ids.layerSequence)))

const problems = Effect.flatMap(ForestStore.ForestStore, ({ verify }) => Effect.map(verify, ({ problems }) => problems))

/** The nodes that were appended, of which all are there. */
const appended = (parent: NodeId, ...drafts: ReadonlyArray<Draft>) =>
  Effect.flatMap(Forest.Forest, (forest) => forest.append(parent, drafts))

/** The tree, and `one`, `two`, `three`, each below the one before. */
const talk = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const root = yield* forest.root({ owner: "test", systemPrompt: "Be kind." })
  const nodes = yield* appended(root.id, said("one"), said(`two ${MARKER}`), said("three"))
  const [one, two, three] = nodes
  if (one === undefined || two === undefined || three === undefined) assert.fail()
  return { forest, root, one, two, three }
})

const reading = (tree: NodeId) =>
  Effect.flatMap(Forest.Forest, (forest) => Effect.map(forest.subtree(tree), (nodes) => texts(nodes)))

/** What the latest operation had done, which is undone. */
const kindsUndone = (forest: Forest.Service) =>
  Effect.map(forest.undo(), (undone) => undone.flatMap(({ kinds }) => kinds))

const reasonOf = <A>(effect: Effect.Effect<A, ForestError>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason._tag)

type Services = Forest.Forest | ForestStore.ForestStore

type Store = readonly [name: string, store: (file: string) => Parameters<typeof forestIn>[0]]

// The same code keeps both; other sentences below are about files.
describe.each<Store>([
  ["memory", () => Sqlite.layerMemory],
  ...(isThorough ? ([["SQLite", Sqlite.layer]] satisfies ReadonlyArray<Store>) : []),
])("Forest.purge (%s)", (_, store) => {
  /** All is well after each test. */
  const says = <A, E>(sentence: string, test: Effect.Effect<A, E, Services>) =>
    it.scoped(sentence, () =>
      Effect.flatMap(temporaryFolder, (folder) =>
        Effect.provide(
          Effect.gen(function* () {
            yield* test
            assert.deepStrictEqual(yield* problems, [])
          }),
          forestIn(store(path.join(folder, "forest.db"))),
        ),
      ),
    )

  says(
    "removes a node and what is below it, and says how many those are, before and after",
    Effect.gen(function* () {
      const { forest, one, root, three, two } = yield* talk
      yield* appended(one.id, said("beside"))
      const expected = { nodes: 2, trees: 0, texts: 0, bookmarks: [] }
      assert.deepStrictEqual(yield* forest.previewPurge(two.id), expected)
      assert.deepStrictEqual(yield* forest.purge(two.id), expected)
      assert.deepStrictEqual(yield* reading(root.id), ["one", "beside"])
      for (const gone of [two.id, three.id]) {
        assert.deepStrictEqual((yield* Effect.flip(forest.node(gone))).reason, new NotFound({ id: gone }))
        assert.strictEqual(yield* reasonOf(forest.purge(gone)), "NotFound")
      }
      assert.deepStrictEqual(yield* forest.search({ text: MARKER }), [])
      yield* appended(one.id, said("on"))
      assert.deepStrictEqual(yield* reading(root.id), ["one", "beside", "on"])
    }),
  )

  says(
    "removes what was deleted between two messages that were joined later",
    Effect.gen(function* () {
      const { forest, one, root, three, two } = yield* talk
      yield* forest.remove(two.id, "reparent")
      yield* forest.join(one.id)
      assert.deepStrictEqual(yield* forest.purge(three.id), { nodes: 3, trees: 0, texts: 0, bookmarks: [] })
      assert.deepStrictEqual(yield* problems, [])
      assert.deepStrictEqual(yield* reading(root.id), [])
      for (const { id } of [one, two, three]) assert.strictEqual(yield* reasonOf(forest.node(id)), "NotFound")
    }),
  )

  says(
    "keeps what was deleted after its join was undone, and undoes that deletion",
    Effect.gen(function* () {
      const { forest, one, root, two } = yield* talk
      yield* forest.join(one.id)
      yield* forest.undo()
      yield* forest.move(two.id, root.id)
      yield* forest.remove(one.id, "cascade")
      assert.strictEqual((yield* forest.purge(two.id)).nodes, 2)
      assert.deepStrictEqual(yield* reading(root.id), [])
      assert.deepStrictEqual(yield* kindsUndone(forest), ["delete"])
      assert.deepStrictEqual(yield* reading(root.id), ["one"])
    }),
  )

  says(
    "removes a whole tree with its system prompt, and makes another when it is asked for again",
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      const { id: other } = yield* forest.root({ owner: "test", systemPrompt: "Be brief." })
      yield* appended(other, said("here"))
      assert.deepStrictEqual(yield* forest.purge(root.id), { nodes: 3, trees: 1, texts: 0, bookmarks: [] })
      assert.deepStrictEqual(
        (yield* forest.roots()).map(({ id }) => id),
        [other],
      )
      assert.strictEqual(yield* reasonOf(forest.path(root.id)), "NotFound")
      assert.strictEqual(yield* reasonOf(forest.purge(root.id)), "NotFound")
      assert.deepStrictEqual(yield* forest.removedIdsByPrefix("", 9), [])
      const again = yield* forest.root({ owner: "test", systemPrompt: "Be kind." })
      assert.notStrictEqual(again.id, root.id)
      assert.deepStrictEqual(yield* reading(other), ["here"])
    }),
  )

  says(
    "refuses where a bookmark would go, and takes it along where that is meant",
    Effect.gen(function* () {
      const { forest, one, three, two } = yield* talk
      yield* forest.bookmark("here", three.id)
      yield* forest.bookmark("there", one.id)
      for (const refused of [forest.purge(two.id), forest.previewPurge(two.id)]) {
        const { message } = yield* Effect.flip(refused)
        assert.strictEqual(message, `Deleting ${two.id} would take bookmarks with it: here`)
      }
      assert.deepStrictEqual((yield* forest.purge(two.id, { bookmarks: true })).bookmarks, ["here"])
      assert.deepStrictEqual(
        (yield* forest.bookmarks).map(({ title }) => title),
        ["there"],
      )
      yield* forest.bookmark("here", one.id)
    }),
  )

  says(
    "finds what was deleted before by its id, and removes it; what was moved up from below it stays",
    Effect.gen(function* () {
      const { forest, root, three, two } = yield* talk
      yield* forest.remove(two.id, "reparent")
      assert.deepStrictEqual(yield* forest.removedIdsByPrefix("n-", 9), [two.id])
      assert.deepStrictEqual(yield* forest.removedIdsByPrefix("x", 9), [])
      assert.strictEqual((yield* forest.purge(two.id)).nodes, 1)
      assert.deepStrictEqual(yield* reading(root.id), ["one", "three"])
      assert.deepStrictEqual(yield* forest.removedIdsByPrefix("", 9), [])
      yield* forest.edit(three.id, "three and more")
    }),
  )

  says(
    "removes all that was deleted, and the words that edits replaced",
    Effect.gen(function* () {
      const { forest, one, root, three, two } = yield* talk
      const { id: other } = yield* forest.root({ owner: "test", systemPrompt: "Another" })
      yield* forest.undo(other)
      const [leaf] = yield* appended(one.id, said(`leaf ${MARKER}`))
      yield* forest.edit(leaf?.id ?? one.id, "leaf")
      yield* forest.remove(two.id, "cascade")
      const expected = { nodes: 2, trees: 1, texts: 1, bookmarks: [] }
      assert.deepStrictEqual(yield* forest.purge("removed"), expected)
      assert.deepStrictEqual(yield* reading(root.id), ["one", "leaf"])
      assert.deepStrictEqual(yield* forest.removedIdsByPrefix("", 9), [])
      assert.deepStrictEqual(yield* forest.purge("removed"), { nodes: 0, trees: 0, texts: 0, bookmarks: [] })
      assert.strictEqual(yield* reasonOf(forest.purge(three.id)), "NotFound")
    }),
  )

  says(
    "is not undone: what was done before is, as far as it is about something else",
    Effect.gen(function* () {
      const { forest, one, root, two } = yield* talk
      yield* forest.bookmark("here", one.id)
      yield* forest.bookmark("here", two.id)
      yield* forest.purge(two.id, { bookmarks: true })
      // The bookmark was moved away from the first, to what is gone.
      assert.deepStrictEqual(yield* kindsUndone(forest), ["bookmark"])
      assert.strictEqual((yield* forest.bookmarks)[0]?.node, one.id)
      assert.deepStrictEqual(yield* kindsUndone(forest), ["bookmark"])
      assert.deepStrictEqual(yield* forest.bookmarks, [])
      assert.deepStrictEqual(yield* kindsUndone(forest), ["append"])
      assert.deepStrictEqual(yield* reading(root.id), [])
      assert.deepStrictEqual(yield* kindsUndone(forest), ["root"])
      assert.strictEqual(yield* reasonOf(forest.undo()), "NothingToUndo")
    }),
  )

  says(
    "leaves an operation alone that it has taken the middle out of, and what that stands on",
    Effect.gen(function* () {
      const { forest, root, three, two } = yield* talk
      // What is below the second node moves to the first: back it could not.
      yield* forest.remove(two.id, "reparent")
      yield* forest.purge(two.id)
      yield* appended(three.id, said("four"))
      assert.deepStrictEqual(yield* kindsUndone(forest), ["append"])
      yield* forest.undo()
      assert.deepStrictEqual(yield* reading(root.id), [])
      yield* forest.undo()
      assert.strictEqual(yield* reasonOf(forest.undo()), "NothingToUndo")
    }),
  )

  says(
    "does not take away what something stands on that it cannot take away",
    Effect.gen(function* () {
      const { forest, three } = yield* talk
      const { left } = yield* forest.split(three.id, 2)
      yield* forest.remove(left.id, "reparent")
      yield* forest.purge(left.id)
      // Neither the split nor the deletion can be undone; the split half is where the append has put it.
      assert.deepStrictEqual(yield* kindsUndone(forest), ["append"])
    }),
  )

  says(
    "keeps a half that was split off what is gone, and the other way round",
    Effect.gen(function* () {
      const { forest, root, three } = yield* talk
      const { left, right } = yield* forest.split(three.id, 2)
      yield* forest.purge(right.id)
      assert.deepStrictEqual(yield* reading(root.id), ["one", `two ${MARKER}`, "th"])
      assert.isUndefined((yield* forest.node(left.id)).splitFrom)
      yield* forest.edit(left.id, "then")
    }),
  )

  says(
    "keeps everything where the step fails in which it is done",
    Effect.gen(function* () {
      const { forest, one, root, two } = yield* talk
      const { erase, read } = yield* ForestStore.ForestStore
      const before = yield* read((rows) => [rows.subtree(root.id), rows.latest(), rows.removedIdsByPrefix("", 9)])
      const refusal = new ForestError({ reason: new Unwritable({ cause: "x" }) })
      const plan = {
        nodes: new Set([two.id]),
        trees: new Set([root.id]),
        uprooted: new Set([root.id]),
        entries: new Map([[2, []]]),
        touched: new Set([root.id]),
        purged: { nodes: 1, trees: 1, texts: 0, bookmarks: [] },
      }
      const failed = yield* Effect.flip(
        erase((rows) => {
          rows.purge(plan)
          assert.isUndefined(rows.node(two.id))
          throw refusal
        }),
      )
      assert.strictEqual(failed, refusal)
      assert.deepStrictEqual(
        yield* read((rows) => [rows.subtree(root.id), rows.latest(), rows.removedIdsByPrefix("", 9)]),
        before,
      )
      yield* forest.edit(one.id, "one and more")
    }),
  )
})

describe("Forest.purge, of a forest in a file", () => {
  /** How often the marker stands in the files of a forest, open or closed. */
  const found = (folder: string) =>
    fs.readdirSync(folder).flatMap((name) => {
      const bytes = fs.readFileSync(path.join(folder, name), "latin1").toLowerCase()
      const count = bytes.split(MARKER.toLowerCase()).length - 1
      return count === 0 ? [] : [`${name}: ${count}`]
    })

  /** Enough to be indexed for the search. */
  const filling = (parent: NodeId, text = "filling") =>
    appended(parent, ...Array.from({ length: 250 }, (_, n) => said(`${text} ${n} ${"x".repeat(200)}`)))

  const secret = said(`the password is ${MARKER}`)

  /** Each puts the marker into a tree below `at`, and takes it away by a purge. */
  const ways: ReadonlyArray<
    readonly [way: string, test: (at: NodeId) => Effect.Effect<unknown, ForestError, Services>]
  > = [
    [
      "a node that was said long ago, and one below it",
      (at) =>
        Effect.gen(function* () {
          const { purge } = yield* Forest.Forest
          const [node] = yield* appended(at, secret, said(`${MARKER} it is`))
          yield* filling(at)
          yield* purge(node?.id ?? at)
        }),
    ],
    [
      "what was deleted before, of a text that is longer than a page",
      (at) =>
        Effect.gen(function* () {
          const { purge, remove } = yield* Forest.Forest
          const [node] = yield* appended(at, said(`${MARKER} ${"long ".repeat(5000)} ${MARKER}`))
          yield* filling(at)
          yield* remove(node?.id ?? at, "cascade")
          yield* filling(at, "more")
          yield* purge("removed")
        }),
    ],
    [
      "words that were edited in place after they were indexed",
      (at) =>
        Effect.gen(function* () {
          const { edit, purge } = yield* Forest.Forest
          const [node] = yield* appended(at, secret)
          yield* filling(at)
          yield* edit(node?.id ?? at, "other words")
          yield* purge("removed")
        }),
    ],
    [
      "a node that was edited in place: the journal has what it said before",
      (at) =>
        Effect.gen(function* () {
          const { edit, purge } = yield* Forest.Forest
          const [node] = yield* appended(at, secret)
          yield* edit(node?.id ?? at, "other words")
          yield* purge(node?.id ?? at)
        }),
    ],
    [
      "a half of a node that was split: the journal has it as a whole, of the other half",
      (at) =>
        Effect.gen(function* () {
          const { purge, remove, split } = yield* Forest.Forest
          const [node] = yield* appended(at, said(`${MARKER} and what stays`))
          const { left } = yield* split(node?.id ?? at, MARKER.length)
          yield* remove(left.id, "reparent")
          yield* purge(left.id)
        }),
    ],
    [
      "a node whose split was undone: the other half is still stored",
      (at) =>
        Effect.gen(function* () {
          const { purge, split, undo } = yield* Forest.Forest
          const [node] = yield* appended(at, said(`${MARKER} and the rest`))
          yield* split(node?.id ?? at, MARKER.length)
          yield* undo()
          yield* purge(node?.id ?? at)
        }),
    ],
    [
      "a node that an undone edit had split twice",
      (at) =>
        Effect.gen(function* () {
          const { edit, purge, split, undo } = yield* Forest.Forest
          const [node] = yield* appended(at, said(`It is ${MARKER} and the rest`), said("answered"))
          const { left } = yield* split(node?.id ?? at, `It is ${MARKER} and`.length)
          yield* edit(left.id, `It is ${MARKER}, or not`)
          yield* undo()
          yield* undo()
          yield* purge(node?.id ?? at)
        }),
    ],
    [
      "a half of two nodes that were joined and split again",
      (at) =>
        Effect.gen(function* () {
          const { join, move, purge, split } = yield* Forest.Forest
          const [one, two] = yield* appended(at, said(`It is ${MARKER}`), said("and the rest"))
          yield* join(one?.id ?? at)
          const { left } = yield* split(two?.id ?? at, `It is ${MARKER}`.length)
          yield* move(two?.id ?? at, at)
          yield* purge(left.id)
        }),
    ],
    [
      "two nodes whose join was undone and redone",
      (at) =>
        Effect.gen(function* () {
          const { join, purge, redo, undo } = yield* Forest.Forest
          const [one, two] = yield* appended(at, said(`It is ${MARKER}`), said("and the rest"))
          yield* join(one?.id ?? at)
          yield* undo()
          yield* redo()
          yield* purge(two?.id ?? at)
        }),
    ],
    [
      "a title of a bookmark on it",
      (at) =>
        Effect.gen(function* () {
          const { bookmark, purge, unbookmark } = yield* Forest.Forest
          const [node] = yield* appended(at, said("x"))
          yield* bookmark(MARKER, node?.id ?? at)
          yield* unbookmark(MARKER)
          yield* purge(node?.id ?? at)
        }),
    ],
    [
      "an undone append, and an undone edit",
      (at) =>
        Effect.gen(function* () {
          const { edit, purge, undo } = yield* Forest.Forest
          const [node] = yield* appended(at, said("x"))
          yield* appended(at, secret)
          yield* undo()
          yield* edit(node?.id ?? at, MARKER)
          yield* undo()
          yield* purge("removed")
        }),
    ],
    [
      "a tree by its owner and its system prompt",
      () =>
        Effect.gen(function* () {
          const { purge, root } = yield* Forest.Forest
          const tree = yield* root({ owner: `owner ${MARKER}`, systemPrompt: `You are ${MARKER}` })
          yield* appended(tree.id, secret)
          yield* purge(tree.id)
        }),
    ],
  ]

  it.scoped.each(ways)("leaves no byte of it in any file: %s", ([, test]) =>
    Effect.gen(function* () {
      const folder = path.join(yield* temporaryFolder, "state")
      const layer = forestIn(Sqlite.layer(path.join(folder, "forest.db")))
      yield* Effect.provide(
        Effect.gen(function* () {
          const forest = yield* Forest.Forest
          const { id } = yield* forest.root({ owner: "test", systemPrompt: "Be kind." })
          const [one] = yield* appended(id, said("one"))
          yield* test(one?.id ?? id)
          assert.deepStrictEqual(found(folder), [])
          assert.deepStrictEqual(yield* forest.search({ text: MARKER, limit: 1000 }), [])
          assert.deepStrictEqual(yield* problems, [])
          yield* filling(one?.id ?? id, "and then")
          assert.lengthOf(yield* forest.search({ text: "and then", limit: 1000 }), 250)
        }),
        layer,
      )
      assert.deepStrictEqual(found(folder), [])
      assert.deepStrictEqual(yield* Effect.provide(problems, layer), [])
    }),
  )

  it.scopedLive(
    "says that bytes may be left where another process goes on reading, and clears them later",
    () =>
      Effect.gen(function* () {
        const folder = path.join(yield* temporaryFolder, "state")
        const file = path.join(folder, "forest.db")
        yield* Effect.provide(
          Effect.gen(function* () {
            const { node, purge, root } = yield* Forest.Forest
            const { id } = yield* root({ owner: "test", systemPrompt: "" })
            const [secretNode] = yield* appended(id, secret)
            const reader = new DatabaseSync(file, { readOnly: true })
            reader.exec("begin; select * from node")
            const { message, reason } = yield* Effect.flip(Effect.withClock(purge(secretNode?.id ?? id), hurried(20)))
            assert.strictEqual(reason._tag, "Uncompacted")
            assert.strictEqual(
              message,
              `what was purged is removed, but its bytes may still be in the file: ${file}: is in use by another process`,
            )
            assert.strictEqual(yield* reasonOf(node(secretNode?.id ?? id)), "NotFound")
            assert.isNotEmpty(found(folder))
            reader.close()
            assert.deepStrictEqual(yield* purge("removed"), { nodes: 0, trees: 0, texts: 0, bookmarks: [] })
            assert.deepStrictEqual(found(folder), [])
          }),
          forestIn(Sqlite.layer(file)),
        )
      }),
    240_000,
  )

  it.scoped("takes away what is damaged, and makes nothing else whole that is not", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      const layer = forestIn(Sqlite.layer(file))
      const ids = yield* Effect.provide(
        Effect.gen(function* () {
          const { edit, root } = yield* Forest.Forest
          const { id } = yield* root({ owner: "test", systemPrompt: "" })
          const { id: other } = yield* root({ owner: "test", systemPrompt: "other" })
          const [one] = yield* appended(id, said("one"))
          const [two] = yield* appended(id, said("two"))
          if (one === undefined || two === undefined) assert.fail()
          yield* edit(two.id, "and two")
          return { id, other, one, two }
        }),
        layer,
      )
      const database = new DatabaseSync(file)
      database.exec(`
        update node set body = 'not one' where name = '${ids.one.id}';
        update node set body = 'not other' where name = '${ids.other}';
        update journal set at = 7 where id in (2, 4)
      `)
      database.close()
      yield* Effect.provide(
        Effect.gen(function* () {
          const { purge, roots } = yield* Forest.Forest
          assert.strictEqual(yield* reasonOf(roots()), "Unreadable")
          yield* purge(ids.one.id)
          yield* purge(ids.other)
          assert.deepStrictEqual(
            (yield* roots()).map(({ id }) => id),
            [ids.id],
          )
          assert.deepStrictEqual(yield* reading(ids.id), ["and two"])
          assert.deepStrictEqual(
            (yield* problems).map(({ subject }) => subject),
            ["entry 2", "entry 4"],
          )
          yield* purge(ids.two.id)
          assert.deepStrictEqual(
            (yield* problems).map(({ subject }) => subject),
            ["entry 2", "entry 4"],
          )
        }),
        layer,
      )
    }),
  )

  it.scoped("erases a journal entry that cannot be read if anything of its tree is purged, and no other", () =>
    Effect.gen(function* () {
      const folder = path.join(yield* temporaryFolder, "state")
      const file = path.join(folder, "forest.db")
      const layer = forestIn(Sqlite.layer(file))
      const { node } = yield* Effect.provide(
        Effect.gen(function* () {
          const { root } = yield* Forest.Forest
          const { id } = yield* root({ owner: "test", systemPrompt: "" })
          const { id: other } = yield* root({ owner: "test", systemPrompt: "other" })
          const [node] = yield* appended(id, said("one"))
          yield* appended(other, said("beside"))
          return { node: node?.id ?? id }
        }),
        layer,
      )
      const database = new DatabaseSync(file)
      database.exec(`
        update journal set changes = 'of the tree, ${MARKER}' where id = 3;
        update journal set changes = 'of the other' where id = 4
      `)
      database.close()
      assert.isNotEmpty(found(folder))
      const { nodes } = yield* Effect.provide(
        Effect.flatMap(Forest.Forest, ({ purge }) => purge(node)),
        layer,
      )
      assert.strictEqual(nodes, 1)
      assert.deepStrictEqual(found(folder), [])
      assert.include(fs.readFileSync(file, "latin1"), "of the other")
    }),
  )

  it.scoped("has something to find", () =>
    Effect.gen(function* () {
      const folder = path.join(yield* temporaryFolder, "state")
      yield* Effect.provide(
        Effect.gen(function* () {
          const { remove, root } = yield* Forest.Forest
          const { id } = yield* root({ owner: "test", systemPrompt: "" })
          const [node] = yield* appended(id, secret)
          yield* remove(node?.id ?? id, "cascade")
        }),
        forestIn(Sqlite.layer(path.join(folder, "forest.db"))),
      )
      assert.isNotEmpty(found(folder))
    }),
  )
})
