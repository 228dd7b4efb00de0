import {
  chmodSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Fiber, Option, TestClock } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Files from "../../src/code/Files.ts"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { cases } from "../thoroughness.ts"
import { contract } from "./Files.contract.ts"
import { planted, plantFifos, socket } from "./FilesOnDisk.ts"

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const linux = process.platform === "linux"

/** Open descriptors that lead to a path: other tests open files meanwhile, in other threads. */
const countDescriptors = (path: string): number =>
  readdirSync("/dev/fd").filter((descriptor) => {
    try {
      return readlinkSync(`/dev/fd/${descriptor}`) === path
    } catch {
      return false
    }
  }).length

contract("memory", (contents) =>
  Effect.succeed({
    root: "/world",
    files: Files.makeMemory(
      Object.fromEntries(Object.entries(contents).map(([path, content]) => [`/world/${path}`, content])),
    ),
  }),
)

contract("memory, as in Windows", (contents) =>
  Effect.succeed({
    root: "C:\\world",
    files: Files.makeMemory(
      Object.fromEntries(Object.entries(contents).map(([path, content]) => [`C:\\world\\${path}`, content])),
      undefined,
      "win32",
    ),
  }),
)

describe("Files (memory)", () => {
  it.effect("gives files and links to the users that are named", () =>
    Effect.gen(function* () {
      const files = Files.makeMemory(
        { "/a/b": "", "/a/c": "", "/d": { link: "/a" } },
        { user: 7, of: { "/a/b": 8, "/d": 9 } },
      )
      const owner = (path: string) => Effect.map(files.stat(path), ({ owner }) => owner)
      assert.deepStrictEqual([files.user, yield* owner("/a/b"), yield* owner("/d/b"), yield* owner("/d")], [7, 8, 8, 9])
      assert.deepStrictEqual(
        (yield* files.list("/a")).entries.map(({ stat }) => stat.owner),
        [8, 7],
      )
    }),
  )

  it.effect("follows absolute links from the top", () =>
    Effect.gen(function* () {
      const files = Files.makeMemory({ "/a/b": "text", "/c/link": { link: "/a" } })
      assert.strictEqual(yield* files.realPath("/c/link/b"), "/a/b")
    }),
  )
})

for (const descriptors of linux ? [true, false] : [false]) {
  const files = NodeFiles.make({ descriptors })
  const name = descriptors ? "node, by descriptor" : "node, by path"

  contract(name, (contents) => Effect.map(planted(contents), (root) => ({ files, root })))

  describe(`Files (${name})`, () => {
    const folder = mkdtempSync(`${tmpdir()}/vibe-fifos-`)
    const [fifo = "", ...fifos] = Array.from({ length: 4 }, (_, n) => `${folder}/fifo${n}`)
    beforeAll(() => plantFifos(fifo, ...fifos))
    afterAll(() => rmSync(folder, { recursive: true }))

    it.scoped("keeps the permissions of a file, and does not replace a read-only one", () =>
      Effect.gen(function* () {
        const root = yield* planted({ "run.sh": "one", "read-only": "two" })
        chmodSync(`${root}/run.sh`, 0o754)
        chmodSync(`${root}/read-only`, 0o444)
        yield* files.write(`${root}/run.sh`, "three")
        assert.strictEqual(statSync(`${root}/run.sh`).mode & 0o777, 0o754)
        const { reason } = yield* Effect.flip(files.write(`${root}/read-only`, "three"))
        assert.strictEqual(reason._tag, "Unwritable")
        assert.strictEqual(readFileSync(`${root}/read-only`, "utf8"), "two")
        assert.deepStrictEqual(readdirSync(root).sort(), ["read-only", "run.sh"])
      }),
    )

    it.scoped("does not wait for the other end of a FIFO", () =>
      Effect.gen(function* () {
        for (let count = 0; count < 10; count++) {
          assert.strictEqual((yield* Effect.flip(files.readReal(fifo, 10))).reason._tag, "NotAFile")
        }
      }),
    )

    it.scoped("reads a device never, and a pipe only where it is asked to", () =>
      Effect.gen(function* () {
        const root = yield* planted({ zero: { link: "/dev/zero" } })
        for (const [path, pipes] of [
          [`${root}/zero`, false],
          [`${root}/zero`, true],
          [fifo, false],
        ] as const) {
          const error = yield* Effect.flip(files.read(path, { most: 10, pipes }))
          assert.strictEqual(error.reason._tag, "NotAFile", `${path} ${pipes}`)
        }
      }),
    )

    /** A FIFO that no other test uses, and a descriptor that keeps it open to write. */
    const pipe = Effect.sync(() => {
      const fifo = fifos.pop() ?? assert.fail("all are used")
      return { fifo, writer: openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK) }
    })

    it.scoped("reads a pipe to its end, however slowly that comes", () =>
      Effect.gen(function* () {
        const { fifo, writer } = yield* pipe
        const reading = yield* Effect.fork(files.read(fifo, { most: 100, pipes: true }))
        yield* TestClock.adjust("200 millis")
        writeSync(writer, "one")
        yield* TestClock.adjust("200 millis")
        assert.isTrue(Option.isNone(yield* Fiber.poll(reading)))
        writeSync(writer, "two")
        closeSync(writer)
        yield* TestClock.adjust("200 millis")
        assert.strictEqual(text(yield* Fiber.join(reading)), "onetwo")
      }),
    )

    it.scoped("reads no more of a pipe than it is asked for", () =>
      Effect.gen(function* () {
        const { fifo, writer } = yield* pipe
        writeSync(writer, "x".repeat(60_000))
        assert.lengthOf(yield* files.read(fifo, { most: 50_000, pipes: true }), 50_000)
        closeSync(writer)
      }),
    )

    it.scoped("can be interrupted while nothing comes through a pipe, and closes it", () =>
      Effect.gen(function* () {
        const { fifo, writer } = yield* pipe
        const before = countDescriptors(fifo)
        const reading = yield* Effect.fork(files.read(fifo, { most: 100, pipes: true }))
        yield* TestClock.adjust("200 millis")
        assert.strictEqual(countDescriptors(fifo), before + 1)
        yield* Fiber.interrupt(reading)
        assert.strictEqual(countDescriptors(fifo), before)
        closeSync(writer)
      }),
    )

    it.scoped("sees a socket and does not open it", () =>
      Effect.gen(function* () {
        const root = yield* planted({})
        yield* socket(`${root}/socket`)
        assert.strictEqual((yield* files.stat(`${root}/socket`)).kind, "other")
        assert.strictEqual((yield* Effect.flip(files.readReal(`${root}/socket`, 10))).reason._tag, "NotAFile")
      }),
    )

    it.scoped("reads nothing from a device that never ends", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(files.readReal("/dev/zero", 100_000))).reason._tag, "NotAFile")
      }),
    )

    it.scoped("opens no database that this process has open, which would free SQLite's locks on it", () =>
      Effect.gen(function* () {
        const root = yield* planted({})
        const format = {
          tables: ["a"],
          version: 1,
          upgrade: (database: Sqlite.Database) => database.exec("create table a (b)"),
        }
        yield* Sqlite.open(`${root}/a.db`, format)
        for (const name of ["a.db", "a.db-shm"]) {
          const { reason } = yield* Effect.flip(files.readReal(`${root}/${name}`, 1_000_000))
          assert.strictEqual(reason._tag, "Refused")
        }
      }),
    )

    it.scoped("closes what it has read, has refused to read, or has listed", () =>
      Effect.gen(function* () {
        const root = yield* planted({ a: "a" })
        yield* files.readReal(`${root}/a`, 1)
        for (const path of [`${root}/a`, root]) yield* Effect.flip(files.readReal(path, 0))
        yield* files.list(root)
        assert.strictEqual(countDescriptors(`${root}/a`) + countDescriptors(root), 0)
      }),
    )
  })
}

