/** A verification finds nothing after any operation, and each thing that was broken by hand. */
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { isThorough } from "../thoroughness.ts"
import { shared } from "../utils/shared.ts"

const forestIn = <E>(store: Layer.Layer<ForestStore.ForestStore, E>) =>
  Forest.layer.pipe(Layer.provideMerge(store), Layer.provide(Ids.layerSequence))

const said = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

const call = Block.toolUse("c1", "read_file", { path: "a.ts" })

const called: Draft = {
  message: { role: "assistant", content: [Block.text("I look."), call] },
  source: { type: "model", model: "test/model", finish: "tool_calls", usage: Usage.none },
}

const answered: Draft = {
  message: Message.toolResult(call, "text", false),
  source: { type: "tool", tool: "read_file" },
}

/** Every kind of operation, some taken back: n-0 is the root; n-1 to n-4 a path, the last two a call and its answer. */
const lived = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id } = yield* forest.root({ owner: "test", systemPrompt: "Be kind." })
  const [first, , third] = yield* forest.append(id, [said("Hello there"), said("Look"), called, answered])
  assert.isDefined(first)
  assert.isDefined(third)
  yield* forest.bookmark("here", third.id)
  const edited = yield* forest.edit(first.id, "Hello again")
  yield* forest.split(edited.id, 2)
  yield* forest.append(edited.id, [said("x"), said("y")])
  yield* forest.remove(edited.id, "reparent")
  yield* forest.undo()
  yield* forest.bookmark("there", edited.id)
  yield* forest.remove(edited.id, "cascade", { bookmarks: true })
  yield* forest.undo()
  yield* forest.unbookmark("there")
  const { id: other } = yield* forest.root({ owner: "other", systemPrompt: "" })
  yield* forest.undo(other)
})

/** The file of a forest that has lived, which is made once. */
const livedFile = shared(
  Effect.gen(function* () {
    const file = path.join(yield* temporaryFolder, "forest.db")
    yield* Effect.provide(lived, forestIn(Sqlite.layer(file)))
    return fs.readFileSync(file)
  }),
)

/** Writes the forest that has lived to a new file. */
const writeLived = (file: string) =>
  Effect.map(livedFile, (content) => fs.writeFileSync(file, content, { mode: 0o600 }))

const verify = Effect.flatMap(ForestStore.ForestStore, (store) => store.verify)

const told = Effect.map(verify, ({ problems }) => problems.map(({ subject, what }) => `${subject} ${what}`))

type Store = readonly [name: string, store: (file: string) => Parameters<typeof forestIn>[0]]

// The same code keeps both.
describe.each<Store>([
  ...(isThorough ? ([["memory", () => Sqlite.layerMemory]] satisfies ReadonlyArray<Store>) : []),
  ["SQLite", Sqlite.layer],
])("ForestStore.verify (%s)", (_, store) => {
  const says = <A, E>(sentence: string, test: Effect.Effect<A, E, Forest.Forest | ForestStore.ForestStore>) =>
    it.scoped(sentence, () =>
      Effect.flatMap(temporaryFolder, (folder) =>
        Effect.provide(test, forestIn(store(path.join(folder, "forest.db")))),
      ),
    )

  says(
    "finds nothing in an empty forest",
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* verify, { roots: 0, nodes: 0, bookmarks: 0, entries: 0, problems: [], notes: [] })
    }),
  )

  says(
    "finds nothing after any operation, and counts what is there",
    Effect.gen(function* () {
      yield* lived
      const { problems, notes, ...counts } = yield* verify
      assert.deepStrictEqual([problems, notes], [[], []])
      assert.deepStrictEqual(counts, { roots: 1, nodes: 9, bookmarks: 1, entries: 14 })
    }),
  )

  says(
    "notes an answer to nothing, which is no damage",
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "test", systemPrompt: "" })
      const [, answer] = yield* forest.append(id, [said("Hello"), answered])
      const { notes, problems } = yield* verify
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(notes, [
        { subject: `node ${answer?.id}`, what: "answers a call that was not made before it" },
      ])
    }),
  )

  says(
    "finds nothing to note after any single node was deleted, or refused to be, and what follows left",
    Effect.gen(function* () {
      yield* lived
      const forest = yield* Forest.Forest
      const roots = yield* forest.roots()
      const nodes = yield* Effect.forEach(roots, ({ id }) => forest.subtree(id))
      let deleted = 0
      for (const { id } of nodes.flat()) {
        const removed = yield* Effect.either(forest.remove(id, "reparent", { bookmarks: true }))
        if (Either.isLeft(removed)) {
          assert.strictEqual(removed.left.reason._tag, "Answering")
          continue
        }
        deleted++
        const { notes, problems } = yield* verify
        assert.deepStrictEqual([notes, problems], [[], []])
        yield* forest.undo()
      }
      assert.strictEqual(deleted, nodes.flat().length - 1)
    }),
  )

  says(
    "misses what the journal does not tell of",
    Effect.gen(function* () {
      const store = yield* ForestStore.ForestStore
      yield* store.write((rows) =>
        rows.insertRoot({ id: NodeId.make("r"), owner: "test", systemPrompt: "", createdAt: 0 }),
      )
      assert.deepStrictEqual(yield* told, ["tree r is not in the journal"])
    }),
  )
})

