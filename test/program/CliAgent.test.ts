/** Another program as the model: found by the user's file, asked, and ended with us. */
import type { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as transcripts from "../provider/agents/events/transcripts.ts"
import * as ProcessCoordinator from "../utils/ProcessCoordinator.ts"
import { folder, shell, vibe } from "./vibe.ts"

const program = path.resolve(import.meta.dirname, "../provider/agents/CliAgent.program.ts")

const userFile = ".config/vibe/config.toml"

/** A folder, which is also the user's home, with a file that configures an agent that behaves so. */
const withAgent = (...args: ReadonlyArray<string>) =>
  folder({
    [userFile]: `[agents.mine]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([program, ...args])}\nenv = ["PROGRAM_KEY"]\n`,
  })

const asking = ["loom", "generate", "--ephemeral", "--system", "Be brief.", "Why?", "--model", "cli/mine"]

describe("a program that is configured as the model", () => {
  it.scopedLive("answers the conversation on its stdin", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* vibe(asking, { cwd: yield* withAgent("echo") })
      assert.strictEqual(code, 0, stderr)
      assert.include(stdout, "<system>\nBe brief.\n</system>\n\nUser: Why?\nAssistant:")
    }),
  )

  it.scopedLive("receives no API keys but those it is configured to need", () =>
    Effect.gen(function* () {
      const secrets = {
        GOOGLE_API_KEY: "s3cret-of-google",
        GITHUB_PAT: "s3cret-of-github",
        DB_PASS: "s3cret-of-db",
        DATABASE_URL: "postgres://me:s3cret-of-url@localhost/db",
      }
      const env = { ...secrets, PROGRAM_KEY: "its-own", HTTPS_PROXY: "http://me:pw@127.0.0.1:9" }
      const { stdout } = yield* vibe(asking, { cwd: yield* withAgent("environment"), env })
      assert.include(stdout, "its-own")
      assert.include(stdout, "http://me:pw@127.0.0.1:9")
      assert.notInclude(stdout, "s3cret")
    }),
  )

  it.scopedLive("is reported with the end of its stderr when it fails, without a stack and without keys", () =>
    Effect.gen(function* () {
      const env = { GOOGLE_API_KEY: "s3cret-of-google" }
      const cwd = yield* withAgent("colours", "s3cret-of-google")
      const { code, stderr } = yield* vibe(asking, { cwd, env })
      assert.strictEqual(code, 1)
      assert.include(stderr, "cli/mine: it ended with exit code 3: red")
      assert.notMatch(stderr, /s3cret|\n\s+at /)
      assert.notInclude(stderr, "\u001b")
    }),
  )

  it.scopedLive("is recorded, and answers from the recording where it is not installed", () =>
    Effect.gen(function* () {
      const cwd = yield* withAgent("echo")
      const recorded = yield* vibe([...asking, "--record", "tape"], { cwd })
      assert.strictEqual(recorded.code, 0, recorded.stderr)
      fs.writeFileSync(path.join(cwd, userFile), '[agents.mine]\ncommand = "no-such-program"\n')
      const replayed = yield* vibe([...asking, "--replay", "tape"], { cwd })
      assert.strictEqual(replayed.code, 0, replayed.stderr)
      assert.include(replayed.stdout, "User: Why?\nAssistant:")
      const other = yield* vibe([...asking.map((arg) => (arg === "Why?" ? "How?" : arg)), "--replay", "tape"], { cwd })
      assert.strictEqual(other.code, 2)
      assert.include(other.stderr, "the recording has no answer to this RUN cli/mine")
    }),
  )

  it.scopedLive("that is not installed is exit code 3, and one that is unknown is 2", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ [userFile]: '[agents.mine]\ncommand = "no-such-program"\n' })
      const missing = yield* vibe(asking, { cwd })
      assert.strictEqual(missing.code, 3)
      assert.include(missing.stderr, "no-such-program")
      const unknown = yield* vibe(asking, { cwd: yield* folder() })
      assert.strictEqual(unknown.code, 2)
      assert.include(unknown.stderr, "there is no agent 'mine'")
    }),
  )

  it.scopedLive("cannot be configured by a project's file", () =>
    Effect.gen(function* () {
      for (const text of ['defaultModel = "cli/claude"', '[agents.mine]\ncommand = "rm"']) {
        const cwd = yield* folder({ ".vibe/config.toml": text })
        const { code, stderr } = yield* vibe(asking, { cwd })
        assert.strictEqual(code, 2)
        assert.include(stderr, "config.toml")
      }
    }),
  )

  it.scopedLive("is ended by Ctrl-C, although it ignores SIGTERM", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const started = yield* Deferred.make<ChildProcess>()
      const running = yield* Effect.fork(
        vibe(asking, {
          cwd: yield* withAgent("deaf"),
          env: { COORDINATOR: String(processes.port) },
          onStart: (child) => Deferred.unsafeDone(started, Effect.succeed(child)),
        }),
      )
      yield* processes.waitFor("deaf", "deaf")
      const child = yield* Deferred.await(started)
      child.kill("SIGINT")
      yield* processes.waitFor("deaf", "asked to end")
      yield* processes.waitFor("deaf", "gone")
      assert.strictEqual((yield* Fiber.join(running)).code, 130)
    }),
  )
})

