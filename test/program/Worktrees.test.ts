/** Commands in a linked worktree that is within the main checkout. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as GitRepository from "../utils/GitRepository.ts"
import { bin, environmentIn, folder, vibe } from "./vibe.ts"

const request = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`

/** What the tool `show` of `vibe mcp` answers. */
const showByServer = (home: string, cwd: string, symbol: string): string =>
  spawnSync(process.execPath, [bin, "mcp"], {
    cwd,
    env: environmentIn(home),
    encoding: "utf8",
    input:
      request(1, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "a", version: "1" },
      }) + request(2, "tools/call", { name: "show", arguments: { target: symbol } }),
  }).stdout

describe.skipIf(!GitRepository.isAvailable)("a linked worktree within the main checkout", () => {
  it.scopedLive("is a project of its own, and no part of the one around it", () =>
    Effect.gen(function* () {
      const root = yield* folder()
      const { commit, git, write } = yield* GitRepository.make(root)
      commit({ "src/a.py": "def in_main():\n    return 1\n", ".gitignore": ".claude/\n.vibe/\n" })
      git("worktree", "add", "--quiet", ".claude/worktrees/w1", "-b", "w1")
      git("worktree", "add", "--quiet", "wt2", "-b", "w2")
      yield* vibe(["index", "."], { cwd: root })
      write({ "wt2/src/a.py": "def only_in_wt2():\n    return 2\n" })
      const found = yield* vibe(["show", "in_main"], { cwd: root })
      assert.match(found.stdout, /^src\/a\.py:1-2 /)
      assert.strictEqual((yield* vibe(["show", "only_in_wt2"], { cwd: root })).code, 1)

      const inner = path.join(root, ".claude/worktrees/w1/src")
      fs.writeFileSync(path.join(inner, "a.py"), "def only_in_w1():\n    return 1\n")
      for (const args of [["show", "in_main"], ["query", "in_main"], ["status"], ["map"]]) {
        const { code, stderr } = yield* vibe(args, { cwd: inner })
        assert.match(stderr, /there is no index here yet/, args.join(" "))
        assert.notStrictEqual(code, 0)
      }
      assert.match(showByServer(root, inner, "only_in_w1"), /def only_in_w1/)
      assert.isTrue(fs.existsSync(path.join(root, ".claude/worktrees/w1/.vibe")))
      assert.match((yield* vibe(["show", "only_in_w1"], { cwd: inner })).stdout, /^a\.py:1-2 /)
    }),
  )
})
