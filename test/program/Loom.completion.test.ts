import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, loomIn, shell, vibe } from "./vibe.ts"

describe("vibe completion", () => {
  it.scopedLive(
    "lets bash complete commands, bookmarks and ids, and creates no forest",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        const completed = (...words: ReadonlyArray<string>) =>
          Effect.map(
            shell(
              [
                'eval "$(vibe completion bash)"',
                `COMP_WORDS=(vibe ${words.join(" ")})`,
                `COMP_CWORD=${words.length}`,
                "_vibe",
                `printf '%s\\n' "\${COMPREPLY[@]}"`,
              ].join("; "),
              { cwd },
            ),
            ({ stdout }) => stdout.trimEnd().split("\n"),
          )
        assert.deepStrictEqual(yield* completed("loom", "bo"), ["bookmark", "bookmarks"])
        assert.include(yield* completed("ask", "--model", "google/"), "google/gemini-2.5-flash")
        assert.deepStrictEqual(yield* completed("loom", "show", "m"), [""])
        assert.deepStrictEqual(fs.readdirSync(cwd), [])
        const id = yield* loomIn(cwd)("append", "--system", "x", "Hello")
        yield* loomIn(cwd)("bookmark", "my talk", "@")
        assert.deepStrictEqual(yield* completed("loom", "show", "m"), ["my\\ talk"])
        assert.include(yield* completed("loom", "diff", "@", id.slice(0, 3)), id.slice(0, 10))
      }),
    240_000,
  )

  it.scopedLive("prints a script for each shell, and refuses one that it does not know", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      for (const [name, line] of [
        ["bash", "complete -F _vibe vibe"],
        ["zsh", "compdef _vibe vibe"],
        ["fish", "complete -c vibe"],
      ] as const) {
        const { code, stdout } = yield* vibe(["completion", name], { cwd })
        assert.deepStrictEqual([code, stdout.includes(line)], [0, true])
      }
      const { code, stderr, stdout } = yield* vibe(["completion", "tcsh"], { cwd })
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.include(stderr, "there is no completion for 'tcsh'; there is for bash, zsh and fish")
    }),
  )
})