describe("a known agent in a conversation", () => {
  /** As `claude` prints it, with something on stderr. */
  const claude = `#!/bin/sh\ncat > asked.txt\necho THINKING >&2\ncat events.jsonl\n`

  const installed = Effect.tap(
    folder({ "bin/claude": claude, "events.jsonl": transcripts.claude, ".config/vibe/config.toml": "" }),
    (cwd) => fs.chmodSync(path.join(cwd, "bin/claude"), 0o755),
  )

  const withPath = (cwd: string) => ({ PATH: `${path.join(cwd, "bin")}:${process.env.PATH}` })

  it.scopedLive("is streamed as JSON, with what it does, its tokens and its cost", () =>
    Effect.gen(function* () {
      const cwd = yield* installed
      const said = ["chat", "--agent", "claude", "--ephemeral", "--json", "Why?"]
      const { code, stdout } = yield* vibe(said, { cwd, env: withPath(cwd) })
      assert.strictEqual(code, 0)
      const entries = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      const of = (type: string) => entries.filter((entry) => entry.type === type)
      assert.deepStrictEqual(
        of("noted").map(({ text }) => text),
        ["claude is a program of its own and gets no tools of vibe: name files for it with @"],
      )
      assert.deepStrictEqual(
        of("status").map(({ text }) => text),
        ["retry 1 of 10: server error", "Read src/a.ts"],
      )
      assert.isAbove(of("text").length, 2)
      const [{ account, text }] = of("answered")
      assert.strictEqual(text, "I look it up.\n\nThe answer\nis 42.")
      assert.deepStrictEqual([account.usage.inputTokens, account.cost], [3210, 0.0125])
    }),
  )

  it.scopedLive("is given no tools: where they are asked for, one line says so", () =>
    Effect.gen(function* () {
      const cwd = yield* installed
      const env = { ...withPath(cwd), VIBE_MODEL: "cli/claude" }
      const cases: ReadonlyArray<readonly [args: string, words: string]> = [
        ["chat --agent claude --tools x", "--tools are for models"],
        ["chat --tools x", "--tools are for models"],
        ["chat --document x.md --agent claude --tools x", "--tools are for models"],
        ["chat --document x.md --tools x", "--tools are for models"],
        ["discover x", "discover is for models"],
        ["discover --agent claude x", "discover is for models"],
      ]
      for (const [args, words] of cases) {
        const { code, stderr, stdout } = yield* vibe([...args.split(" "), "--ephemeral"], { cwd, env })
        assert.deepStrictEqual([code, stdout], [2, ""], `${args}: ${stderr}`)
        assert.include(stderr, words)
        assert.lengthOf(stderr.trimEnd().split("\n"), 1, stderr)
      }
      fs.writeFileSync(path.join(cwd, "typed.txt"), "/tools on\n")
      const asked = yield* shell("vibe chat --ephemeral < typed.txt", { cwd, env })
      assert.strictEqual(asked.code, 2)
      assert.include(asked.stderr, "claude is a program of its own and gets no tools of vibe")
      assert.isFalse(fs.existsSync(path.join(cwd, "asked.txt")))
    }),
  )
})
