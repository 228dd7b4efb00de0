import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FileSystem from "../../src/disk/FileSystem.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const { O_CREAT, O_RDONLY, O_RDWR } = fs.constants

/** As in Windows. */
const none = { noFollow: undefined, nonBlock: undefined }

const failure = (code: string) => Object.assign(new Error(code), { code })

/** Fails so often with a code, then renames; the pauses between. */
const renaming = (platform: NodeJS.Platform, code: string, times: number) => {
  const pauses: Array<number> = []
  let left = times
  const rename = () => {
    if (left-- > 0) throw failure(code)
  }
  return { platform, rename, pauses, pause: (milliseconds: number) => void pauses.push(milliseconds) }
}

describe("FileSystem.replace", () => {
  it.each([["EPERM"], ["EACCES"], ["EBUSY"]])("waits in Windows for a program that has the file open: %s", (code) => {
    const given = renaming("win32", code, 3)
    FileSystem.replace("a", "b", given)
    assert.deepStrictEqual(given.pauses, [10, 20, 40])
  })

  it("gives up after 1.3 seconds", () => {
    const given = renaming("win32", "EPERM", 100)
    assert.throws(() => FileSystem.replace("a", "b", given), /EPERM/)
    assert.deepStrictEqual(given.pauses, [10, 20, 40, 80, 160, 320, 640])
  })

  it("fails at once for another reason, and in other systems", () => {
    for (const given of [
      renaming("win32", "ENOENT", 1),
      renaming("linux", "EPERM", 1),
      renaming("darwin", "EBUSY", 1),
    ]) {
      assert.throws(() => FileSystem.replace("a", "b", given), /E[A-Z]+/)
      assert.deepStrictEqual(given.pauses, [])
    }
  })

  it.scoped("replaces a file", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [from, to] = [path.join(folder, "a"), path.join(folder, "b")]
      fs.writeFileSync(from, "new")
      fs.writeFileSync(to, "old")
      FileSystem.replace(from, to)
      assert.deepStrictEqual([fs.readdirSync(folder), fs.readFileSync(to, "utf8")], [["b"], "new"])
    }),
  )
})

describe.each([
  ["that can refuse links", undefined],
  ["that cannot", none],
])("FileSystem.openFile, on a system %s", (_, flags) => {
  it.scoped("opens files, and follows no link at the end of the path", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [file, link] = [path.join(folder, "a"), path.join(folder, "link")]
      fs.closeSync(FileSystem.openFile(file, O_RDWR | O_CREAT, 0o600, flags))
      fs.closeSync(FileSystem.openFile(file, O_RDONLY, undefined, flags))
      fs.symlinkSync(file, link)
      for (const how of [O_RDONLY, O_RDWR, O_RDWR | O_CREAT]) {
        assert.throws(() => FileSystem.openFile(link, how, undefined, flags), /ELOOP/)
      }
      assert.throws(() => FileSystem.openFile(path.join(folder, "none"), O_RDONLY, undefined, flags), /ENOENT/)
    }),
  )
})

describe("FileSystem.isSameFile", () => {
  const [one, same, other] = [
    { dev: 0x1234_5678_9abc_def0n, ino: 7n },
    { dev: 0x9abc_def0n, ino: 7n },
    { dev: 0x9abc_def0n, ino: 9_007_199_254_740_993n },
  ]

  it("compares what Windows says of a volume, in either of its forms", () => {
    assert.isTrue(FileSystem.isSameFile(one, same, "win32"))
    assert.isFalse(FileSystem.isSameFile(one, { ...same, dev: 1n }, "win32"))
    assert.isFalse(FileSystem.isSameFile(same, other, "win32"))
  })

  it("compares all of it elsewhere", () => {
    assert.isFalse(FileSystem.isSameFile(one, same, "linux"))
    assert.isTrue(FileSystem.isSameFile(one, { ...one }, "linux"))
    assert.isFalse(FileSystem.isSameFile(other, { ...other, ino: other.ino - 1n }, "linux"))
  })
})
