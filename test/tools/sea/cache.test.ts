import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Archive from "../../../tools/sea/archive.ts"
import { folderOf } from "../../../tools/sea/cache.ts"

const files = [
  { path: "package.json", bytes: Buffer.from("{}") },
  { path: "dist/bin.js", bytes: Buffer.from("run()") },
  { path: "dist/chunks/empty.js", bytes: Buffer.alloc(0) },
]

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "vibe-test-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true })),
)

const user = process.getuid?.()

const list = Archive.listOf(Archive.pack(files, 1))

const start = (folder: string, build = "1a") =>
  folderOf({
    environment: { XDG_CACHE_HOME: folder },
    platform: process.platform,
    user,
    build,
    list,
    files: () => files,
  })

const textOf = (home: string) => fs.readFileSync(path.join(home, "dist/bin.js"), "utf8")

const namesIn = (folder: string) => fs.readdirSync(path.join(folder, "vibe")).toSorted()

const usedAt = (folder: string, name: string, day: number) =>
  fs.utimesSync(path.join(folder, "vibe", name), day * 86_400, day * 86_400)

describe("the files of the executable", () => {
  it("come out of the archive as they went in", () => {
    const unpacked = Archive.unpack(Archive.pack(files, 1))
    assert.deepStrictEqual(
      unpacked.map(({ bytes, path }) => [path, Buffer.from(bytes).toString()]),
      files.map(({ bytes, path }) => [path, bytes.toString()]),
    )
  })

  it.scoped("are unpacked at the first start only", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const home = start(folder)
      assert.strictEqual(home, path.join(folder, "vibe", "program-1a"))
      assert.strictEqual(textOf(home), "run()")
      fs.writeFileSync(path.join(home, "dist/bin.js"), "ran()")
      assert.strictEqual(textOf(start(folder)), "ran()")
      assert.deepStrictEqual(namesIn(folder), ["program-1a"])
    }),
  )

  it.scoped("are unpacked anew where one is missing or has another size", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const home = start(folder)
      fs.rmSync(path.join(home, "dist/bin.js"))
      assert.strictEqual(start(folder), home)
      assert.strictEqual(textOf(home), "run()")
      fs.writeFileSync(path.join(home, "dist/bin.js"), "")
      assert.strictEqual(start(folder), home)
      assert.strictEqual(textOf(home), "run()")
      assert.deepStrictEqual(namesIn(folder), ["program-1a"])
    }),
  )

  it.scoped("are unpacked whole by each of several processes that start at once", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const url = (name: string) => pathToFileURL(path.resolve(import.meta.dirname, "../../../tools/sea", name)).href
      // Threads that begin together: each finds no folder, and takes some time to write it.
      const source = `
        const { parentPort, workerData } = require("node:worker_threads")
        Promise.all([import(${JSON.stringify(url("cache.ts"))})]).then(([{ folderOf }]) => {
          const files = Array.from({ length: 200 }, (_, n) => ({ path: "f/" + n, bytes: Buffer.from("x") }))
          const list = files.map(({ bytes, path }) => [path, bytes.length])
          Atomics.add(workerData.ready, 0, 1)
          Atomics.notify(workerData.ready, 0)
          for (let n = 0; (n = Atomics.load(workerData.ready, 0)) < 4; ) Atomics.wait(workerData.ready, 0, n)
          parentPort.postMessage(folderOf({
            environment: { XDG_CACHE_HOME: workerData.folder }, platform: process.platform, user: process.getuid?.(), build: "1a",
            list, files: () => files,
          }))
        })`
      const ready = new Int32Array(new SharedArrayBuffer(4))
      const homes = yield* Effect.promise(() =>
        Promise.all(
          Array.from(
            { length: 4 },
            () =>
              new Promise<unknown>((resolve, reject) => {
                const worker = new Worker(source, { eval: true, workerData: { folder, ready } })
                worker.on("message", resolve).on("error", reject)
              }),
          ),
        ),
      )
      const home = path.join(folder, "vibe", "program-1a")
      assert.deepStrictEqual(homes, [home, home, home, home])
      assert.strictEqual(fs.readdirSync(path.join(home, "f")).length, 200)
      assert.deepStrictEqual(namesIn(folder), ["program-1a"])
    }),
  )

  it.scoped("of the two builds that were used last are kept, and what a killed process left an hour ago is not", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      for (const [day, build] of ["1a", "2b", "3c"].entries()) {
        start(folder, build)
        usedAt(folder, `program-${build}`, day)
      }
      fs.mkdirSync(path.join(folder, "vibe", "program-9f-young"))
      fs.mkdirSync(path.join(folder, "vibe", "program-9f-old"))
      fs.mkdirSync(path.join(folder, "vibe", "compile"))
      usedAt(folder, "program-9f-old", 1)
      start(folder, "4d")
      assert.deepStrictEqual(namesIn(folder), ["compile", "program-3c", "program-4d", "program-9f-young"])
    }),
  )

  it.scoped("of a build that is still used outlive those of a newer one that is not", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      for (const [day, build] of ["1a", "2b"].entries()) {
        start(folder, build)
        usedAt(folder, `program-${build}`, day)
      }
      start(folder, "1a")
      start(folder, "3c")
      assert.deepStrictEqual(namesIn(folder), ["program-1a", "program-3c"])
    }),
  )

  it.scoped.skipIf(user === undefined)("are never run from a folder that another user can write to", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      fs.mkdirSync(path.join(folder, "vibe"))
      fs.chmodSync(path.join(folder, "vibe"), 0o777)
      const home = start(folder)
      assert.isFalse(home.startsWith(folder), home)
      assert.strictEqual(textOf(home), "run()")
      assert.deepStrictEqual(namesIn(folder), [])
      fs.rmSync(home, { recursive: true })
    }),
  )

  it.scoped("are unpacked for one run where there is no folder for caches", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      fs.writeFileSync(path.join(folder, "vibe"), "a file in its place")
      const home = start(folder)
      assert.isFalse(home.startsWith(folder), home)
      assert.strictEqual(textOf(home), "run()")
      fs.rmSync(home, { recursive: true })
    }),
  )

  it.scoped("go into LOCALAPPDATA on Windows", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const environment = { LOCALAPPDATA: folder, USERPROFILE: "/none" }
      const home = folderOf({ environment, platform: "win32", user: undefined, build: "1a", list, files: () => files })
      assert.strictEqual(home, path.join(folder, "vibe", "program-1a"))
    }),
  )
})
