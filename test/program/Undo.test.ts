/** `vibe loom undo`, `redo` and `history`, beside other programs that work on the same forest; and what those lose. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FakeServer from "../utils/FakeServer.ts"
import { saying } from "../utils/Gemini.ts"
import { bin, folder, loomIn, shell, vibe } from "./vibe.ts"

const file = ".local/state/vibe/forest.db"

/** `vibe loom …` while a server is to answer: nothing else of this process happens meanwhile. */
const atOnce = (cwd: string, ...args: ReadonlyArray<string>) => {
  const env = { PATH: process.env.PATH, HOME: cwd, OLLAMA_HOST: "127.0.0.1:9" }
  const { status, stderr, stdout } = spawnSync(process.execPath, [bin, "loom", ...args], { cwd, env, encoding: "utf8" })
  return { code: status, stderr, stdout: stdout.trimEnd() }
}

/** A model with the same answer each time; `before` runs before the `n`th. */
const model = (text: string, before: (n: number) => void) =>
  Effect.map(
    FakeServer.serve((_, n) => {
      before(n)
      return { body: FakeServer.events(saying(text, "STOP")) }
    }),
    ({ url }) => ({ GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: url }),
  )

describe("vibe loom undo", () => {
  it.scopedLive(
    "undoes a turn with tools as one operation, and an import; redo restores them",
    () =>
      Effect.gen(function* () {
        const calling = { toolCalls: [{ name: "current_date", arguments: {} }] }
        const message = (id: string, parentId: string | null, text: string) => ({
          type: "message",
          id,
          parentId,
          message: { role: "user", content: text },
        })
        const session = [
          { type: "session", version: 3, id: "s", cwd: "/repo" },
          message("a", null, "first"),
          message("b", null, "second"),
          message("c", "b", "third"),
        ]
        const cwd = yield* folder({
          "tool.json": JSON.stringify([calling, "It is Monday."]),
          "talk.jsonl": session.map((line) => JSON.stringify(line)).join("\n"),
        })
        const loom = loomIn(cwd)
        yield* loom("append", "--system", "Be kind", "Hello")
        const before = yield* loom("tree")
        yield* loom("generate", "@", "--tool", "current_date", "--model", "scripted/tool.json", "what day")
        const after = yield* loom("tree")
        assert.lengthOf(after.split("\n"), 6)
        assert.match(yield* loom("undo"), /^undone: \d+ loom generate \(4 nodes taken away\)/)
        assert.strictEqual(yield* loom("tree"), before)
        assert.match(yield* loom("redo"), /^redone: \d+ loom generate \(4 nodes brought back\)/)
        assert.strictEqual(yield* loom("tree"), after)

        const [root = ""] = before.split(" ")
        yield* loom("import", "talk.jsonl")
        assert.match(yield* loom("undo"), /loom import \(3 nodes taken away, 1 tree taken away\)/)
        assert.strictEqual(yield* loom("tree", root), after)
        assert.deepStrictEqual(
          (yield* loom("history")).split("\n").map((line) => line.split(/ {2,}/).slice(2, 4).join(": ")),
          [
            "loom undo: undo of 15",
            "loom import: root, append",
            "loom redo: redo of 3",
            "loom undo: undo of 3",
            "loom generate: append",
            "loom append: root, append",
          ],
        )
        assert.match(yield* loom("verify"), /^all is well/)
      }),
    240_000,
  )

  it.scopedLive(
    "undoes no exploration and no chat unless named",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "a.ts": "export const a = () => 1\n", "s.json": '["Hello!"]' })
        const run = (args: ReadonlyArray<string>) => vibe(args, { cwd })
        assert.strictEqual((yield* run(["index", "--model", "offline"])).code, 0)
        assert.strictEqual((yield* run(["ask", "Hi", "--model", "scripted/s.json"])).code, 0)
        yield* shell("echo hi | vibe chat --model scripted/s.json", { cwd })
        const before = yield* loomIn(cwd)("search", "hi")
        const refused = yield* run(["loom", "undo"])
        assert.strictEqual(refused.code, 2)
        assert.include(refused.stderr, "'vibe loom undo OPERATION'")
        assert.strictEqual(yield* loomIn(cwd)("search", "hi"), before)

        const { operations } = JSON.parse(yield* loomIn(cwd)("history", "--json"))
        const authors = operations.map(({ author }: { readonly author: string }) => author)
        assert.deepStrictEqual(authors, ["chat", "ask", "index"])
        assert.strictEqual(operations[0].nodes, 2)
        assert.match(
          yield* loomIn(cwd)("undo", String(operations[0].id)),
          /^undone: \d+ chat \(2 nodes taken away, 1 tree/,
        )
      }),
    240_000,
  )

  it.scopedLive(
    "does not undo an operation that another process is running",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
        const undone: Array<ReturnType<typeof atOnce>> = []
        const env = yield* model("Here I am.", () => {
          for (const _ of [1, 2]) undone.push(atOnce(cwd, "undo"))
          const { operations } = JSON.parse(atOnce(cwd, "history", "--limit", "3", "--json").stdout)
          const mine = operations.find(({ isUnderWay }: { readonly isUnderWay: boolean }) => isUnderWay)
          undone.push(atOnce(cwd, "undo", String(mine.id)))
        })
        const answered = yield* vibe(["loom", "generate", "--system", "other", "their question"], { cwd, env })
        assert.deepStrictEqual([answered.code, answered.stdout], [0, "Here I am.\n"], answered.stderr)
        const [first, second, named] = undone
        assert.match(first?.stdout ?? "", /^undone: 1 loom append/)
        assert.match(first?.stderr ?? "", /^vibe: \d+ loom generate is still under way, and stays\n$/)
        assert.strictEqual(second?.code, 2)
        assert.strictEqual(named?.code, 2)
        assert.include(named?.stderr ?? "", "still under way")
        const drawn = yield* loomIn(cwd)("log")
        for (const words of ["their question", "Here I am."]) assert.include(drawn, words)
        assert.match(yield* loomIn(cwd)("undo"), /^undone: \d+ loom generate/)
      }),
    240_000,
  )
})

