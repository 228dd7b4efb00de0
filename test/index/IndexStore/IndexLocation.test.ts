/** The files of an index, and what they are in a folder that cannot be written, and in memory. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import * as Sqlite from "../../../src/disk/Sqlite.ts"
import * as IndexLocation from "../../../src/index/IndexStore/internal/IndexLocation.ts"
import * as Metadata from "../../../src/index/IndexStore/internal/Metadata.ts"
import { fsyncSpy } from "../../disk/fsyncSpy.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"

/** A location with a function that has the path of a file of its folder, which exists. */
const located = (make = IndexLocation.onDisk) =>
  Effect.map(temporaryFolder, (root) => {
    const folder = path.join(root, ".vibe")
    fs.mkdirSync(folder)
    const at = (name: string) => path.join(folder, name)
    const write = (name: string, text: string) => {
      fs.mkdirSync(path.dirname(at(name)), { recursive: true })
      fs.writeFileSync(at(name), text)
    }
    return { root, at, write, location: make(root) }
  })

const tagOf = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error instanceof Object && "reason" in error ? (error.reason as { readonly _tag: string })._tag : error
  }
  return undefined
}

/** The reason for which an effect failed. */
const reasonOf = <A, R>(effect: Effect.Effect<A, { readonly reason: { readonly _tag: string } }, R>) =>
  Effect.match(effect, { onFailure: ({ reason }) => reason._tag, onSuccess: () => undefined })

const opening = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.scoped(effect)

