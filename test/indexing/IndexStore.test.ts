import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, Logger, Random } from "effect"
import * as Sqlite from "../../src/indexing/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/indexing/IndexStore.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { theirs } from "../disk/Theirs.ts"
import { contract } from "./IndexStore.contract.ts"
import { indexed, purposeOf, record, symbols, visit, workspace } from "./IndexStore.fixture.ts"

const onDisk = Layer.provide(Sqlite.layer, symbols)
const inMemory = Layer.provide(Sqlite.layerMemory, symbols)

contract("disk", onDisk, temporaryFolder)
contract(
  "memory",
  inMemory,
  Effect.map(Random.nextInt, (n) => `/repository/${n}`),
)

const append = "export function append(node) {\n  return store.add(node)\n}\n"
const path_ = "export function path(id) {\n  return walk(id)\n}\n"
const files = { "src/Forest.ts": append, "src/Tree.ts": path_ }

const learn = (root: string) =>
  visit(root, files, (index) =>
    Effect.zipRight(record(index, "path", "Walks to the root."), record(index, "append", "Adds a node.")),
  )

const existing = Effect.fnUntraced(function* (root: string) {
  const { index } = yield* (yield* IndexStore.IndexStore).openExisting(yield* workspace(root, files))
  return index
})

/** What is kept for a root. */
const kept = (root: string) => {
  const file = (name: string) => path.join(root, ".vibe", name)
  return {
    folder: path.join(root, ".vibe"),
    database: file("index.db"),
    purposes: file("purposes.jsonl"),
    journal: file("purposes.journal.jsonl"),
  }
}

const line = (symbol: string, purpose: string, hash: string) =>
  JSON.stringify({ path: "a.ts", symbol, kind: "function", hash, purpose, model: "scripted/test", node: "n-1" })

