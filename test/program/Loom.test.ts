/** `vibe loom`, from one process to the next: what one has kept, the next finds. */
import { type ChildProcess, execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { theirs } from "../disk/Theirs.ts"
import { writeFormatOne } from "../forest/formatOne.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import * as terminal from "./terminal.ts"
import { type Ended, folder, isRoot, locked, loomIn, shell, vibe } from "./vibe.ts"

const file = ".local/state/vibe/forest.db"

/** The outline without the ids. */
const drawn = (text: string) => text.replaceAll(/\b[0-9a-z]{10,18} (?:@ )?(?:\+ |(?=root|user|assistant))/g, "")

/** Ends with `code` and one line with these words on stderr; nothing on stdout. */
const refused = ({ code: actual, stderr, stdout }: Ended, code: number, ...words: ReadonlyArray<string>) => {
  assert.strictEqual(actual, code, stderr)
  assert.strictEqual(stdout, "")
  assert.lengthOf(stderr.trimEnd().split("\n"), 1, stderr)
  for (const word of words) assert.include(stderr, word)
}

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

describe("vibe completion", () => {
  it.scopedLive(
    "lets bash complete commands, bookmarks and ids, and creates no forest",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        const completed = (...words: ReadonlyArray<string>) =>
          Effect.map(
            shell(
              [
                'eval "$(vibe completion bash)"',
                `COMP_WORDS=(vibe ${words.join(" ")})`,
                `COMP_CWORD=${words.length}`,
                "_vibe",
                `printf '%s\\n' "\${COMPREPLY[@]}"`,
              ].join("; "),
              { cwd },
            ),
            ({ stdout }) => stdout.trimEnd().split("\n"),
          )
        assert.deepStrictEqual(yield* completed("loom", "bo"), ["bookmark", "bookmarks"])
        assert.include(yield* completed("ask", "--model", "google/"), "google/gemini-2.5-flash")
        assert.deepStrictEqual(yield* completed("loom", "show", "m"), [""])
        assert.deepStrictEqual(fs.readdirSync(cwd), [])
        const id = yield* loomIn(cwd)("append", "--system", "x", "Hello")
        yield* loomIn(cwd)("bookmark", "my talk", "@")
        assert.deepStrictEqual(yield* completed("loom", "show", "m"), ["my\\ talk"])
        assert.include(yield* completed("loom", "diff", "@", id.slice(0, 3)), id.slice(0, 10))
      }),
    240_000,
  )

  it.scopedLive("prints a script for each shell, and refuses one that it does not know", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      for (const [name, line] of [
        ["bash", "complete -F _vibe vibe"],
        ["zsh", "compdef _vibe vibe"],
        ["fish", "complete -c vibe"],
      ] as const) {
        const { code, stdout } = yield* vibe(["completion", name], { cwd })
        assert.deepStrictEqual([code, stdout.includes(line)], [0, true])
      }
      const { code, stderr, stdout } = yield* vibe(["completion", "tcsh"], { cwd })
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.include(stderr, "there is no completion for 'tcsh'; there is for bash, zsh and fish")
    }),
  )
})

/** Writes to the forest what vibe would not. */
const tampered = (cwd: string) => (text: string) =>
  shell(
    `"${process.execPath}" --no-warnings -e 'new (require("node:sqlite").DatabaseSync)("${file}").exec(process.argv[1])' "${text}"`,
    { cwd },
  )