describe("an index on disk", () => {
  it.scoped("exists as soon as one of its files does", () =>
    Effect.gen(function* () {
      for (const name of ["index.db", "purposes.jsonl", "purposes/src.jsonl", "purposes.journal.jsonl"]) {
        const { location, write } = yield* located()
        assert.isFalse(yield* location.exists)
        write("map.md", "A house.")
        assert.isFalse(yield* location.exists)
        write(name, "")
        assert.isTrue(yield* location.exists, name)
      }
    }),
  )

  it.scoped("reads the single file of purposes first, also if there is none, then the shards", () =>
    Effect.gen(function* () {
      const { at, location, write } = yield* located()
      assert.deepStrictEqual(location.purposes.read(), [{ name: "purposes.jsonl", text: "" }])
      location.purposes.replace({ name: "purposes/src@a.jsonl", text: "deep" })
      location.purposes.replace({ name: "purposes/test.jsonl", text: "test" })
      location.purposes.replace({ name: "purposes.jsonl", text: "single" })
      for (const other of ["purposes/notes.txt", "purposes/.src.jsonl"]) write(other, "no")
      assert.deepStrictEqual(location.purposes.read(), [
        { name: "purposes.jsonl", text: "single" },
        { name: "purposes/test.jsonl", text: "test" },
        { name: "purposes/src@a.jsonl", text: "deep" },
      ])
      assert.strictEqual(fs.readFileSync(at("purposes/test.jsonl"), "utf8"), "test")
    }),
  )

  it.scoped("refuses a link or a file in place of the folder of shards", () =>
    Effect.gen(function* () {
      const { at, location } = yield* located()
      const elsewhere = yield* temporaryFolder
      fs.symlinkSync(elsewhere, at("purposes"))
      const replace = () => location.purposes.replace({ name: "purposes/src.jsonl", text: "" })
      assert.deepStrictEqual([tagOf(location.purposes.read), tagOf(replace)], ["NotAFolder", "NotAFolder"])
      assert.deepStrictEqual(fs.readdirSync(elsewhere), [])
    }),
  )

  it.scoped("has a stamp of its purposes two seconds after their last change, which another change changes", () =>
    Effect.gen(function* () {
      const { at, location, write } = yield* located()
      const none = location.purposes.stamp(0)
      assert.include(none, at("purposes.jsonl"))
      write("purposes.jsonl", "one")
      write("purposes/src.jsonl", "two")
      const latest = Math.max(...["purposes.jsonl", "purposes/src.jsonl"].map((name) => fs.statSync(at(name)).ctimeMs))
      assert.isUndefined(location.purposes.stamp(latest + 1_999))
      const stamp = location.purposes.stamp(latest + 2_000)
      assert.isString(stamp)
      assert.notStrictEqual(stamp, none)
      assert.strictEqual(location.purposes.stamp(latest + 9_000), stamp)
      write("purposes/src.jsonl", "three")
      assert.notStrictEqual(location.purposes.stamp(latest + 9e9), stamp)
    }),
  )

  it.scoped("reads a map of 64,000 bytes, and refuses a larger one", () =>
    Effect.gen(function* () {
      const { location, write } = yield* located()
      for (const [name, file] of [
        ["map.md", location.map],
        ["index.db.progress", location.progress],
      ] as const) {
        assert.strictEqual(file.read(), "")
        write(name, "x".repeat(64_000))
        assert.lengthOf(file.read(), 64_000)
        write(name, "x".repeat(64_001))
        assert.strictEqual(tagOf(file.read), "Unreadable")
        file.replace("short")
        assert.strictEqual(file.read(), "short")
      }
    }),
  )

  it.scoped("is held by one run, whose progress is removed before and after it", () =>
    Effect.gen(function* () {
      const { location, write } = yield* located()
      write("index.db.progress", "of a run that was killed")
      yield* location.assertUnlocked
      const scope = yield* Scope.make()
      yield* Scope.extend(location.claim, scope)
      assert.strictEqual(location.progress.read(), "")
      assert.strictEqual(yield* reasonOf(location.assertUnlocked), "Busy")
      assert.strictEqual(yield* reasonOf(opening(location.claim)), "Busy")
      location.progress.replace("half")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(location.progress.read(), "")
      yield* location.assertUnlocked
    }),
  )

  it.scoped("waits for the disk with every text but the progress, which is replaced each second", () =>
    Effect.gen(function* () {
      const { location } = yield* located()
      const fsync = yield* fsyncSpy
      location.progress.replace("half")
      assert.strictEqual(fsync.mock.calls.length, 0)
      const writes: ReadonlyArray<() => void> = [
        () => location.map.replace("A house."),
        () => location.purposes.replace({ name: "purposes.jsonl", text: "one" }),
        () => location.journal.append("one\n"),
      ]
      for (const write of writes) {
        fsync.mockClear()
        write()
        assert.isAtLeast(fsync.mock.calls.length, 1)
      }
    }),
  )

  it.scoped("appends to its journal, and clears it", () =>
    Effect.gen(function* () {
      const { location } = yield* located()
      for (const line of ["one\n", "two\n"]) location.journal.append(line)
      assert.strictEqual(location.journal.read(), "one\ntwo\n")
      location.journal.clear()
      assert.strictEqual(location.journal.read(), "")
    }),
  )

  it.scoped("counts the bytes of all its files", () =>
    Effect.gen(function* () {
      const { at, location, write } = yield* located()
      write("map.md", "12345")
      const before = yield* location.bytes
      write("purposes/src.jsonl", "123")
      assert.isAtLeast(before, 5)
      assert.isAtLeast(yield* location.bytes, before + 3)
      fs.rmSync(at("."), { recursive: true })
      assert.strictEqual(yield* location.bytes, 0)
    }),
  )

  it.scoped("writes a list of what git ignores once, and makes no root again", () =>
    Effect.gen(function* () {
      const { at, location, root } = yield* located()
      assert.isTrue(location.hasRoot())
      yield* opening(location.database)
      assert.match(fs.readFileSync(at(".gitignore"), "utf8"), /^index\.db\*\npurposes\.journal\.jsonl$/m)
      fs.writeFileSync(at(".gitignore"), "mine")
      yield* opening(location.database)
      assert.strictEqual(fs.readFileSync(at(".gitignore"), "utf8"), "mine")
      fs.rmSync(root, { recursive: true })
      assert.isFalse(location.hasRoot())
      assert.isString(yield* reasonOf(opening(location.database)))
      assert.isFalse(fs.existsSync(root))
    }),
  )

  it.scoped("refuses a link in place of its database, and a file in place of its folder", () =>
    Effect.gen(function* () {
      for (const make of [IndexLocation.onDisk, IndexLocation.readOnly]) {
        const { at, location, root } = yield* located(make)
        fs.symlinkSync(path.join(root, "elsewhere"), at("index.db"))
        assert.strictEqual(yield* reasonOf(opening(location.database)), "NotAFile")
        fs.rmSync(at("."), { recursive: true })
        fs.writeFileSync(path.join(root, ".vibe"), "")
        assert.strictEqual(yield* reasonOf(opening(location.database)), "NotAFolder")
      }
    }),
  )

  it.scoped("moves the database that it has opened aside, with nothing left beside it, and no other one", () =>
    Effect.gen(function* () {
      const { at, location, write } = yield* located()
      assert.isFalse(location.isSameFile())
      yield* opening(location.database)
      assert.isTrue(location.isSameFile())
      for (const side of ["-journal", "-wal", "-shm"]) write(`index.db${side}`, "")
      yield* location.quarantine
      assert.deepStrictEqual(
        fs.readdirSync(at(".")).filter((name) => name.startsWith("index.db") && !name.endsWith(".lock")),
        ["index.db.corrupt"],
      )
      assert.isFalse(location.isSameFile())
      yield* opening(location.database)
      fs.renameSync(at("index.db"), at("kept"))
      write("index.db", "of another process")
      assert.isFalse(location.isSameFile())
      yield* location.quarantine
      assert.strictEqual(fs.readFileSync(at("index.db"), "utf8"), "of another process")
    }),
  )
})

