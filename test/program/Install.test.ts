import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Terminal from "./terminal.ts"
import { bin, folder, vibe } from "./vibe.ts"

const before = '{\n  "mcpServers": {\n    "git": { "command": "uvx" }\n  }\n}\n'

describe("vibe install", () => {
  it.scopedLive("asks in a pipe for --yes, writes with it, and takes it back", () =>
    Effect.gen(function* () {
      const home = yield* folder({ "engine/.git/HEAD": "", "engine/src/": "", "engine/.mcp.json": before })
      const options = { cwd: path.join(home, "engine/src"), env: { HOME: home } }
      const file = path.join(home, "engine/.mcp.json")
      const refused = yield* vibe(["install", "claude"], options)
      assert.strictEqual(refused.code, 2)
      assert.include(refused.stderr, "add --yes, or --print")
      assert.strictEqual(fs.readFileSync(file, "utf8"), before)
      const installed = yield* vibe(["install", "claude", "--yes", "--skill", "--command", "npx"], options)
      assert.strictEqual(installed.code, 0, installed.stderr)
      assert.deepStrictEqual(JSON.parse(fs.readFileSync(file, "utf8")).mcpServers.vibe, {
        command: "npx",
        args: ["-y", "vibe-index", "mcp"],
      })
      assert.isTrue(fs.existsSync(path.join(home, "engine/.claude/skills/vibe/SKILL.md")))
      const removed = yield* vibe(["install", "claude", "--yes", "--remove"], options)
      assert.strictEqual(removed.code, 0, removed.stderr)
      assert.strictEqual(fs.readFileSync(file, "utf8"), before)
      assert.deepStrictEqual(fs.readdirSync(path.join(home, "engine")).sort(), [".git", ".mcp.json", "src"])
    }),
  )

  it.scopedLive("starts this vibe by its path from the user's own file", () =>
    Effect.gen(function* () {
      const home = yield* folder()
      const { code, stderr } = yield* vibe(["install", "codex", "--user", "--yes"], { cwd: home, env: { HOME: home } })
      assert.strictEqual(code, 0, stderr)
      const text = fs.readFileSync(path.join(home, ".codex/config.toml"), "utf8")
      const script = fs.realpathSync(bin)
      const words = [process.execPath, script, "mcp"].map((word) => JSON.stringify(word))
      assert.strictEqual(text, `[mcp_servers.vibe]\ncommand = ${words[0]}\nargs = [${words.slice(1).join(", ")}]\n`)
      // Without PATH, as an editor that was started from a desktop.
      const started = yield* vibe(["--version"], { cwd: home, bin: script, env: { PATH: "" } })
      assert.strictEqual(started.code, 0, started.stderr)
    }),
  )

  it.scopedLive("offers the agents to the shell", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const { stdout } = yield* vibe(["completion", "bash", "--", "=install", "=c"], { cwd })
      assert.strictEqual(stdout, "claude\ncodex\ncursor\n")
    }),
  )

  it.runIf(Terminal.isAvailable).each(["y", "n"])("asks on a terminal, and heeds the answer %s", (answer) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const home = yield* folder({ "engine/.git/HEAD": "" })
          const cwd = path.join(home, "engine")
          const seen = yield* Terminal.open(["install", "cursor"], { cwd, env: { HOME: home } })
          yield* seen.until("[y/N]")
          assert.isFalse(fs.existsSync(path.join(cwd, ".cursor")))
          yield* seen.type(`${answer}\n`)
          yield* seen.until(answer === "y" ? "Cursor's settings" : "nothing was changed")
          assert.strictEqual(yield* seen.ended, 0)
          assert.strictEqual(fs.existsSync(path.join(cwd, ".cursor/mcp.json")), answer === "y")
        }),
      ),
    ),
  )
})