describe("IndexStore (disk)", () => {
  it.scoped("keeps what a model wrote as sorted lines, and tells Git to leave the rest", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      const text = fs.readFileSync(kept(root).purposes, "utf8")
      assert.match(
        text,
        /^\{"path":"src\/Forest\.ts","symbol":"append","kind":"function","hash":"[0-9a-f]{16}","purpose":"Adds a node\.","model":"scripted\/test","node":"n-1"\}\n\{"path":"src\/Tree\.ts",.*\}\n$/,
      )
      assert.deepStrictEqual(fs.readdirSync(kept(root).folder), [".gitignore", "index.db", "purposes.jsonl"])
      assert.deepStrictEqual(
        fs
          .readFileSync(path.join(kept(root).folder, ".gitignore"), "utf8")
          .split("\n")
          .slice(1),
        ["index.db*", "purposes.journal.jsonl", "*.tmp", ".gitignore", ""],
      )
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("keeps what was read off a comment or derived out of the text", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* visit(root, files, (index) => record(index, "append", "Appends.", "derived"))
      assert.isFalse(fs.existsSync(kept(root).purposes))
      assert.strictEqual(yield* purposeOf(yield* existing(root), "append"), "Appends.")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("has a purpose on the disk when it says so", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const index = yield* indexed(root, files)
      yield* record(index, "append", "Adds a node.")
      assert.include(fs.readFileSync(kept(root).journal, "utf8"), "Adds a node.")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("answers from a fresh clone, where only the purposes are", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      for (const name of [".gitignore", "index.db"]) fs.rmSync(path.join(kept(root).folder, name))
      const [best] = yield* (yield* existing(root)).search("What adds a node?", 1)
      assert.strictEqual(best?.entry.name, "append")
      assert.strictEqual(best?.entry.purpose?.text, "Adds a node.")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("sees purposes that were pulled while it was open", () =>
    Effect.gen(function* () {
      const [mine, theirs] = yield* Effect.all([temporaryFolder, temporaryFolder])
      yield* learn(theirs)
      const index = yield* indexed(mine, files)
      fs.copyFileSync(kept(theirs).purposes, kept(mine).purposes)
      yield* index.refresh
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("says how much it keeps", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      const { bytesOnDisk } = yield* (yield* existing(root)).status
      assert.isAtLeast(bytesOnDisk, fs.statSync(kept(root).database).size + fs.statSync(kept(root).purposes).size)
    }).pipe(Effect.provide(onDisk)),
  )
})

describe("IndexStore (disk), when half of the files are excluded", () => {
  const source = (n: number) =>
    Array.from({ length: 60 }, (_, m) => `export function grow${n}_${m}() {\n  return ${n * 1000 + m}\n}\n`).join("")
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`src/${n}.ts`, source(n)]))
  const half = Object.fromEntries(Object.entries(many).slice(0, 50))
  const sizeOf = (root: string) => fs.statSync(kept(root).database).size

  it.scoped("shrinks the database, and answers as a new index does", () =>
    Effect.gen(function* () {
      const [root, other] = yield* Effect.all([temporaryFolder, temporaryFolder])
      const answers = (index: IndexStore.Index) =>
        Effect.map(index.search("grow 7", 5), (hits) => hits.map(({ entry }) => entry.qualifiedName))
      yield* visit(root, many, () => Effect.void)
      const before = sizeOf(root)
      const found = yield* visit(root, half, answers)
      assert.isBelow(sizeOf(root), 0.7 * before)
      assert.sameMembers(found.slice(), yield* visit(other, half, answers))
      const [best] = yield* visit(root, half, (index) => index.search("grow7_7", 1))
      assert.strictEqual(best?.entry.name, "grow7_7")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("leaves that to the next exploration where the index is only read", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* visit(root, many, () => Effect.void)
      const before = sizeOf(root)
      const store = yield* IndexStore.IndexStore
      yield* Effect.scoped(Effect.flatMap(workspace(root, half), (folder) => store.openExisting(folder)))
      assert.isAtLeast(sizeOf(root), before)
    }).pipe(Effect.provide(onDisk)),
  )
})

describe("IndexStore (disk), when the text is damaged", () => {
  it.scoped("skips what a crash has torn in the journal, and keeps the rest", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      fs.writeFileSync(kept(root).journal, `${line("send", "Sends.", "h1")}\n${line("weave", "W", "h2").slice(0, 50)}`)
      yield* Effect.scoped(existing(root))
      const text = fs.readFileSync(kept(root).purposes, "utf8")
      assert.include(text, "Sends.")
      assert.notInclude(text, "weave")
      assert.isFalse(fs.existsSync(kept(root).journal))
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("takes both sides of a merge conflict, and leaves its marks to people", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      const [ours = "", theirs = ""] = fs.readFileSync(kept(root).purposes, "utf8").split("\n")
      const conflict = ["<<<<<<< HEAD", ours, "=======", theirs, ">>>>>>> main", ""].join("\n")
      fs.writeFileSync(kept(root).purposes, conflict)
      const index = yield* indexed(root, files)
      assert.deepStrictEqual(yield* Effect.all([purposeOf(index, "append"), purposeOf(index, "path")]), [
        "Adds a node.",
        "Walks to the root.",
      ])
      assert.strictEqual(fs.readFileSync(kept(root).purposes, "utf8"), conflict)
      yield* record(index, "append", "Adds a node to the forest.")
      yield* Effect.scoped(existing(root))
      assert.deepStrictEqual(fs.readFileSync(kept(root).purposes, "utf8").split("\n"), [
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
  const listening = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void warnings.push(...[message].flat())),
  )

  it.scoped("makes it again, says so to the log, and keeps the damaged one", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      fs.writeFileSync(kept(root).database, "no database ".repeat(1000))
      const index = yield* existing(root)
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
      assert.include(fs.readFileSync(`${kept(root).database}.corrupt`, "utf8"), "no database")
      assert.deepStrictEqual(warnings, ["the index was damaged and is made again"])
    }).pipe(Effect.provide(onDisk), Effect.provide(listening)),
  )

  it.scoped("makes one where another program keeps its own, and keeps that", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      fs.rmSync(kept(root).database)
      theirs(kept(root).database)
      const before = fs.readFileSync(kept(root).database)
      const index = yield* existing(root)
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
      assert.deepStrictEqual(fs.readFileSync(`${kept(root).database}.corrupt`), before)
    }).pipe(Effect.provide(onDisk), Effect.provide(listening)),
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
      yield* learn(root)
      const database = new DatabaseSync(kept(root).database)
      database.exec(statements)
      database.close()
      const index = yield* existing(root)
      assert.lengthOf(yield* index.files, 2)
      assert.strictEqual((yield* index.search("add a node", 1))[0]?.entry.name, "append")
      assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
    }).pipe(Effect.provide(onDisk), Effect.provide(listening)),
  )

  it.scoped("takes nothing from a journal that belongs to the damaged one", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      fs.writeFileSync(kept(root).database, "no database ".repeat(1000))
      for (const end of ["-journal", "-wal", "-shm"]) fs.writeFileSync(kept(root).database + end, "x".repeat(5000))
      yield* Effect.scoped(existing(root))
      assert.isFalse(fs.existsSync(`${kept(root).database}-journal`))
    }).pipe(Effect.provide(onDisk), Effect.provide(listening)),
  )

  it.scoped(
    "makes it again whichever page of it is damaged, as soon as that shows",
    () =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        yield* learn(root)
        const sound = fs.readFileSync(kept(root).database)
        for (let page = 0; page < sound.length; page += 4096) {
          fs.writeFileSync(kept(root).database, Buffer.from(sound).fill(0xff, page, page + 4096))
          yield* Effect.scoped(
            Effect.gen(function* () {
              const index = yield* existing(root)
              assert.strictEqual((yield* index.search("add a node", 1))[0]?.entry.name, "append")
              assert.lengthOf(yield* index.files, 2)
              assert.strictEqual(yield* purposeOf(index, "append"), "Adds a node.")
              yield* record(index, "append", "Adds a node.", "derived")
            }),
          )
        }
      }).pipe(Effect.provide(onDisk)),
    240_000,
  )

  it.scoped("makes it again when it is of an earlier format", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      yield* setVersion(kept(root).database, 0)
      assert.strictEqual(yield* purposeOf(yield* existing(root), "append"), "Adds a node.")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("keeps its hands off a later format", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      yield* setVersion(kept(root).database, 1000)
      const before = fs.readFileSync(kept(root).database)
      const error = yield* Effect.flip(existing(root))
      assert.strictEqual(
        error.message,
        `${kept(root).database}: the index was written by a newer version of vibe (format 1000)`,
      )
      assert.deepStrictEqual(fs.readFileSync(kept(root).database), before)
    }).pipe(Effect.provide(onDisk)),
  )
})