describe("ForestStore.verify, of a file that was broken by hand", () => {
  it.scoped.each<readonly [sql: string, problems: ReadonlyArray<RegExp>]>([
    ["update node set parent = id where name = 'n-1'", [/^node n-1 has a path without end$/]],
    [
      "update node set removed = 1 where name = 'n-2'",
      [/^node n-2 is missing, and the journal has it$/, /^node n-3 has a parent that was removed$/],
    ],
    [
      "update node set body = 'other' where name = 'n-2'",
      [/^node n-2 has a digest of something else$/, /^node n-2 is not what was written$/],
    ],
    // What no other rule is broken by.
    ["update node set parent = 1 where name = 'n-4'", [/^node n-4 is not what was written$/]],
    ["update node set body = 'Be cruel.' where name = 'n-0'", [/^tree n-0 is not what was written$/]],
    ["update node set source = 'nobody' where name = 'n-0'", [/^tree n-0 is not what was written$/]],
    ["update node set created_at = 5 where name = 'n-0'", [/^tree n-0 is not what was written$/]],
    [
      `update node set source = 'notice', detail = '{"type":"notice"}' where name = 'n-2'`,
      [/^node n-2 is not what was written$/],
    ],
    [
      "update node set detail = replace(detail, 'tool_calls', 'length') where name = 'n-3'",
      [/^node n-3 is not what was written$/],
    ],
    [
      `update node set detail = replace(detail, '"inputTokens":0', '"inputTokens":9') where name = 'n-3'`,
      [/^node n-3 is not what was written$/],
    ],
    ["update node set created_at = created_at + 1 where name = 'n-2'", [/^node n-2 is not what was written$/]],
    ["update node set split_from = 'n-2' where name = 'n-3'", [/^node n-3 is not what was written$/]],
    ["update journal set operation = 'split' where id = 3", [/^entry 3 is not what was written, or does not follow/]],
    ["update journal set at = at + 1 where id = 3", [/^entry 3 is not what was written, or does not follow/]],
    ["update bookmark set created_at = 5", [/^bookmark here is not what was written$/]],
    ["update seal set removed = 1 where id = 2", [/^node n-1 is not what was written$/]],
    ["update seal set digest = 'x' where id = 2", [/^node n-1 is not what was written$/]],
    ["delete from seal where id = 2", [/^node n-1 is not what was written$/]],
    ["insert into seal values (99, '', '', 1, 0, 0)", [/^node #99 is missing, and its seal is there$/]],
    ["update seal set children = 2 where id = 2", [/^node n-1 has another number of children than is counted$/]],
    ["update tally set count = 5 where what = 'bookmarks'", [/^bookmarks are not as many as are counted$/]],
    ["delete from tally where what = 'trees of test'", [/^trees of test are not as many as are counted$/]],
    ["update node set body = '{' where name = 'n-3'", [/^node n-3 holds no message$/]],
    ["update node set model = 'x/y' where name = 'n-3'", [/^node n-3 is not what its row says it is$/]],
    ["update node set parent = null where name = 'n-1'", [/^node n-1 has no parent$/]],
    [
      "update node set root = 2 where name = 'n-4'",
      [/^node n-4 is in no tree$/, /^node n-4 has a parent in another tree$/],
    ],
    ["delete from node where name = 'n-4'", [/^node #5 is missing, although the journal has it$/]],
    ["delete from journal where id = 2", [/^node n-1 is not in the journal$/]],
    ["update journal set changes = 'x' where id = 3", [/^entry 3 cannot be read$/, /^bookmark here is not where/]],
    [
      "update journal set undoes = 12 where operation = 'undo' and id = 8",
      [/^entry 8 has undone what was not done before$/],
    ],
    ["update bookmark set node = 'n-2'", [/^bookmark here is not where the journal has put it$/]],
    ["delete from bookmark", [/^bookmark here is missing$/]],
    ["update node set parent = 5, root = 5 where name = 'n-0'", [/^tree n-0 is below something$/]],
    ["update node set is_json = 1 where name = 'n-0'", [/^tree n-0 has a system prompt that cannot be read$/]],
    ["update node set removed = 2 where name = 'n-4'", [/^node n-4 is neither there nor removed$/]],
    ["update node set split_from = 'x' where name = 'n-4'", [/^node n-4 was split off something that is not kept$/]],
    ["delete from journal where id = 4", [/^entry 4 is missing$/]],
    ["delete from journal where operation = 'undo' and id = 8", [/^entry 8 is missing$/]],
    ["update journal set changes = '2 3' where id = 6", [/^entry 6 adds what was there$/]],
    ["update journal set changes = '9 8' where id = 6", [/^entry 6 cannot be read$/]],
    ["update journal set changes = '8 900000000' where id = 6", [/^entry 6 cannot be read$/]],
    [
      "update journal set root = (select name from node where source = 'other') where id = 2",
      [/^node n-2 is not in the tree that the journal has put it in$/],
    ],
    [
      `update journal set changes = replace(changes, '"id":"n-1"', '"id":"n-x"') where id = 4`,
      [/^entry 4 changes what was not there$/],
    ],
    [
      `update journal set changes = (select json_set(changes, '$[' || key || '].after.id', 'n-2')
       from json_each(changes) where value ->> 'type' = 'changed' limit 1) where id = 4`,
      [/^entry 4 changes what was not there$/],
    ],
    [
      `update journal set changes = (select json_set(changes, '$[' || key || '].before.root', 'n-2')
       from json_each(changes) where value ->> 'type' = 'changed' limit 1) where id = 4`,
      [/^entry 4 changes what was not there$/],
    ],
    [
      `update journal set changes = replace(changes, '"from":"n-', '"from":"z-') where id = 8`,
      [/^entry 8 changes what was not so$/],
    ],
  ])("finds it after: %s", ([sql, expected]) =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      yield* writeLived(file)
      const database = new DatabaseSync(file)
      database.exec("pragma foreign_keys = off")
      database.exec(sql)
      database.close()
      const problems = yield* Effect.provide(told, forestIn(Sqlite.layer(file)))
      for (const one of expected)
        assert.isTrue(
          problems.some((problem) => one.test(problem)),
          problems.join("\n"),
        )
    }),
  )
})

/**
 * More nodes than may wait for the index, with words that meet; some are changed and removed after they came into it.
 */
const much = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id } = yield* forest.root({ owner: "test", systemPrompt: "" })
  const texts = Array.from(
    { length: 230 },
    (_, n) => `so it goes ${n} 漢字 ${n % 7 === 0 ? "x".repeat(isThorough ? 40_000 : 4_000) : "Ünder"}`,
  )
  const nodes = yield* forest.append(id, [called, answered, ...texts.map(said)])
  const [, , third, fourth, fifth] = nodes
  assert.isDefined(third)
  assert.isDefined(fourth)
  assert.isDefined(fifth)
  yield* forest.edit(third.id, "so it ends")
  yield* forest.split(fourth.id, 5)
  yield* forest.remove(fifth.id, "reparent")
})

