import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, FastCheck, Layer, Logger, Random } from "effect"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { theirs } from "../disk/Theirs.ts"
import { cases, isThorough, some } from "../thoroughness.ts"
import { anyText } from "../utils/anyText.ts"
import { copied } from "./copied.ts"
import { contract, contractOfKeeping } from "./IndexStore.contract.ts"
import { openIndex, purposeOf, record, symbols, withIndex, workspace } from "./IndexStore.fixture.ts"

const onDisk = Layer.provide(Sqlite.layer, symbols)
const inMemory = Layer.provide(Sqlite.layerMemory, symbols)

const contractOnDisk = isThorough ? contract : contractOfKeeping
contractOnDisk("disk", onDisk, temporaryFolder)
contract(
  "memory",
  inMemory,
  Effect.map(Random.nextInt, (n) => `/repository/${n}`),
)

const append = "export function append(node) {\n  return store.add(node)\n}\n"
const path_ = "export function path(id) {\n  return walk(id)\n}\n"
const files = { "src/Forest.ts": append, "src/Tree.ts": path_ }

const recordTwo = copied((root) =>
  withIndex(root, files, (index) =>
    Effect.zipRight(record(index, "path", "Walks to the root."), record(index, "append", "Adds a node.")),
  ).pipe(Effect.provide(onDisk)),
)

const existing = Effect.fnUntraced(function* (root: string) {
  const { index } = yield* (yield* IndexStore.IndexStore).openExisting(yield* workspace(root, files))
  return index
})

/** The paths of the index of a root. */
const pathsOf = (root: string) => {
  const file = (name: string) => path.join(root, ".vibe", name)
  return {
    folder: path.join(root, ".vibe"),
    database: file("index.db"),
    purposes: file("purposes.jsonl"),
    map: file("map.md"),
    journal: file("purposes.journal.jsonl"),
  }
}

const line = (symbol: string, purpose: string, hash: string) =>
  JSON.stringify({ path: "a.ts", symbol, kind: "function", hash, purpose, model: "scripted/test", node: "n-1" })

