import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as FileNames from "../../src/conversation/FileNames.ts"

describe("FileNames", () => {
  it("ranks names that start with the letters, then names and then paths that contain them, the shortest first", () => {
    const paths = ["docs/guide/tree/x.md", "src/my-tree.ts", "src/Tree.ts", "src/view/Tree.test.ts", "other.ts"]
    assert.deepStrictEqual(FileNames.rank(paths, "tree"), [
      "src/Tree.ts",
      "src/view/Tree.test.ts",
      "src/my-tree.ts",
      "docs/guide/tree/x.md",
    ])
    assert.deepStrictEqual(FileNames.rank(paths, "src/t"), ["src/Tree.ts"])
    assert.lengthOf(FileNames.rank(paths, ""), 5)
  })

  it.effect("offers no file that is ignored or secret", () =>
    Effect.gen(function* () {
      const workspace = yield* Workspace.open("/here")
      const files = yield* FileNames.make(workspace)
      assert.deepStrictEqual(yield* files(""), ["a.ts", ".gitignore"])
    }).pipe(
      Effect.provideService(
        Files.Files,
        Files.makeMemory({ "/here/a.ts": "", "/here/.env": "", "/here/b.log": "", "/here/.gitignore": "*.log\n" }),
      ),
    ),
  )
})

describe("rank, in Windows", () => {
  it("takes a backslash for a separator", () => {
    assert.deepStrictEqual(FileNames.rank(["src/a.ts", "b.ts"], "src\\a", "win32"), ["src/a.ts"])
    assert.deepStrictEqual(FileNames.rank(["src/a.ts", "b.ts"], "src\\a", "linux"), [])
  })
})
