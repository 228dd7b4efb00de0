/** The meaning of git's exit codes and output, whatever it prints. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Git from "../../src/review/Git.ts"

const prints = (code: number, stderr: string, stdout = "") =>
  Layer.succeed(Git.Git, { run: () => Effect.succeed({ code, stdout: Buffer.from(stdout), stderr }) })

const reasonOf = (stderr: string, code = 128) =>
  Git.read("/p", ["rev-list"]).pipe(
    Effect.flip,
    Effect.map(({ reason }) => reason),
    Effect.provide(prints(code, stderr)),
  )

describe("Git.read", () => {
  it.effect("returns what git prints if it ends well, even with a warning", () =>
    Effect.gen(function* () {
      const output = yield* Effect.provide(
        Git.read("/p", ["rev-list"]),
        prints(0, "warning: not a git repository", "a\nb\n"),
      )
      assert.strictEqual(output.toString(), "a\nb\n")
    }),
  )

  it.effect("knows the messages of any version of git that have a reason of their own", () =>
    Effect.gen(function* () {
      for (const [stderr, tag] of [
        ["fatal: not a git repository (or any of the parent directories): .git", "NotARepository"],
        ["fatal: Not a git repository: '/p/.git'", "NotARepository"],
        ["fatal: this operation must be run in a work tree", "NotARepository"],
        ["fatal: detected dubious ownership in repository at '/p'", "OtherOwner"],
        ["fatal: unsafe repository ('/p' is owned by someone else)", "OtherOwner"],
        ["fatal: lazy fetching disabled; some objects may not be available", "PartialClone"],
        ["fatal: could not fetch 1a2b from promisor remote", "PartialClone"],
        ["fatal: transport 'https' not allowed", "PartialClone"],
        ["fatal: transport of goods", "Failed"],
      ] as const) {
        const reason = yield* reasonOf(stderr)
        assert.strictEqual(reason._tag, tag, stderr)
        if (reason._tag === "NotARepository" || reason._tag === "OtherOwner") assert.strictEqual(reason.folder, "/p")
      }
    }),
  )

  it.effect("quotes the first line of any other message, shortened, or the exit code", () =>
    Effect.gen(function* () {
      const detailOf = (stderr: string, code?: number) =>
        Effect.map(reasonOf(stderr, code), (reason) => reason._tag === "Failed" && reason.detail)
      assert.strictEqual(yield* detailOf("\n  \nfatal: bad object HEAD\nhint: more\n"), "bad object HEAD")
      assert.strictEqual(yield* detailOf("error: fatal: twice"), "fatal: twice")
      assert.strictEqual(yield* detailOf("a fatal: within"), "a fatal: within")
      assert.strictEqual(yield* detailOf(" \n", 3), "it ended with exit code 3")
      assert.strictEqual(yield* detailOf("x".repeat(301)), "x".repeat(300))
    }),
  )
})

describe("Git.ask", () => {
  it.effect("returns the first line that git prints, which may be empty, and nothing if git refuses", () =>
    Effect.gen(function* () {
      const ask = Git.ask("/p", ["rev-parse", "HEAD"])
      assert.strictEqual(yield* Effect.provide(ask, prints(0, "", "1a2b\nmore\n")), "1a2b")
      assert.strictEqual(yield* Effect.provide(ask, prints(0, "", "")), "")
      assert.isUndefined(yield* Effect.provide(ask, prints(1, "", "1a2b\n")))
    }),
  )
})
