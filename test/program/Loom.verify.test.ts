import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { file, refused, tampered } from "./looms.ts"
import { folder, loomIn, vibe } from "./vibe.ts"

describe("vibe loom verify", () => {
  it.scopedLive("reports a damaged search index, and rebuilds it with --mend", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const id = yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
      yield* tampered(cwd)("update state set indexed = 2")
      const { code, stderr, stdout } = yield* vibe(["loom", "verify"], { cwd })
      assert.deepStrictEqual([code, stdout], [7, `node ${id}: is not found by its words\n`])
      assert.strictEqual(
        stderr,
        "vibe: an index of the forest is damaged: 1 problem. 'vibe loom verify --mend' makes it again\n",
      )
      assert.match(yield* loomIn(cwd)("verify", "--mend"), /^all is well/)
      assert.include(yield* loomIn(cwd)("search", "hello"), "Hello")
    }),
  )

  const page = 4096
  it.scopedLive.each<readonly [title: string, damage: (file: string) => void, says: string]>([
    ["of no bytes", (file) => fs.truncateSync(file), "is empty, so that what was in it is lost"],
    ["of one byte", (file) => fs.writeFileSync(file, "x"), "is damaged. Bring back a copy of it"],
    ["of zeros alone", (file) => fs.writeFileSync(file, Buffer.alloc(8 * page)), "is damaged. Bring back a copy of it"],
    ["that ends after its first page", (file) => fs.truncateSync(file, page), "is damaged. Bring back a copy of it"],
    [
      "whose link leads to a file of no bytes",
      (file) => {
        fs.renameSync(file, `${file}.real`)
        fs.truncateSync(`${file}.real`)
        fs.symlinkSync(`${file}.real`, file)
      },
      "is empty, so that what was in it is lost",
    ],
  ])(
    "names a forest %s, says what to do, and begins no other in its place",
    ([, damage, says]) =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "answers.json": '["Hello!"]' })
        yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
        const forest = path.join(cwd, file)
        damage(forest)
        const left = fs.readFileSync(forest)
        for (const args of [
          ["verify"],
          ["verify", "--mend"],
          ["roots"],
          ["append", "--system", "Be kind", "Bye"],
          ["purge", "--removed", "--yes"],
        ])
          refused(yield* vibe(["loom", ...args], { cwd }), 7, `${forest}: ${says}`, "move it away to begin anew")
        const asked = yield* vibe(["ask", "Hi", "--model", "scripted/answers.json"], { cwd })
        assert.deepStrictEqual([asked.code, asked.stdout], [0, "Hello!\n"])
        assert.include(asked.stderr, `not kept (reason: the stored conversations cannot be read: ${forest}:`)
        assert.deepStrictEqual(fs.readFileSync(forest), left)

        fs.renameSync(forest, `${forest}.aside`)
        yield* loomIn(cwd)("append", "--system", "Be kind", "Bye")
        assert.match(yield* loomIn(cwd)("verify"), /^all is well: 1 tree, 1 node/)
        assert.deepStrictEqual(fs.readFileSync(`${forest}.aside`), left)
      }),
    240_000,
  )

  it.scopedLive("lists the problems of a forest that has lost a page in its middle, and changes nothing", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
      const forest = path.join(cwd, file)
      const bytes = fs.readFileSync(forest)
      bytes.fill(255, 2 * page, 5 * page)
      fs.writeFileSync(forest, bytes)
      const { code, stderr, stdout } = yield* vibe(["loom", "verify"], { cwd })
      assert.strictEqual(code, 7)
      assert.match(stdout, /^storage: .*page/)
      assert.match(stderr, /^vibe: the forest is damaged: \d+ problems\n$/)
      refused(yield* vibe(["loom", "roots"], { cwd }), 7, "is damaged. Bring back a copy of it")
      assert.deepStrictEqual(fs.readFileSync(forest), bytes)
    }),
  )
})
