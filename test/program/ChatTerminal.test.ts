/** `vibe chat` in a terminal: what a person types, and what they see. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FakeServer from "../utils/FakeServer.ts"
import { saying } from "../utils/Gemini.ts"
import * as Terminal from "./terminal.ts"
import { folder, shell, vibe } from "./vibe.ts"

const script = JSON.stringify([
  { text: "Hello! I **like** `code`:\n\n- one\n- two" },
  { text: "Let me look.", toolCalls: [{ name: "read_file", arguments: { path: "a.ts" } }] },
  { text: "It is a constant." },
  { text: "The last word." },
])

const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 64)
const esc = "\u001b"

/** A folder, and a chat in it. */
const chat = (options: ReadonlyArray<string> = [], more: Partial<Terminal.Options> = {}) =>
  Effect.gen(function* () {
    const cwd = more.cwd ?? (yield* folder({ "s.json": script, "a.ts": "export const a = 1\n" }))
    const args = ["chat", "--forest", "f.db", "--model", "scripted/s.json", ...options]
    return { cwd, ...(yield* Terminal.open(args, { ...more, cwd })) }
  })

/** A conversation with a first answer that has begun, and never ends. */
const halfway = Effect.gen(function* () {
  const cwd = yield* folder()
  const server = yield* FakeServer.serve([{ body: FakeServer.events(saying("Once upon a time")), ending: "hang" }])
  const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url }
  const seen = yield* Terminal.open(["chat", "--forest", "f.db"], { cwd, env })
  yield* seen.until("commands")
  yield* seen.type("tell me a story\r")
  yield* seen.until("Once upon a time")
  return { cwd, ...seen }
})

const log = (cwd: string) => Effect.map(vibe(["loom", "log", "--forest", "f.db"], { cwd }), ({ stdout }) => stdout)

/** The text that is kept for the next chat in this folder; empty where there is none. */
const drafts = (cwd: string): string =>
  fs
    .readdirSync(cwd)
    .filter((name) => /^f\.db\.unsent-chat-[0-9a-f]+$/.test(name))
    .map((name) => fs.readFileSync(path.join(cwd, name), "utf8"))
    .join()

