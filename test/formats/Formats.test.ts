/** Today's readers on files that earlier versions of vibe wrote; README.md here says how such a file is made. */
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as zlib from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Disk from "../../src/disk/Sqlite.ts"
import { quantize } from "../../src/embedding/Int8Matrix.ts"
import * as VectorStore from "../../src/embedding/VectorStore.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as ForestSqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import * as IndexSqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as Purposes from "../../src/index/Purposes.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as DraftSqlite from "../../src/server/DraftStore/Sqlite.ts"
import * as DraftStore from "../../src/server/DraftStore.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { some } from "../thoroughness.ts"

const here = import.meta.dirname

const versionsIn = (kind: string): ReadonlyArray<number> =>
  fs
    .readdirSync(path.join(here, kind))
    .flatMap((name) => /^(\d+)\.db\.gz$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other)

/** Copies a fixture to `file`. */
const unpack = (kind: string, version: number, file: string): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, zlib.gunzipSync(fs.readFileSync(path.join(here, kind, `${version}.db.gz`))))
}

const versionOf = (file: string): number => {
  const database = new DatabaseSync(file, { readOnly: true })
  const row = database.prepare("pragma user_version").get()
  database.close()
  return Number(row?.user_version)
}

/** Gives the newest fixture a number that no version of vibe has, and returns its bytes. */
const unpackNewer = (kind: string, file: string): Buffer => {
  unpack(kind, Math.max(...versionsIn(kind)), file)
  const database = new DatabaseSync(file)
  database.exec("pragma user_version = 999; pragma journal_mode = delete")
  database.close()
  return fs.readFileSync(file)
}

const forestIn = (file: string) =>
  Layer.fresh(Forest.layer.pipe(Layer.provideMerge(ForestSqlite.layer(file)), Layer.provide(Ids.layer)))

const textOf = ({ message }: { readonly message: Message.Message }) => Message.text(message)

const indexLayer = IndexSqlite.layer.pipe(Layer.provideMerge(Scanner.layer), Layer.provideMerge(NodeFiles.layer))

/** The project of the fixtures with its `.vibe`, in a folder of its own. */
const project = Effect.map(temporaryFolder, (root) => {
  fs.mkdirSync(path.join(root, "src"))
  for (const name of ["cart.ts", "tax.ts"]) {
    fs.copyFileSync(path.join(here, "project", "src", `${name}.txt`), path.join(root, "src", name))
  }
  fs.mkdirSync(path.join(root, ".vibe"))
  return {
    root,
    database: path.join(root, ".vibe", "index.db"),
    purposes: path.join(root, ".vibe", "purposes.jsonl"),
    journal: path.join(root, ".vibe", "purposes.journal.jsonl"),
  }
})

const openIndex = (root: string) =>
  Effect.gen(function* () {
    const store = yield* IndexStore.IndexStore
    return (yield* store.openExisting(yield* Workspace.open(root))).index
  })

const purposesOf = (version: number) => fs.readFileSync(path.join(here, "index", `${version}.purposes.jsonl`), "utf8")

/** Recorded by a run that was killed, and not yet in the file. */
const journalLine =
  '{"path":"src/cart.ts","symbol":"Cart.add","kind":"method","hash":"437b6526f4ad348a","purpose":"Puts an item into the cart.","model":"test/one","node":"n5"}\n'

const linesIn = (text: string) => text.split("\n").filter((line) => line !== "")

describe("Files of earlier versions", () => {
  // Whoever raises a format number adds a fixture of it, so that the next one finds a fixture of the one before.
  it.scoped("have a fixture for each format up to that of today", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const upToToday = (file: string) => Array.from({ length: versionOf(file) }, (_, at) => at + 1)
      const forest = path.join(folder, "forest.db")
      yield* Effect.provide(Effect.asVoid(Forest.Forest), forestIn(forest))
      assert.deepStrictEqual(versionsIn("forest"), upToToday(forest))
      const drafts = path.join(folder, "forest.db.drafts")
      yield* Effect.provide(Effect.asVoid(DraftStore.DraftStore), DraftSqlite.layer(drafts))
      assert.deepStrictEqual(versionsIn("drafts"), upToToday(drafts))
      const { database, purposes, root } = yield* project
      fs.writeFileSync(purposes, purposesOf(1))
      yield* Effect.scoped(Effect.provide(openIndex(root), indexLayer))
      assert.deepStrictEqual(versionsIn("index"), upToToday(database))
      yield* Effect.scoped(VectorStore.open(root))
      assert.deepStrictEqual(versionsIn("vectors"), upToToday(VectorStore.fileIn(root)))
    }),
  )

  it("have a line of purposes with each key that a line can have", () => {
    const keys = versionsIn("index").flatMap((version) =>
      linesIn(purposesOf(version)).flatMap((line) => Object.keys(JSON.parse(line))),
    )
    assert.sameMembers([...new Set(keys)], Object.keys(Purposes.lineFields))
  })
})

