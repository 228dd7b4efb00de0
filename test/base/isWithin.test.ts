import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { isWithin } from "../../src/base/isWithin.ts"

describe("isWithin", () => {
  it("compares folders as the system does", () => {
    const isInside = (here: string, folder: string) => isWithin(here, folder, path.win32)
    assert.isTrue(isInside("C:\\Projects\\app", "c:\\projects\\APP\\docs"))
    assert.isTrue(isInside("C:\\", "C:\\docs"))
    assert.isTrue(isInside("C:\\a", "C:\\a"))
    assert.isFalse(isInside("C:\\a", "C:\\ab"))
    assert.isFalse(isInside("C:\\a", "D:\\a\\docs"))
    assert.isTrue(isInside("C:\\a", "C:\\a\\..docs"))
    assert.isFalse(isWithin("/a", "/A/docs", path.posix))
  })
})
