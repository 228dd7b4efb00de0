/** Runs that lose their index, or find no room for it. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FakeServer from "../utils/FakeServer.ts"
import { folder, shell, vibe } from "./vibe.ts"

/** Purposes that a request is answered with, and requests that a run may make at most. */
const together = 40
const most = 20

const project = {
  "src/many.ts": Array.from(
    { length: most * together },
    (_, n) => `export function f${n}() {\n  return ${n}\n}\n`,
  ).join("\n"),
}

/** The purposes of the first `turns` requests. */
const purposes = (turns: number) =>
  Array.from({ length: turns * together }, (_, n) => `Purpose ${n}. ${"It is told at length. ".repeat(10)}`.trim())

const answer = (parts: ReadonlyArray<unknown>): FakeServer.Answer => ({
  body: FakeServer.events({ candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] }),
})

const recording = (turn: number) => {
  const entries = purposes(turn + 1).map((purpose, n) => ({ path: "src/many.ts", symbol: `f${n}`, purpose }))
  return answer([{ functionCall: { name: "create_index_entry", args: { entries: entries.slice(-together) } } }])
}

/** A model that records purposes in `turns` requests; `before` the `n`th answer something happens. */
const model = (turns: number, before: (n: number) => void = () => {}) =>
  Effect.map(
    FakeServer.serve((_, n) => {
      before(n)
      return n < turns ? recording(n) : answer([{ text: "Done." }])
    }),
    ({ requests, url }) => ({
      requests,
      env: { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: url },
    }),
  )

const purposesIn = (cwd: string): ReadonlyArray<string> =>
  fs
    .readFileSync(path.join(cwd, ".vibe/purposes.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).purpose)

describe("vibe index while its .vibe is removed", () => {
  it.scopedLive.each([
    ["between two purposes", 2],
    ["after the last one", 4],
  ] as const)("says so, makes it again, and has all that it learned in it: %s", ([, when]) =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      const { env } = yield* model(4, (n) => {
        if (n === when) fs.rmSync(path.join(cwd, ".vibe"), { recursive: true })
      })
      const { code, stderr, stdout } = yield* vibe(["index"], { cwd, env })
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "Starting indexing...\nIndexing complete.\n")
      // Between the answers of several requests: whose failure comes first is not said.
      assert.include(stderr.split("\n"), `vibe: warn: the index was removed and is made again (path: ${cwd}/.vibe)`)
      assert.sameMembers([...purposesIn(cwd)], purposes(4))
    }),
  )

  it.scopedLive("reports what is lost when the project is removed as well", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({
        "project/a.ts": project["src/many.ts"],
        "project/src/many.ts": project["src/many.ts"],
      })
      const root = path.join(cwd, "project")
      const { env } = yield* model(4, (n) => {
        if (n === 2) fs.rmSync(root, { recursive: true })
      })
      const { code, stderr } = yield* vibe(["index", "project"], { cwd, env })
      assert.strictEqual(code, 7)
      const why = `${root}/.vibe: the index cannot be written`
      assert.include(stderr, `stopped; ${2 * together} purposes written so far are lost: ${why}\n`)
      assert.strictEqual(stderr.trimEnd().split("\n").at(-1), `vibe: ${why}`)
      assert.isFalse(fs.existsSync(root))
    }),
  )
})

describe("vibe with an index.db of another program", () => {
  /** Indexed; then `plant` gets the path of index.db. */
  const planted = (plant: (database: string) => void) =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "export function add() {\n  return 1\n}\n" })
      assert.strictEqual((yield* vibe(["index", "--model", "offline"], { cwd })).code, 0)
      plant(path.join(cwd, ".vibe/index.db"))
      return cwd
    })

  const everyCommand = [["query", "add"], ["show", "add"], ["status"], ["index", "--model", "offline"]]

  it.scopedLive(
    "executes no view of it, and rebuilds it",
    () =>
      Effect.gen(function* () {
        for (const args of everyCommand) {
          const cwd = yield* planted((file) => {
            const database = new DatabaseSync(file)
            database.exec(
              `alter table symbol rename to s;
               create view symbol as with recursive c (x) as (select 1 union all select x + 1 from c)
               select s.* from s, c`,
            )
            database.close()
          })
          const { code, stderr } = yield* vibe(args, { cwd })
          assert.strictEqual(code, 0, stderr)
          assert.include(stderr, "the index was damaged and is made again")
        }
      }),
    240_000,
  )

  it.scopedLive(
    "opens no pipe beside it, and names the file",
    () =>
      Effect.gen(function* () {
        const cwd = yield* planted((file) => execFileSync("mkfifo", [`${file}-journal`]))
        for (const args of everyCommand) {
          const { code, stderr } = yield* vibe(args, { cwd })
          assert.strictEqual(code, 7)
          const named = `vibe: ${cwd}/.vibe/index.db-journal: is not a regular file, so the index cannot be read. Remove it`
          assert.include(stderr, named)
        }
      }),
    240_000,
  )
})

