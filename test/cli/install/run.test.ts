import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Ref } from "effect"
import * as Cli from "../../../src/cli/Cli.ts"
import { install } from "../../../src/cli/install/command.ts"
import { entryWithoutLayer } from "../../../src/cli/Table.ts"
import * as Confirm from "../../../src/cli/terminal/Confirm.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as Files from "../../../src/code/Files.ts"
import { Machine } from "../../../src/install/Launch.ts"
import { tableWith } from "../../utils/commands.ts"

const vibe = tableWith(entryWithoutLayer({ command: install, run: () => import("../../../src/cli/install/run.ts") }))

const file = "/home/ada/engine/.mcp.json"
const text = '{\n  "mcpServers": {\n    "git": {}\n  }\n}\n'

/** Runs `vibe install …` for the project /home/ada/engine, with an answer to the question. */
const session = (contents: Readonly<Record<string, Files.Content>> = {}, answer?: boolean | undefined) =>
  Effect.gen(function* () {
    const files = Files.makeMemory({ "/home/ada/engine/.git/HEAD": "", [file]: text, ...contents })
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    const questions: Array<string> = []
    const confirm: Confirm.Service = {
      ask: (question) => {
        questions.push(question)
        return Effect.succeed(Option.fromNullable(answer))
      },
    }
    const layer = Layer.mergeAll(
      Layer.succeed(Files.Files, files),
      Layer.succeed(Confirm.Confirm, confirm),
      Layer.succeed(Machine, { node: "/opt/node", script: "/opt/vibe/bin.js", platform: "linux" }),
      Screen.layerMemory(written),
      NodeContext.layer,
    )
    const run = (...argv: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        yield* Ref.set(written, [])
        const root = argv.includes("--user") || argv.includes("--root") ? [] : ["--root", "/home/ada/engine"]
        const code = yield* Cli.run(vibe, { argv: ["install", ...argv, ...root], version: "1.2.3" })
        const all = yield* Ref.get(written)
        const on = (stream: "out" | "err") => all.flatMap(({ text, to }) => (to === stream ? [text] : [])).join("")
        return { code, out: on("out"), err: on("err") }
      }).pipe(
        Effect.provide(layer),
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["HOME", "/home/ada"]]))),
      )
    const read = (path: string) =>
      Effect.map(files.read(path, { most: 100_000 }), (bytes) => new TextDecoder().decode(bytes))
    return { files, questions, read, run }
  })

const diff = `--- ${file}
+++ ${file}
@@ -1,5 +1,9 @@
 {
   "mcpServers": {
-    "git": {}
+    "git": {},
+    "vibe": {
+      "command": "/opt/node",
+      "args": ["/opt/vibe/bin.js", "mcp"]
+    }
   }
 }
`

