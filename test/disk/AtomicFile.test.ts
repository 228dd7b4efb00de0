import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as AtomicFile from "../../src/disk/AtomicFile.ts"
import { DiskError } from "../../src/disk/DiskError.ts"
import { fsyncSpy } from "./fsyncSpy.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const reasonOf = (body: () => void): string | undefined => {
  try {
    body()
    return undefined
  } catch (cause) {
    return cause instanceof DiskError ? cause.reason._tag : String(cause)
  }
}

const texts = FastCheck.string({ unit: "grapheme" })

describe("AtomicFile.replace", () => {
  it.scoped("reads back every text as it was written", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "a.txt")
      FastCheck.assert(
        FastCheck.property(texts, (text) => {
          AtomicFile.replace(file, text)
          return AtomicFile.read(file) === text
        }),
      )
    }),
  )

  it.scoped("waits for the disk, unless the text is worth nothing after a crash", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "a.txt")
      const fsync = yield* fsyncSpy
      AtomicFile.replace(file, "progress", { isDurable: false })
      assert.strictEqual(fsync.mock.calls.length, 0)
      assert.strictEqual(AtomicFile.read(file), "progress")
      AtomicFile.replace(file, "purposes")
      assert.isAtLeast(fsync.mock.calls.length, 1)
    }),
  )

  it.scoped("leaves nothing but the file", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      AtomicFile.replace(path.join(folder, "a.txt"), "new")
      assert.deepStrictEqual(fs.readdirSync(folder), ["a.txt"])
    }),
  )

  it.scoped("calls `shouldReplace` at the last moment, and leaves the file as it is for false", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = path.join(folder, "a.txt")
      AtomicFile.replace(file, "old")
      assert.isFalse(AtomicFile.replace(file, "new", { shouldReplace: () => false }))
      assert.strictEqual(AtomicFile.read(file), "old")
      assert.isTrue(
        AtomicFile.replace(file, "new", { shouldReplace: () => AtomicFile.read(file) === "old", mode: 0o640 }),
      )
      assert.strictEqual(AtomicFile.read(file), "new")
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o640)
      assert.deepStrictEqual(fs.readdirSync(folder), ["a.txt"])
    }),
  )

  it.scoped("leaves no partial file where it cannot write", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      fs.mkdirSync(path.join(folder, "taken", "full"), { recursive: true })
      assert.strictEqual(
        reasonOf(() => AtomicFile.replace(path.join(folder, "taken"), "new")),
        "Unwritable",
      )
      assert.deepStrictEqual(fs.readdirSync(folder), ["taken"])
    }),
  )
})

describe("AtomicFile.removeLeftovers", () => {
  it.scoped("removes temporary files of dead processes, and nothing else", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { pid: dead } = spawnSync(process.execPath, ["--version"])
      const living = `a.txt.${process.ppid}.tmp`
      const kept = ["a.txt", "a.txt-wal", living, `${living}-wal`, "a.txt.x.tmp", `b.txt.${dead}.tmp`]
      const own = `a.txt.${process.pid}.tmp`
      const left = ["", "-journal", "-wal", "-shm"].map((side) => `a.txt.${dead}.tmp${side}`)
      for (const name of [...kept, own, ...left]) fs.writeFileSync(path.join(folder, name), "")
      AtomicFile.removeLeftovers(path.join(folder, "a.txt"))
      assert.sameMembers(fs.readdirSync(folder), kept)
    }),
  )
})

describe("AtomicFile.read", () => {
  it.scoped("reads a missing file as an empty text", () =>
    Effect.gen(function* () {
      assert.strictEqual(AtomicFile.read(path.join(yield* temporaryFolder, "nothing")), "")
    }),
  )

  it.scoped("reads no file that is larger than the limit", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "file")
      fs.writeFileSync(file, "grün")
      assert.strictEqual(AtomicFile.read(file, 5), "grün")
      assert.strictEqual(
        reasonOf(() => AtomicFile.read(file, 4)),
        "Unreadable",
      )
    }),
  )

  it.scoped("does not wait at a pipe", () =>
    Effect.gen(function* () {
      const pipe = path.join(yield* temporaryFolder, "pipe")
      execFileSync("mkfifo", [pipe])
      assert.strictEqual(
        reasonOf(() => AtomicFile.read(pipe)),
        "NotAFile",
      )
    }),
  )
})

describe("AtomicFile.append", () => {
  it.scoped("adds to what is there", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "log")
      AtomicFile.append(file, "one\n")
      AtomicFile.append(file, "two\nthree\n")
      assert.strictEqual(AtomicFile.read(file), "one\ntwo\nthree\n")
    }),
  )

  it.scoped("ends a partial last line before it appends", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "log")
      fs.writeFileSync(file, "one\ntw")
      AtomicFile.append(file, "three\n")
      assert.strictEqual(AtomicFile.read(file), "one\ntw\nthree\n")
    }),
  )
})

describe("AtomicFile", () => {
  it.scoped("follows no link", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const precious = path.join(folder, "precious")
      const link = path.join(folder, "link")
      fs.writeFileSync(precious, "secret")
      fs.symlinkSync(precious, link)
      assert.strictEqual(
        reasonOf(() => AtomicFile.read(link)),
        "NotAFile",
      )
      assert.strictEqual(
        reasonOf(() => AtomicFile.append(link, "line\n")),
        "Unwritable",
      )
      AtomicFile.replace(link, "new")
      assert.strictEqual(fs.readFileSync(precious, "utf8"), "secret")
      assert.strictEqual(AtomicFile.read(link), "new")
    }),
  )
})
