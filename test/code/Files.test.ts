import { chmodSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Files from "../../src/code/Files.ts"
import { contract } from "./Files.contract.ts"
import { plant, planted, plantFifo, socket } from "./FilesOnDisk.ts"

const linux = process.platform === "linux"

contract("memory", (contents) =>
  Effect.succeed({
    root: "/world",
    files: Files.makeMemory(
      Object.fromEntries(Object.entries(contents).map(([path, content]) => [`/world/${path}`, content])),
    ),
  }),
)

describe("Files (memory)", () => {
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
    it.scoped("leaves a file its permissions, and one alone that nobody may write", () =>
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
        const root = yield* planted({})
        plantFifo(`${root}/fifo`)
        for (let count = 0; count < 10; count++) {
          const { read, stat } = yield* files.open(`${root}/fifo`)
          assert.strictEqual(stat.kind, "other")
          assert.strictEqual((yield* Effect.flip(read(10))).reason._tag, "Unreadable")
        }
      }),
    )

    it.scoped("sees a socket and does not open it", () =>
      Effect.gen(function* () {
        const root = yield* planted({})
        yield* socket(`${root}/socket`)
        assert.strictEqual((yield* files.stat(`${root}/socket`)).kind, "other")
        assert.strictEqual((yield* Effect.flip(files.open(`${root}/socket`))).reason._tag, "NotAFile")
      }),
    )

    it.scoped("reads no more than it is asked for from a device that never ends", () =>
      Effect.gen(function* () {
        const { read, stat } = yield* files.open("/dev/zero")
        assert.strictEqual(stat.kind, "other")
        assert.lengthOf(yield* read(100_000), 100_000)
      }),
    )

    it.scoped("closes what it opened with the scope, and what it listed at once", () =>
      Effect.gen(function* () {
        const root = yield* planted({ a: "a" })
        const before = readdirSync("/dev/fd").length
        yield* Effect.scoped(files.open(`${root}/a`))
        yield* files.list(root)
        assert.lengthOf(readdirSync("/dev/fd"), before)
      }),
    )

    it.scoped("reads what was opened, also when its path names another file by now", () =>
      Effect.gen(function* () {
        const root = yield* planted({ a: "first" })
        const { read } = yield* files.open(`${root}/a`)
        renameSync(`${root}/a`, `${root}/b`)
        plant(`${root}/a`, "second")
        assert.strictEqual(new TextDecoder().decode(yield* read(10)), "first")
      }),
    )
  })
}

describe.runIf(linux)("Files (node) on Linux", () => {
  const files = NodeFiles.make({ descriptors: true })

  it.scoped("believes the bytes that arrive, not the size that is told", () =>
    Effect.gen(function* () {
      const { read, stat } = yield* files.open("/proc/self/status")
      assert.strictEqual(stat.size, 0)
      assert.isAbove((yield* read(100_000)).length, 100)
      assert.lengthOf(yield* read(10), 10)
    }),
  )
})