/** Names of a few bytes, among them whole characters, halves of them, and U+FFFD itself, which is UTF-8. */
const nameBytes = FastCheck.array(
  FastCheck.oneof(
    FastCheck.constantFrom("a", "é", "😀", "\uFFFD").map((text) => Buffer.from(text)),
    FastCheck.integer({ min: 0x80, max: 0xff }).map((byte) => Buffer.from([byte])),
  ),
  { minLength: 1, maxLength: 4 },
).map((parts) => Buffer.concat(parts))

describe.runIf(linux)("Files (node) on Linux", () => {
  const files = NodeFiles.make({ descriptors: true })

  it.effect.prop(
    "lists every entry once: those whose names are UTF-8 by a path that opens, and the others apart",
    [FastCheck.uniqueArray(nameBytes, { maxLength: 8, selector: (bytes) => bytes.toString("hex") })],
    ([names]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const root = yield* planted({ "z.ts": "z" })
          for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), "x")
          const isText = (name: Buffer) => Buffer.from(name.toString()).equals(name)
          const { entries, nameless = [] } = yield* files.list(root)
          const valid = names.filter(isText).map(String)
          assert.deepStrictEqual(
            entries.map(({ name }) => name),
            [...valid, "z.ts"].sort(),
          )
          for (const name of valid) assert.strictEqual(text(yield* files.read(`${root}/${name}`, { most: 9 })), "x")
          assert.deepStrictEqual(
            nameless.map(({ name, stat }) => [name, stat.kind]),
            names
              .filter((name) => !isText(name))
              .map(String)
              .sort()
              .map((name) => [name, "file"]),
          )
        }),
      ),
    { fastCheck: { numRuns: cases(50) } },
  )

  it.scoped("reads no more of a file without an end than it is asked for, whatever size it tells", () =>
    Effect.gen(function* () {
      const root = yield* planted({ symbols: { link: "/proc/kallsyms" } })
      const reading = Files.readAll(`${root}/symbols`, { most: 1_000 })
      const { reason } = yield* Effect.flip(Effect.provideService(reading, Files.Files, files))
      assert.deepInclude(reason, { _tag: "TooLarge", limit: 1_000 })
      assert.lengthOf(yield* files.read(`${root}/symbols`, { most: 1_000 }), 1_000)
    }),
  )

  it.scoped("believes the bytes that arrive, not the size that is told", () =>
    Effect.gen(function* () {
      const path = `/proc/${process.pid}/status`
      const { bytes, stat } = yield* files.readReal(path, 100_000)
      assert.strictEqual(stat.size, 0)
      assert.isAbove(bytes.length, 100)
      assert.deepInclude((yield* Effect.flip(files.readReal(path, 10))).reason, { _tag: "TooLarge", limit: 10 })
    }),
  )
})
