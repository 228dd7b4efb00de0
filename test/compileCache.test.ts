import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folderFor } from "../src/compileCache.ts"
import { temporaryFolder } from "./disk/TemporaryFolder.ts"

const user = process.getuid?.()
const isRoot = user === 0

const found = (environment: Readonly<Record<string, string | undefined>>, as: number | undefined = user) =>
  folderFor({ environment, user: as })

/** A home with the folders in which compiled code is kept, each with these permissions. */
const home = (modes: Readonly<Record<string, number>> = {}) =>
  Effect.map(temporaryFolder, (home) => {
    for (const name of [".cache", ".cache/vibe", ".cache/vibe/compile"]) {
      fs.mkdirSync(path.join(home, name))
      fs.chmodSync(path.join(home, name), modes[name] ?? 0o700)
    }
    return home
  })

describe("compileCache.folderFor", () => {
  it.scoped("makes a folder that no other user can enter, in XDG_CACHE_HOME, else in .cache of the home", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const expected = path.join(root, "caches/vibe/compile")
      const environment = { HOME: path.join(root, "nowhere"), XDG_CACHE_HOME: path.join(root, "caches") }
      assert.strictEqual(found(environment), expected)
      for (const folder of [expected, path.dirname(expected), path.join(root, "caches")]) {
        assert.strictEqual(fs.statSync(folder).mode & 0o777, 0o700)
      }
      assert.strictEqual(found(environment), expected, "a second time")
      assert.strictEqual(found({ HOME: root }), path.join(root, ".cache/vibe/compile"))
      assert.strictEqual(found({ HOME: root, XDG_CACHE_HOME: "caches" }), path.join(root, ".cache/vibe/compile"))
      assert.strictEqual(found({ USERPROFILE: root }), path.join(root, ".cache/vibe/compile"))
    }),
  )

  it.scoped("gives none, and makes none, where there is no home that could hold it", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      fs.writeFileSync(path.join(root, "file"), "")
      for (const HOME of [undefined, "", "relative", path.join(root, "missing"), path.join(root, "file"), "/proc"]) {
        assert.isUndefined(found({ HOME }), HOME)
      }
      assert.deepStrictEqual(fs.readdirSync(root), ["file"])
    }),
  )

  it.scoped("leaves the choice to Node's own variables", () =>
    Effect.gen(function* () {
      const HOME = yield* temporaryFolder
      assert.isUndefined(found({ HOME, NODE_COMPILE_CACHE: "/elsewhere" }))
      assert.isUndefined(found({ HOME, NODE_DISABLE_COMPILE_CACHE: "1" }))
      assert.isEmpty(fs.readdirSync(HOME))
      assert.isDefined(found({ HOME, NODE_COMPILE_CACHE: "", NODE_DISABLE_COMPILE_CACHE: "" }))
    }),
  )

  it.scoped.each<readonly [folder: string, mode: number]>([
    [".cache/vibe/compile", 0o770],
    [".cache/vibe/compile", 0o702],
    [".cache/vibe", 0o770],
    [".cache", 0o777],
  ])("gives none where others can write to %s (%o)", ([folder, mode]) =>
    Effect.gen(function* () {
      assert.isUndefined(found({ HOME: yield* home({ [folder]: mode }) }))
    }),
  )

  it.scoped("takes a place in a folder that all can write, if its sticky bit protects ours", () =>
    Effect.gen(function* () {
      assert.isDefined(found({ HOME: yield* home({ ".cache": 0o1777 }) }))
    }),
  )

  it.scoped.each([".cache/vibe/compile", ".cache/vibe"])("gives none where %s is a link or a file", (name) =>
    Effect.gen(function* () {
      const HOME = yield* home()
      const place = path.join(HOME, name)
      fs.renameSync(place, path.join(HOME, "moved"))
      fs.symlinkSync(path.join(HOME, "moved"), place)
      assert.isUndefined(found({ HOME }))
      fs.rmSync(place)
      fs.writeFileSync(place, "")
      assert.isUndefined(found({ HOME }))
    }),
  )

  it.scoped.each([".cache/vibe/compile", ".cache/vibe", ".cache"])("gives none where %s is another user's", (name) =>
    Effect.gen(function* () {
      const HOME = yield* home()
      if (isRoot) fs.chownSync(path.join(HOME, name), 65_534, 65_534)
      // Without the right to give a folder away: the same, seen by another user.
      assert.isUndefined(found({ HOME }, isRoot ? user : 65_534))
    }),
  )

  it.scoped("asks for no owner and no permissions on a system that has none", () =>
    Effect.gen(function* () {
      assert.isDefined(folderFor({ environment: { HOME: yield* home({ ".cache/vibe": 0o777 }) }, user: undefined }))
    }),
  )
})
