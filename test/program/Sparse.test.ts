/** Sparse checkouts of the real program git: what is not checked out keeps its purposes. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { lineFor } from "../review/outlined.ts"
import * as GitRepository from "../utils/GitRepository.ts"
import { folder, vibe } from "./vibe.ts"

const source = (name: string, body = "return 1") => `export function ${name}() {\n  ${body}\n}\n`

/** Two packages with a purpose for each, of which the second one is not checked out. */
const sparse = Effect.gen(function* () {
  const repository = yield* GitRepository.make(yield* folder())
  const { commit, git, root } = repository
  const lines = [
    yield* lineFor("one/one.ts", source("one"), "one", "Counts to one."),
    // More versions than are kept of a symbol of a file that is there.
    ...(yield* Effect.forEach([1, 2, 3, 4], (n) =>
      lineFor("two/two.ts", source("two", `return ${n}`), "two", `Version ${n}.`, `n-${n}`),
    )),
  ]
  commit({
    "one/one.ts": source("one"),
    "two/two.ts": source("two"),
    "two/more.ts": source("more"),
    ".vibe/purposes.jsonl": lines.join(""),
  })
  git("sparse-checkout", "set", "one", ".vibe")
  assert.isFalse(fs.existsSync(path.join(root, "two")))
  const options = { cwd: root, env: GitRepository.environment(root) }
  return { ...repository, options, read: () => fs.readFileSync(path.join(root, ".vibe/purposes.jsonl"), "utf8"), lines }
})

describe.skipIf(!GitRepository.isAvailable)("a sparse checkout", () => {
  it.scopedLive("is indexed, queried and checked as far as it is there, and says how many files are not", () =>
    Effect.gen(function* () {
      const { git, lines, options, read, write } = yield* sparse
      const indexed = yield* vibe(["index", "--model", "offline"], options)
      assert.strictEqual(indexed.code, 0, indexed.stderr)
      assert.include(indexed.stderr, "vibe: 2 files are not checked out (git sparse-checkout), and not in the index")
      assert.strictEqual(read(), lines.join(""))
      assert.strictEqual(git("status", "--porcelain", "--untracked-files=no"), "")

      const found = yield* vibe(["query", "count"], options)
      assert.include(found.stdout, "Counts to one.")
      assert.include(found.stderr, "2 files are not checked out")
      const status = yield* vibe(["status"], options)
      assert.match(status.stdout, /^left out {3}2 files not checked out \(git sparse-checkout\); their purposes stay$/m)
      assert.strictEqual(JSON.parse((yield* vibe(["status", "--json"], options)).stdout).notCheckedOut, 2)

      const clean = yield* vibe(["check", "--strict"], options)
      assert.strictEqual(clean.code, 0, clean.stdout)
      assert.include(clean.stderr, "2 files are not checked out")
      write({ "one/one.ts": source("one", "return 2") })
      const stale = yield* vibe(["check"], options)
      assert.include(stale.stdout, "one/one.ts:2  stale-purpose")
      assert.notInclude(stale.stdout, "two")
    }),
  )

  it.scopedLive("has its purposes again once all is checked out", () =>
    Effect.gen(function* () {
      const { git, options } = yield* sparse
      yield* vibe(["index", "--model", "offline"], options)
      git("sparse-checkout", "disable")
      const { stderr, stdout } = yield* vibe(["query", "version", "--limit", "1"], options)
      assert.include(stdout, "Version 1.")
      assert.strictEqual(stderr, "")
      assert.notInclude((yield* vibe(["status"], options)).stdout, "left out")
    }),
  )

  it.scopedLive("is refused by vibe index without its purposes, which would be lost", () =>
    Effect.gen(function* () {
      const { git, options, read, lines, root } = yield* sparse
      git("sparse-checkout", "set", "one")
      assert.isFalse(fs.existsSync(path.join(root, ".vibe/purposes.jsonl")))
      const { code, stderr } = yield* vibe(["index", "--model", "offline"], options)
      assert.strictEqual(code, 2)
      assert.include(stderr, ".vibe/purposes.jsonl is not checked out, and its purposes would be lost")
      git("sparse-checkout", "add", ".vibe")
      assert.strictEqual((yield* vibe(["index", "--model", "offline"], options)).code, 0)
      assert.strictEqual(read(), lines.join(""))
    }),
  )
})