describe("IndexStore (disk), where it cannot write", () => {
  it.scoped.each(["a file", "a link"])("names the folder that is %s", (obstacle) =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      if (obstacle === "a file") fs.writeFileSync(kept(root).folder, "")
      else fs.symlinkSync(yield* temporaryFolder, kept(root).folder)
      const error = yield* Effect.flip(indexed(root, files))
      assert.strictEqual(error.message, `${kept(root).folder}: the index cannot be written`)
    }).pipe(Effect.provide(onDisk)),
  )

  /** What `vibe` is asked to read here, it cannot write: not even for root, whom no permission stops. */
  const obstruct = (root: string) => {
    fs.rmSync(path.join(kept(root).folder, ".gitignore"))
    fs.mkdirSync(path.join(kept(root).folder, `.gitignore.${process.pid}.tmp`))
  }

  /** Every file, and what is in it. */
  const contents = (folder: string) =>
    fs
      .readdirSync(folder, { withFileTypes: true })
      .map((entry) => [entry.name, entry.isFile() ? fs.readFileSync(path.join(folder, entry.name), "hex") : ""])

  it.scoped("answers from what is there and what has changed since, and changes nothing", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      const [entry] = yield* visit(root, files, (index) => index.find("append"))
      const learned = line("append", "Adds, says the journal.", entry?.hash ?? "").replace("a.ts", "src/Forest.ts")
      fs.writeFileSync(kept(root).journal, `${learned}\n`)
      obstruct(root)
      const before = contents(kept(root).folder)

      yield* Effect.scoped(
        Effect.gen(function* () {
          const later = "export function send(node) {\n  return post(node)\n}\n"
          const now = yield* workspace(root, { "src/Forest.ts": append, "src/Later.ts": later })
          const { index, outdated } = yield* (yield* IndexStore.IndexStore).openExisting(now)
          assert.isUndefined(outdated)
          assert.lengthOf(yield* index.find("path"), 0)
          assert.strictEqual((yield* index.search("send", 1))[0]?.entry.name, "send")
          assert.strictEqual(yield* purposeOf(index, "append"), "Adds, says the journal.")
        }),
      )
      assert.deepStrictEqual(contents(kept(root).folder), before)
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("answers from the purposes alone", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      fs.rmSync(kept(root).database)
      obstruct(root)
      assert.strictEqual(yield* purposeOf(yield* existing(root), "append"), "Adds a node.")
      assert.isFalse(fs.existsSync(kept(root).database))
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("answers although the database is damaged", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      fs.writeFileSync(kept(root).database, "no database ".repeat(1000))
      obstruct(root)
      assert.strictEqual(yield* purposeOf(yield* existing(root), "append"), "Adds a node.")
      assert.include(fs.readFileSync(kept(root).database, "utf8"), "no database")
    }).pipe(Effect.provide(onDisk), Effect.provide(Logger.replace(Logger.defaultLogger, Logger.none))),
  )

  it.scoped.each(["-journal", "-wal", "-shm"])("waits at no pipe in the place of index.db%s", (end) =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* learn(root)
      const pipe = kept(root).database + end
      execFileSync("mkfifo", [pipe])
      for (const use of [existing(root), Effect.scoped(indexed(root, files))]) {
        const error = yield* Effect.flip(use)
        assert.strictEqual(error.message, `${pipe}: is not a regular file, so the index cannot be read`)
      }
      const lock = `${kept(root).database}.lock${end}`
      fs.renameSync(pipe, lock)
      const claim = (yield* IndexStore.IndexStore).claim(yield* workspace(root, files))
      assert.include((yield* Effect.flip(claim)).message, `${lock}: is not a regular file`)
      fs.renameSync(lock, pipe)
      obstruct(root)
      const { reason } = yield* Effect.flip(Effect.scoped(existing(root)))
      assert.deepInclude(reason, { _tag: "NotAFile" }, "where nothing can be written")
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("reads through no link", () =>
    Effect.gen(function* () {
      const [root, elsewhere] = yield* Effect.all([temporaryFolder, temporaryFolder])
      yield* learn(elsewhere)
      fs.symlinkSync(kept(elsewhere).folder, kept(root).folder)
      const error = yield* Effect.flip(existing(root))
      assert.strictEqual(error.message, `${kept(root).folder}: the index cannot be read`)
    }).pipe(Effect.provide(onDisk)),
  )

  it.scoped("does not say that a purpose is kept", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const index = yield* indexed(root, files)
      fs.mkdirSync(kept(root).journal)
      const error = yield* Effect.flip(record(index, "append", "Adds a node."))
      assert.strictEqual(error.message, `${kept(root).journal}: the index cannot be written`)
      assert.isUndefined(yield* purposeOf(index, "append"))
      fs.rmdirSync(kept(root).journal)
    }).pipe(Effect.provide(onDisk)),
  )
})

