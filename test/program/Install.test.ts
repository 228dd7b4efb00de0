import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Terminal from "./terminal.ts"
import { bin, compileCache, folder, vibe } from "./vibe.ts"

const before = '{\n  "mcpServers": {\n    "git": { "command": "uvx" }\n  }\n}\n'

/** Starts a server of a configuration file in a project as an agent does; the names of its tools. */
const toolsOf = (server: { readonly command: string; readonly args: ReadonlyArray<string> }, cwd: string, PATH = "") =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      spawn(server.command, server.args, {
        cwd,
        env: { PATH, HOME: path.dirname(cwd), NODE_COMPILE_CACHE: compileCache },
        stdio: ["pipe", "pipe", "ignore"],
      }),
    ),
    (child) =>
      Effect.async<ReadonlyArray<string>, Error>((resume) => {
        const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
        let rest = ""
        child.on("error", (error) => resume(Effect.fail(error)))
        child.on("exit", (code) => resume(Effect.fail(new Error(`the server ended with ${code}`))))
        child.stdin.on("error", () => {})
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          const lines = `${rest}${text}`.split("\n")
          rest = lines.pop() ?? ""
          for (const line of lines) {
            const { id, result } = JSON.parse(line)
            if (id === 1) {
              assert.strictEqual(result.serverInfo.name, "vibe")
              send({ method: "notifications/initialized" })
              send({ id: 2, method: "tools/list" })
            } else if (id === 2) {
              resume(Effect.succeed(result.tools.map(({ name }: { readonly name: string }) => name)))
            }
          }
        })
        const clientInfo = { name: "test", version: "0" }
        send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } })
      }),
    (child) => Effect.sync(() => child.kill("SIGKILL")),
  )

describe("vibe install", () => {
  it.scopedLive("writes an entry that starts the server, as it stands, without PATH", () =>
    Effect.gen(function* () {
      const home = yield* folder({ "engine/.git/HEAD": "", "engine/mill.ts": "export const mill = 1\n" })
      const cwd = path.join(home, "engine")
      const { code, stderr } = yield* vibe(["install", "claude", "--yes"], { cwd, env: { HOME: home } })
      assert.strictEqual(code, 0, stderr)
      const { vibe: entry } = JSON.parse(fs.readFileSync(path.join(cwd, ".mcp.json"), "utf8")).mcpServers
      assert.deepStrictEqual(yield* toolsOf(entry, cwd), ["query", "show"])
    }),
  )

  it.scopedLive("writes an entry that starts the vibe of a project that depends on it", () =>
    Effect.gen(function* () {
      const home = yield* folder({
        "engine/.git/HEAD": "",
        "engine/package.json": '{"devDependencies": {"vibe-index": "*"}}',
        "engine/node_modules/vibe-index/package.json": "{}",
        "engine/node_modules/.bin/": "",
      })
      const cwd = path.join(home, "engine")
      const command = path.join(cwd, "node_modules/.bin/vibe-index")
      fs.writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, { mode: 0o755 })
      const { code, stderr } = yield* vibe(["install", "gemini", "--yes"], { cwd, env: { HOME: home } })
      assert.strictEqual(code, 0, stderr)
      const { vibe: entry } = JSON.parse(fs.readFileSync(path.join(cwd, ".gemini/settings.json"), "utf8")).mcpServers
      assert.deepStrictEqual(entry, { command: "npx", args: ["--no", "vibe-index", "mcp"] })
      assert.deepStrictEqual(yield* toolsOf(entry, cwd, process.env.PATH), ["query", "show"])
    }),
  )

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