describe("IndexStore (disk)", () => {
  it.scoped("says that an index is closed where it is used after the end of its scope", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      const index = yield* Effect.scoped(Effect.tap(existing(root), ({ search }) => search("root", { limit: 1 })))
      const message = `the index in ${pathsOf(root).folder} is closed: the scope in which it was opened has ended`
      const uses: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        index.search("root", { limit: 1 }),
        index.files,
        index.status,
        index.refresh,
        record(index, "path", "Walks up."),
      ]
      for (const use of uses) {
        const cause = yield* Effect.flip(Effect.sandbox(use))
        assert.deepStrictEqual(
          Array.from(Cause.defects(cause), (defect) => (defect instanceof Error ? defect.message : defect)),
          [message],
        )
      }
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("is opened with the files that it had, if its caller refreshes it later", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      const now = yield* workspace(root, { "src/Forest.ts": append })
      const { index, outdated } = yield* (yield* IndexStore.IndexStore).openExisting(now, { refresh: "later" })
      assert.isUndefined(outdated)
      const paths = Effect.map(index.files, (files) => files.map(({ path }) => path))
      assert.deepStrictEqual(yield* paths, ["src/Forest.ts", "src/Tree.ts"])
      yield* index.refresh
      assert.deepStrictEqual(yield* paths, ["src/Forest.ts"])
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("refreshes the paths that its caller names, and others later", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      const later = { "src/Forest.ts": append.replace("append", "prepend"), "src/Tree.ts": path_.replace("path", "up") }
      const now = yield* workspace(root, later)
      const { index } = yield* (yield* IndexStore.IndexStore).openExisting(now, { refresh: "later" })
      const names = Effect.map(
        Effect.forEach(Object.keys(files), (path) => index.symbolsIn(path)),
        (symbols) => symbols.flat().map(({ name }) => name),
      )
      assert.deepInclude(yield* index.refreshPaths(["src/Tree.ts"]), { parsed: 1, files: 2 })
      assert.deepStrictEqual(yield* names, ["append", "up"])
      yield* index.refresh
      assert.deepStrictEqual(yield* names, ["prepend", "up"])
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("writes purposes of a model as sorted lines, and has Git ignore the other files", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      const text = fs.readFileSync(pathsOf(root).purposes, "utf8")
      assert.match(
        text,
        /^\{"path":"src\/Forest\.ts","symbol":"append","kind":"function","hash":"[0-9a-f]{16}","tokens":"[0-9a-f]{16}","purpose":"Adds a node\.","model":"scripted\/test","node":"n-1"\}\n\{"path":"src\/Tree\.ts",.*\}\n$/,
      )
      assert.deepStrictEqual(fs.readdirSync(pathsOf(root).folder), [".gitignore", "index.db", "purposes.jsonl"])
      assert.deepStrictEqual(
        fs
          .readFileSync(path.join(pathsOf(root).folder, ".gitignore"), "utf8")
          .split("\n")
          .slice(1),
        ["index.db*", "purposes.journal.jsonl", "*.tmp", ".gitignore", ""],
      )
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("writes the map as text beside the purposes, again where the folder was removed meanwhile", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* withIndex(root, files, (index) =>
        Effect.gen(function* () {
          yield* index.recordMap("A forest of trees.")
          assert.strictEqual(fs.readFileSync(pathsOf(root).map, "utf8"), "A forest of trees.\n")
          fs.rmSync(pathsOf(root).folder, { recursive: true })
          yield* index.ensureRecorded
        }),
      )
      assert.strictEqual(fs.readFileSync(pathsOf(root).map, "utf8"), "A forest of trees.\n")
      assert.strictEqual(yield* withIndex(root, files, (index) => index.map), "A forest of trees.")
    }).pipe(Effect.provide(onDisk), Effect.provide(Logger.replace(Logger.defaultLogger, Logger.none))),
  )

  it.scoped("uses no map that is a link or far too large", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const index = yield* openIndex(root, files)
      fs.writeFileSync(path.join(root, "secret"), "A secret.")
      fs.symlinkSync(path.join(root, "secret"), pathsOf(root).map)
      assert.isUndefined(yield* index.map)
      fs.rmSync(pathsOf(root).map)
      fs.writeFileSync(pathsOf(root).map, "x".repeat(100_000))
      assert.isUndefined(yield* index.map)
      assert.strictEqual((yield* index.search("append", { limit: 1 }))[0]?.entry.name, "append")
    }).pipe(Effect.provide(onDisk), Effect.provide(Logger.replace(Logger.defaultLogger, Logger.none))),
  )

  it.scoped(
    "does not write purposes from comments to purposes.jsonl, and shows them beside it without a database",
    () =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        const documented = {
          ...files,
          "src/Root.ts": "// Where all paths end.\nfunction top(path) {\n  return path[0]\n}\n",
        }
        yield* withIndex(root, documented, () => Effect.void)
        assert.isFalse(fs.existsSync(pathsOf(root).purposes))
        yield* withIndex(root, documented, (index) => record(index, "append", "Adds a node."))
        const shown = withIndex(root, documented, (index) =>
          Effect.all([purposeOf(index, "append"), purposeOf(index, "top")]),
        )
        fs.rmSync(pathsOf(root).database)
        assert.deepStrictEqual(yield* shown, ["Adds a node.", "Where all paths end."])
        fs.writeFileSync(pathsOf(root).database, "no database ".repeat(1000))
        assert.deepStrictEqual(yield* shown, ["Adds a node.", "Where all paths end."])
        fs.rmSync(pathsOf(root).purposes)
        assert.deepStrictEqual(yield* shown, [undefined, "Where all paths end."])
      }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("has a purpose on disk when record returns", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const index = yield* openIndex(root, files)
      yield* record(index, "append", "Adds a node.")
      assert.include(fs.readFileSync(pathsOf(root).journal, "utf8"), "Adds a node.")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("answers from a fresh clone, which has purposes.jsonl only", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      for (const name of [".gitignore", "index.db"]) fs.rmSync(path.join(pathsOf(root).folder, name))
      const [best] = yield* (yield* existing(root)).search("What adds a node?", { limit: 1 })
      assert.strictEqual(best?.entry.name, "append")
      assert.strictEqual(best?.entry.purpose?.text, "Adds a node.")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("reads purposes that were pulled while it was open", () =>
    Effect.gen(function* () {
      const [mine, theirs] = yield* Effect.all([temporaryFolder, temporaryFolder])
      yield* recordTwo(theirs)
      const index = yield* openIndex(mine, files)
      fs.copyFileSync(pathsOf(theirs).purposes, pathsOf(mine).purposes)
      yield* index.refresh
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("reports the size of its files", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      const { bytesOnDisk } = yield* (yield* existing(root)).status
      assert.isAtLeast(bytesOnDisk, fs.statSync(pathsOf(root).database).size + fs.statSync(pathsOf(root).purposes).size)
    }).pipe(Effect.provide(onDisk)),
  )
})

describe("IndexStore (disk), when half of the files are excluded", () => {
  /** Few long signatures take as much room as many short ones, and less time. */
  const long = "leaf".repeat(900)
  const source = (n: number) =>
    Array.from({ length: 10 }, (_, m) => `export function grow${n}_${m}(${long}) {\n  return ${n}\n}\n`).join("")
  const FILES = isThorough ? 100 : 24
  const many = Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`src/${n}.ts`, source(n)]))
  const half = Object.fromEntries(Object.entries(many).slice(0, FILES / 2))
  const sizeOf = (root: string) => fs.statSync(pathsOf(root).database).size
  const indexMany = copied((root) =>
    Effect.provide(
      withIndex(root, many, () => Effect.void),
      onDisk,
    ),
  )

  it.scoped("shrinks the database, and answers as a new index does", () =>
    Effect.gen(function* () {
      const [root, other] = yield* Effect.all([temporaryFolder, temporaryFolder])
      const answers = (index: IndexStore.Index) =>
        Effect.map(index.search("grow 7", { limit: 5 }), (hits) => hits.map(({ entry }) => entry.qualifiedName))
      yield* indexMany(root)
      const before = sizeOf(root)
      const found = yield* withIndex(root, half, answers)
      assert.isBelow(sizeOf(root), 0.7 * before)
      assert.sameMembers(found.slice(), yield* withIndex(other, half, answers))
      const [best] = yield* withIndex(root, half, (index) => index.search("grow7_7", { limit: 1 }))
      assert.strictEqual(best?.entry.name, "grow7_7")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("leaves the database as large when the index is only read", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* indexMany(root)
      const before = sizeOf(root)
      const store = yield* IndexStore.IndexStore
      yield* Effect.scoped(Effect.flatMap(workspace(root, half), (folder) => store.openExisting(folder)))
      assert.isAtLeast(sizeOf(root), before)
    }).pipe(Effect.provide(onDisk)),
  )
})