describe("IndexStore (disk), with other processes", () => {
  it.scoped(
    "has all that a process has reported before it was killed",
    () =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        const reported = yield* recorder(root, "one", 1_000_000, 20)
        yield* Effect.scoped(existing(root))
        const text = fs.readFileSync(kept(root).purposes, "utf8")
        assert.isAtLeast(reported.length, 20)
        for (const purpose of reported) assert.include(text, purpose)
      }).pipe(Effect.provide(onDisk)),
    240_000,
  )

  it.scoped(
    "loses nothing of what two of them record at once",
    () =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        const both = [recorder(root, "one", 50), recorder(root, "two", 50)]
        const reported = (yield* Effect.all(both, { concurrency: "unbounded" })).flat()
        const lines = fs.readFileSync(kept(root).purposes, "utf8").trim().split("\n")
        assert.sameMembers(
          lines.map((line) => String(JSON.parse(line).purpose)),
          reported,
        )
        assert.lengthOf(lines, 100)
      }),
    240_000,
  )
})

describe("IndexStore.search", () => {
  it.scoped("takes any text for a question", () =>
    Effect.gen(function* () {
      const index = yield* indexed("/repository", files)
      const questions = FastCheck.sample(
        FastCheck.oneof(
          FastCheck.string({ unit: "binary" }),
          FastCheck.mixedCase(
            FastCheck.constantFrom('"append', "append*", "a NEAR b", "name : append", "^append", "-a"),
          ),
        ),
        { numRuns: 500, seed: 1 },
      )
      for (const question of questions) yield* index.search(question, 3)
    }).pipe(Effect.provide(inMemory)),
  )

  it.scoped("has a symbol first when asked for its name, however common its words are", () =>
    Effect.gen(function* () {
      const names = ["read", "readFile", "read_file", "readFileRead", "the", "$"]
      const source = (name: string) => `// Reads a file.\nexport function ${name}(readFile, file) {\n  read(file)\n}\n`
      const index = yield* indexed("/repository", Object.fromEntries(names.map((name, n) => [`${n}.ts`, source(name)])))
      for (const name of names) {
        assert.strictEqual((yield* index.search(name, 1))[0]?.entry.name, name)
      }
    }).pipe(Effect.provide(inMemory)),
  )

  it.scoped("begins with the same answers however many are asked for", () =>
    Effect.gen(function* () {
      const words = FastCheck.array(FastCheck.constantFrom(..."apple banana cherry damson elder fig".split(" ")), {
        minLength: 1,
        maxLength: 9,
      }).map((words) => words.join(" "))
      const source = (body: string, n: number) => `export function fig_${n % 50}() {\n  ${body}\n}\n`
      const bodies = FastCheck.sample(words, { numRuns: 60, seed: 1 })
      const index = yield* indexed("/repository", {
        // Before all others, were it not that no file shall have all the first places.
        "src/many.ts": bodies.map((body, n) => source(`cherry fig cherry ${body}`, n)).join(""),
        ...Object.fromEntries(bodies.map((body, n) => [`src/${n}.ts`, source(body, n)])),
      })
      const named = bodies.slice(0, 20).flatMap((_, n) => [`fig_${n}`, `cherry and fig_${n}`])
      for (const question of [...FastCheck.sample(words, { numRuns: 50, seed: 2 }), ...named]) {
        const all = yield* index.search(question, 200)
        assert.isAbove(all.length, 50)
        for (const limit of [1, 5, 10]) {
          assert.deepStrictEqual(yield* index.search(question, limit), all.slice(0, limit))
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

/** Lets a process record `count` purposes, kills it when it has reported `most`, and returns what it has reported. */
const recorder = (root: string, name: string, count: number, most = Number.POSITIVE_INFINITY) =>
  Effect.async<ReadonlyArray<string>>((resume) => {
    const program = path.join(import.meta.dirname, "IndexStore.recorder.ts")
    const child = spawn(process.execPath, [program, root, name, String(count)], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    let said = ""
    child.stdout.on("data", (chunk) => {
      said += chunk
      if (said.split("\n").length > most) child.kill("SIGKILL")
    })
    child.on("close", () => resume(Effect.succeed(said.split("\n").slice(0, -1))))
  })
