import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import * as NodeWatcher from "../../../src/code/Watcher/Node.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"

/** A watched folder with `src/deep`, of which everything so far is taken. */
const watched = Effect.fnUntraced(function* (options: NodeWatcher.Options = { recursive: false }) {
  const root = path.join(yield* temporaryFolder, "project")
  fs.mkdirSync(path.join(root, "src", "deep"), { recursive: true })
  fs.mkdirSync(path.join(root, ".git"))
  fs.mkdirSync(path.join(root, "build"))
  fs.writeFileSync(path.join(root, ".gitignore"), "build/\n")
  const workspace = yield* Effect.provide(Workspace.open(root), NodeFiles.layer)
  const watch = yield* NodeWatcher.make(options).watch(workspace)
  assert.deepStrictEqual(yield* watch.take, { _tag: "Anything" })
  const write = (file: string) => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), "export const a = 1\n")
  }
  const paths = Effect.map(watch.take, (changes) =>
    changes._tag === "Paths" ? [...changes.paths].sort() : assert.fail(changes._tag),
  )
  return { paths, root, watch, write }
})

describe("the watcher of Node", () => {
  it.scoped("notices what was written before it is asked, in folders that are not ignored", () =>
    Effect.gen(function* () {
      const { paths, watch, write } = yield* watched()
      assert.deepStrictEqual(yield* watch.mode, { _tag: "Events", folders: 3 })
      assert.deepStrictEqual(yield* paths, [])
      for (const file of ["a.ts", "src/deep/b.ts", "build/c.js", ".git/index", ".vibe/index.db"]) write(file)
      assert.deepStrictEqual(yield* paths, ["a.ts", "src/deep/b.ts"])
      assert.deepStrictEqual(yield* paths, [])
    }),
  )

  it.scoped("watches folders that are new, renamed, or made again", () =>
    Effect.gen(function* () {
      const { paths, root, write } = yield* watched()
      write("new/deep/a.ts")
      assert.deepStrictEqual(yield* paths, ["new"])
      write("new/deep/a.ts")
      assert.deepStrictEqual(yield* paths, ["new/deep/a.ts"])

      fs.renameSync(path.join(root, "new"), path.join(root, "moved"))
      assert.includeMembers(yield* paths, ["moved", "new"])
      write("moved/deep/b.ts")
      assert.deepStrictEqual(yield* paths, ["moved/deep/b.ts"])

      fs.rmSync(path.join(root, "src"), { recursive: true })
      write("src/deep/a.ts")
      assert.include(yield* paths, "src")
      write("src/deep/b.ts")
      assert.deepStrictEqual(yield* paths, ["src/deep/b.ts"])
    }),
  )

  it.scoped("goes on where a folder of a changed path has become a file", () =>
    Effect.gen(function* () {
      const { paths, root, write } = yield* watched()
      fs.mkdirSync(path.join(root, "src", "deep", "new"))
      fs.rmSync(path.join(root, "src"), { recursive: true })
      fs.writeFileSync(path.join(root, "src"), "")
      assert.includeMembers(yield* paths, ["src"])
      write("other.ts")
      assert.deepStrictEqual(yield* paths, ["other.ts"])
    }),
  )

  it.scoped("watches what an ignore file no longer leaves out", () =>
    Effect.gen(function* () {
      const { paths, root, watch, write } = yield* watched()
      fs.writeFileSync(path.join(root, ".gitignore"), "src/\n")
      assert.deepStrictEqual(yield* watch.take, { _tag: "Anything" })
      write("build/a.js")
      write("src/a.ts")
      assert.deepStrictEqual(yield* paths, ["build/a.js"])
    }),
  )

  it.scoped("takes anything after a burst, and then watches the folders that it has brought", () =>
    Effect.gen(function* () {
      const { paths, watch, write } = yield* watched()
      for (let number = 0; number < 1_100; number++) write(`${number}.ts`)
      write("last/a.ts")
      assert.deepStrictEqual(yield* watch.take, { _tag: "Anything" })
      write("last/b.ts")
      assert.deepStrictEqual(yield* paths, ["last/b.ts"])
    }),
  )

  it.scoped("says that the root is gone where it or a folder above was moved, or another is in its place", () =>
    Effect.gen(function* () {
      for (const move of [
        (root: string) => fs.renameSync(root, `${root}2`),
        (root: string) => fs.renameSync(path.dirname(root), `${path.dirname(root)}-moved`),
        (root: string) => {
          // The old one stays somewhere, so that the new one cannot have its number.
          fs.renameSync(root, `${root}2`)
          fs.mkdirSync(root)
        },
        (root: string) => fs.rmSync(root, { recursive: true }),
      ]) {
        const { root, watch } = yield* watched()
        move(root)
        assert.deepStrictEqual(yield* watch.take, { _tag: "RootGone", root })
        fs.rmSync(`${path.dirname(root)}-moved`, { recursive: true, force: true })
      }
    }),
  )

  it.scoped.each([
    ["ENOSPC", "TooManyFolders"],
    ["EMFILE", "TooManyWatchers"],
  ] as const)("polls where the system refuses a watch with %s", ([code, reason]) =>
    Effect.gen(function* () {
      let left = 2
      const watchFolder: NodeWatcher.WatchFolder = (...options) => {
        left -= 1
        if (left < 0) throw Object.assign(new Error(code), { code })
        return fs.watch(...options)
      }
      const { watch } = yield* watched({ recursive: false, watchFolder })
      assert.deepStrictEqual(yield* watch.mode, { _tag: "Polling", reason })
      assert.deepStrictEqual(yield* watch.take, { _tag: "Anything" })
    }),
  )

  it.scoped("fails where the root cannot be listed", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const workspace = yield* Effect.provide(Workspace.open(root), NodeFiles.layer)
      fs.rmSync(root, { recursive: true })
      const error = yield* Effect.flip(Effect.scoped(NodeWatcher.make().watch(workspace)))
      assert.strictEqual(error.reason._tag, "NotFound")
    }),
  )
})