describe("IndexStore (disk), when the text is damaged", () => {
  it.scoped("skips a line of the journal that a crash has torn, and keeps the others", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      fs.writeFileSync(
        pathsOf(root).journal,
        `${line("send", "Sends.", "h1")}\n${line("weave", "W", "h2").slice(0, 50)}`,
      )
      yield* Effect.scoped(existing(root))
      const text = fs.readFileSync(pathsOf(root).purposes, "utf8")
      assert.include(text, "Sends.")
      assert.notInclude(text, "weave")
      assert.isFalse(fs.existsSync(pathsOf(root).journal))
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("reads both sides of a merge conflict, and keeps its markers", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      const [ours = "", theirs = ""] = fs.readFileSync(pathsOf(root).purposes, "utf8").split("\n")
      const conflict = ["<<<<<<< HEAD", ours, "=======", theirs, ">>>>>>> main", ""].join("\n")
      fs.writeFileSync(pathsOf(root).purposes, conflict)
      const index = yield* openIndex(root, files)
      assert.deepStrictEqual(yield* Effect.all([purposeOf(index, "append"), purposeOf(index, "path")]), [
        "Adds a node.",
        "Walks to the root.",
      ])
      assert.strictEqual(fs.readFileSync(pathsOf(root).purposes, "utf8"), conflict)
      yield* record(index, "append", "Adds a node to the forest.")
      yield* Effect.scoped(existing(root))
      assert.deepStrictEqual(fs.readFileSync(pathsOf(root).purposes, "utf8").split("\n"), [
        ours.replace("Adds a node.", "Adds a node to the forest."),
        theirs,
        "<<<<<<< HEAD",
        "=======",
        ">>>>>>> main",
        "",
      ])
    }).pipe(Effect.provide(onDisk)),
  )
})