describe.runIf(Terminal.isAvailable)("vibe chat, in a terminal", () => {
  it.scopedLive.each([
    ["a dumb terminal", { TERM: "dumb", LC_ALL: "C.UTF-8" }],
    ["a terminal of another encoding", { LC_ALL: "C" }],
  ] as const)("prints lines in ASCII on %s", ([, env]) =>
    Effect.gen(function* () {
      const { ended, raw, type, until } = yield* chat([], { env })
      yield* until("vibe chat with scripted/s.json")
      yield* type("hi\r")
      yield* until("- two")
      yield* type(ctrl("D"))
      assert.strictEqual(yield* ended, 0)
      const all = yield* raw
      // The view of a terminal begins with these: pasted text is marked, and frames are drawn whole.
      assert.notInclude(all, `${esc}[?2004h`)
      assert.notInclude(all, `${esc}[?2026h`)
      assert.notMatch(all, /[^\0-\x7f]/)
    }),
  )

  it.scopedLive("renders Markdown, shows a line for each tool, and prints tokens and cost", () =>
    Effect.gen(function* () {
      const { ended, type, until } = yield* chat(["--tools"])
      yield* until("vibe chat with scripted/s.json")
      yield* type("hi\r")
      const screen = yield* until("two")
      assert.notInclude(screen, "**")
      yield* type("what is in a.ts?\r")
      yield* until(/read_file.*a\.ts/)
      yield* until("It is a constant.")
      yield* type(ctrl("O"))
      yield* until("export const a = 1")
      yield* type("/quit\r")
      assert.strictEqual(yield* ended, 0)
    }),
  )

  it.scopedLive("reports that its forest was removed, and stores the conversation again", () =>
    Effect.gen(function* () {
      const { cwd, ended, type, until } = yield* chat()
      yield* until("commands")
      yield* type("first\r")
      yield* until("two")
      fs.rmSync(path.join(cwd, "f.db"))
      yield* type("second\r")
      const screen = yield* until("Let me look.")
      assert.include(screen.replaceAll(/\s+/g, " "), "the conversations were removed while they were in use")
      assert.notInclude(screen, "vibe: warn")
      yield* type("/quit\r")
      assert.strictEqual(yield* ended, 0)
      const kept = yield* log(cwd)
      for (const words of ["first", "second", "Let me look."]) assert.include(kept, words)
    }),
  )

  it.scopedLive("goes back with /fork, and returns with /tree", () =>
    Effect.gen(function* () {
      const { cwd, ended, type, until } = yield* chat()
      yield* until("commands")
      yield* type("first\r")
      yield* until("two")
      yield* type("/fork\r")
      yield* until("Where to branch off?")
      yield* type("\r")
      yield* until("back before this message")
      yield* type(" in another way\r")
      yield* until("Let me look.")
      yield* type("/tree\r")
      yield* until("Where to?")
      yield* type(esc)
      yield* until(/^(?!.*Where to)/s)
      yield* type("/quit\r")
      assert.strictEqual(yield* ended, 0)
      const { stdout } = yield* vibe(["loom", "tree", "--forest", "f.db"], { cwd })
      assert.include(stdout, 'user "first"')
      assert.include(stdout, 'user "first in another way"')
    }),
  )

  it.scopedLive("stops an answer at Escape and stores its text; exits with 130 at the second Ctrl-C", () =>
    Effect.gen(function* () {
      const { cwd, ended, raw, type, until } = yield* halfway
      yield* type(esc)
      yield* until("stopped")
      yield* type(ctrl("C"))
      yield* until("Ctrl-C again leaves")
      yield* type(ctrl("C"))
      assert.strictEqual(yield* ended, 130)
      const kept = yield* log(cwd)
      assert.include(kept, "tell me a story")
      assert.include(kept, "Once upon a time")
      // The cursor is there again, and pastes are no longer marked.
      for (const mode of ["?25h", "?2004l"]) assert.include((yield* raw).slice(-400), `${esc}[${mode}`)
    }),
  )

  it.scopedLive.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGUSR2", 1],
  ] as const)("restores the terminal at %s, and keeps the draft (a defect, for the last)", ([name, code]) =>
    Effect.gen(function* () {
      const breaking = `process.on("SIGUSR2", () => { throw new Error("it broke") })`
      const { cwd, ended, raw, signal, type, until } = yield* chat([], {
        env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breaking)}` },
      })
      yield* until("commands")
      yield* type("half a sen")
      yield* until("half a sen")
      yield* signal(name)
      assert.strictEqual(yield* ended, code)
      for (const mode of ["?25h", "?2004l"]) assert.include((yield* raw).slice(-600), `${esc}[${mode}`)
      if (name === "SIGUSR2") assert.include(yield* raw, "it broke")
      assert.strictEqual(drafts(cwd), "half a sen")
    }),
  )

  it.scopedLive("keeps messages and drafts when its terminal is closed", () =>
    Effect.gen(function* () {
      const { cwd, hangUp, type, until } = yield* halfway
      yield* type("and then?\r")
      yield* until("and then?")
      yield* type("half a sen")
      yield* until("half a sen")
      const written = Effect.async<void>((resume) => {
        const watcher = fs.watch(cwd, () => {
          if (drafts(cwd) === "") return
          watcher.close()
          resume(Effect.void)
        })
        return Effect.sync(() => watcher.close())
      })
      yield* Effect.all([written, hangUp], { concurrency: 2 })
      assert.strictEqual(drafts(cwd), "and then?\n\nhalf a sen")
      assert.include(yield* log(cwd), "Once upon a time")
      const again = yield* Terminal.open(["chat", "--forest", "f.db", "--resume", "--model", "scripted/x.json"], {
        cwd,
      })
      yield* again.until(/x\.json|half a sen/)
    }),
  )

  it.scopedLive("takes keys that were typed before it was ready, Enter included, in their order", () =>
    Effect.gen(function* () {
      const { ended, type, until } = yield* chat([])
      yield* type("/save\n/nope\n/quit\n")
      const screen = yield* until("there is no /nope")
      assert.include(screen, "/save takes a title")
      assert.strictEqual(yield* ended, 0)
    }),
  )

  it.scopedLive("begins with a draft of the same folder and mode alone, and never with what came through a pipe", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "s.json": script, "below/s.json": script, "empty.json": "[]" })
      const forest = path.join(cwd, "f.db")
      const open = (mode: string, folder: string) =>
        Terminal.open([mode, "--forest", forest, "--model", "scripted/s.json"], { cwd: folder })
      const typed = yield* open("chat", cwd)
      yield* typed.until("commands")
      yield* typed.type("half a sen")
      yield* typed.until("half a sen")
      yield* typed.signal("SIGTERM")
      yield* typed.ended
      const piped = yield* shell("printf 'one\\npiped line\\n' | vibe chat --forest f.db --model scripted/empty.json", {
        cwd,
      })
      assert.notStrictEqual(piped.code, 0)
      assert.include(piped.stderr, "1 message of the input was not sent, from line 2 on, beginning with: piped line")
      assert.isFalse(fs.existsSync(`${forest}.unsent`))
      for (const [mode, folder] of [
        ["chat", path.join(cwd, "below")],
        ["prd", cwd],
      ] as const) {
        const other = yield* open(mode, folder)
        const screen = yield* other.until("commands")
        assert.notMatch(screen, /half a sen|piped line/)
        yield* other.signal("SIGTERM")
        yield* other.ended
      }
      const same = yield* open("chat", cwd)
      assert.notInclude(yield* same.until("half a sen"), "piped line")
      yield* same.signal("SIGTERM")
      yield* same.ended
    }),
  )

  it.scopedLive.each([20, 80, 300])("fits a window of %i columns, whatever the text", (columns) =>
    Effect.gen(function* () {
      const text =
        "漢字かな交じり文 👩‍👩‍👧 and a_very_long_word_that_does_not_end_anywhere_soon_at_all\n\n```ts\nconst x = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nend of it"
      const cwd = yield* folder({ "s.json": JSON.stringify([{ text }]) })
      const { ended, screen, type, until } = yield* chat([], { cwd, columns, rows: 30 })
      yield* until("scripted")
      yield* type("hi\r")
      yield* until("end of it")
      assert.isAtMost(Math.max(...(yield* screen).split("\n").map((line) => line.length)), columns)
      yield* type("/quit\r")
      assert.strictEqual(yield* ended, 0)
    }),
  )
})

