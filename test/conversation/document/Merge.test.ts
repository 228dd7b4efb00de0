import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Merge from "../../../src/conversation/document/Merge.ts"
import { isThorough } from "../../thoroughness.ts"

/** The lines of the longest texts, which are so many that comparing all of them would exceed the limit by far. */
const COUNT = isThorough ? 200_000 : 30_000

const base = "a cat\n\nin a hat\n\non a mat\n"

describe("Merge.merge", () => {
  it.each<readonly [what: string, versions: Merge.Versions, merged: string]>([
    ["takes a change of the user only", { base, user: base.replace("cat", "dog"), model: base }, "a dog"],
    ["takes a change of the model only", { base, user: base, model: base.replace("cat", "dog") }, "a dog"],
    [
      "takes both where they changed different places",
      { base, user: base.replace("cat", "dog"), model: base.replace("mat", "moon") },
      "a dog\n\nin a hat\n\non a moon\n",
    ],
    [
      "takes once what both changed alike",
      { base, user: base.replace("hat", "cap"), model: base.replace("hat", "cap") },
      "in a cap",
    ],
    ["lets the model leave out what the user left alone", { base, user: base, model: "a cat\n" }, "a cat\n"],
    [
      "keeps line breaks as they are",
      { base: "a\r\nb\r\nc\r\n", user: "x\r\nb\r\nc\r\n", model: "a\r\nb\r\nz" },
      "x\r\nb\r\nz",
    ],
  ])("%s", (_, versions, merged) => {
    const regions = Merge.merge(versions)
    assert.deepStrictEqual(Merge.conflicts(regions), [])
    assert.include(Merge.resolve(regions), merged)
    assert.strictEqual(Merge.withConflictMarks(regions), Merge.resolve(regions))
  })

  it("marks a conflict with both sides, and resolves it for the user", () => {
    const regions = Merge.merge({ base: "a cat\nin a hat", user: "a cat\nin a cap", model: "a cat\nin a crown\n" })
    assert.deepStrictEqual(Merge.conflicts(regions), [
      { type: "conflict", base: "in a hat", user: "in a cap", model: "in a crown\n" },
    ])
    assert.strictEqual(Merge.resolve(regions), "a cat\nin a cap")
    assert.strictEqual(
      Merge.withConflictMarks(regions),
      "a cat\n<<<<<<< user\nin a cap\n||||||| before\nin a hat\n=======\nin a crown\n>>>>>>> model\n",
    )
  })

  it("treats names of object properties as text", () => {
    const regions = Merge.merge({
      base: "constructor\n\n__proto__\n",
      user: "constructor\n\n__proto__\ntoString\n",
      model: "valueOf\n\n__proto__\n",
    })
    assert.strictEqual(Merge.resolve(regions), "valueOf\n\n__proto__\ntoString\n")
  })

  it("merges distant changes in a text of very many, mostly repeated lines", () => {
    const lines = Array.from({ length: COUNT }, (_, n) => (n % 3 === 0 ? `line ${n}\n` : "\n"))
    const put = (line: string, index: number) => lines.toSpliced(index, 0, line)
    const regions = Merge.merge({
      base: lines.join(""),
      user: put("mine\n", 100).join(""),
      model: put("its\n", COUNT - 1_000).join(""),
    })
    assert.deepStrictEqual(regions, [
      {
        type: "agreed",
        text: put("its\n", COUNT - 1_000)
          .toSpliced(100, 0, "mine\n")
          .join(""),
      },
    ])
  })

  it("makes one conflict of texts that would take minutes to compare", () => {
    const lines = Array.from({ length: COUNT }, (_, n) => `line ${n % 10}\n`)
    const put = (line: string, index: number) => lines.toSpliced(index, 0, line).join("")
    const regions = Merge.merge({ base: lines.join(""), user: put("mine\n", 1), model: put("its\n", COUNT - 1) })
    assert.lengthOf(Merge.conflicts(regions), 1)
    assert.strictEqual(Merge.resolve(regions), put("mine\n", 1))
    assert.include(Merge.withConflictMarks(regions), "its\n")
  })

  const text = FastCheck.array(FastCheck.constantFrom("a\n", "b\n", "c\n", "\n", "a", "b"), { maxLength: 8 }).map(
    (lines) => lines.join(""),
  )

  it.prop("is the changed text where only one side changed", [text, text], ([base, changed]) => {
    assert.strictEqual(Merge.resolve(Merge.merge({ base, user: changed, model: base })), changed)
    assert.strictEqual(Merge.resolve(Merge.merge({ base, user: base, model: changed })), changed)
  })

  it.prop("has every new line of both sides, resolved or marked", [text, text, text], (texts) => {
    const [base, user, model] = texts
    // Written by them alone: no other has the words.
    const versions = { base, user: `${user}its user\n`, model: `the model's\n${model}` }
    const regions = Merge.merge(versions)
    assert.include(Merge.resolve(regions), "its user\n")
    assert.include(Merge.withConflictMarks(regions), "its user\n")
    assert.include(Merge.withConflictMarks(regions), "the model's\n")
  })

  it("keeps a line of the user's that the model has moved into a conflict", () => {
    const regions = Merge.merge({
      base: "l\nmine\n\nmodel\nseven\n",
      user: "l\nmine\n\nmodel\nten seven\n",
      model: "l\nmodel\nmine\nseven\n",
    })
    assert.strictEqual(Merge.resolve(regions), "l\nmine\n\nmodel\nten seven\n")
    assert.lengthOf(Merge.conflicts(regions), 1)
  })
})