describe("IndexStore (disk), when the database is damaged", () => {
  const warnings: Array<unknown> = []
  const recordingWarnings = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void warnings.push(...[message].flat())),
  )

  it.scoped("makes it again with a warning, and keeps the damaged file", () =>
    Effect.gen(function* () {
      warnings.length = 0
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      fs.writeFileSync(pathsOf(root).database, "no database ".repeat(1000))
      const index = yield* existing(root)
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
      assert.include(fs.readFileSync(`${pathsOf(root).database}.corrupt`, "utf8"), "no database")
      assert.deepStrictEqual(warnings, ["the index was damaged and is made again"])
    }).pipe(Effect.provide(onDisk), Effect.provide(recordingWarnings)),
  )

  it.scoped("makes it again if rows are missing that others count on", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const many = Object.fromEntries([1, 2, 3, 4].map((n) => [`src/f${n}.ts`, append.replace("append", `append${n}`)]))
      /** Deletes rows, as a program that knows nothing of foreign keys, and skips tables without row ids. */
      const remove = (names: ReadonlyArray<string>, rows: string) => {
        const database = new DatabaseSync(pathsOf(root).database, { enableForeignKeyConstraints: false })
        for (const { name, sql } of database
          .prepare("select name, sql from sqlite_master where type = 'table'")
          .all()) {
          if (!names.includes(String(name)) || String(sql).toLowerCase().includes("without rowid")) continue
          database.exec(`delete from "${name}" where ${rows}`)
        }
        database.close()
      }
      const tables = [["file", "symbol"], ["file"], ["symbol"], ["file", "symbol", "term", "document_block"]]
      const conditions = ["1", "rowid % 2 = 0", "rowid % 2 = 1", "rowid > 2", "rowid > 3"]
      const indexMany = copied((root) =>
        Effect.provide(
          withIndex(root, many, () => Effect.void),
          onDisk,
        ),
      )
      const all = tables.flatMap((names) => conditions.map((rows) => [names, rows] as const))
      // Every third has each of the tables, and each of the conditions.
      for (const [names, rows] of some(all, 0, 3)) {
        fs.rmSync(pathsOf(root).folder, { recursive: true, force: true })
        yield* indexMany(root)
        remove(names, rows)
        yield* withIndex(root, { ...many, "src/new.ts": path_ }, (index) =>
          Effect.map(index.find("path"), (found) => assert.lengthOf(found, 1, `${names} where ${rows}`)),
        )
      }
    }).pipe(Effect.provide(onDisk), Effect.provide(recordingWarnings)),
  )

  it.scoped("makes one in place of the database of another program, and keeps that file", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      fs.rmSync(pathsOf(root).database)
      theirs(pathsOf(root).database)
      const before = fs.readFileSync(pathsOf(root).database)
      const index = yield* existing(root)
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
      assert.deepStrictEqual(fs.readFileSync(`${pathsOf(root).database}.corrupt`), before)
    }).pipe(Effect.provide(onDisk), Effect.provide(recordingWarnings)),
  )

  it.scoped.each([
    "alter table symbol rename to s; create view symbol as with recursive c (x) as (select 1 union all select x + 1 from c) select s.* from s, c",
    "alter table file rename to f; create view file as select * from f",
    "create view other as select 1",
    "create trigger more after insert on symbol begin delete from file; end",
    "create table other (a references file (id) on delete cascade)",
    "drop index symbol_place",
    "drop table symbol",
    "drop table metadata; create virtual table metadata using fts5 (key, value)",
    "pragma user_version = 4; drop table symbol; create view symbol as select 1",
    "pragma user_version = 4; create table other (a integer primary key autoincrement)",
  ])("makes it again where another program has changed its tables: %s", (statements) =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      const database = new DatabaseSync(pathsOf(root).database)
      database.exec(statements)
      database.close()
      const index = yield* existing(root)
      assert.lengthOf(yield* index.files, 2)
      assert.strictEqual((yield* index.search("add a node", { limit: 1 }))[0]?.entry.name, "append")
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
    }).pipe(Effect.provide(onDisk), Effect.provide(recordingWarnings)),
  )

  it.scoped("does not apply the rollback journal of the damaged database to the new one", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      fs.writeFileSync(pathsOf(root).database, "no database ".repeat(1000))
      for (const end of ["-journal", "-wal", "-shm"]) fs.writeFileSync(pathsOf(root).database + end, "x".repeat(5000))
      yield* Effect.scoped(existing(root))
      assert.isFalse(fs.existsSync(`${pathsOf(root).database}-journal`))
    }).pipe(Effect.provide(onDisk), Effect.provide(recordingWarnings)),
  )

  it.scoped(
    "makes it again whichever page is damaged, when the damage is read",
    () =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        yield* recordTwo(root)
        const sound = fs.readFileSync(pathsOf(root).database)
        const pages = Array.from({ length: sound.length / 4096 }, (_, n) => n * 4096)
        for (const page of some(pages)) {
          fs.writeFileSync(pathsOf(root).database, Buffer.from(sound).fill(0xff, page, page + 4096))
          yield* Effect.scoped(
            Effect.gen(function* () {
              const index = yield* existing(root)
              assert.strictEqual((yield* index.search("add a node", { limit: 1 }))[0]?.entry.name, "append")
              assert.lengthOf(yield* index.files, 2)
              assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
              yield* record(index, "append", "Adds a node.")
            }),
          )
        }
      }).pipe(Effect.provide(onDisk)),
    240_000,
  )

  it.scoped("makes it again when it has an earlier format", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      yield* setVersion(pathsOf(root).database, 0)
      assert.strictEqual(yield* purposeOf(yield* existing(root), "append"), "Adds a node.")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("refuses a later format and leaves the file unchanged", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      yield* setVersion(pathsOf(root).database, 1000)
      const before = fs.readFileSync(pathsOf(root).database)
      const error = yield* Effect.flip(existing(root))
      assert.strictEqual(
        error.message,
        `${pathsOf(root).database}: the index was written by a newer version of vibe (format 1000)`,
      )
      assert.deepStrictEqual(fs.readFileSync(pathsOf(root).database), before)
    }).pipe(Effect.provide(onDisk)),
  )
})