describe("An answer to a deleted question", () => {
  const deleting = Effect.gen(function* () {
    const cwd = yield* folder()
    const env = yield* model("It is so.", () => void atOnce(cwd, "delete", "@", "--cascade"))
    return { cwd, env }
  })

  it.scopedLive(
    "is printed by vibe loom generate, which fails",
    () =>
      Effect.gen(function* () {
        const { cwd, env } = yield* deleting
        const args = ["loom", "generate", "--system", "x", "Is it so?"]
        const { code, stderr, stdout } = yield* vibe(args, { cwd, env })
        assert.deepStrictEqual([code, stdout], [7, "It is so.\n"])
        assert.match(
          stderr,
          /^vibe: the answer is printed and not kept: the message that it answers was deleted or undone meanwhile \(node \w+\)\n$/,
        )
        const json = yield* vibe([...args, "--json"], { cwd, env })
        assert.strictEqual(json.code, 7)
        assert.deepInclude(JSON.parse(json.stdout).unkept[0], { text: "It is so." })
        assert.strictEqual(JSON.parse(json.stdout).error.reason, "AnswerNotKept")
      }),
    240_000,
  )

  it.scopedLive(
    "is printed by vibe ask, which fails",
    () =>
      Effect.gen(function* () {
        const { cwd, env } = yield* deleting
        const { code, stderr, stdout } = yield* vibe(["ask", "Is it so?"], { cwd, env })
        assert.deepStrictEqual([code, stdout], [7, "It is so.\n"])
        assert.match(stderr, /^vibe: the answer is printed and not kept: .*deleted or undone meanwhile/)
        const json = yield* vibe(["ask", "Is it so?", "--json"], { cwd, env })
        assert.strictEqual(json.code, 7)
        assert.deepInclude(JSON.parse(json.stdout), { text: "It is so.", node: null })
      }),
    240_000,
  )

  it.scopedLive(
    "is printed by vibe chat, in lines and as JSON, which fails",
    () =>
      Effect.gen(function* () {
        const { cwd, env } = yield* deleting
        const { code, stderr, stdout } = yield* shell("echo 'Is it so?' | vibe chat", { cwd, env })
        assert.deepStrictEqual([code, stdout], [7, "It is so.\n"])
        assert.match(stderr, /^vibe: the answer is printed and not kept: .*deleted or undone meanwhile/m)
        const json = yield* shell("echo 'Is it so?' | vibe chat --json", { cwd, env })
        assert.strictEqual(json.code, 7)
        assert.include(json.stdout, '{"type":"unkept","text":"It is so."}')
      }),
    240_000,
  )
})