const searched = (text: string) => Effect.flatMap(Forest.Forest, (forest) => forest.search({ text }))

describe("ForestStore.verify, of a file that cannot be opened otherwise", () => {
  const harmed = (harm: (file: string) => void) =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      yield* writeLived(file)
      harm(file)
      return { forest: forestIn(Sqlite.layer(file)), unchecked: forestIn(Sqlite.layerUnchecked(file)) }
    })

  it.scoped.each(["delete from state", "insert into state select 7, 0, tables from state"])(
    "mends its state after: %s",
    (sql) =>
      Effect.gen(function* () {
        const { forest, unchecked } = yield* harmed((file) => {
          const database = new DatabaseSync(file)
          database.exec(sql)
          database.close()
        })
        assert.strictEqual((yield* Effect.flip(Effect.provide(told, forest))).reason._tag, "Unreadable")
        const { problems } = yield* Effect.provide(verify, unchecked)
        assert.deepStrictEqual(problems, [
          { subject: "storage", what: "has no state of its own, or several", isMendable: true },
        ])
        yield* Effect.provide(
          Effect.flatMap(ForestStore.ForestStore, (store) => store.mend),
          unchecked,
        )
        assert.deepStrictEqual(yield* Effect.provide(told, forest), [])
      }),
  )

  it.scoped("reports the counts if their page has lost its last byte", () =>
    Effect.gen(function* () {
      const { unchecked } = yield* harmed((file) => {
        const database = new DatabaseSync(file)
        const page = Number(database.prepare("select rootpage from sqlite_schema where name = 'tally'").get()?.rootpage)
        database.close()
        const bytes = fs.readFileSync(file)
        bytes.fill(0, page * 4096 - 1, page * 4096)
        fs.writeFileSync(file, bytes)
      })
      const { problems } = yield* Effect.provide(verify, unchecked)
      assert.isNotEmpty(problems)
      assert.isTrue(
        problems.every(({ isMendable }) => isMendable),
        JSON.stringify(problems),
      )
    }),
  )

  it.scoped.each(["update node set created_at = 9223372036854775807 where name = 'n-2'", "pragma user_version = -3"])(
    "says that it cannot be read after: %s",
    (sql) =>
      Effect.gen(function* () {
        const { unchecked } = yield* harmed((file) => {
          const database = new DatabaseSync(file)
          database.exec(sql)
          database.close()
        })
        assert.strictEqual((yield* Effect.flip(Effect.provide(verify, unchecked))).reason._tag, "Unreadable")
      }),
  )
})

