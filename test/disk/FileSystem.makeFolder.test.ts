import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FileSystem from "../../src/disk/FileSystem.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

describe("FileSystem.makeFolder", () => {
  it.scoped("makes missing folders with the mode, and leaves the others", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const folder = path.join(root, "a", "b")
      FileSystem.makeFolder(folder, 0o700)
      FileSystem.makeFolder(folder)
      // Windows has no such permissions.
      const mode = process.platform === "win32" ? 0o666 : 0o700
      for (const made of [folder, path.dirname(folder)]) assert.strictEqual(fs.statSync(made).mode & 0o777, mode)
    }),
  )

  it.scoped("fails where a file is in the way", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "file")
      fs.writeFileSync(file, "")
      assert.throws(() => FileSystem.makeFolder(path.join(file, "a")), /ENOTDIR|ENOENT/)
    }),
  )

  it.skipIf(process.platform !== "linux")("returns where no folder can be made", () => {
    assert.throws(() => FileSystem.makeFolder("/proc/nowhere/a"), /ENOENT/)
  })

  it.runIf(process.platform === "win32")("fails where the drive is not there", () => {
    assert.throws(() => FileSystem.makeFolder("Q:\\nowhere\\a"), /ENOENT/)
  })
})