describe("vibe loom purge", () => {
  const MARKER = "HUNTER2XYZ"

  /** A forest with one message that has the marker, and the files that have it. */
  const marked = Effect.gen(function* () {
    const cwd = yield* folder()
    yield* loomIn(cwd)("append", "--system", "Be kind", `the password is ${MARKER}`)
    const state = path.dirname(path.join(cwd, file))
    const found = () =>
      fs.readdirSync(state).filter((name) => fs.readFileSync(path.join(state, name), "latin1").includes(MARKER))
    assert.isNotEmpty(found())
    return { cwd, found }
  })

  it.scopedLive("fails without a terminal to ask on, and leaves no trace with --yes", () =>
    Effect.gen(function* () {
      const { cwd, found } = yield* marked
      refused(yield* vibe(["loom", "purge", "@"], { cwd }), 2, "stdin is no terminal: add --yes")
      assert.isNotEmpty(found())
      yield* loomIn(cwd)("delete", "@", "--cascade")
      assert.strictEqual(yield* loomIn(cwd)("purge", "--removed", "--yes"), "purged 1 node")
      assert.deepStrictEqual(found(), [])
      assert.match(yield* loomIn(cwd)("verify"), /^all is well: 1 tree, 0 nodes/)
    }),
  )

  it.scopedLive("removes nodes of a forest that another process has open, which continues with the rest", () =>
    Effect.gen(function* () {
      const { cwd, found } = yield* marked
      const database = new DatabaseSync(path.join(cwd, file))
      assert.strictEqual(database.prepare("select count(*) as count from node").get()?.count, 2)
      assert.strictEqual(yield* loomIn(cwd)("purge", "@", "--yes"), "purged 1 node")
      assert.deepStrictEqual(found(), [])
      assert.strictEqual(database.prepare("select count(*) as count from node").get()?.count, 1)
      database.close()
    }),
  )

  it.scopedLive.skipIf(!terminal.isAvailable)("asks on a terminal, and takes any answer but yes as no", () =>
    Effect.gen(function* () {
      const { cwd, found } = yield* marked
      for (const answer of ["n", "", "\u0004"]) {
        const seen = yield* terminal.open(["loom", "purge", "@"], { cwd })
        yield* seen.until("Remove 1 node for good? Nothing can bring it back [y/N]")
        yield* seen.type(answer === "\u0004" ? answer : `${answer}\r`)
        yield* seen.until("nothing was purged")
        assert.strictEqual(yield* seen.ended, 0)
      }
      assert.isNotEmpty(found())
      const seen = yield* terminal.open(["loom", "purge", "@"], { cwd })
      yield* seen.until("[y/N]")
      yield* seen.type("y\r")
      yield* seen.until("purged 1 node")
      assert.strictEqual(yield* seen.ended, 0)
      assert.deepStrictEqual(found(), [])
    }),
  )
})

/** A file system of this size in `cwd`, if this process may make one. */
const smallDisk = (cwd: string, kilobytes: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const place = path.join(cwd, "state")
      fs.mkdirSync(place)
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", place])
      return place
    }),
    (place) => Effect.sync(() => execFileSync("umount", [place])),
  )

const mayMount = (() => {
  if (!isRoot || process.platform !== "linux") return false
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-mount-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", place], { stdio: "ignore" })
    execFileSync("umount", [place])
    return true
  } catch {
    return false
  } finally {
    fs.rmdirSync(place)
  }
})()

/** Writes until nothing fits any more, but for so many bytes. */
const fill = (place: string, left: number) => {
  const { bavail, bsize } = fs.statfsSync(place)
  fs.writeFileSync(path.join(place, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - left)))
}

describe("vibe loom on a full disk", () => {
  it.scopedLive.skipIf(!mayMount)(
    "reads everything, says how much room a purge needs, and purges with as much",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        const state = yield* smallDisk(cwd, 2048)
        const env = { XDG_STATE_HOME: state }
        const run = (...args: ReadonlyArray<string>) => vibe(["loom", ...args], { cwd, env })
        assert.strictEqual((yield* run("append", "--system", "Be kind", "the password is HUNTER2XYZ")).code, 0)
        const before = yield* run("export", "--all")
        for (const left of [0, 8_192, 40_960]) {
          fill(state, left)
          const purged = yield* run("purge", "@", "--yes")
          refused(purged, 7, "nothing was purged: the disk is full", "make room there")
          assert.deepStrictEqual(yield* run("export", "--all"), before)
          assert.match((yield* run("verify")).stdout, /^all is well: 1 tree, 1 node/)
          refused(yield* run("append", "@", "More"), 7, "the conversation cannot be saved: the disk is full")
          const kilobytes = Number(/\((\d+) kB are enough\)/.exec(purged.stderr)?.[1])
          assert.isBelow(kilobytes, 200)
          fs.rmSync(path.join(state, "filler"))
          if (left > 8_192) fill(state, (kilobytes + 4) * 1000)
        }
        assert.strictEqual((yield* run("purge", "@", "--yes")).stdout, "purged 1 node\n")
        const kept = path.join(state, "vibe")
        for (const name of fs.readdirSync(kept)) {
          assert.notInclude(fs.readFileSync(path.join(kept, name), "latin1"), "HUNTER2XYZ", name)
        }
        assert.match((yield* run("verify")).stdout, /^all is well: 1 tree, 0 nodes/)
      }),
    240_000,
  )
})

