/** `vibe loom`, from one process to the next: what one has kept, the next finds. */
import type { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { writeFormatOne } from "../forest/formatOne.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import { drawn, file, refused } from "./looms.ts"
import { folder, loomIn, shell, vibe } from "./vibe.ts"

describe("vibe loom", () => {
  it.scopedLive("creates no forest for a mistyped file name in commands that only read or change one", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "s.json": '["Hello!"]' })
      for (const args of [
        ["loom", "roots"],
        ["loom", "log"],
        ["loom", "verify"],
        ["loom", "delete", "@"],
      ])
        refused(yield* vibe([...args, "--forest", "no.db"], { cwd }), 2, "there is no forest no.db")
      const asked = ["ask", "And?", "-c", "--model", "scripted/s.json", "--forest", "no.db"]
      refused(yield* vibe(asked, { cwd }), 2, "there is no forest no.db")
      assert.deepStrictEqual(
        fs.readdirSync(cwd).filter((name) => name.startsWith("no")),
        [],
      )
      const planted = yield* vibe(["ask", "Hi", "--model", "scripted/s.json", "--forest", "no.db"], { cwd })
      assert.strictEqual(planted.code, 0, planted.stderr)
    }),
  )

  it.scopedLive(
    "marks unreadable messages, leaves them out of search and export, and deletes them",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        writeFormatOne(path.join(cwd, "old.db"))
        const run = (...args: ReadonlyArray<string>) => vibe(["loom", ...args, "--forest", "old.db"], { cwd })
        const loom = (...args: ReadonlyArray<string>) =>
          Effect.map(run(...args), (ended) => {
            assert.strictEqual(ended.code, 0, ended.stderr)
            return ended
          })

        const why = 'role: Expected "user" | "assistant" | "tool" | "system", actual "robot"'
        const log = (yield* loom("log", "here")).stdout
        assert.include(log, `robot  unreadable  1970-01-01 00:00:00Z\n    [This message cannot be read: ${why}]`)
        assert.include(log, "more marmalade")
        const tree = (yield* loom("tree")).stdout
        assert.match(tree, /^robot unreadable "\[This message cannot be read: role: /m)
        assert.match(tree, /^nan unreadable "/m)
        assert.match((yield* loom("show", "nan")).stdout, /^role {8}unreadable$/m)
        assert.deepInclude(JSON.parse((yield* loom("show", "robot", "--json")).stdout).node, {
          source: { type: "unreadable", why },
        })

        const search = yield* loom("search", "marmalade")
        assert.lengthOf(search.stdout.trimEnd().split("\n"), 2)
        assert.strictEqual(search.stderr, "not searched: 2 nodes that cannot be read (nan, robot)\n")
        const exported = yield* loom("export", "root", "--format", "jsonl")
        assert.strictEqual(exported.stderr, "left out: 2 nodes that cannot be read (robot, nan)\n")
        fs.writeFileSync(path.join(cwd, "old.jsonl"), exported.stdout)
        const imported = yield* vibe(["loom", "import", "old.jsonl", "--forest", "new.db", "--json"], { cwd })
        assert.deepInclude(JSON.parse(imported.stdout), { added: 3, skipped: 0 })

        yield* loom("delete", "robot", "--reparent")
        yield* loom("delete", "nan", "--reparent")
        assert.notInclude((yield* loom("tree")).stdout, "unreadable")
        assert.strictEqual((yield* loom("search", "marmalade")).stderr, "")
      }),
    240_000,
  )

  it.scopedLive("exports all conversations, which another forest takes in, whole and once", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "poet.json": '["Roses are red."]' })
      const run = (...args: ReadonlyArray<string>) => vibe(["loom", "export", "--all", ...args], { cwd })
      const loom = loomIn(cwd)
      fs.writeFileSync(path.join(cwd, "empty.jsonl"), "")
      const none = yield* vibe(["loom", "import", "empty.jsonl", "--forest", "none.db"], { cwd })
      refused(none, 2, "unrecognised format")

      yield* loom("generate", "--system", "You are a poet", "Write a poem", "--model", "scripted/poet.json")
      yield* loom("bookmark", "poem", "@")
      yield* loom("edit", "@^", "Write a short poem")
      yield* loom("append", "--system", "Be brief", "Hello")
      yield* vibe(["ask", "What is red?", "--model", "scripted/poet.json"], { cwd })
      const { code, stderr, stdout } = yield* run()
      assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
      fs.writeFileSync(path.join(cwd, "all.jsonl"), stdout)
      assert.match(
        yield* loom("import", "all.jsonl", "--forest", "copy.db"),
        /^vibe: \d+ messages added, 0 known already, 0 lines without a message$/,
      )
      assert.match(yield* loom("import", "all.jsonl", "--forest", "copy.db"), /^vibe: 0 messages added/)
      const trees = (file: string) =>
        Effect.gen(function* () {
          const roots: ReadonlyArray<{ id: string }> = JSON.parse(
            yield* loom("roots", "--json", "--forest", file),
          ).roots
          const drawings = yield* Effect.forEach(roots, ({ id }) => loom("tree", id, "--forest", file))
          return drawings.map(drawn).toSorted()
        })
      const copied = yield* trees("copy.db")
      assert.lengthOf(copied, 3)
      assert.deepStrictEqual(copied, yield* trees(path.join(cwd, file)))

      refused(yield* run("@"), 2, "'--all' exports every tree, so it takes no NODE")
      for (const format of ["markdown", "json", "html"]) {
        refused(yield* run("--format", format), 2, "'--all' prints JSON lines, in no other format")
      }
      assert.strictEqual((yield* run("--json")).code, 2)
    }),
  )

  it.scopedLive(
    "stores a conversation that is branched, continued, compared, split, edited, exported and imported",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({
          "poet.json": '["Roses are red.", "Violets are blue.", "Sugar is sweet."]',
          "one.json": '["Roses are white."]',
          "two.json": '["Lilies too."]',
        })
        const loom = loomIn(cwd)
        const answer = (script: string, ...words: ReadonlyArray<string>) =>
          loom("generate", "--model", `scripted/${script}.json`, ...words)

        // Three turns, each a process of its own.
        assert.strictEqual(yield* answer("poet", "--system", "You are a poet", "Write a poem"), "Roses are red.")
        yield* answer("one", "@", "Go on")
        yield* answer("two", "@", "And on")
        yield* loom("bookmark", "first", "@")
        assert.strictEqual(fs.statSync(path.join(cwd, file)).mode & 0o777, 0o600)

        // An edit in the middle branches, and both branches go on.
        yield* loom("edit", "@~3", "Go on, but shorter")
        yield* answer("poet", "@")
        yield* answer("one", "first", "Thank you")
        assert.deepStrictEqual(drawn(yield* loom("tree")).split("\n"), [
          'root "You are a poet"',
          'user "Write a poem"',
          'assistant "Roses are red."',
          '├─ user "Go on"',
          '│  assistant "Roses are white."',
          '│  user "And on"',
          '│  assistant "Lilies too." [first]',
          '│  user "Thank you"',
          '│  assistant "Roses are white."',
          '└─ user "Go on, but shorter"',
          '   assistant "Roses are red."',
        ])

        // Compared.
        const [shorter = ""] = JSON.parse(yield* loom("search", "red", "--limit", "1", "--json")).nodes
        const difference = yield* loom("diff", "first", shorter.id)
        assert.match(difference, /^2 messages in common; then 4 in the first, 2 in the second\n/)
        assert.include(difference, "user: Go on{+, but shorter+}\n\nassistant: Roses are [-white-]{+red+}.")

        // One is deleted, and brought back.
        const before = yield* loom("tree")
        const refusal = yield* vibe(["loom", "delete", "first", "--cascade"], { cwd })
        refused(refusal, 2, "bookmarks with it: first", "--bookmarks")
        assert.strictEqual(
          yield* loom("delete", "first", "--cascade", "--bookmarks"),
          "deleted 3 nodes and the bookmark first",
        )
        assert.notInclude(yield* loom("tree"), "Lilies")
        assert.match(yield* loom("undo"), /^undone: \d+ loom delete \(3 nodes brought back, 1 bookmark brought back\)/)
        assert.strictEqual(yield* loom("tree"), before)

        // Exported, and imported elsewhere once, however often.
        const { roots } = JSON.parse(yield* loom("roots", "--json"))
        fs.writeFileSync(path.join(cwd, "talk.jsonl"), yield* loom("export", roots[0].id, "--format", "jsonl"))
        const imported = yield* loom("import", "talk.jsonl", "--forest", "other.db")
        assert.strictEqual(imported, "vibe: 10 messages added, 0 known already, 0 lines without a message")
        const again = yield* loom("import", "talk.jsonl", "--forest", "other.db")
        assert.strictEqual(again, "vibe: 0 messages added, 10 known already, 0 lines without a message")
        assert.strictEqual(drawn(yield* loom("tree", "--forest", "other.db")), drawn(before))

        const all = /^all is well: 1 tree, 10 nodes, 1 bookmark, \d+ in the journal$/
        assert.match(yield* loom("verify"), all)
        assert.match(yield* loom("verify", "--forest", "other.db"), all)
      }),
    240_000,
  )

  it.scopedLive(
    "stores the text of the user even if no answer follows",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "no.json": '[{"error":{"reason":"InvalidRequest","message":"not today"}}]' })
        const args = ["loom", "generate", "--system", "Be kind", "Hello there", "--model", "scripted/no.json"]
        refused(yield* vibe(args, { cwd }), 1, "not today")
        assert.strictEqual(drawn(yield* loomIn(cwd)("tree")), 'root "Be kind"\nuser "Hello there"')
      }),
    240_000,
  )

  it.scopedLive(
    "asks several models at once, and continues if one fails",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({
          "no.json": '[{"error":{"reason":"InvalidRequest","message":"not today"}}]',
          "yes.json": '["Hello.", "Hi."]',
        })
        const models = ["--model", "scripted/no.json", "--model", "scripted/yes.json"]
        const args = ["loom", "generate", "-n", "2", "--system", "Be kind", "Hello", ...models]
        const { code, stderr, stdout } = yield* vibe(args, { cwd })
        assert.deepStrictEqual([code, stdout], [0, "Hello.\n\nHi.\n"], stderr)
        assert.include(stderr, "vibe: scripted/no.json: not today\n")
        assert.deepStrictEqual(drawn(yield* loomIn(cwd)("log", "@^", "--graph")).split("\n"), [
          '* root "Be kind"',
          '* user "Hello"',
          "|\\",
          '| * assistant "Hello."',
          '* assistant "Hi."',
        ])
      }),
    240_000,
  )

  it.scopedLive(
    "lets a model call the given tools",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "tool.json": '[{"toolCalls":[{"name":"introspect"}]}, "I know myself."]' })
        const args = [
          "generate",
          "--system",
          "x",
          "Who are you?",
          "--tool",
          "introspect",
          "--model",
          "scripted/tool.json",
        ]
        assert.strictEqual(yield* loomIn(cwd)(...args), "I know myself.")
        const { message } = JSON.parse(yield* loomIn(cwd)("show", "@^", "--json")).node
        assert.deepInclude(JSON.parse(message.content[0].text), { model: "scripted/tool.json", tools: ["introspect"] })
      }),
    240_000,
  )

  it.scopedLive(
    "ends at Ctrl-C during an answer, and stores the text of the user",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        const server = yield* FakeServer.serve([{ body: "", ending: "hang" }])
        const started = yield* Deferred.make<ChildProcess>()
        const run = yield* Effect.forkScoped(
          vibe(["loom", "generate", "--system", "Be kind", "Hello"], {
            cwd,
            env: { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url },
            onStart: (child) => Deferred.unsafeDone(started, Effect.succeed(child)),
          }),
        )
        const child = yield* Deferred.await(started)
        yield* Effect.raceFirst(server.asked, Fiber.join(run))
        child.kill("SIGINT")
        const { code, stdout } = yield* Fiber.join(run)
        assert.deepStrictEqual([code, stdout], [130, ""])
        assert.strictEqual(drawn(yield* loomIn(cwd)("tree")), 'root "Be kind"\nuser "Hello"')
        assert.match(yield* loomIn(cwd)("verify"), /^all is well/)
      }),
    240_000,
  )

  it.scopedLive(
    "prints the tokens and cost of a conversation, by the user's prices",
    () =>
      Effect.gen(function* () {
        const usage = { inputTokens: 2000, outputTokens: 100, cachedTokens: 0, thinkingTokens: 0 }
        const cwd = yield* folder({
          "poet.json": JSON.stringify([{ text: "Roses are red.", usage }]),
          ".config/vibe/config.toml": '[models."scripted/poet.json"]\nprices = { input = 1, output = 10 }',
        })
        const loom = (...args: ReadonlyArray<string>) => vibe(["loom", ...args], { cwd })
        yield* loom("generate", "--model", "scripted/poet.json", "--system", "You are a poet", "Write a poem")
        const { stderr, stdout } = yield* loom("log", "--limit", "1")
        assert.notInclude(stdout, "tokens")
        assert.strictEqual(stderr, "2000 tokens in, 100 out, about $0.0030 (of the last 1 message)\n")
        assert.deepInclude(JSON.parse((yield* loom("log", "--json")).stdout), { usage, cost: 0.003 })
        // Nothing was said by a model yet.
        assert.strictEqual((yield* loom("log", "@^")).stderr, "")
        fs.writeFileSync(path.join(cwd, ".config/vibe/config.toml"), "no = [")
        assert.strictEqual((yield* loom("log")).stderr, "2000 tokens in, 100 out, price unknown\n")
      }),
    240_000,
  )

  it.scopedLive(
    "reads the text from a pipe",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        const { code, stderr } = yield* shell("printf 'two\\nlines\\n' | vibe loom append --system x", { cwd })
        assert.strictEqual(code, 0, stderr)
        const { nodes } = JSON.parse(yield* loomIn(cwd)("log", "--json"))
        assert.deepStrictEqual(nodes[0].message.content, [{ type: "text", text: "two\nlines" }])
      }),
    240_000,
  )

  it.scopedLive(
    "stores nothing with --ephemeral",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "yes.json": '["Hello."]' })
        const args = ["generate", "--ephemeral", "--system", "x", "Hi", "--model", "scripted/yes.json"]
        assert.strictEqual(yield* loomIn(cwd)(...args), "Hello.")
        assert.deepStrictEqual(fs.readdirSync(cwd), ["yes.json"])
      }),
    240_000,
  )
})
