/** `vibe prd` as a process: the files that it writes, the text on each stream, and what it stores. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { calls } from "../../src/provider/scripted/Scripted.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import { saying } from "../utils/Gemini.ts"
import * as Terminal from "./terminal.ts"
import { folder, shell, vibe } from "./vibe.ts"

const dark = (how: string) => `# PRD: Dark Mode

A theme that is ${how}.

## User Stories

### US-001: Add a switch

A switch; $(touch pwned) 'and' "more".

**Acceptance Criteria:**
- [ ] It is there

### US-002: Remember it

**Depends on:** US-001`

const marked = (how: string) => ({ text: `[PRD]\n${dark(how)}\n[/PRD]` })

/** Records its arguments, and returns ids. */
const bd = `#!/bin/sh
printf '%s|' "$@" >> bd.log
echo >> bd.log
[ "$1" = create ] && echo "{\\"id\\": \\"bd-$(grep -c ^create bd.log)\\"}"
exit 0
`

/** Lines, one after the other, to a conversation about a PRD with a scripted model. */
const talk = (cwd: string, lines: ReadonlyArray<string>, options = "", env: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    fs.writeFileSync(path.join(cwd, "typed.txt"), lines.map((line) => `${line}\n`).join(""))
    return yield* shell(`vibe prd --model scripted/s.json --forest f.db ${options} < typed.txt`, { cwd, env })
  })

const prd = (cwd: string, ...args: ReadonlyArray<string>) => vibe(["prd", "--forest", "f.db", ...args], { cwd })

const read = (cwd: string, file: string) => fs.readFileSync(path.join(cwd, file), "utf8")

const script = (...answers: ReadonlyArray<unknown>) => ({ "s.json": JSON.stringify(answers) })

