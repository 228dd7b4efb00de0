/** Commands in a repository whose settings name programs, as one that comes in an archive may. */
import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as GitRepository from "../utils/GitRepository.ts"
import { hostile, indexes, started } from "./hostileRepository.ts"
import { vibe } from "./vibe.ts"

describe.skipIf(process.platform === "win32" || !GitRepository.isAvailable)(
  "a repository whose settings name programs",
  () => {
    it.scopedLive.each(Object.keys(indexes) as ReadonlyArray<keyof typeof indexes>)(
      "starts none of them, with an index that is %s",
      (index) =>
        Effect.gen(function* () {
          const { home, root, trace } = yield* hostile(index)
          for (const line of [
            "check",
            "check --base HEAD~1 --json",
            "check --fix --strict",
            "diff HEAD",
            "diff HEAD~1..HEAD",
            "status",
            "index .",
            "show one",
            "show --history one",
            "query one",
            "map",
            "completion bash =diff =",
            "merge-driver --install",
          ]) {
            const ended = yield* vibe(line.split(" "), { cwd: root, env: GitRepository.environment(home) })
            assert.strictEqual(started(trace), "", line)
            assert.notInclude([2, 70], ended.code, `${line}: ${ended.stderr}`)
            if (line.includes("--history")) assert.match(ended.stdout, /by Ada: +Counts\./)
          }
          // The settings are those that git itself follows.
          spawnSync("git", ["status"], { cwd: root, env: GitRepository.environment(home) })
          assert.notStrictEqual(started(trace), "")
        }),
    )
  },
)
