import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { theirs } from "../disk/Theirs.ts"
import { drawn, file, refused, tampered } from "./looms.ts"
import { folder, isRoot, locked, loomIn, vibe } from "./vibe.ts"

describe("vibe loom with bad input", () => {
  it.scopedLive(
    "prints one line for an error, and changes nothing",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "what.txt": "what is this" })
        const loom = loomIn(cwd)
        const run = (...args: ReadonlyArray<string>) => vibe(["loom", ...args], { cwd })
        refused(yield* run("log"), 2, "the forest is empty")
        yield* loom("append", "--system", "Be kind", "Hello")
        const before = yield* loom("log", "--json")
        const [root, node] = [JSON.parse(before).root.id, JSON.parse(before).nodes[0].id]
        refused(yield* run("show", "1"), 2, "'1' may be", `${root} (root "Be kind")`, `${node} (user "Hello")`)
        refused(yield* run("edit", root, "other"), 2, "Cannot edit root")
        refused(yield* run("append", "@"), 2, "The text is empty")
        refused(yield* run("generate", "@", "Hi", "--model", "nobody/x"), 2, "'nobody'", "google", "offline")
        refused(yield* run("log", "--ephemeral", "--forest", "x.db"), 2, "either --ephemeral or --forest")
        refused(yield* run("import", "what.txt"), 2, "what.txt: unrecognised format", "Claude Code")
        assert.strictEqual(yield* loom("log", "--json"), before)
      }),
    240_000,
  )

  it.scopedLive(
    "distinguishes a missing key from a wrong command line, and stores nothing then",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        const ended = yield* vibe(["loom", "generate", "--system", "x", "Hi"], { cwd })
        refused(ended, 3, "GOOGLE_API_KEY")
        assert.strictEqual(drawn(yield* loomIn(cwd)("roots")), "")
      }),
    240_000,
  )

  it.scopedLive(
    "reports storage that is damaged, of a later version, or no forest",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "text.db": "this is no database, and it is long enough to be taken for one" })
        const run = (...args: ReadonlyArray<string>) => vibe(["loom", ...args], { cwd })
        refused(yield* run("log", "--forest", "text.db"), 7, "cannot be read", "text.db: is damaged")
        theirs(path.join(cwd, "other.db"))
        refused(
          yield* run("append", "--forest", "other.db", "--system", "Be kind", "Hello"),
          7,
          "other.db: is another program's",
        )
        const id = yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
        const sql = tampered(cwd)
        yield* sql("update node set body = 'Bye' where role = 'user'")
        const { code, stderr, stdout } = yield* run("verify")
        assert.strictEqual(code, 7)
        assert.match(
          stdout,
          /^node [0-9a-z]{18}: is not what was written\nnode [0-9a-z]{18}: has a digest of something else\n$/,
        )
        assert.strictEqual(stderr, "vibe: the forest is damaged: 2 problems\n")
        assert.lengthOf(JSON.parse((yield* run("verify", "--json")).stdout).error.problems, 2)
        assert.include(yield* loomIn(cwd)("show", id), "[This message cannot be read: its row is damaged]")

        yield* sql("update node set parent = id where role = 'user'")
        refused(yield* run("log", id), 7, "cannot be read", id, "'vibe loom verify'")
        yield* sql("pragma user_version = 99")
        refused(yield* run("log"), 7, "newer version", "Update vibe")
      }),
    240_000,
  )

  const reads = [
    ["log"],
    ["show", "@"],
    ["search", "hello"],
    ["roots"],
    ["tree"],
    ["export", "@"],
    ["bookmarks"],
    ["verify"],
  ]
  const writes = [
    ["append", "@", "More"],
    ["generate", "@", "--model", "lmstudio/x"],
    ["edit", "@", "Other"],
    ["undo"],
    ["bookmark", "other", "@"],
    ["verify", "--mend"],
  ]

  const two = { concurrency: 2 }

  /** `hinder`: so that the forest of this folder cannot be written any more. */
  const readable = <E, R>(hinder: (cwd: string) => Effect.Effect<unknown, E, R>) =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const run = (args: ReadonlyArray<string>) => vibe(["loom", ...args], { cwd })
      const id = yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
      yield* loomIn(cwd)("bookmark", "here", id)
      const before = yield* Effect.forEach(reads, run, two)
      yield* hinder(cwd)
      assert.deepStrictEqual(yield* Effect.forEach(reads, run, two), before)
      for (const ended of yield* Effect.forEach(writes, run, two)) {
        refused(ended, 7, "cannot be saved", "forest.db: cannot be written")
      }
    })

  it.scopedLive(
    "reads a forest that is not writable, and fails where it would write",
    () => readable((cwd) => Effect.sync(() => fs.mkdirSync(path.join(cwd, `${file}-shm`)))),
    240_000,
  )

  it.scopedLive.skipIf(isRoot)(
    "reads a forest in a folder that it may not write (not for root, who may)",
    () => readable((cwd) => locked(path.dirname(path.join(cwd, file)), 0o555)),
    240_000,
  )

  it.scopedLive.skipIf(isRoot)(
    "reads a forest that it may not write (not for root, who may)",
    () => readable((cwd) => locked(path.join(cwd, file), 0o444)),
    240_000,
  )

  it.scopedLive.skipIf(isRoot)("names what it may not write (root may)", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "state/": "" })
      yield* locked(path.join(cwd, "state"), 0o555)
      const env = { XDG_STATE_HOME: path.join(cwd, "state") }
      refused(
        yield* vibe(["loom", "append", "--system", "x", "Hi"], { cwd, env }),
        7,
        "cannot be saved",
        "forest.db: cannot be written",
      )
    }),
  )
})
