import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type * as Confirm from "../../../src/cli/terminal/Confirm.ts"
import { object, out, talk } from "./session.ts"

describe("vibe loom purge", () => {
  /** Answers each question, and keeps it. */
  const answering = (answer: boolean, questions: Array<string> = []): Confirm.Service => ({
    ask: (question) =>
      Effect.sync(() => {
        questions.push(question)
        return Option.some(answer)
      }),
  })

  it.effect("asks with the number of nodes, and removes them for good", () => {
    const questions: Array<string> = []
    return talk(
      (run) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* out(run("purge", "n-1")), "purged 2 nodes")
          assert.deepStrictEqual(questions, ["Remove 2 nodes for good? Nothing can bring it back [y/N] "])
          assert.strictEqual(yield* out(run("tree", "n-0")), 'n-0 @ root "Be kind"')
          assert.strictEqual((yield* run("show", "n-1")).code, 2)
          // Only the step that made the tree is left to undo.
          assert.match(yield* out(run("undo")), /^undone: /)
        }),
      undefined,
      answering(true, questions),
    )
  })

  it.effect("removes nothing if the answer is no", () =>
    talk(
      (run) =>
        Effect.gen(function* () {
          const before = yield* out(run("log", "--json"))
          assert.deepStrictEqual(yield* run("purge", "@"), { code: 0, out: "", err: "nothing was purged\n" })
          assert.deepStrictEqual(yield* object(run("purge", "@", "--json")), { purged: null })
          assert.strictEqual(yield* out(run("log", "--json")), before)
        }),
      undefined,
      answering(false),
    ),
  )

  it.effect("does not ask with --yes: a tree, a deleted node, all deleted ones, and those with bookmarks", () =>
    talk((run) =>
      Effect.gen(function* () {
        yield* run("bookmark", "here", "@")
        const refused = yield* run("purge", "@", "--yes")
        assert.strictEqual(
          refused.err,
          "vibe: Deleting n-2 would take bookmarks with it: here. Add --bookmarks if that is meant\n",
        )
        assert.strictEqual(yield* out(run("purge", "@", "--yes", "--bookmarks")), "purged 1 node and the bookmark here")
        yield* run("append", "n-1", "first")
        yield* run("append", "n-1", "second")
        yield* run("delete", "n-3", "--cascade")
        yield* run("delete", "n-4", "--cascade")
        assert.include((yield* run("purge", "n-", "--yes")).err, "'n-' may be n-0")
        assert.deepStrictEqual(yield* object(run("purge", "n-3", "--yes", "--json")), {
          purged: { nodes: 1, trees: 0, texts: 0, bookmarks: [] },
        })
        assert.strictEqual(yield* out(run("purge", "--removed", "--yes")), "purged 1 node")
        assert.strictEqual(yield* out(run("purge", "--removed")), "purged 0 nodes")
        assert.strictEqual(yield* out(run("purge", "n-0", "--yes")), "purged 1 tree, 1 node")
        assert.strictEqual(yield* out(run("roots")), "")
        assert.match(yield* out(run("verify")), /^all is well: 0 trees, 0 nodes, 0 bookmarks/)
      }),
    ),
  )
})