describe("forest.db", () => {
  it.scoped.each(versionsIn("forest"))("of format %i has its conversation, edits, bookmark and history", (version) =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      unpack("forest", version, file)
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const [root, ...others] = yield* forest.roots()
        assert.deepStrictEqual([root?.owner, root?.systemPrompt, others.length], ["chat", "Be kind.", 0])
        const first = (yield* forest.children(root?.id ?? assert.fail()))[0] ?? assert.fail()
        const answers = yield* forest.children(first.id)
        assert.deepStrictEqual(answers.map(textOf), ["good day"])
        const answer = answers[0] ?? assert.fail()
        assert.deepInclude(answer.source, { type: "model", model: "test/one", finish: "stop" })
        const ends = yield* forest.children(answer.id)
        assert.sameMembers(ends.map(textOf), ["two more jars", "another branch"])
        const { nodes } = yield* forest.path(ends.find((end) => textOf(end) === "two more jars")?.id ?? assert.fail())
        assert.deepStrictEqual(nodes.map(textOf), ["hello marmalade", "good day", "two more jars"])
        assert.deepStrictEqual(
          (yield* forest.bookmarks).map(({ node, title }) => [title, node]),
          [["the jam", answer.id]],
        )
        assert.deepStrictEqual((yield* forest.search({ text: "marmalade" })).map(textOf), ["hello marmalade"])
        assert.deepStrictEqual(
          (yield* forest.conversations({ limit: 9 })).map(({ title }) => title),
          ["hello marmalade"],
        )
        assert.deepStrictEqual((yield* (yield* ForestStore.ForestStore).verify).problems, [])
        // Written before and undone now: what was removed is there again.
        yield* forest.undo()
        assert.sameMembers((yield* forest.children(first.id)).map(textOf), ["good day", "an aside"])
        yield* forest.append(answer.id, [{ message: Message.user("and today"), source: { type: "user" } }])
        assert.include((yield* forest.children(answer.id)).map(textOf), "and today")
      }).pipe(Effect.provide(forestIn(file)))
      assert.strictEqual(versionOf(file), Math.max(...versionsIn("forest")))
    }),
  )

  it.scoped("of a later format is refused, and left as it is", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      const before = unpackNewer("forest", file)
      const error = yield* Effect.flip(Effect.provide(Effect.asVoid(Forest.Forest), forestIn(file)))
      assert.strictEqual(error.message, "the stored conversations were written by a newer version of vibe (format 999)")
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )
})

describe("index.db, with its purposes and their journal", () => {
  // All earlier formats are made again, in one way.
  const versions = versionsIn("index")
  it.scoped.each([...some(versions.slice(0, -1)), ...versions.slice(-1)])("of format %i loses no purpose", (version) =>
    Effect.gen(function* () {
      const { database, journal, purposes, root } = yield* project
      unpack("index", version, database)
      fs.writeFileSync(purposes, purposesOf(version))
      fs.writeFileSync(journal, journalLine)
      yield* Effect.gen(function* () {
        const index = yield* openIndex(root)
        const purposeOf = (name: string) => Effect.map(index.find(name), ([entry]) => entry?.purpose)
        assert.deepInclude(yield* purposeOf("taxOf"), {
          text: "Computes the value added tax of a price.",
          model: "test/one",
          node: "n4",
          stale: false,
          ...(version >= 9 && { lines: [1] }),
        })
        assert.deepInclude(yield* purposeOf("totalOf"), {
          text: "Sums up a cart.",
          stale: false,
          ...(version >= 9 && { weak: "it repeats the name" }),
          ...(version >= 10 && { confirmed: true }),
        })
        assert.deepInclude(yield* purposeOf("Cart"), { text: "Holds what a customer buys.", stale: true })
        assert.deepInclude(yield* purposeOf("Cart.add"), { text: "Puts an item into the cart.", node: "n5" })
        const found = yield* index.search("value added", { limit: 1 })
        assert.strictEqual(found[0]?.entry.name, "taxOf")
      }).pipe(Effect.scoped, Effect.provide(indexLayer))
      assert.sameMembers(linesIn(fs.readFileSync(purposes, "utf8")), linesIn(purposesOf(version) + journalLine))
      assert.isFalse(fs.existsSync(journal))
      assert.strictEqual(versionOf(database), Math.max(...versionsIn("index")))
    }),
  )

  it.scoped("of a later format is refused, and left as it is with its purposes and their journal", () =>
    Effect.gen(function* () {
      const { database, journal, purposes, root } = yield* project
      const before = unpackNewer("index", database)
      fs.writeFileSync(purposes, purposesOf(10))
      fs.writeFileSync(journal, journalLine)
      const error = yield* Effect.flip(Effect.scoped(Effect.provide(openIndex(root), indexLayer)))
      assert.strictEqual(error.message, `${database}: the index was written by a newer version of vibe (format 999)`)
      assert.deepStrictEqual(fs.readFileSync(database), before)
      assert.strictEqual(fs.readFileSync(purposes, "utf8"), purposesOf(10))
      assert.strictEqual(fs.readFileSync(journal, "utf8"), journalLine)
    }),
  )

  it.scoped("keeps keys and lines of purposes that a later version writes", () =>
    Effect.gen(function* () {
      const { journal, purposes, root } = yield* project
      const withKey = (linesIn(purposesOf(10))[3] ?? "").replace(/\}$/, ',"reviewed":{"by":"me"}}')
      const ofKind = '{"path":"src/tax.ts","symbol":"rates","kind":"macro","hash":"1","purpose":"A table."}'
      fs.writeFileSync(purposes, `${withKey}\n${ofKind}\n`)
      fs.writeFileSync(journal, journalLine)
      const text = yield* Effect.gen(function* () {
        const [entry] = yield* (yield* openIndex(root)).find("taxOf")
        return entry?.purpose?.text
      }).pipe(Effect.scoped, Effect.provide(indexLayer))
      assert.strictEqual(text, "Computes the value added tax of a price.")
      assert.strictEqual(fs.readFileSync(purposes, "utf8"), `${journalLine}${withKey}\n${ofKind}\n`)
    }),
  )
})