describe("ForestStore.mend", () => {
  it.scoped.each<readonly [sql: string, ...problems: ReadonlyArray<RegExp>]>([
    ["update seal set children = 7 where id = 2", /^node n-1 has another number of children than is counted$/],
    [
      "update seal set place = 'x', children = 7 where id = 1",
      /^node n-0 has a seal of another place$/,
      /^node n-0 has another number of children than is counted$/,
    ],
    [
      "update seal set root = 7, children = 7 where id = 2",
      /^node n-1 has a seal of another place$/,
      /^node n-1 has another number of children than is counted$/,
    ],
    ["update tally set count = 9 where what = 'trees of test'", /^trees of test are not as many as are counted$/],
    ["delete from tally where what = 'bookmarks'", /^bookmarks are not as many as are counted$/],
    [
      // An index that has lost one of its entries.
      `pragma writable_schema = on;
       update sqlite_schema set sql = sql || ' and id <> 4' where name = 'node_child';
       pragma writable_schema = reset;
       reindex node_child;
       pragma writable_schema = on;
       update sqlite_schema set sql = replace(sql, ' and id <> 4', '') where name = 'node_child';
       pragma writable_schema = reset`,
      /^storage row 4 missing from index node_child$/,
    ],
  ])("makes anew what follows from the rest: %s", ([sql, ...expected]) =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      yield* writeLived(file)
      const read = Effect.flatMap(Forest.Forest, (forest) =>
        Effect.gen(function* () {
          const roots = yield* forest.roots()
          return [roots, yield* forest.bookmarks, yield* Effect.forEach(roots, ({ id }) => forest.subtree(id))]
        }),
      )
      const before = yield* Effect.provide(read, forestIn(Sqlite.layer(file)))
      const database = new DatabaseSync(file, { defensive: false })
      database.exec(sql)
      database.close()
      const forest = forestIn(Sqlite.layer(file))
      const failure = yield* Effect.flip(Effect.provide(read, forest))
      assert.strictEqual(failure.reason._tag, "Unreadable")
      assert.match(failure.message, /^the stored conversations cannot be read: .*\d/)
      const { problems } = yield* Effect.provide(verify, forest)
      assert.isTrue(problems.every(({ isMendable }) => isMendable))
      for (const one of expected)
        assert.isTrue(
          problems.some(({ subject, what }) => one.test(`${subject} ${what}`)),
          JSON.stringify(problems),
        )
      yield* Effect.provide(
        Effect.flatMap(ForestStore.ForestStore, (store) => store.mend),
        forest,
      )
      assert.deepStrictEqual(yield* Effect.provide(told, forest), [])
      assert.deepStrictEqual(yield* Effect.provide(read, forest), before)
    }),
  )

  it.scoped("does not make a row that is not what was written one that is", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      yield* writeLived(file)
      const database = new DatabaseSync(file)
      database.exec("update node set body = 'other', digest = null where name = 'n-2'")
      database.close()
      const forest = forestIn(Sqlite.layer(file))
      yield* Effect.provide(
        Effect.gen(function* () {
          const { remove, undo } = yield* Forest.Forest
          const { mend } = yield* ForestStore.ForestStore
          yield* mend
          yield* remove(NodeId.make("n-1"), "reparent", { bookmarks: true })
          yield* undo()
          yield* remove(NodeId.make("n-2"), "cascade", { bookmarks: true })
          yield* undo()
        }),
        forest,
      )
      assert.include(yield* Effect.provide(told, forest), "node n-2 is not what was written")
    }),
  )
})