describe("vibe install", () => {
  it.effect("shows the change, asks, writes it, and says what comes next", () =>
    Effect.gen(function* () {
      const { questions, read, run } = yield* session({}, true)
      const { code, err, out } = yield* run("claude")
      assert.strictEqual(code, 0, err)
      assert.deepStrictEqual(questions, ["Write .mcp.json? [y/N] "])
      assert.strictEqual(
        out,
        `${diff}changed ${file}\nStart 'claude' in the project and approve the server when it asks; '/mcp' shows it.\nThe entry has paths of this machine: others run 'vibe install' on theirs.\n`,
      )
      assert.include(yield* read(file), '"vibe"')
      assert.strictEqual(
        (yield* run("claude")).out,
        `already installed: Claude Code has the server 'vibe' in ${file}\n`,
      )
      const removed = yield* run("claude", "--remove")
      assert.match(removed.out, new RegExp(`-    "vibe": \\{[\\s\\S]*changed ${file}\n$`))
      assert.strictEqual(yield* read(file), text)
      assert.strictEqual(
        (yield* run("claude", "--remove")).out,
        `nothing to remove: Claude Code has no server 'vibe' in ${file}\n`,
      )
    }),
  )

  it.effect("writes nothing after a no, for --print, and where it cannot ask", () =>
    Effect.gen(function* () {
      const no = yield* session({}, false)
      const refused = yield* no.run("claude")
      assert.deepStrictEqual([refused.code, refused.err], [0, "nothing was changed\n"])
      const none = yield* session()
      const printed = yield* none.run("claude", "--print")
      assert.deepStrictEqual(printed, { code: 0, out: diff, err: "" })
      assert.isEmpty(none.questions)
      const piped = yield* none.run("claude")
      assert.strictEqual(piped.code, 2)
      assert.include(piped.err, "stdin is no terminal: add --yes, or --print")
      for (const { read } of [no, none]) assert.strictEqual(yield* read(file), text)
    }),
  )

  it.effect("prints one object for --json", () =>
    Effect.gen(function* () {
      const { read, run } = yield* session()
      const { out } = yield* run("claude", "--json", "--yes", "--skill")
      const skill = "/home/ada/engine/.claude/skills/vibe/SKILL.md"
      const { files, ...others } = JSON.parse(out)
      assert.deepStrictEqual(others, { agent: "claude", name: "vibe", project: "/home/ada/engine", isWritten: true })
      assert.deepInclude(files[0], { subject: "server", path: file, change: "changed", diff: diff.trimEnd() })
      assert.deepInclude(files[1], { subject: "skill", path: skill, change: "made" })
      assert.include(yield* read(skill), "name: vibe")
      const again = JSON.parse((yield* run("claude", "--json")).out)
      assert.deepInclude(again.files[0], { change: "none", diff: null })
      assert.isFalse(again.isWritten)
    }),
  )

  it.effect("leaves a skill that was edited, and says so", () =>
    Effect.gen(function* () {
      const { files, read, run } = yield* session()
      yield* run("claude", "--yes", "--skill")
      const skill = "/home/ada/engine/.claude/skills/vibe/SKILL.md"
      yield* files.write(skill, `${yield* read(skill)}Mine.\n`)
      const { err } = yield* run("claude", "--yes", "--remove")
      assert.strictEqual(err, `kept ${skill}: it was edited after vibe had written it\n`)
      assert.strictEqual(yield* read(file), text)
    }),
  )

  it.effect("asks about several files by their number, after their paths in the project", () =>
    Effect.gen(function* () {
      const { questions, run } = yield* session({}, true)
      const { err } = yield* run("claude", "--skill", "--notes")
      assert.strictEqual(err, "  .mcp.json\n  .claude/skills/vibe/SKILL.md\n  CLAUDE.md\n")
      yield* run("claude", "--remove")
      yield* run("cursor")
      yield* run("cursor", "--remove")
      assert.deepStrictEqual(questions, [
        "Write these 3 files? [y/N] ",
        "Change these 3 files? [y/N] ",
        "Write .cursor/mcp.json? [y/N] ",
        "Remove .cursor/mcp.json? [y/N] ",
      ])
    }),
  )

  it.effect("prints what to write where it cannot write it, and refuses comments where the agent reads none", () =>
    Effect.gen(function* () {
      const { run } = yield* session({
        "/home/ada/engine/.codex/config.toml": "mcp_servers = { x = { command = 'x' } }\n",
        "/home/ada/engine/.mcp.json": "{\n  // mine\n}\n",
      })
      const codex = yield* run("codex", "--yes")
      assert.strictEqual(
        codex.err,
        `vibe: /home/ada/engine/.codex/config.toml: 'mcp_servers' is in a form that vibe does not change. Write this by hand: vibe = { command = "/opt/node", args = ["/opt/vibe/bin.js", "mcp"] }\n`,
      )
      const claude = yield* run("claude", "--yes")
      assert.strictEqual(
        claude.err,
        "vibe: /home/ada/engine/.mcp.json: not valid JSON at 2:3: a comment, and the agent reads none in this file. Nothing was changed: mend it and run this again\n",
      )
      assert.deepStrictEqual([codex.code, claude.code], [2, 2])
    }),
  )

  it.effect("refuses the project's vibe for what does not start in one project", () =>
    Effect.gen(function* () {
      const { run } = yield* session()
      const [user, cursor] = [
        yield* run("claude", "--user", "--command", "local"),
        yield* run("cursor", "--command", "local"),
      ]
      assert.include(user.err, "your own file is for all projects")
      assert.include(cursor.err, "Cursor starts them in your home")
    }),
  )

  it.effect("says in one line what is wrong, and what to do", () =>
    Effect.gen(function* () {
      const { run } = yield* session({
        "/home/ada/.gemini/settings.json": '{\n  "mcpServers": [],\n}',
        "/home/ada/.codex/config.toml": "model = \n",
        "/home/ada/.cursor/mcp.json": '{"mcpServers": {"vibe": {"url": "x"}}}',
      })
      for (const [argv, line] of [
        [
          ["gemini", "--user"],
          "vibe: /home/ada/.gemini/settings.json: 'mcpServers' is a list and not an object. Nothing was changed: mend it and run this again\n",
        ],
        [
          ["cursor", "--user", "--remove"],
          "vibe: /home/ada/.cursor/mcp.json: 'mcpServers.vibe' is another server. Choose another name with --name\n",
        ],
        [
          ["clod"],
          "vibe: there is no agent 'clod'; there are claude, codex, gemini, opencode, cursor, vscode. See 'vibe install --help'\n",
        ],
        [
          ["claude", "--name", "a b"],
          "vibe: option '--name' takes letters, digits, '-' and '_', at most 64. See 'vibe install --help'\n",
        ],
        [
          ["claude", "--command", "yarn"],
          "vibe: option '--command' takes path, local or npx. See 'vibe install --help'\n",
        ],
        [
          ["claude", "--user", "--notes"],
          "vibe: --notes is about a project: leave out --user. See 'vibe install --help'\n",
        ],
        [
          ["claude", "--root", "/home/ada"],
          "vibe: /home/ada is your home and no project: go to a project, or add --user to install for all of them. See 'vibe install --help'\n",
        ],
        [["claude", "--root", file], `vibe: ${file} is not a folder. See 'vibe install --help'\n`],
        [["claude", "--root", "/nowhere"], "vibe: /nowhere: no such file or folder\n"],
      ] as const) {
        const { code, err, out } = yield* run(...argv, "--yes")
        assert.deepStrictEqual([code, err, out], [2, line, ""])
      }
      const { err } = yield* run("codex", "--user", "--yes")
      assert.match(
        err,
        /^vibe: \/home\/ada\/\.codex\/config\.toml: not valid TOML at 1:\d+: .*\. Nothing was changed: mend it/,
      )
    }),
  )

  it.effect("shows no escape sequences, and long lines shortened", () =>
    Effect.gen(function* () {
      const { run } = yield* session({ [file]: `{"a":"\u001b]0;title\u0007","b":"${"x".repeat(5_000)}"}` })
      const { out } = yield* run("claude", "--print")
      assert.notInclude(out, "\u001b")
      assert.isAtMost(out.length, 1_500)
    }),
  )
})
