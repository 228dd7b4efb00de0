import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, isRoot, locked, type Options, vibe } from "./vibe.ts"

/** Fails with `code` and one line on stderr that says `words`; stdout stays empty. */
const refused = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  options: Options,
  { code, words }: { readonly code: number; readonly words: ReadonlyArray<string> },
) {
  const ended = yield* vibe(args, options)
  assert.strictEqual(ended.code, code, ended.stderr)
  assert.strictEqual(ended.stdout, "")
  const lines = ended.stderr.trimEnd().split("\n")
  assert.lengthOf(lines, 1, ended.stderr)
  for (const word of words) assert.include(lines[0], word)
})

const offline = { VIBE_MODEL: "offline" }

describe("vibe with bad input", () => {
  it.scopedLive("suggests the nearest option or command for an unknown one", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      yield* refused(["index", "--vebose"], { cwd }, { code: 2, words: ["'--vebose'", "'--verbose'", "--help"] })
      yield* refused(["idnex"], { cwd }, { code: 2, words: ["'idnex'", "'index'"] })
    }),
  )

  it.scopedLive("names the values that an option takes", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      yield* refused(["query", "a", "--limit", "77"], { cwd }, { code: 2, words: ["--limit", "1 to 50"] })
      yield* refused(["query", "a", "--also", ","], { cwd }, { code: 2, words: ["--also", "identifiers"] })
      yield* refused(["query", "a", "--max-cost", "1"], { cwd }, { code: 2, words: ["--max-cost", "--model"] })
      yield* refused(["query", "a", "--model", "offline"], { cwd }, { code: 2, words: ["offline", "--model"] })
      yield* refused(["query", "a", "--model", "openai/x"], { cwd }, { code: 3, words: ["OPENAI_API_KEY"] })
    }),
  )

  it.scopedLive("requires an existing folder that is not empty", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "file.ts": "", "empty/": "" })
      const options = { cwd, env: offline }
      yield* refused(["index", "nowhere"], options, { code: 2, words: ["nowhere", "no such file or folder"] })
      yield* refused(["index", "file.ts"], options, { code: 2, words: ["file.ts", "not a folder"] })
      yield* refused(["index", path.join(cwd, "empty")], options, { code: 2, words: ["empty", "no files"] })
      yield* refused(["index", ""], options, { code: 2, words: ["'index' needs PATH"] })
    }),
  )

  it.scopedLive("reports a missing folder before a missing key", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "file.ts": "", "empty/": "" })
      for (const bad of ["nowhere", "file.ts", "empty"])
        yield* refused(["index", bad], { cwd }, { code: 2, words: [bad] })
    }),
  )

  it.scopedLive.skipIf(isRoot)("names a folder that it may not read (root may)", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "shut/a.ts": "", "shut/.git/info/exclude": "" })
      yield* locked(path.join(cwd, "shut"), 0o000)
      yield* refused(["index", "shut"], { cwd }, { code: 2, words: ["vibe: shut: cannot be read"] })
      yield* refused(["status", "--root", "shut"], { cwd }, { code: 2, words: ["vibe: shut: cannot be read"] })
    }),
  )

  it.scopedLive("names the index that cannot be created", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "export const a = 1", ".vibe": "" })
      yield* refused(["index"], { cwd }, { code: 7, words: [path.join(cwd, ".vibe"), "is not a folder"] })
    }),
  )

  it.scopedLive.skipIf(isRoot)("names the index that it may not write (root may)", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "export const a = 1" })
      assert.strictEqual((yield* vibe(["index"], { cwd })).code, 0)
      yield* locked(path.join(cwd, ".vibe"), 0o555)
      yield* refused(["index"], { cwd }, { code: 7, words: [path.join(cwd, ".vibe"), "cannot be written"] })
    }),
  )

  it.scopedLive("validates Gemini's settings only when Gemini is used", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "export const a = 1" })
      const env = { GOOGLE_API_KEY: "k", GOOGLE_GEMINI_BASE_URL: "localhost:8080" }
      yield* refused(["index"], { cwd, env }, { code: 2, words: ["GOOGLE_GEMINI_BASE_URL"] })
      assert.strictEqual((yield* vibe(["index", "--model", "offline"], { cwd, env })).code, 0)
    }),
  )

  it.scopedLive("names the variable of a missing key, where to get one, and where other models are", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "export const a = 1" })
      yield* refused(
        ["index", "--model", "google/gemini-2.5-flash"],
        { cwd, env: { GOOGLE_API_KEY: " " } },
        {
          code: 3,
          words: ["GOOGLE_API_KEY", "https://aistudio.google.com/apikey", "vibe models"],
        },
      )
    }),
  )

  it.scopedLive("lists the providers when an unknown one is named", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "export const a = 1" })
      const expected = { code: 2, words: ["'gogle'", "google, anthropic"] }
      yield* refused(["index", "--model", "gogle/x"], { cwd }, expected)
      yield* refused(["index"], { cwd, env: { VIBE_MODEL: "gogle/x" } }, expected)
    }),
  )

  it.scopedLive("says how to create an index when there is none, also as JSON", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "export const a = 1" })
      yield* refused(["query", "a"], { cwd }, { code: 2, words: ["no index", "vibe index"] })
      const { code, stderr, stdout } = yield* vibe(["status", "--json"], { cwd })
      assert.strictEqual(code, 2)
      assert.lengthOf(stderr.trimEnd().split("\n"), 1)
      assert.strictEqual(JSON.parse(stdout).error.reason, "NotIndexed")
    }),
  )
})
