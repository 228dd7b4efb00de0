import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { shared } from "../../utils/shared.ts"
import { openTalk, out, session } from "./session.ts"

describe("vibe loom with bad input", () => {
  /** One for all, since no command changes it: what follows on one that does says so as well. */
  const talking = shared(
    Effect.gen(function* () {
      const run = yield* openTalk
      const log = out(run("log", "--json"))
      return { run, log, before: yield* log }
    }).pipe(Effect.interruptible),
  )

  it.effect.each<ReadonlyArray<string>>([["append"], ["append", " "], ["generate", " ", "--model", "test/x"]])(
    "plants no tree for white space: %s",
    (argv) =>
      session((run) =>
        Effect.gen(function* () {
          const { code, err } = yield* run(...argv, "--system", "Be kind")
          assert.deepStrictEqual([code, err], [2, "vibe: The text is empty\n"])
          assert.strictEqual(yield* out(run("roots")), "")
        }),
      ),
  )

  it.effect.each<readonly [argv: ReadonlyArray<string>, ...words: ReadonlyArray<string>]>([
    [["show", "nowhere"], "no node 'nowhere'; the forest has 1 tree. 'vibe loom roots' lists the trees"],
    [["show", "@~7"], "no node '@~7'"],
    [["show", "n"], `'n' may be n-0 (root "Be kind"), n-1 (user "Hello"), n-2 (assistant "Hi there")`],
    [["edit", "n-0", "other"], "Cannot edit root"],
    [["split", "n-0", "1"], "Cannot split root"],
    [["delete", "n-0", "--cascade"], "Cannot delete root"],
    [["bookmark", "top", "n-0"], "Cannot bookmark root"],
    [["search", "🎉", "…"], "'🎉 …' has no word in it to look for"],
    [["edit", "@", " "], "The text is empty"],
    [["edit", "@", ""], "'loom edit' needs TEXT"],
    [["append", "@", " "], "The text is empty"],
    [["append", "@"], "The text is empty"],
    [["append"], "'loom append' needs NODE, or --system TEXT"],
    [["append", "@", "x", "--role", "tool"], "'--role' takes user or assistant, not 'tool'"],
    [["split", "@", "0"], "Cannot split"],
    [["split", "@", "8"], "it is 8 characters long"],
    [["split", "@", "two"], "POSITION is a whole number, not 'two'"],
    [["move", "@"], "'loom move' needs --to NODE"],
    [["delete", "@"], "--cascade and --reparent"],
    [["delete", "@", "--cascade", "--reparent"], "--cascade and --reparent"],
    [["purge"], "'loom purge' needs one of NODE and --removed"],
    [["purge", "@", "--removed"], "'loom purge' needs one of NODE and --removed"],
    [["purge", "@"], "asks before it removes anything for good, and stdin is no terminal: add --yes"],
    [["purge", "nowhere", "--yes"], "no node 'nowhere'"],
    [["bookmark", "x"], "TITLE and NODE"],
    [["bookmark", "x", "@", "--delete", "x"], "TITLE and NODE"],
    [["bookmark", " x ", "@"], "cannot name a bookmark"],
    [["bookmark", "--delete", "x"], 'no bookmark "x"'],
    [["generate", "@", "Hi", "-n", "2", "--tool", "introspect"], "only supports n=1"],
    [["generate", "@", "Hi", "--temperature", "warm"], "'--temperature' takes a number from 0"],
    [["generate", "@", "Hi", "--max-tokens", "0"], "'--max-tokens' takes a number from 1"],
    [["generate", "@", "Hi", "--preset", "none"], "there is no preset 'none'; there are none"],
    [["generate", "@", "Hi", "-n", "0"], "'-n' takes a number"],
    [["generate", "@", "Hi", "--tool", "introspect", "--tool-choice", "rm"], 'Tool "rm" not found.'],
    [["generate", "@", "Hi", "--tool", "rm"], "no tool 'rm'", "current_date, introspect"],
    [["generate", "@", "Hi", "--model", "/x"], "a model is written PROVIDER/NAME"],
    [["generate", "@", " ", "--model", "test/x"], "The text is empty"],
    [["search", "x", "--since", "then"], "--since"],
    [["search", "x", "--root", "nowhere"], "no node 'nowhere'"],
    [["log", "--limit", "0"], "--limit"],
    [["tree", "--depth", "-1"], "--depth"],
    [["export", "--format", "pdf"], "'--format' takes markdown, md, json, jsonl or html, not 'pdf'"],
    [["import", "/nowhere/at.all"], "/nowhere/at.all: no such file"],
    [["import", "/"], "/: neither a regular file nor a pipe"],
    [["diff", "@"], "'loom diff' needs B"],
    [["lgo"], "did you mean 'loom log'?"],
  ])("says in a line what is wrong, and changes nothing: %j", ([argv, ...words]) =>
    Effect.gen(function* () {
      const { before, log, run } = yield* talking
      const { code, err, out: printed } = yield* run(...argv)
      assert.deepStrictEqual([code, printed], [2, ""], err)
      assert.lengthOf(err.trimEnd().split("\n"), 1, err)
      for (const word of words) assert.include(err, word)
      assert.strictEqual(yield* log, before)
    }),
  )
})