describe("vibe prd, in a pipe", () => {
  it.scopedLive("saves the PRD and its tasks: answers on stdout, the rest on stderr", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(script({ text: "1. What for?\n A. Night" }, marked("dark")))
      const { code, stderr, stdout } = yield* talk(cwd, ["1A", "1", "3", "never heard"], '"Dark mode"')
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, `1. What for?\n A. Night\n\n[PRD]\n${dark("dark")}\n[/PRD]\n`)
      // Below them may stand that a line was not sent: whether it is read before the session ends depends on time.
      assert.deepStrictEqual(stderr.split("\n").slice(0, 8), [
        "PRD saved to: tasks/prd-dark-mode.md",
        "[1] JSON (prd.json)",
        "[3] Done",
        "Anything else changes the PRD.",
        "JSON saved to: tasks/prd.json, 2 user stories",
        "No acceptance criteria were found for US-002",
        "[3] Done",
        "Anything else changes the PRD.",
      ])
      assert.strictEqual(read(cwd, "tasks/prd-dark-mode.md"), `${dark("dark")}\n`)
      const { metadata, userStories } = JSON.parse(read(cwd, "tasks/prd.json"))
      assert.strictEqual(metadata.sourcePrd, "tasks/prd-dark-mode.md")
      assert.deepStrictEqual(
        userStories.map(({ id }: { id: string }) => id),
        ["US-001", "US-002"],
      )
    }),
  )

  it.scopedLive("saves a submitted PRD at --output, in the folder or elsewhere", () =>
    Effect.gen(function* () {
      const submitting = calls(["submit_prd", { name: "Dark Mode", content: dark("dark") }])
      const top = yield* folder({ "here/s.json": JSON.stringify([submitting, { text: "Done." }]) })
      const cwd = path.join(top, "here")
      const { code, stderr } = yield* talk(cwd, ["Dark mode"], "--output docs/prds")
      assert.deepStrictEqual([code, stderr.split("\n")[1]], [0, "PRD saved to: docs/prds/prd-dark-mode.md"])
      const elsewhere = yield* talk(cwd, ["Dark mode"], "--output ../there")
      assert.include(elsewhere.stderr, `PRD saved to: ${path.join(top, "there/prd-dark-mode.md")}`)
      assert.strictEqual(read(top, "there/prd-dark-mode.md"), read(cwd, "docs/prds/prd-dark-mode.md"))
    }),
  )

  it.scopedLive("creates Beads issues with bd, without a shell", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ...script(marked("dark")), ".beads/": "", "bin/bd": bd })
      fs.chmodSync(path.join(cwd, "bin/bd"), 0o755)
      const env = { PATH: `${path.join(cwd, "bin")}:${process.env.PATH}` }
      const { code, stderr } = yield* talk(cwd, ["2"], '"Dark mode"', env)
      assert.strictEqual(code, 0, stderr)
      assert.include(stderr, "[2] Beads issues\n")
      assert.include(stderr, "Beads issues: bd-1 (US-001), bd-2 (US-002)\n")
      assert.strictEqual(
        read(cwd, "bd.log"),
        [
          `create|US-001: Add a switch|--description=A switch; $(touch pwned) 'and' "more".|--acceptance=- [ ] It is there|--priority=1|--json|`,
          "create|US-002: Remember it|--description=|--priority=2|--json|",
          "dep|add|bd-2|bd-1|",
          "",
        ].join("\n"),
      )
      assert.isFalse(fs.existsSync(path.join(cwd, "pwned")))
      const again = yield* talk(cwd, ["2"], "--resume", env)
      assert.include(again.stderr, "All of them are Beads issues already.\n")
    }),
  )

  it.scopedLive("runs no bd of the project through a relative folder of PATH, and gives bd no key", () =>
    Effect.gen(function* () {
      const planted = '#!/bin/sh\ntouch pwned\necho \'{"id": "bd-0"}\'\n'
      const ours = `#!/bin/sh\nexport -p > bd.env\n${bd.slice(bd.indexOf("\n"))}`
      const top = yield* folder({ "project/bd": planted, "project/.beads/": "", "bin/bd": ours })
      const cwd = path.join(top, "project")
      fs.writeFileSync(path.join(cwd, "s.json"), script(marked("dark"))["s.json"])
      for (const file of ["project/bd", "bin/bd"]) fs.chmodSync(path.join(top, file), 0o755)
      const env = { PATH: `.::${path.join(top, "bin")}:${process.env.PATH}:`, OPENAI_API_KEY: "a-key-of-openai" }
      const { code, stderr } = yield* talk(cwd, ["2"], '"Dark mode"', env)
      assert.strictEqual(code, 0, stderr)
      assert.include(stderr, "Beads issues: bd-1 (US-001), bd-2 (US-002)\n")
      assert.isFalse(fs.existsSync(path.join(cwd, "pwned")))
      assert.notInclude(read(cwd, "bd.env"), "a-key-of-openai")
    }),
  )

  it.scopedLive("says how to install bd when it is missing, and fails", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ...script(marked("dark")), ".beads/": "" })
      fs.writeFileSync(path.join(cwd, "typed.txt"), "Dark mode\n2\n")
      // All that a shell needs is its own.
      const { code, stderr } = yield* shell("PATH=/nowhere; vibe prd --model scripted/s.json --ephemeral < typed.txt", {
        cwd,
      })
      assert.strictEqual(code, 1)
      assert.include(
        stderr,
        "vibe: the program bd of Beads is not installed. 'npm install --global @beads/bd' installs it\n",
      )
    }),
  )

  it.scopedLive("continues in the same file, and keeps that of another conversation", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ...script(marked("dark")), "t.json": JSON.stringify([marked("black")]) })
      yield* talk(cwd, ["Dark mode"])
      const changed = yield* talk(cwd, ["Blacker"], "--resume --model scripted/t.json")
      assert.include(changed.stderr, "PRD saved to: tasks/prd-dark-mode.md (updated)\n")
      assert.include(changed.stdout, "-A theme that is dark.\n+A theme that is black.\n")
      assert.strictEqual(read(cwd, "tasks/prd-dark-mode.md"), `${dark("black")}\n`)
      const other = yield* talk(cwd, ["Dark mode, too"])
      assert.include(
        other.stderr,
        "PRD saved to: tasks/prd-dark-mode-2.md, since tasks/prd-dark-mode.md holds something else",
      )
      assert.strictEqual(read(cwd, "tasks/prd-dark-mode.md"), `${dark("black")}\n`)
    }),
  )

  it.scopedLive("lists, shows and compares PRDs", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(script(marked("dark"), { text: "Which PRD do you mean?" }, marked("black")))
      const none = yield* prd(cwd, "--list")
      assert.deepStrictEqual([none.code, none.stdout, none.stderr], [0, "", "there are no PRDs yet\n"])
      yield* talk(cwd, ["Dark mode", "More", "Black"])
      const { prds } = JSON.parse((yield* prd(cwd, "--list", "--json")).stdout)
      assert.deepStrictEqual(
        prds.map(({ name, userStories, version }: Record<string, unknown>) => [name, version, userStories]),
        [
          ["Dark Mode", 2, 2],
          ["Dark Mode", 1, 2],
        ],
      )
      const [newest = "", oldest = ""] = (yield* prd(cwd, "--list")).stdout.split("\n").map((row) => row.split(" ")[0])
      assert.strictEqual((yield* prd(cwd, "--show")).stdout, `${dark("black")}\n`)
      assert.strictEqual((yield* prd(cwd, "--show", oldest)).stdout, `${dark("dark")}\n`)
      const { stdout } = yield* prd(cwd, "--diff")
      assert.include(stdout, "\n-A theme that is dark.\n+A theme that is black.\n")
      assert.strictEqual((yield* prd(cwd, "--diff", oldest, newest)).stdout, stdout)
      assert.deepStrictEqual(JSON.parse((yield* prd(cwd, "--diff", "--json")).stdout), {
        a: prds[1].node,
        b: prds[0].node,
        diff: stdout.slice(0, -1),
      })
      const both = yield* prd(cwd, "--diff", "--list")
      assert.deepStrictEqual([both.code, both.stdout], [2, ""])
      assert.include(both.stderr, "there is either --list, --show or --diff")
    }),
  )

  it.scopedLive("sends the number of stories, and a prompt from a file in place of the built-in one", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ...script({ text: "What for?" }), "p.md": "Be brief.\n" })
      yield* talk(cwd, ["a"], "--stories 5")
      yield* talk(cwd, ["b"], "--system-file p.md")
      const { stdout } = yield* vibe(["loom", "roots", "--forest", "f.db", "--json"], { cwd })
      const prompts = JSON.parse(stdout).roots.map(({ systemPrompt }: { systemPrompt: string }) => systemPrompt)
      assert.match(
        prompts[0],
        /^You are helping create a Product Requirements Document \(PRD\).*about 5 user stories\.$/s,
      )
      assert.strictEqual(prompts[1], "Be brief.\n")
      const wrong = yield* prd(cwd, "--stories", "0", "x")
      assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
    }),
  )

  it.scopedLive(
    "prints one line for invalid options",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        const cases: ReadonlyArray<readonly [args: string, words: string]> = [
          ["--stories 0", "a whole number from 1 to 100"],
          ["--stories many", "a whole number from 1 to 100"],
          ["--stories 2.5", "a whole number from 1 to 100"],
          ["--stories", "needs a value: --stories N"],
          ["--output", "needs a value: --output DIR"],
          ["--output /nowhere/at/all", "/nowhere/at"],
          ["--system-file nowhere.md", "nowhere.md: no such file"],
          ["--agent claude --model google/x", "either --agent or --model"],
          ["--agent nobody", "there is no agent 'nobody'"],
          ["--model nobody/x", "there is no provider 'nobody'"],
          ["--list --show", "either --list, --show or --diff"],
          ["--list words", "takes no words"],
          ["--forse", "unknown option '--forse'; did you mean '--forest'?"],
        ]
        for (const [args, words] of cases) {
          const { code, stderr, stdout } = yield* shell(`vibe prd ${args} < /dev/null`, { cwd })
          assert.deepStrictEqual([code, stdout], [2, ""], `${args}: ${stderr}`)
          assert.include(stderr, words)
          assert.lengthOf(stderr.trimEnd().split("\n"), 1, stderr)
        }
      }),
    240_000,
  )

  it.scopedLive("accepts an agent in place of a model, with the PRD between markers", () =>
    Effect.gen(function* () {
      const agent = `#!/bin/sh\ncat > asked.txt\ncat answer.md\n`
      const cwd = yield* folder({ "bin/claude": agent, "answer.md": marked("dark").text, "typed.txt": "Dark mode\n" })
      fs.chmodSync(path.join(cwd, "bin/claude"), 0o755)
      const env = { PATH: `${path.join(cwd, "bin")}:${process.env.PATH}` }
      const { code, stderr } = yield* shell("vibe prd --agent claude --ephemeral < typed.txt", { cwd, env })
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(read(cwd, "tasks/prd-dark-mode.md"), `${dark("dark")}\n`)
      assert.include(read(cwd, "asked.txt"), "Product Requirements Document")
    }),
  )

  it.scopedLive("says that something looks like a PRD and saves it at /accept, in the same run or a later one", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(script({ text: `[PRD]\n${dark("dark")}` }))
      const asked = yield* talk(cwd, ["Dark mode"])
      assert.deepStrictEqual([asked.code, fs.existsSync(path.join(cwd, "tasks"))], [0, false])
      assert.include(asked.stderr, "That looks like a PRD, but its end mark [/PRD] is missing. It is not saved.\n")
      assert.include(asked.stderr, "/accept saves it as prd-dark-mode.md; anything else goes on.\n")
      const later = yield* talk(cwd, ["/accept"], "--resume")
      assert.deepStrictEqual([later.code, read(cwd, "tasks/prd-dark-mode.md")], [0, `${dark("dark")}\n`])
      const none = yield* talk(cwd, ["/accept"])
      assert.strictEqual(none.code, 2)
      assert.include(none.stderr, "there is no answer yet that could be saved")
    }),
  )

  it.scopedLive("fails if the file cannot be written, and keeps the PRD in the conversation", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ...script(marked("dark")), tasks: "a file in the way" })
      const { code, stderr } = yield* talk(cwd, ["Dark mode"])
      assert.strictEqual(code, 2)
      assert.include(stderr, "The PRD is kept in this conversation: vibe prd --show prints it.\n")
      assert.strictEqual((yield* prd(cwd, "--show")).stdout, `${dark("dark")}\n`)
    }),
  )
})

describe.runIf(Terminal.isAvailable)("vibe prd, in a terminal", () => {
  it.scopedLive("keeps a PRD that was complete when Escape stopped the answer, and ends when the user is done", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const said = FakeServer.events(saying(`${marked("dark").text}\nAnd once upon a time`))
      const server = yield* FakeServer.serve([{ body: said, ending: "hang" }])
      const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url }
      const { ended, type, until } = yield* Terminal.open(["prd", "--forest", "f.db"], { cwd, env })
      yield* until("Say what you want to build.")
      assert.include(yield* until("commands"), "vibe prd with google/gemini-2.5-flash")
      yield* type("Dark mode\r")
      yield* until("once upon a time")
      yield* type("\u001b")
      yield* until("PRD saved to: tasks/prd-dark-mode.md")
      yield* until("[3] Done")
      assert.strictEqual(read(cwd, "tasks/prd-dark-mode.md"), `${dark("dark")}\n`)
      yield* type("3\r")
      assert.strictEqual(yield* ended, 0)
    }),
  )
})
