import { assert, describe, it } from "@effect/vitest"
import type { FileClass } from "../../src/code/FileClass.ts"
import type { IndexedFile } from "../../src/index/IndexStore.ts"
import * as WorkLeft from "../../src/index/WorkLeft.ts"

const file = (path: string, fileClass: FileClass, open: number, importance = 0): IndexedFile => ({
  path,
  language: "typescript",
  class: fileClass,
  symbols: 9,
  major: 9,
  open,
  importance,
  note: undefined,
  cut: undefined,
})

const left = (...files: ReadonlyArray<IndexedFile>) => WorkLeft.of(files)
const paths = ({ files }: WorkLeft.WorkLeft) => files.map(({ path }) => path)

describe("WorkLeft.of", () => {
  it("orders the code by its use, then by how much is left, and leaves out what is done", () => {
    const work = left(file("a", "code", 9), file("b", "code", 1, 5), file("c", "code", 0, 99), file("d", "code", 10))
    assert.deepStrictEqual(paths(work), ["b", "d", "a"])
    assert.deepStrictEqual(work.beside, [])
  })

  it("sums up the other classes, those that are generated and vendored last", () => {
    const work = left(
      file("lib/a", "vendored", 300, 1_000),
      file("a", "code", 1),
      file("test/a", "test", 5),
      file("test/b", "test", 7),
      file("docs/a", "documentation", 0),
    )
    assert.deepStrictEqual(paths(work), ["a"])
    assert.strictEqual(WorkLeft.describeBeside(work), "12 in tests, 300 in vendored files")
  })

  it("lists all classes, one after the other, where no code has major symbols", () => {
    const work = left(file("lib/a", "vendored", 3, 50), file("test/a", "test", 5), {
      ...file("a", "code", 0),
      major: 0,
    })
    assert.deepStrictEqual([paths(work), work.beside], [["test/a", "lib/a"], []])
  })
})