describe("forest.db.drafts", () => {
  it.scoped.each(versionsIn("drafts"))("of format %i has its texts and waiting messages", (version) =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db.drafts")
      unpack("drafts", version, file)
      const root = NodeId.make("r1")
      yield* Effect.gen(function* () {
        const drafts = yield* DraftStore.DraftStore
        assert.deepStrictEqual(
          yield* drafts.draft(root),
          Option.some({ text: "my text", known: "the text", version: 1 }),
        )
        assert.deepStrictEqual(yield* drafts.leaf(root), Option.some(NodeId.make("n7")))
        const visited = yield* drafts.visited("s1", "/project")
        assert.deepStrictEqual(visited, version < 3 ? Option.none() : Option.some(root))
        assert.deepStrictEqual(yield* drafts.waiting(root), [
          { id: "w1", text: "and then?", parent: NodeId.make("n7"), models: version === 1 ? [] : ["test/one"] },
        ])
        assert.deepStrictEqual(yield* drafts.begin("k1", 6), Option.some({ at: 5, result: "n8" }))
      }).pipe(Effect.provide(DraftSqlite.layer(file)))
    }),
  )

  it.scoped("of a later format is refused, and left as it is", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db.drafts")
      const before = unpackNewer("drafts", file)
      const error = yield* Effect.flip(Effect.provide(Effect.asVoid(DraftStore.DraftStore), DraftSqlite.layer(file)))
      assert.include(error.message, "was written by a newer version of vibe (format 999)")
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )
})

describe("index.db.vectors", () => {
  it.scoped.each(versionsIn("vectors"))("of format %i has its vectors", (version) =>
    Effect.gen(function* () {
      const { root } = yield* project
      unpack("vectors", version, VectorStore.fileIn(root))
      const sql = Disk.statements(yield* VectorStore.open(root))
      assert.deepStrictEqual(VectorStore.owner(sql), { embedder: "test/model/3/1", dimensions: 3 })
      const near = VectorStore.read(sql)?.nearest(quantize(Float32Array.from([0, 1, 0])), 1) ?? []
      assert.deepStrictEqual(
        VectorStore.symbolsAt(sql, near).map(({ hash, qualifiedName }) => [qualifiedName, hash]),
        [["totalOf", "hash of totalOf"]],
      )
    }),
  )

  it.scoped("of a later format is refused, and left as it is: its vectors have cost money", () =>
    Effect.gen(function* () {
      const { root } = yield* project
      const before = unpackNewer("vectors", VectorStore.fileIn(root))
      for (const open of [VectorStore.open, VectorStore.openToRead]) {
        const error = yield* Effect.flip(Effect.scoped(open(root)))
        assert.include(error.message, "was written by a newer version of vibe (format 999)")
      }
      assert.deepStrictEqual(fs.readFileSync(VectorStore.fileIn(root)), before)
    }),
  )
})