describe("vibe loom verify", () => {
  it.scopedLive("reports a damaged search index, and rebuilds it with --mend", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const id = yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
      yield* tampered(cwd)("update state set indexed = 2")
      const { code, stderr, stdout } = yield* vibe(["loom", "verify"], { cwd })
      assert.deepStrictEqual([code, stdout], [7, `node ${id}: is not found by its words\n`])
      assert.strictEqual(
        stderr,
        "vibe: an index of the forest is damaged: 1 problem. 'vibe loom verify --mend' makes it again\n",
      )
      assert.match(yield* loomIn(cwd)("verify", "--mend"), /^all is well/)
      assert.include(yield* loomIn(cwd)("search", "hello"), "Hello")
    }),
  )

  const page = 4096
  it.scopedLive.each<readonly [title: string, damage: (file: string) => void, says: string]>([
    ["of no bytes", (file) => fs.truncateSync(file), "is empty, so that what was in it is lost"],
    ["of one byte", (file) => fs.writeFileSync(file, "x"), "is damaged. Bring back a copy of it"],
    ["of zeros alone", (file) => fs.writeFileSync(file, Buffer.alloc(8 * page)), "is damaged. Bring back a copy of it"],
    ["that ends after its first page", (file) => fs.truncateSync(file, page), "is damaged. Bring back a copy of it"],
    [
      "whose link leads to a file of no bytes",
      (file) => {
        fs.renameSync(file, `${file}.real`)
        fs.truncateSync(`${file}.real`)
        fs.symlinkSync(`${file}.real`, file)
      },
      "is empty, so that what was in it is lost",
    ],
  ])(
    "names a forest %s, says what to do, and begins no other in its place",
    ([, damage, says]) =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "answers.json": '["Hello!"]' })
        yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
        const forest = path.join(cwd, file)
        damage(forest)
        const left = fs.readFileSync(forest)
        for (const args of [
          ["verify"],
          ["verify", "--mend"],
          ["roots"],
          ["append", "--system", "Be kind", "Bye"],
          ["purge", "--removed", "--yes"],
        ])
          refused(yield* vibe(["loom", ...args], { cwd }), 7, `${forest}: ${says}`, "move it away to begin anew")
        const asked = yield* vibe(["ask", "Hi", "--model", "scripted/answers.json"], { cwd })
        assert.deepStrictEqual([asked.code, asked.stdout], [0, "Hello!\n"])
        assert.include(asked.stderr, `not kept (reason: the stored conversations cannot be read: ${forest}:`)
        assert.deepStrictEqual(fs.readFileSync(forest), left)

        fs.renameSync(forest, `${forest}.aside`)
        yield* loomIn(cwd)("append", "--system", "Be kind", "Bye")
        assert.match(yield* loomIn(cwd)("verify"), /^all is well: 1 tree, 1 node/)
        assert.deepStrictEqual(fs.readFileSync(`${forest}.aside`), left)
      }),
    240_000,
  )

  it.scopedLive("lists the problems of a forest that has lost a page in its middle, and changes nothing", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
      const forest = path.join(cwd, file)
      const bytes = fs.readFileSync(forest)
      bytes.fill(255, 2 * page, 5 * page)
      fs.writeFileSync(forest, bytes)
      const { code, stderr, stdout } = yield* vibe(["loom", "verify"], { cwd })
      assert.strictEqual(code, 7)
      assert.match(stdout, /^storage: .*page/)
      assert.match(stderr, /^vibe: the forest is damaged: \d+ problems\n$/)
      refused(yield* vibe(["loom", "roots"], { cwd }), 7, "is damaged. Bring back a copy of it")
      assert.deepStrictEqual(fs.readFileSync(forest), bytes)
    }),
  )
})