describe("IndexStore (disk), where it cannot write", () => {
  it.scoped.each(["a file", "a link"])("fails with the path of a folder that is %s", (obstacle) =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      if (obstacle === "a file") fs.writeFileSync(pathsOf(root).folder, "")
      else fs.symlinkSync(yield* temporaryFolder, pathsOf(root).folder)
      const error = yield* Effect.flip(openIndex(root, files))
      assert.strictEqual(error.message, `${pathsOf(root).folder}: is not a folder, so there can be no index in it`)
    }).pipe(Effect.provide(onDisk)),
  )

  /** Makes the folder unwritable, also for root, whom permissions do not stop. */
  const obstruct = (root: string) => {
    fs.rmSync(path.join(pathsOf(root).folder, ".gitignore"))
    fs.mkdirSync(path.join(pathsOf(root).folder, `.gitignore.${process.pid}.tmp`))
  }

  /** Every file with its content. */
  const contents = (folder: string) =>
    fs
      .readdirSync(folder, { withFileTypes: true })
      .map((entry) => [entry.name, entry.isFile() ? fs.readFileSync(path.join(folder, entry.name), "hex") : ""])

  it.scoped("answers from the index and later changes of the files, and writes nothing", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      const [entry] = yield* withIndex(root, files, (index) => index.find("append"))
      const learned = line("append", "Adds, says the journal.", entry?.hash ?? "").replace("a.ts", "src/Forest.ts")
      fs.writeFileSync(pathsOf(root).journal, `${learned}\n`)
      obstruct(root)
      const before = contents(pathsOf(root).folder)

      yield* Effect.scoped(
        Effect.gen(function* () {
          const later = "export function send(node) {\n  return post(node)\n}\n"
          const now = yield* workspace(root, { "src/Forest.ts": append, "src/Later.ts": later })
          const { index, outdated } = yield* (yield* IndexStore.IndexStore).openExisting(now)
          assert.isUndefined(outdated)
          assert.lengthOf(yield* index.find("path"), 0)
          assert.strictEqual((yield* index.search("send", { limit: 1 }))[0]?.entry.name, "send")
          assert.strictEqual(yield* purposeOf(index, "append"), "Adds, says the journal.")
        }),
      )
      assert.deepStrictEqual(contents(pathsOf(root).folder), before)
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("answers from purposes.jsonl alone", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      fs.rmSync(pathsOf(root).database)
      obstruct(root)
      assert.strictEqual(yield* purposeOf(yield* existing(root), "append"), "Adds a node.")
      assert.isFalse(fs.existsSync(pathsOf(root).database))
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("answers although the database is damaged", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* recordTwo(root)
      fs.writeFileSync(pathsOf(root).database, "no database ".repeat(1000))
      obstruct(root)
      assert.strictEqual(yield* purposeOf(yield* existing(root), "append"), "Adds a node.")
      assert.include(fs.readFileSync(pathsOf(root).database, "utf8"), "no database")
    }).pipe(Effect.provide(onDisk), Effect.provide(Logger.replace(Logger.defaultLogger, Logger.none))),
  )

  it.scoped("does not wait for a pipe in place of a file beside index.db", () =>
    Effect.gen(function* () {
      // One pipe for all: to start a program takes longer than the rest.
      const made = path.join(yield* temporaryFolder, "pipe")
      execFileSync("mkfifo", [made])
      for (const end of ["-journal", "-wal", "-shm"]) {
        const root = yield* temporaryFolder
        yield* recordTwo(root)
        const pipe = pathsOf(root).database + end
        fs.renameSync(made, pipe)
        for (const use of [existing(root), Effect.scoped(openIndex(root, files))]) {
          const error = yield* Effect.flip(use)
          assert.strictEqual(error.message, `${pipe}: is not a regular file, so the index cannot be read`)
        }
        const lock = `${pathsOf(root).database}.lock${end}`
        fs.renameSync(pipe, lock)
        const claim = (yield* IndexStore.IndexStore).claim(yield* workspace(root, files))
        assert.include((yield* Effect.flip(claim)).message, `${lock}: is not a regular file`)
        fs.renameSync(lock, pipe)
        obstruct(root)
        const { reason } = yield* Effect.flip(Effect.scoped(existing(root)))
        assert.deepInclude(reason, { _tag: "NotAFile" }, `${end} where nothing can be written`)
        fs.renameSync(pipe, made)
      }
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("does not follow a link", () =>
    Effect.gen(function* () {
      const [root, elsewhere] = yield* Effect.all([temporaryFolder, temporaryFolder])
      yield* recordTwo(elsewhere)
      fs.symlinkSync(pathsOf(elsewhere).folder, pathsOf(root).folder)
      const error = yield* Effect.flip(existing(root))
      assert.strictEqual(error.message, `${pathsOf(root).folder}: is not a folder, so there can be no index in it`)
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("fails to record a purpose", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const index = yield* openIndex(root, files)
      fs.mkdirSync(pathsOf(root).journal)
      const error = yield* Effect.flip(record(index, "append", "Adds a node."))
      assert.strictEqual(error.message, `${pathsOf(root).journal}: the index cannot be written`)
      assert.isUndefined(yield* purposeOf(index, "append"))
      fs.rmdirSync(pathsOf(root).journal)
    }).pipe(Effect.provide(onDisk)),
  )
})

describe("IndexStore (disk), with other processes", () => {
  it.scoped(
    "has all purposes that a process had recorded before it was killed",
    () =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        const reported = yield* recorder(root, "one", 1_000_000, 10)
        yield* Effect.scoped(existing(root))
        const text = fs.readFileSync(pathsOf(root).purposes, "utf8")
        assert.isAtLeast(reported.length, 10)
        for (const purpose of reported) assert.include(text, purpose)
      }).pipe(Effect.provide(onDisk)),
    240_000,
  )

  it.scoped(
    "has all purposes that two processes record at the same time",
    () =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        const times = isThorough ? 50 : 20
        const both = [recorder(root, "one", times), recorder(root, "two", times)]
        const reported = (yield* Effect.all(both, { concurrency: "unbounded" })).flat()
        const lines = fs.readFileSync(pathsOf(root).purposes, "utf8").trim().split("\n")
        assert.sameMembers(
          lines.map((line) => String(JSON.parse(line).purpose)),
          reported,
        )
        assert.lengthOf(lines, 2 * times)
      }),
    240_000,
  )
})

