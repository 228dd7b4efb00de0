/** The files that a sparse checkout leaves out, with the real program git. */
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Program from "../../src/review/Git/Program.ts"
import * as LeftOut from "../../src/review/LeftOut.ts"
import * as GitRepository from "../utils/GitRepository.ts"

const find = (root: string) =>
  Effect.provide(
    LeftOut.find(root),
    Layer.mergeAll(NodeFiles.layer, Program.layer(GitRepository.environment(path.dirname(root)))),
  )

describe("LeftOut.find", () => {
  it.scopedLive("counts what is not checked out, and names the purposes of the project itself among it", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      commit({
        "a.ts": "",
        "kept/b.ts": "",
        "lib/c.ts": "",
        "lib/.vibe/purposes.jsonl": "",
        ".vibe/purposes.jsonl": "",
        ".vibe/purposes/lib.jsonl": "",
        ".vibe/config.toml": "",
      })
      git("sparse-checkout", "set", "--cone", "kept")
      const found = yield* find(root)
      assert.deepStrictEqual(found, { files: 2, purposes: [".vibe/purposes.jsonl", ".vibe/purposes/lib.jsonl"] })
      assert.strictEqual(
        LeftOut.describe(found),
        "2 files are not checked out (git sparse-checkout), and not in the index",
      )
    }),
  )

  it.scopedLive("finds nothing where all is checked out, be there rules of an earlier sparse checkout or none", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* GitRepository.make()
      commit({ "a.ts": "", "lib/c.ts": "" })
      assert.deepStrictEqual(yield* find(root), { files: 0, purposes: [] })
      git("sparse-checkout", "set", "--cone", "other")
      git("sparse-checkout", "disable")
      assert.deepStrictEqual(yield* find(root), { files: 0, purposes: [] })
    }),
  )
})
