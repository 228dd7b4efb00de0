/** Paths of another project as arguments, and of files in place of folders. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as GitRepository from "../utils/GitRepository.ts"
import { folder, vibe } from "./vibe.ts"

const one = "export function one() {\n  return 1\n}\n"

describe("a path of another project", () => {
  it.scopedLive.skipIf(!GitRepository.isAvailable)(
    "is answered about by status, map, show, check and diff, from anywhere",
    () =>
      Effect.gen(function* () {
        const home = yield* folder({ "own/a.py": "def own():\n    return 1\n", "empty/": "" })
        const root = path.join(home, "other")
        fs.mkdirSync(root)
        const { commit, write } = yield* GitRepository.make(root)
        commit({ "src/one.ts": one, ".gitignore": ".vibe/\n" })
        write({ "src/one.ts": one.replace("1", "2") })
        const own = path.join(home, "own")
        for (const at of [own, root]) yield* vibe(["index", "."], { cwd: at })
        const run = (cwd: string, ...args: ReadonlyArray<string>) =>
          vibe(args, { cwd, env: GitRepository.environment(home) })
        const empty = path.join(home, "empty")
        for (const [cwd, folders] of [
          [own, ["../other", root]],
          [empty, ["../other/src"]],
        ] as const) {
          for (const named of folders) {
            assert.match((yield* run(cwd, "status", named)).stdout, /^folder .*other\n/, named)
            assert.include((yield* run(cwd, "map", named)).stdout, "one")
            assert.include((yield* run(cwd, "show", named)).stdout, "1 symbol")
            assert.include((yield* run(cwd, "check", named)).stdout, "1 changed symbol in 1 file")
            assert.include((yield* run(cwd, "diff", named)).stdout, "~ function one (body)")
            assert.include((yield* run(cwd, "diff", "HEAD", named)).stdout, "~ function one (body)")
          }
          assert.include((yield* run(cwd, "show", "../other/src/one.ts:one")).stdout, "export function one")
        }
        assert.include((yield* run(root, "diff")).stdout, "~ function one (body)")
        assert.include((yield* run(own, "map")).stdout, "own")
      }),
  )

  it.scopedLive("is refused in one line if it is a file, or nowhere", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.py": "def own():\n    return 1\n" })
      yield* vibe(["index", "."], { cwd })
      for (const line of ["status a.py", "check a.py", "check --root a.py", "diff HEAD a.py", "diff --root a.py"]) {
        const { code, stderr } = yield* vibe(line.split(" "), { cwd })
        assert.deepStrictEqual([code, stderr], [2, "vibe: a.py: not a folder\n"], line)
      }
      for (const line of ["status nowhere", "map /nowhere", "check nowhere", "diff ./nowhere"]) {
        const { code, stderr } = yield* vibe(line.split(" "), { cwd })
        assert.match(stderr, /^vibe: \S*nowhere: no such file[^\n]*\n$/, line)
        assert.strictEqual(code, 2)
      }
      const two = yield* vibe(["status", ".", "--root", "."], { cwd })
      assert.match(two.stderr, /'\.' and --root are two folders/)
    }),
  )
})