describe("vibe loom with bad input", () => {
  it.scopedLive(
    "prints one line for an error, and changes nothing",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "what.txt": "what is this" })
        const loom = loomIn(cwd)
        const run = (...args: ReadonlyArray<string>) => vibe(["loom", ...args], { cwd })
        refused(yield* run("log"), 2, "the forest is empty")
        yield* loom("append", "--system", "Be kind", "Hello")
        const before = yield* loom("log", "--json")
        const [root, node] = [JSON.parse(before).root.id, JSON.parse(before).nodes[0].id]
        refused(yield* run("show", "1"), 2, "'1' may be", `${root} (root "Be kind")`, `${node} (user "Hello")`)
        refused(yield* run("edit", root, "other"), 2, "Cannot edit root")
        refused(yield* run("append", "@"), 2, "The text is empty")
        refused(yield* run("generate", "@", "Hi", "--model", "nobody/x"), 2, "'nobody'", "google", "offline")
        refused(yield* run("log", "--ephemeral", "--forest", "x.db"), 2, "either --ephemeral or --forest")
        refused(yield* run("import", "what.txt"), 2, "what.txt: unrecognised format", "Claude Code")
        assert.strictEqual(yield* loom("log", "--json"), before)
      }),
    240_000,
  )

  it.scopedLive(
    "distinguishes a missing key from a wrong command line, and stores nothing then",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        const ended = yield* vibe(["loom", "generate", "--system", "x", "Hi"], { cwd })
        refused(ended, 3, "GOOGLE_API_KEY")
        assert.strictEqual(drawn(yield* loomIn(cwd)("roots")), "")
      }),
    240_000,
  )

  it.scopedLive(
    "reports storage that is damaged, of a later version, or no forest",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "text.db": "this is no database, and it is long enough to be taken for one" })
        const run = (...args: ReadonlyArray<string>) => vibe(["loom", ...args], { cwd })
        refused(yield* run("log", "--forest", "text.db"), 7, "cannot be read", "text.db: is damaged")
        theirs(path.join(cwd, "other.db"))
        refused(
          yield* run("append", "--forest", "other.db", "--system", "Be kind", "Hello"),
          7,
          "other.db: is another program's",
        )
        const id = yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
        const sql = tampered(cwd)
        yield* sql("update node set body = 'Bye' where role = 'user'")
        const { code, stderr, stdout } = yield* run("verify")
        assert.strictEqual(code, 7)
        assert.match(
          stdout,
          /^node [0-9a-z]{18}: is not what was written\nnode [0-9a-z]{18}: has a digest of something else\n$/,
        )
        assert.strictEqual(stderr, "vibe: the forest is damaged: 2 problems\n")
        assert.lengthOf(JSON.parse((yield* run("verify", "--json")).stdout).error.problems, 2)
        assert.include(yield* loomIn(cwd)("show", id), "[This message cannot be read: its row is damaged]")

        yield* sql("update node set parent = id where role = 'user'")
        refused(yield* run("log", id), 7, "cannot be read", id, "'vibe loom verify'")
        yield* sql("pragma user_version = 99")
        refused(yield* run("log"), 7, "newer version", "Update vibe")
      }),
    240_000,
  )

  const reads = [
    ["log"],
    ["show", "@"],
    ["search", "hello"],
    ["roots"],
    ["tree"],
    ["export", "@"],
    ["bookmarks"],
    ["verify"],
  ]
  const writes = [
    ["append", "@", "More"],
    ["generate", "@", "--model", "lmstudio/x"],
    ["edit", "@", "Other"],
    ["undo"],
    ["bookmark", "other", "@"],
    ["verify", "--mend"],
  ]

  const two = { concurrency: 2 }

  /** `hinder`: so that the forest of this folder cannot be written any more. */
  const readable = <E, R>(hinder: (cwd: string) => Effect.Effect<unknown, E, R>) =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const run = (args: ReadonlyArray<string>) => vibe(["loom", ...args], { cwd })
      const id = yield* loomIn(cwd)("append", "--system", "Be kind", "Hello")
      yield* loomIn(cwd)("bookmark", "here", id)
      const before = yield* Effect.forEach(reads, run, two)
      yield* hinder(cwd)
      assert.deepStrictEqual(yield* Effect.forEach(reads, run, two), before)
      for (const ended of yield* Effect.forEach(writes, run, two)) {
        refused(ended, 7, "cannot be saved", "forest.db: cannot be written")
      }
    })

  it.scopedLive(
    "reads a forest that is not writable, and fails where it would write",
    () => readable((cwd) => Effect.sync(() => fs.mkdirSync(path.join(cwd, `${file}-shm`)))),
    240_000,
  )

  it.scopedLive.skipIf(isRoot)(
    "reads a forest in a folder that it may not write (not for root, who may)",
    () => readable((cwd) => locked(path.dirname(path.join(cwd, file)), 0o555)),
    240_000,
  )

  it.scopedLive.skipIf(isRoot)(
    "reads a forest that it may not write (not for root, who may)",
    () => readable((cwd) => locked(path.join(cwd, file), 0o444)),
    240_000,
  )

  it.scopedLive.skipIf(isRoot)("names what it may not write (root may)", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "state/": "" })
      yield* locked(path.join(cwd, "state"), 0o555)
      const env = { XDG_STATE_HOME: path.join(cwd, "state") }
      refused(
        yield* vibe(["loom", "append", "--system", "x", "Hi"], { cwd, env }),
        7,
        "cannot be saved",
        "forest.db: cannot be written",
      )
    }),
  )
})
