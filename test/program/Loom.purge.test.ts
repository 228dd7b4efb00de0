import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { file, refused } from "./looms.ts"
import * as terminal from "./terminal.ts"
import { folder, loomIn, vibe } from "./vibe.ts"

describe("vibe loom purge", () => {
  const MARKER = "HUNTER2XYZ"

  /** A forest with one message that has the marker, and the files that have it. */
  const marked = Effect.gen(function* () {
    const cwd = yield* folder()
    yield* loomIn(cwd)("append", "--system", "Be kind", `the password is ${MARKER}`)
    const state = path.dirname(path.join(cwd, file))
    const found = () =>
      fs.readdirSync(state).filter((name) => fs.readFileSync(path.join(state, name), "latin1").includes(MARKER))
    assert.isNotEmpty(found())
    return { cwd, found }
  })

  it.scopedLive("fails without a terminal to ask on, and leaves no trace with --yes", () =>
    Effect.gen(function* () {
      const { cwd, found } = yield* marked
      refused(yield* vibe(["loom", "purge", "@"], { cwd }), 2, "stdin is no terminal: add --yes")
      assert.isNotEmpty(found())
      yield* loomIn(cwd)("delete", "@", "--cascade")
      assert.strictEqual(yield* loomIn(cwd)("purge", "--removed", "--yes"), "purged 1 node")
      assert.deepStrictEqual(found(), [])
      assert.match(yield* loomIn(cwd)("verify"), /^all is well: 1 tree, 0 nodes/)
    }),
  )

  it.scopedLive("removes nodes of a forest that another process has open, which continues with the rest", () =>
    Effect.gen(function* () {
      const { cwd, found } = yield* marked
      const database = new DatabaseSync(path.join(cwd, file))
      assert.strictEqual(database.prepare("select count(*) as count from node").get()?.count, 2)
      assert.strictEqual(yield* loomIn(cwd)("purge", "@", "--yes"), "purged 1 node")
      assert.deepStrictEqual(found(), [])
      assert.strictEqual(database.prepare("select count(*) as count from node").get()?.count, 1)
      database.close()
    }),
  )

  it.scopedLive.skipIf(!terminal.isAvailable)("asks on a terminal, and takes any answer but yes as no", () =>
    Effect.gen(function* () {
      const { cwd, found } = yield* marked
      for (const answer of ["n", "", "\u0004"]) {
        const seen = yield* terminal.open(["loom", "purge", "@"], { cwd })
        yield* seen.until("Remove 1 node for good? Nothing can bring it back [y/N]")
        yield* seen.type(answer === "\u0004" ? answer : `${answer}\r`)
        yield* seen.until("nothing was purged")
        assert.strictEqual(yield* seen.ended, 0)
      }
      assert.isNotEmpty(found())
      const seen = yield* terminal.open(["loom", "purge", "@"], { cwd })
      yield* seen.until("[y/N]")
      yield* seen.type("y\r")
      yield* seen.until("purged 1 node")
      assert.strictEqual(yield* seen.ended, 0)
      assert.deepStrictEqual(found(), [])
    }),
  )
})
