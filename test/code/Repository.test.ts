import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FileError, Unreadable } from "../../src/code/FileError.ts"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Files from "../../src/code/Files.ts"
import * as Repository from "../../src/code/Repository.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import { planted, plantFifos } from "./FilesOnDisk.ts"

const walkOver = (files: Files.Service, root: string) =>
  Workspace.open(root).pipe(Effect.flatMap(Repository.walk), Effect.provideService(Files.Files, files))

const paths = ({ files }: Repository.Walk) => files.map(({ path }) => path)

describe("Repository.walk", () => {
  it.effect("finds every file, sorted by code units", () =>
    Effect.gen(function* () {
      const files = Files.makeMemory({
        "/repo/b": "",
        "/repo/a/b": "four",
        "/repo/a-b": "",
        "/repo/a/c/d": "",
        "/repo/Z": "",
        "/repo/é": "",
      })
      const walk = yield* walkOver(files, "/repo")
      assert.deepStrictEqual(paths(walk), ["Z", "a-b", "a/b", "a/c/d", "b", "é"])
      assert.deepStrictEqual(walk.files[2]?.stat, { kind: "file", size: 4, modified: 0, owner: 1000 })
      assert.deepStrictEqual([walk.hidden, walk.unreadable], [0, []])
    }),
  )

  it.effect("counts what it leaves out, and a folder once", () =>
    Effect.gen(function* () {
      const files = Files.makeMemory({
        "/repo/.git/HEAD": "",
        "/repo/.git/config": "",
        "/repo/.gitignore": "dist\n",
        "/repo/dist/a": "",
        "/repo/dist/b": "",
        "/repo/src/.env": "",
        "/repo/src/a": "",
        "/repo/src/self": { link: "." },
        "/repo/src/nowhere": { link: "nowhere" },
      })
      const walk = yield* walkOver(files, "/repo")
      assert.deepStrictEqual([paths(walk), walk.hidden], [[".gitignore", "src/a"], 5])
    }),
  )

  it.effect("notes a folder that cannot be listed, and goes on", () =>
    Effect.gen(function* () {
      const walk = yield* walkOver(lockedAt("/repo/locked"), "/repo")
      assert.deepStrictEqual([paths(walk), walk.unreadable], [["open/a"], ["locked"]])
    }),
  )

  it.effect("fails if the root cannot be listed", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(walkOver(lockedAt("/repo"), "/repo"))
      assert.strictEqual(error.reason._tag, "Unreadable")
    }),
  )

  it.effect("notes folders beyond the maximum depth", () =>
    Effect.gen(function* () {
      const deepest = "d/".repeat(Repository.MAX_DEPTH)
      const walk = yield* walkOver(
        Files.makeMemory({ [`/repo/${deepest}a`]: "", [`/repo/${deepest}d/b`]: "" }),
        "/repo",
      )
      assert.deepStrictEqual([paths(walk), walk.unreadable], [[`${deepest}a`], [`${deepest}d`]])
    }),
  )

  it.scoped("finds on disk what it finds in memory", () =>
    Effect.gen(function* () {
      const contents = {
        ".gitignore": "*.log\n",
        "a.log": "",
        "src/a.ts": "let a",
        "src/b/c.ts": "",
        "src/b/up": { link: "../.." },
        "src/.env": "",
        "z.md": "",
      }
      const root = yield* planted(contents)
      plantFifos(`${root}/fifo`)
      const onDisk = yield* walkOver(NodeFiles.make({ descriptors: false }), root)
      const memory = Object.fromEntries(Object.entries(contents).map(([path, content]) => [`/repo/${path}`, content]))
      const inMemory = yield* walkOver(Files.makeMemory(memory), "/repo")
      assert.deepStrictEqual(paths(onDisk), paths(inMemory))
      assert.deepStrictEqual(
        onDisk.files.map(({ stat }) => stat.size),
        inMemory.files.map(({ stat }) => stat.size),
      )
      assert.strictEqual(onDisk.hidden, inMemory.hidden + 1)
    }),
  )
})

const lockedAt = (locked: string): Files.Service => {
  const memory = Files.makeMemory({ "/repo/open/a": "", "/repo/locked/b": "" })
  return {
    ...memory,
    list: (path) =>
      path === locked
        ? Effect.fail(new FileError({ path, reason: new Unreadable({ cause: "EACCES" }) }))
        : memory.list(path),
  }
}