describe("vibe with something else in the place of its index", () => {
  const source = { "a.ts": "export function add() {}\n" }
  const misplaced: ReadonlyArray<readonly [what: string, plant: (cwd: string) => void, said: string]> = [
    ["a file for .vibe", (cwd) => fs.writeFileSync(`${cwd}/.vibe`, ""), "/.vibe: is not a folder"],
    ["a link for .vibe", (cwd) => fs.symlinkSync(cwd, `${cwd}/.vibe`), "/.vibe: is not a folder"],
    [
      "a folder for index.db",
      (cwd) => fs.mkdirSync(`${cwd}/.vibe/index.db`, { recursive: true }),
      "/.vibe/index.db: is not a regular file",
    ],
    [
      "a folder for purposes.jsonl",
      (cwd) => fs.mkdirSync(`${cwd}/.vibe/purposes.jsonl`, { recursive: true }),
      "/.vibe/purposes.jsonl: is not a regular file",
    ],
  ]

  it.scopedLive.each(misplaced)("names %s, and what to do", ([, plant, said]) =>
    Effect.gen(function* () {
      const cwd = yield* folder(source)
      plant(cwd)
      const { code, stderr } = yield* vibe(["index", "--model", "offline"], { cwd })
      assert.strictEqual(code, 7)
      assert.include(stderr, `vibe: ${fs.realpathSync(cwd)}${said}`)
      assert.include(stderr, "Remove it and run the command again")
    }),
  )

  it.scopedLive("names a link for index.db, also where the index is only read", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ...source, "real.db": "", ".vibe/": "" })
      fs.symlinkSync("../real.db", `${cwd}/.vibe/index.db`)
      for (const args of [["index", "--model", "offline"], ["status"]]) {
        const { code, stderr } = yield* vibe(args, { cwd })
        assert.strictEqual(code, 7)
        assert.include(stderr, "/.vibe/index.db: is not a regular file, so the index cannot be read. Remove it")
      }
    }),
  )
})

describe("vibe with a --forest that is no regular file", () => {
  it.scopedLive(
    "fails at once",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "folder/": "", "a.json": '["hello"]' })
        execFileSync("mkfifo", [path.join(cwd, "pipe")])
        for (const forest of ["pipe", "folder", "/dev/null"]) {
          const why = `the stored conversations cannot be read: ${path.resolve(cwd, forest)}: is not a regular file`
          const logged = yield* vibe(["loom", "log", "--forest", forest], { cwd })
          assert.deepStrictEqual([logged.code, logged.stderr], [7, `vibe: ${why}\n`])
          const asked = yield* vibe(["ask", "Hi", "--model", "scripted/a.json", "--forest", forest], { cwd })
          assert.deepStrictEqual([asked.code, asked.stdout], [0, "hello\n"], asked.stderr)
          assert.include(asked.stderr, why)
          assert.strictEqual(
            (yield* vibe(["completion", "--", "=loom", "=log", "=--forest", `=${forest}`], { cwd })).signal,
            null,
          )
        }
      }),
    240_000,
  )
})

describe("vibe index on a full disk", () => {
  it.scopedLive("stops at the first purpose that cannot be stored, and keeps the others", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      const { env, requests } = yield* model(most)
      // No file may grow beyond this, at which the index has some of the purposes.
      const ended = yield* shell("trap '' XFSZ; ulimit -f 900; vibe index", { cwd, env })
      assert.strictEqual(ended.code, 7, ended.stderr)
      const kept = requests.length - 1
      assert.isAbove(kept, 0)
      const [stopped, ...rest] = ended.stderr.trimEnd().split("\n")
      assert.strictEqual(stopped, `stopped; ${kept * together} purposes written so far are kept; run it again to go on`)
      assert.match(rest.at(-1) ?? "", /^vibe: .*\/\.vibe.*: the index cannot be written$/)

      assert.strictEqual((yield* vibe(["index", "--model", "offline"], { cwd })).code, 0)
      assert.includeMembers([...purposesIn(cwd)], purposes(kept))
    }),
  )
})
