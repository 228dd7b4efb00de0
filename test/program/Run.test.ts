import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, isRoot, locked, piped, vibe } from "./vibe.ts"

const project = {
  "src/greet.ts": [
    "/** Says hello to a person by name. */",
    "export const greet = (name: string): string => `hello ${name}`",
    "",
  ].join("\n"),
  "src/main.ts": 'import { greet } from "./greet.ts"\n\nexport function main(): string {\n  return greet("you")\n}\n',
}

const overloaded = JSON.stringify(
  Array(4).fill({ error: { reason: "Overloaded", message: "busy", retryAfterSeconds: 50 } }),
)

describe("vibe", () => {
  it.scopedLive("explores without a key, and answers from the index", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)

      const env = { XDG_STATE_HOME: yield* folder({}) }
      const indexed = yield* vibe(["index", "."], { cwd, env })
      assert.strictEqual(indexed.code, 0, indexed.stderr)
      assert.strictEqual(indexed.stdout, "Starting indexing...\nIndexing complete.\n")
      assert.include(indexed.stderr, "No key is set")
      assert.match(indexed.stderr, /symbols in 2 files, read without a language model/)
      assert.notInclude(indexed.stderr, "\x1b")

      const queried = yield* vibe(["query", "say", "hello", "--json"], { cwd: `${cwd}/src` })
      const [first] = JSON.parse(queried.stdout).results
      assert.deepInclude(first, { path: "src/greet.ts", symbol: "greet", startLine: 2, endLine: 2, stale: false })
      assert.strictEqual(first.purposeOrigin, "comment")

      const guessed = yield* vibe(["query", "welcome", "--also", "nothing,greet", "--within", "../src", "--json"], {
        cwd: `${cwd}/src`,
      })
      assert.strictEqual(JSON.parse(guessed.stdout).results[0].symbol, "greet")

      const read = yield* vibe(["query", "say hello"], { cwd })
      assert.include(read.stdout, "src/greet.ts:2-2")
      assert.include(read.stdout, "     2 │ export const greet")

      const shown = yield* vibe(["show", "src/main.ts:main"], { cwd })
      assert.include(shown.stdout, "function main")
      const missed = yield* vibe(["show", "gret"], { cwd })
      assert.strictEqual(missed.code, 1)
      assert.include(missed.stderr, "src/greet.ts:greet")

      const status = yield* vibe(["--json", "status", "--root", cwd], { cwd: "/" })
      assert.deepInclude(JSON.parse(status.stdout), { root: cwd, files: 2, stale: 0 })
    }),
  )

  it.scopedLive("shows at most 100 symbols of one name, and says how many more there are", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 130 }, (_, at) => `src/module${at}.ts`)
      const source = "export function handle(): number {\n  return handle()\n}\n"
      const cwd = yield* folder(Object.fromEntries(names.map((name) => [name, source])))
      assert.strictEqual((yield* vibe(["index", "."], { cwd, env: { XDG_STATE_HOME: yield* folder({}) } })).code, 0)
      const { code, stderr, stdout } = yield* vibe(["show", "handle"], { cwd })
      assert.strictEqual(code, 0)
      assert.strictEqual(new Set(stdout.match(/src\/module\d+\.ts:1-3/g)).size, 100)
      assert.strictEqual(stderr, "vibe: 30 more symbols of that name: 'vibe show FILE' lists those of a file\n")
      const { more, symbols } = JSON.parse((yield* vibe(["show", "handle", "--json"], { cwd })).stdout)
      assert.deepStrictEqual([symbols.length, more], [100, 30])
    }),
  )

  it.scopedLive.skipIf(isRoot)("answers from a read-only checkout, new files included (not as root)", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      assert.strictEqual((yield* vibe(["index"], { cwd })).code, 0)
      fs.writeFileSync(path.join(cwd, "later.ts"), "export const later = 1\n")
      yield* locked(path.join(cwd, ".vibe"), 0o555)
      for (const args of [["query", "say hello"], ["show", "later"], ["status"]]) {
        const { code, stderr, stdout } = yield* vibe(args, { cwd })
        assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
        assert.notStrictEqual(stdout, "")
      }
    }),
  )

  it.scopedLive("prints the report alone with --json", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      const env = { XDG_STATE_HOME: yield* folder({}) }
      const { code, stdout } = yield* vibe(["--json", "index", "--model", "offline", "--ext", ".ts"], { cwd, env })
      assert.strictEqual(code, 0)
      assert.deepInclude(JSON.parse(stdout), { root: cwd, outcome: "complete", files: 2 })
    }),
  )

  it.scopedLive("ends with exit code 8 and the reason if every batch was refused", () =>
    Effect.gen(function* () {
      const refused = '["A map.",{"error":{"reason":"InvalidRequest","message":"not today"}}]'
      const cwd = yield* folder({ ...project, "script.json": refused })
      const env = { XDG_STATE_HOME: yield* folder({}) }
      const args = ["index", "--model", "scripted/script.json"]
      const { code, stderr, stdout } = yield* vibe([...args, "--verbose"], { cwd, env })
      assert.strictEqual(code, 8, stderr)
      assert.match(stdout, /Batch 1: 0 of \d+ symbols? of .* explained: .*not today/)
      assert.match(stdout, /\nIndexing ended: the only batch was not explained: .*not today\n$/)
      assert.match(stderr, /vibe: the only batch was not explained: .*not today\. Another model/)
      // In a folder without a map, so that the script begins with it again.
      const other = yield* folder({ ...project, "script.json": refused })
      const json = yield* vibe([...args, "--json"], { cwd: other, env })
      assert.strictEqual(json.code, 8)
      const report = JSON.parse(json.stdout)
      assert.deepInclude(report, { outcome: "unexplained", batches: 1, failedBatches: 1, purposesWritten: 0 })
      assert.include(report.failures[0].reason, "not today")
      assert.strictEqual(report.error.reason, "NothingExplained")
    }),
  )

  it.scopedLive("ends quietly when its reader stops", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      const { code, stderr, stdout } = yield* piped("index --verbose --model offline", "head -1", { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "Starting indexing...\n")
      assert.notInclude(stderr, "EPIPE")
      assert.strictEqual((yield* piped("--help", "true", { cwd })).code, 0)
    }),
  )

  it.scopedLive.each([
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("stops at %s without waiting for the retry", ([name, expected]) =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ...project, "script.json": overloaded })
      const { code, stderr } = yield* vibe(["index", "--model", "scripted/script.json"], {
        cwd,
        onStderr: (text, child) => {
          if (text.includes("retry 1 in")) child.kill(name)
        },
      })
      assert.strictEqual(code, expected)
      assert.include(stderr, "stopped before any purpose was written")
    }),
  )
})