describe("IndexStore.search", () => {
  it.scoped("accepts any text as a question", () =>
    Effect.gen(function* () {
      const index = yield* openIndex("/repository", files)
      const questions = FastCheck.sample(
        FastCheck.oneof(
          anyText(),
          FastCheck.mixedCase(
            FastCheck.constantFrom('"append', "append*", "a NEAR b", "name : append", "^append", "-a"),
          ),
        ),
        { numRuns: cases(500), seed: 1 },
      )
      for (const question of questions) yield* index.search(question, { limit: 3 })
    }).pipe(Effect.provide(inMemory)),
  )

  it.scoped("puts a symbol first if its name is the question, however common its words are", () =>
    Effect.gen(function* () {
      const names = ["read", "readFile", "read_file", "readFileRead", "the", "$"]
      const source = (name: string) => `// Reads a file.\nexport function ${name}(readFile, file) {\n  read(file)\n}\n`
      const index = yield* openIndex(
        "/repository",
        Object.fromEntries(names.map((name, n) => [`${n}.ts`, source(name)])),
      )
      for (const name of names) {
        assert.strictEqual((yield* index.search(name, { limit: 1 }))[0]?.entry.name, name)
      }
    }).pipe(Effect.provide(inMemory)),
  )

  it.scoped("returns the same first answers whatever the limit", () =>
    Effect.gen(function* () {
      const words = FastCheck.array(FastCheck.constantFrom(..."apple banana cherry damson elder fig".split(" ")), {
        minLength: 1,
        maxLength: 9,
      }).map((words) => words.join(" "))
      const source = (body: string, n: number) => `export function fig_${n % 50}() {\n  ${body}\n}\n`
      const bodies = FastCheck.sample(words, { numRuns: 40, seed: 1 })
      const index = yield* openIndex("/repository", {
        // These symbols would be before all others, but for the decay within a file.
        "src/many.ts": bodies.map((body, n) => source(`cherry fig cherry ${body}`, n)).join(""),
        ...Object.fromEntries(bodies.map((body, n) => [`src/${n}.ts`, source(body, n)])),
      })
      const named = bodies.slice(0, cases(20)).flatMap((_, n) => [`fig_${n}`, `cherry and fig_${n}`])
      for (const question of [...FastCheck.sample(words, { numRuns: cases(50), seed: 2 }), ...named]) {
        const all = yield* index.search(question, { limit: 200 })
        assert.isAbove(all.length, 50)
        for (const limit of [1, 5, 10]) {
          assert.deepStrictEqual(yield* index.search(question, { limit }), all.slice(0, limit))
        }
      }
    }).pipe(Effect.provide(inMemory)),
  )
})

const setVersion = (database: string, version: number) =>
  Effect.sync(() => {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
    const opened = new DatabaseSync(database)
    opened.exec(`pragma user_version = ${version}`)
    opened.close()
  })

/** Starts a process that records `count` purposes, kills it after `max`, and returns those that it has reported. */
const recorder = (root: string, name: string, count: number, max = Number.POSITIVE_INFINITY) =>
  Effect.async<ReadonlyArray<string>>((resume) => {
    const program = path.join(import.meta.dirname, "IndexStore.recorder.ts")
    const child = spawn(process.execPath, [program, root, name, String(count)], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    let output = ""
    child.stdout.on("data", (chunk) => {
      output += chunk
      if (output.split("\n").length > max) child.kill("SIGKILL")
    })
    child.on("close", () => resume(Effect.succeed(output.split("\n").slice(0, -1))))
  })
