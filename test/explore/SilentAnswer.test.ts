import { assert, describe, it } from "@effect/vitest"
import * as SilentAnswer from "../../src/explore/SilentAnswer.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"

const entry = (endLine: number, kind: "function" | "file" = "function") =>
  new IndexEntry({
    path: "a.ts",
    name: "a",
    kind,
    startLine: 1,
    endLine,
    signature: "a()",
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
  })

describe("SilentAnswer", () => {
  it.each(["-", " – ", "—", "…", '"-"', "nothing", "Nothing to say.", "(nothing to add)", "None", "N/A", "n/a."])(
    "is %j",
    (text) => {
      assert.isTrue(SilentAnswer.isSilent(text))
    },
  )

  it.each(["", " ", "Nothing is kept here.", "None of the doors", "- Opens a door", "a", "é", "語", "0"])(
    "is not %j",
    (text) => {
      assert.isFalse(SilentAnswer.isSilent(text))
    },
  )

  it("is not accepted for a file, nor for a symbol of more than ten lines", () => {
    assert.isUndefined(SilentAnswer.findObjection(entry(10)))
    assert.strictEqual(SilentAnswer.findObjection(entry(11)), "11 lines are worth a sentence")
    assert.strictEqual(SilentAnswer.findObjection(entry(1, "file")), "a file has something to say")
  })

  it("is not accepted for more than half of eight symbols or more", () => {
    assert.isUndefined(SilentAnswer.findExcess(7, 7))
    assert.isUndefined(SilentAnswer.findExcess(4, 8))
    assert.include(SilentAnswer.findExcess(5, 8) ?? "", "nothing to say of 5 of 8 symbols")
    assert.isUndefined(SilentAnswer.findExcess(0, 0))
  })
})