describe.runIf(Terminal.isAvailable)("vibe chat --plain, in a terminal", () => {
  it.scopedLive("works line by line", () =>
    Effect.gen(function* () {
      const { ended, raw, screen, type, until } = yield* chat(["--plain"])
      yield* until(/^>$/m)
      yield* type("hi\r")
      yield* until("- two")
      yield* type("/tree\r")
      yield* until(/2 {2}assistant .*\(you are here\)/)
      yield* type("/tree 1\r")
      yield* until("back before this message")
      yield* until(/> hi$/m)
      yield* type(" there\r")
      yield* until("Let me look.")
      yield* type(ctrl("D"))
      assert.strictEqual(yield* ended, 0, yield* screen)
      assert.notInclude(yield* raw, "\u001b[?2004h")
    }),
  )

  it.scopedLive.each([
    ["a command", "/tree", ""],
    ["an empty line", "", ""],
    ["a message that cannot be sent, and keeps it", "what is in @.env", "what is in @.env"],
  ])("ends at a Ctrl-D right behind %s", ([, line, draft]) =>
    Effect.gen(function* () {
      const { cwd, ended, screen, type, until } = yield* chat(["--plain"])
      fs.writeFileSync(path.join(cwd, ".env"), "KEY=secret")
      yield* until(/^>$/m)
      yield* type(`${line}\r${ctrl("D")}`)
      assert.strictEqual(yield* ended, 0, yield* screen)
      assert.strictEqual(drafts(cwd), draft)
    }),
  )

  it.scopedLive("exits with 130 at the second Ctrl-C", () =>
    Effect.gen(function* () {
      const { ended, type, until } = yield* chat(["--plain"])
      yield* until(/^>$/m)
      yield* type(ctrl("C"))
      yield* until("Ctrl-C again leaves")
      yield* type(ctrl("C"))
      assert.strictEqual(yield* ended, 130)
    }),
  )
})
