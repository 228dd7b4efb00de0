import { assert, describe, it } from "@effect/vitest"
import * as PathSimilarity from "../../src/search/PathSimilarity.ts"

const files = ["README.md", "src/app/main.ts", "src/app/run.ts", "src/lib/main.ts", "test/main.test.ts"]

describe("PathSimilarity", () => {
  it("finds the same name in other folders, the nearest folder first", () => {
    assert.deepStrictEqual(PathSimilarity.nearest(files, "main.ts"), ["src/app/main.ts", "src/lib/main.ts"])
    assert.deepStrictEqual(PathSimilarity.nearest(files, "source/lib/main.ts"), ["src/lib/main.ts", "src/app/main.ts"])
  })

  it("finds names and folders that differ in a few letters", () => {
    assert.deepStrictEqual(PathSimilarity.nearest(files, "src/app/mian.ts"), ["src/app/main.ts", "src/lib/main.ts"])
    assert.deepStrictEqual(PathSimilarity.nearest(files, "scr/lib"), ["src/lib"])
  })

  it("finds the innermost folder that exists where no name is similar", () => {
    assert.deepStrictEqual(PathSimilarity.nearest(files, "src/app/deep/unlike.py"), ["src/app"])
    assert.deepStrictEqual(PathSimilarity.similar(files, "src/app/deep/unlike.py"), [])
    assert.deepStrictEqual(PathSimilarity.nearest(files, "nowhere/unlike.py"), [])
  })
})