describe("an index in a folder that cannot be written", () => {
  it.scoped("reads what is there, and writes nothing", () =>
    Effect.gen(function* () {
      const { location, root, write } = yield* located()
      yield* opening(
        Effect.map(location.database, (database) => Metadata.set(Sqlite.statements(database), "structure", "complete")),
      )
      for (const name of ["purposes.jsonl", "map.md", "index.db.progress", "purposes.journal.jsonl"]) write(name, name)
      const readOnly = IndexLocation.readOnly(root)
      readOnly.purposes.replace({ name: "purposes.jsonl", text: "" })
      readOnly.map.replace("")
      readOnly.progress.replace("")
      readOnly.journal.clear()
      assert.deepStrictEqual(
        [readOnly.purposes.read()[0]?.text, readOnly.map.read(), readOnly.progress.read(), readOnly.journal.read()],
        ["purposes.jsonl", "map.md", "index.db.progress", "purposes.journal.jsonl"],
      )
      assert.isTrue(readOnly.isSameFile())
      assert.isUndefined(readOnly.reader)
      const structure = Effect.map(readOnly.database, (database) =>
        Metadata.get(Sqlite.statements(database), "structure"),
      )
      assert.strictEqual(yield* opening(structure), "complete")
      yield* readOnly.quarantine
      assert.isUndefined(yield* opening(structure))
    }),
  )

  it.scoped("begins with an empty database if there is none", () =>
    Effect.gen(function* () {
      const { at, location } = yield* located(IndexLocation.readOnly)
      yield* opening(location.database)
      assert.deepStrictEqual(fs.readdirSync(at(".")), [])
    }),
  )
})

describe("an index in memory", () => {
  it.scoped("is one for each root, as long as the scope is open", () =>
    Effect.gen(function* () {
      const locationOf = yield* IndexLocation.inMemory
      const location = locationOf("/repo")
      assert.strictEqual(locationOf("/repo"), location)
      assert.notStrictEqual(locationOf("/other"), location)
      assert.isTrue(location.hasRoot())
      assert.isFalse(yield* location.exists)
      const database = yield* opening(location.database)
      assert.isTrue(yield* location.exists)
      assert.strictEqual(yield* opening(location.database), database)
      database.exec("create table mine (a)")
      assert.isTrue(location.isSameFile())
      yield* location.quarantine
      assert.isFalse(yield* location.exists)
      assert.notStrictEqual(yield* opening(location.database), database)
      assert.strictEqual(yield* location.bytes, 0)
    }),
  )

  it.scoped("keeps its texts, and is held by one run at a time", () =>
    Effect.gen(function* () {
      const location = (yield* IndexLocation.inMemory)("/repo")
      location.purposes.replace({ name: "purposes/src.jsonl", text: "src" })
      assert.deepStrictEqual(location.purposes.read(), [
        { name: "purposes.jsonl", text: "" },
        { name: "purposes/src.jsonl", text: "src" },
      ])
      assert.isUndefined(location.purposes.stamp(9e15))
      location.map.replace("A house.")
      for (const line of ["one\n", "two\n"]) location.journal.append(line)
      assert.deepStrictEqual([location.map.read(), location.journal.read()], ["A house.", "one\ntwo\n"])
      location.journal.clear()
      assert.strictEqual(location.journal.read(), "")
      location.progress.replace("of an earlier run")
      const scope = yield* Scope.make()
      yield* Scope.extend(location.claim, scope)
      assert.strictEqual(location.progress.read(), "")
      location.progress.replace("half")
      assert.strictEqual(location.progress.read(), "half")
      assert.strictEqual(yield* reasonOf(location.assertUnlocked), "Busy")
      assert.strictEqual(yield* reasonOf(opening(location.claim)), "Busy")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(location.progress.read(), "")
      yield* location.assertUnlocked
    }),
  )
})