describe("A forest that is removed during use", () => {
  /** Removed before the answer to the `n`th request comes. */
  const removing = (n: number, files: Readonly<Record<string, string>> = {}) =>
    Effect.gen(function* () {
      const cwd = yield* folder(files)
      const env = yield* model("It is so.", (at) => {
        if (at === n) fs.rmSync(path.join(cwd, file))
      })
      return { cwd, env }
    })

  const warning = /^vibe: warn: the conversations were removed while they were in use; this one is kept all the same/

  const kept = (cwd: string, ...words: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const log = yield* loomIn(cwd)("log", "@")
      for (const word of words) assert.include(log, word)
      assert.match(yield* loomIn(cwd)("verify"), /^all is well/)
    })

  it.scopedLive.each<readonly [what: string, line: string, removedAt: number]>([
    ["vibe loom generate", "vibe loom generate --system x 'Is it so?'", 0],
    ["vibe ask", "vibe ask 'Is it so?'", 0],
    ["vibe chat", "printf 'Is it so?\\nReally?\\n' | vibe chat", 1],
    ["vibe chat --json", "printf 'Is it so?\\nReally?\\n' | vibe chat --json", 1],
  ])(
    "is created again with the whole conversation: %s",
    ([, line, removedAt]) =>
      Effect.gen(function* () {
        const { cwd, env } = yield* removing(removedAt)
        const { code, stderr, stdout } = yield* shell(line, { cwd, env })
        assert.strictEqual(code, 0, stderr)
        assert.include(stdout, "It is so.")
        assert.match(stderr, warning)
        yield* kept(cwd, "Is it so?", "It is so.", ...(removedAt === 1 ? ["Really?"] : []))
      }),
    240_000,
  )

  it.scopedLive(
    "is created again with the log of vibe index",
    () =>
      Effect.gen(function* () {
        const { cwd, env } = yield* removing(0, { "a.ts": "export const a = () => 1\n" })
        const { code, stderr } = yield* vibe(["index"], { cwd, env })
        assert.strictEqual(code, 0, stderr)
        assert.match(stderr, /the conversations were removed while they were in use/)
        yield* kept(cwd, "It is so.")
      }),
    240_000,
  )

  it.scopedLive.each<readonly [what: string, line: string]>([
    ["vibe loom generate", "vibe loom generate --system x 'Is it so?'"],
    ["vibe ask", "vibe ask 'Is it so?'"],
    ["vibe chat", "printf 'Is it so?\\nReally?\\n' | vibe chat"],
  ])(
    "prints all text if it cannot be created again, and exits with a code: %s",
    ([, line]) =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        const env = yield* model("It is so.", () => {
          fs.rmSync(path.join(cwd, file), { force: true })
          fs.mkdirSync(path.join(cwd, file), { recursive: true })
        })
        const { code, stderr, stdout } = yield* shell(line, { cwd, env })
        assert.deepStrictEqual([code, stdout], [7, "It is so.\n"], stderr)
        assert.match(stderr, /the answer is printed and not kept: .*forest\.db was removed while it was in use/)
        if (line.includes("chat")) assert.include(stderr, "was not sent, from line 2 on, beginning with: Really?")
      }),
    240_000,
  )
})