describe("ForestStore.verify, of the index for the search", () => {
  /** The bytes of a forest with much in it. */
  const sound = Effect.gen(function* () {
    const file = path.join(yield* temporaryFolder, "forest.db")
    yield* Effect.provide(much, forestIn(Sqlite.layer(file)))
    return fs.readFileSync(file)
  }).pipe(Effect.scoped, Effect.cached, Effect.runSync)

  const broken = (sql: string) =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      fs.writeFileSync(file, yield* sound)
      // Node 24 keeps such tables from harm unless told otherwise.
      const database = new DatabaseSync(file, { defensive: false })
      database.exec(sql)
      database.close()
      return forestIn(Sqlite.layer(file))
    })

  it.scoped("finds nothing where it has the words of all that it should have", () =>
    Effect.gen(function* () {
      const forest = yield* broken("select 1")
      assert.deepStrictEqual(yield* Effect.provide(told, forest), [])
    }),
  )

  // In the words of SQLite 3.49, which Node 22.16 has, and of later ones.
  const malformed = /^search (?:malformed inverted index for FTS5|fts5: corruption found)/

  it.scoped.each<readonly [sql: string, ...problems: ReadonlyArray<RegExp>]>([
    ["insert or replace into said (rowid, words) values (9, 'other words')", /^node n-8 is not found by its words/],
    ["delete from said where rowid = 9", /^node n-8 is not found by its words/],
    ["update state set indexed = indexed + 1", /^node n-200 is not found by its words/],
    ["update said_data set block = zeroblob(length(block)) where id > 100", malformed],
    ["delete from said_data where id > 100", malformed],
  ])("finds that it was harmed, and mends it: %s", ([sql, ...expected]) =>
    Effect.gen(function* () {
      const forest = yield* broken(sql)
      const { problems } = yield* Effect.provide(verify, forest)
      assert.lengthOf(problems, expected.length, JSON.stringify(problems))
      for (const [at, { isMendable, subject, what }] of problems.entries()) {
        assert.match(`${subject} ${what}`, expected[at] ?? /^$/)
        assert.isTrue(isMendable)
      }
      yield* Effect.provide(
        Effect.flatMap(ForestStore.ForestStore, (store) => store.mend),
        forest,
      )
      assert.deepStrictEqual(yield* Effect.provide(told, forest), [])
      const found = yield* Effect.provide(searched("goes 12 漢"), forest)
      assert.deepStrictEqual(
        found.map(({ message }) => Message.text(message)),
        ["so it goes 12 漢字 Ünder"],
      )
    }),
  )
})
