import { assert, describe, it } from "@effect/vitest"
import { toWriteError } from "../../src/disk/DiskError.ts"

describe("toWriteError", () => {
  it.each([
    ["ENOSPC", "a.txt: cannot be written: the disk is full"],
    ["EDQUOT", "a.txt: cannot be written: the disk is full"],
    ["EACCES", "a.txt: cannot be written"],
    ["EROFS", "a.txt: cannot be written"],
  ])("says of %s: %s", (code, message) => {
    assert.strictEqual(toWriteError("a.txt", Object.assign(new Error(code), { code })).message, message)
  })
})
