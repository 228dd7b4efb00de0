/** `vibe chat` as a process: its input, what it prints where, and what it stores. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FakeServer from "../utils/FakeServer.ts"
import { google, refusing, saying } from "../utils/Gemini.ts"
import { folder, isRoot, shell, vibe } from "./vibe.ts"

const script = JSON.stringify([{ text: "Hello!" }, { text: "It is **so**.\n\n- a\n- b" }, { text: "Third." }])

/** Lines, one after the other, to a chat with a scripted model. */
const chat = (cwd: string, lines: ReadonlyArray<string>, options = "") =>
  Effect.gen(function* () {
    fs.writeFileSync(path.join(cwd, "typed.txt"), lines.map((line) => `${line}\n`).join(""))
    return yield* shell(`vibe chat --model scripted/s.json --forest f.db ${options} < typed.txt`, { cwd })
  })

const nodes = (cwd: string) =>
  Effect.map(vibe(["loom", "log", "--forest", "f.db", "--json"], { cwd }), ({ stdout }) => JSON.parse(stdout))

describe("vibe chat, in a pipe", () => {
  it.scopedLive("answers each line on stdout, and prints nothing else", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "s.json": script })
      const { code, stderr, stdout } = yield* chat(cwd, ["hi", "", "how is it?"])
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.strictEqual(stdout, "Hello!\n\nIt is **so**.\n\n- a\n- b\n")
    }),
  )

  it.scopedLive('reads lines between """ as one message', () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "s.json": script })
      yield* chat(cwd, ['"""', "first", "", "second", '"""'])
      const { stdout } = yield* vibe(["loom", "show", "--forest", "f.db", "@^"], { cwd })
      assert.include(stdout, "first\n\nsecond")
    }),
  )

  it.scopedLive("continues a conversation, and branches where asked to", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "s.json": script })
      yield* chat(cwd, ["one", "/save here"])
      const again = yield* chat(cwd, ["two", "/retry", "/undo", "/tree"], "--resume")
      assert.strictEqual(again.code, 0, again.stderr)
      assert.strictEqual(again.stdout, "Hello!\n\nIt is **so**.\n\n- a\n- b\n")
      assert.match(again.stderr, /1 {2}user "one"\n2 {2}assistant "Hello!" {2}\(you are here\)\n3 {2}user "two"\n/)
      const named = yield* chat(cwd, ["three"], "--resume=here")
      assert.strictEqual(named.code, 0, named.stderr)
      const { stdout } = yield* vibe(["loom", "tree", "--forest", "f.db"], { cwd })
      for (const word of ["one", "two", "three"]) assert.include(stdout, `user "${word}"`)
    }),
  )

  it.scopedLive("lists conversations and searches them", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "s.json": script })
      const none = yield* vibe(["chat", "--list", "--forest", "f.db"], { cwd })
      assert.deepStrictEqual([none.code, none.stdout], [0, ""])
      assert.include(none.stderr, "there are no conversations yet")
      yield* chat(cwd, ["one"])
      const list = yield* vibe(["chat", "--list", "--forest", "f.db", "--json"], { cwd })
      const [conversation, ...others] = JSON.parse(list.stdout).conversations
      assert.lengthOf(others, 0)
      assert.deepStrictEqual(
        [conversation.title, conversation.folder, conversation.messages, conversation.lastWords],
        ["one", fs.realpathSync(cwd), 2, "Hello!"],
      )
      const elsewhere = path.join(cwd, "elsewhere")
      fs.mkdirSync(elsewhere)
      const listThere = (...args: ReadonlyArray<string>) =>
        vibe(["chat", "--list", "--forest", "../f.db", ...args], { cwd: elsewhere })
      const here = yield* listThere()
      assert.deepStrictEqual([here.code, here.stdout], [0, ""])
      assert.include(here.stderr, "'vibe chat --list --all' has those of other folders")
      const all = (yield* listThere("--all")).stdout
      assert.match(all, /^\S+ {2}one {2}just now, 2 messages {2}\S+\n$/)
      const found = yield* vibe(["chat", "--search", "hello", "--forest", "f.db"], { cwd })
      assert.match(found.stdout, /^\S+ .* assistant {2}Hello!\n$/)
    }),
  )

  it.scopedLive("prints an event a line as JSON", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "s.json": script })
      const { code, stderr, stdout } = yield* chat(cwd, ["one"], "--json")
      assert.deepStrictEqual([code, stderr], [0, ""])
      const objects = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.deepStrictEqual(
        objects.map(({ type }) => type),
        ["titled", "asked", "text", "answered"],
      )
      const { log } = { log: yield* nodes(cwd) }
      assert.strictEqual(objects[3].text, "Hello!")
      assert.include(JSON.stringify(log), objects[1].node)
      assert.include(JSON.stringify(log), objects[3].node)
    }),
  )

  it.scopedLive("prints a message as asked once it is stored, so that it survives a kill from then on", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const server = yield* FakeServer.serve([{ body: "", ending: "mute" }])
      const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url }
      for (const words of ["first words", "second words", "third words"]) {
        const { signal, stdout } = yield* vibe(["chat", words, "--forest", "f.db", "--json"], {
          cwd,
          env,
          onStart: (child) => {
            child.stdout?.on("data", (text: string) => text.includes('"asked"') && child.kill("SIGKILL"))
          },
        })
        assert.strictEqual(signal, "SIGKILL")
        const { node, text } = stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
          .find(({ type }) => type === "asked")
        assert.strictEqual(text, words)
        const kept = yield* vibe(["loom", "show", node, "--forest", "f.db"], { cwd })
        assert.deepStrictEqual([kept.code, kept.stdout.includes(words)], [0, true], kept.stderr)
      }
    }),
  )

  it.scopedLive("exits with the code of the error, and stores the conversation", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const server = yield* FakeServer.serve([refusing(403, google(403, "Your key may not do that."))])
      const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url }
      const { code, stderr, stdout } = yield* shell("echo 'precious words' | vibe chat --forest f.db", { cwd, env })
      assert.deepStrictEqual([code, stdout], [3, ""])
      assert.lengthOf(stderr.trimEnd().split("\n"), 1)
      const { stdout: log } = yield* vibe(["loom", "log", "--forest", "f.db"], { cwd })
      assert.include(log, "precious words")
    }),
  )

  it.scopedLive(
    "prints one line for a wrong command line",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({
          "s.json": script,
          "binary.txt": "a\0b",
          "not-utf8.txt": "",
          "prompt.txt": "Be brief",
        })
        fs.writeFileSync(path.join(cwd, "not-utf8.txt"), Buffer.from([0xff, 0xfe, 0xfd]))
        const cases: ReadonlyArray<readonly [args: string, code: number, words: string]> = [
          ["--resume", 2, "there is no conversation yet"],
          ["--resume=nowhere", 2, "there is no node 'nowhere'"],
          ["--agent claude --model scripted/s.json", 2, "either --agent or --model"],
          ["--agent claude --tools", 2, "--tools are for models, an agent is given none"],
          ["--tools --model cli/claude", 2, "--tools are for models, an agent is given none"],
          ["--agent nobody", 2, "there is no agent 'nobody'"],
          ["--system-file missing.txt", 2, "missing.txt: no such file"],
          ["--system-file not-utf8.txt", 2, "not-utf8.txt: not a text file"],
          ["--system prompt.txt", 2, "prompt.txt is a file: --system-file reads it"],
          ["--forest f.db --ephemeral", 2, "either --ephemeral or --forest"],
          ["--nope", 2, "unknown option '--nope'"],
        ]
        for (const [args, expected, words] of cases) {
          const model = args.includes("--agent") || args.includes("cli/") ? "" : "--model scripted/s.json"
          const ended = yield* shell(`echo hi | vibe chat ${model} ${args}`, { cwd })
          assert.strictEqual(ended.code, expected, `${args}: ${ended.stderr}`)
          assert.include(ended.stderr, words)
          assert.strictEqual(ended.stdout, "")
        }
      }),
    240_000,
  )

  it.scopedLive("says that an agent is not installed, and how to name another", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const { code, stderr } = yield* vibe(["chat", "hi", "--agent", "claude"], { cwd, env: { PATH: "/nowhere" } })
      assert.strictEqual(code, 3, stderr)
      assert.include(stderr, "claude")
    }),
  )

  it.scopedLive.skipIf(isRoot)("answers with a warning if nothing can be stored", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "s.json": script, "closed/": "" })
      fs.chmodSync(path.join(cwd, "closed"), 0o500)
      const { code, stderr, stdout } = yield* shell(
        "echo hi | vibe chat --model scripted/s.json --forest closed/f.db",
        { cwd },
      )
      assert.deepStrictEqual([code, stdout], [0, "Hello!\n"])
      assert.include(stderr, "is not kept")
    }),
  )

  it.scopedLive(
    "accepts a message of 3 MB, and refuses one that no model can take",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "s.json": script })
        const long = yield* chat(cwd, ["x".repeat(3_000_000)])
        assert.deepStrictEqual([long.code, long.stdout], [0, "Hello!\n"], long.stderr)
        const longer = yield* chat(cwd, ["x".repeat(10_000_000)])
        assert.strictEqual(longer.code, 2)
        assert.include(longer.stderr, "too long for a model")
      }),
    240_000,
  )

  it.scopedLive("continues one node in two processes, which both lose nothing", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "s.json": script })
      yield* chat(cwd, ["one", "/save here"])
      const lines = ["a", "b"].map((word) =>
        shell(`printf '${word}\\n' | vibe chat --model scripted/s.json --forest f.db --resume=here`, { cwd }),
      )
      const ended = yield* Effect.all(lines, { concurrency: 2 })
      assert.deepStrictEqual(
        ended.map(({ code }) => code),
        [0, 0],
        ended.map(({ stderr }) => stderr).join(),
      )
      const { stdout } = yield* vibe(["loom", "tree", "--forest", "f.db"], { cwd })
      for (const word of ["a", "b"]) assert.include(stdout, `user "${word}"`)
      const verified = yield* vibe(["loom", "verify", "--forest", "f.db"], { cwd })
      assert.strictEqual(verified.code, 0, verified.stderr)
    }),
  )

  it.scopedLive("sends a system prompt byte for byte, and the content of a mentioned file", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "prompt.txt": "Be brief.\r\n", "a.ts": "const a = 1\n" })
      const server = yield* FakeServer.serve([{ body: FakeServer.events(saying("Yes.", "STOP")) }])
      const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url }
      const { stdout } = yield* shell("echo 'look at @a.ts' | vibe chat --ephemeral --system-file prompt.txt", {
        cwd,
        env,
      })
      assert.strictEqual(stdout, "Yes.\n")
      const body = JSON.stringify(server.requests[0]?.body)
      assert.include(body, '"Be brief.\\r\\n"')
      assert.include(body, "const a = 1")
    }),
  )

  it.scopedLive("writes a megabyte to a pipe completely, and ends quietly when its reader stops", () =>
    Effect.gen(function* () {
      const text = `${"a line of many\n".repeat(70_000)}the end`
      const cwd = yield* folder({ "s.json": JSON.stringify([{ text }]) })
      const chat = "echo hi | vibe chat --ephemeral --model scripted/s.json"
      const whole = yield* shell(`${chat} | cat`, { cwd })
      assert.isTrue(whole.stdout === `${text}\n`)
      const cut = yield* shell(`${chat} | head -1; exit \${PIPESTATUS[1]}`, { cwd })
      assert.deepStrictEqual([cut.code, cut.stdout, cut.stderr], [0, "a line of many\n", ""])
    }),
  )

  it.scopedLive.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("keeps at %s what was said and what was heard of the answer", ([name, expected]) =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const server = yield* FakeServer.serve([{ body: FakeServer.events(saying("Once upon a time")), ending: "hang" }])
      const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url }
      const args = ["chat", "tell me a story", "--forest", "f.db", "--json"]
      const { code, stderr } = yield* vibe(args, {
        cwd,
        env,
        onStart: (child) => {
          child.stdout?.on("data", (text: string) => text.includes("Once upon") && child.kill(name))
        },
      })
      assert.strictEqual(code, expected, stderr)
      assert.isFalse(fs.existsSync(path.join(cwd, "f.db.unsent")))
      const { stdout } = yield* vibe(["loom", "log", "--forest", "f.db"], { cwd })
      for (const words of ["tell me a story", "Once upon a time"]) assert.include(stdout, words)
    }),
  )
})
