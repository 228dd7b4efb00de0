import { assert, describe, it } from "@effect/vitest"
import { Chunk, Duration, Effect, Exit, FastCheck, Option, Queue, Scope, TestClock, TestContext } from "effect"
import { TurnEvent } from "../../../src/agent/TurnEvent.ts"
import * as Theme from "../../../src/cli/View/terminal/Theme.ts"
import { FileError, NotFound } from "../../../src/code/FileError.ts"
import { Entry, Input } from "../../../src/conversation/View.ts"
import type { Node } from "../../../src/forest/Node.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import * as ModelId from "../../../src/message/ModelId.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import { ModelError, Overloaded } from "../../../src/model/ModelError.ts"
import { Part } from "../../../src/model/Reply.ts"
import * as ToolResult from "../../../src/tool/ToolResult.ts"
import { cases } from "../../thoroughness.ts"
import * as VirtualTerminal from "./terminal/VirtualTerminal.ts"

const { keys } = VirtualTerminal

const asked = (seen: VirtualTerminal.VirtualTerminal, text = "What is it?") =>
  seen.view.show(Entry.Asked({ text, model: "test/model", node: NodeId.make("n1") }))

const answered = (seen: VirtualTerminal.VirtualTerminal, text = "") =>
  seen.view.show(Entry.Answered({ text, node: undefined, account: VirtualTerminal.account }))

/** The inputs of the view so far, in order. */
const inputsOf = ({ view }: VirtualTerminal.VirtualTerminal) =>
  Effect.map(Queue.takeAll(view.inputs), Chunk.toReadonlyArray)

const text = (lines: Effect.Effect<ReadonlyArray<string>>) => Effect.map(lines, (lines) => lines.join("\n"))

const readFile = Block.toolUse("call-1", "read_file", { path: "src/a.ts" })

const busy = new ModelError({ model: "test/model", reason: new Overloaded({ message: "busy" }) })

/** Erases up to the end of the screen. */
const eraseBelow = new RegExp(`${keys.escape}\\[0?J`)

/** The input field with a text, below its border. */
const inputField = (text: string, { columns = 80, model = "" } = {}) => {
  const hints = `─ ${model}/ commands · @ files · ^O details · ^G editor `
  const rule = hints.length > columns ? `${hints.slice(0, columns - 1)}…` : hints.padEnd(columns, "─")
  return [rule, ...(text === "" ? [] : [text])]
}

const markdown = `# A heading

Some **strong** words, \`code\` and 漢字かな交じり文 with 🎉 and 👩‍👩‍👧.

1. one
2. two

\`\`\`ts
const answer = 42 // ${"long ".repeat(20)}
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

The end.`

describe("Terminal, output", () => {
  it.scoped("shows the title and the input field", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.view.show(
        Entry.Titled({ title: "vibe chat", model: "test/model", facts: ["test/model", "in ~/project"] }),
      )
      const lines = ["vibe chat", "test/model", "in ~/project", ...inputField("", { model: "test/model · " })]
      assert.deepStrictEqual(yield* seen.screen, lines)
      assert.deepStrictEqual((yield* seen.modes).cursor, [0, 4])
    }),
  )

  it.scoped("erases its own lines row by row, since tmux keeps in its history what is erased in one go", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.wait()
      yield* seen.view.show(Entry.Titled({ title: "vibe chat", model: "test/model", facts: ["a", "b", "c"] }))
      yield* seen.view.show(Entry.Queued({ text: "one" }))
      yield* seen.wait()
      yield* seen.view.show(Entry.Steered({ text: "one" }))
      yield* seen.wait()
      assert.notMatch(yield* seen.raw, eraseBelow)
    }),
  )

  it.scoped("shows an answer while it is streamed, with Markdown", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ rows: 40 })
      yield* asked(seen)
      yield* VirtualTerminal.streamText(seen, "# Title\n\nSome **strong** wo")
      yield* seen.wait()
      assert.deepStrictEqual((yield* seen.screen).slice(0, 6), ["", "> What is it?", "", "Title", "", "Some strong wo"])
      yield* VirtualTerminal.streamText(seen, "rds.\n\n- one\n- two\n\n```ts\nconst a = `1`\n```\n\nDone.")
      yield* answered(seen, "…")
      assert.deepStrictEqual((yield* seen.screen).slice(3), [
        "Title",
        "",
        "Some strong words.",
        "",
        "- one",
        "- two",
        "",
        "```ts",
        "const a = `1`",
        "```",
        "",
        "Done.",
        "",
        "1.0 s",
        ...inputField("", { model: "test/model · " }),
      ])
    }),
  )

  it.scoped("shows every word in narrow and huge windows, however wide its characters are", () =>
    Effect.gen(function* () {
      for (const columns of [20, 80, 300]) {
        for (const rows of [5, 24]) {
          const seen = yield* VirtualTerminal.open({ columns, rows })
          yield* seen.view.show(
            Entry.Titled({ title: "A title ".repeat(9), model: "test/model", facts: ["A fact ".repeat(9)] }),
          )
          yield* asked(seen, markdown)
          for (const piece of markdown.match(/.{1,20}/gsu) ?? []) {
            yield* VirtualTerminal.streamText(seen, piece)
            yield* seen.wait()
          }
          yield* answered(seen)
          const shown = (yield* text(seen.all)).replaceAll(/\s/g, "")
          for (const word of [
            "Aheading",
            "Somestrongwords",
            "漢字かな交じり文",
            "constanswer=42",
            "1.one2.two",
            "Theend.",
          ])
            assert.include(shown, word, `${columns} × ${rows}`)
          assert.strictEqual(shown.match(/long/g)?.length, 40, `${columns} × ${rows}`)
        }
      }
    }),
  )

  it.scoped("shows an answer of which no part arrived, and none twice", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen, "once")
      yield* answered(seen, "It is *this*.")
      yield* asked(seen, "again")
      yield* VirtualTerminal.streamText(seen, "It is that.")
      yield* answered(seen, "It is that.")
      const shown = yield* text(seen.screen)
      assert.include(shown, "> once\n\nIt is this.\n\n1.0 s")
      assert.include(shown, "> again\n\nIt is that.\n\n1.0 s")
    }),
  )

  it.scoped("shows a tool call as one line, and its result and thinking at a key", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ rows: 60 })
      yield* asked(seen)
      yield* seen.view.onEvent(TurnEvent.PartReceived({ part: Part.Thinking({ text: "Let me\nlook." }) }))
      yield* seen.view.onEvent(TurnEvent.ToolStarted({ call: readFile }))
      yield* seen.wait()
      const folded = ["thinking… Let me look.", "", '* read_file(path: "src/a.ts")']
      assert.deepStrictEqual((yield* seen.screen).slice(3, 6), folded)

      const result = ToolResult.text(Array.from({ length: 50 }, (_, line) => `line ${line}`).join("\n"))
      yield* seen.view.onEvent(TurnEvent.ToolFinished({ call: readFile, result: result }))
      yield* VirtualTerminal.streamText(seen, "Done.")
      yield* seen.press(keys.ctrl("o"))
      yield* seen.wait()
      const opened = yield* text(seen.screen)
      assert.include(opened, "thinking…\nLet me\nlook.\n")
      assert.include(opened, '+ read_file(path: "src/a.ts")\n  line 0\n  line 1\n')
      assert.include(opened, "  line 39\n  … 10 more lines\n\nDone.")

      yield* seen.press(keys.ctrl("o"))
      yield* seen.wait()
      const closed = ["thinking… Let me look.", "", '+ read_file(path: "src/a.ts")', "", "Done."]
      assert.deepStrictEqual((yield* seen.screen).slice(3, 8), closed)
    }),
  )

  it.scoped("repeats the details of items in the scrollback once, below", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      yield* seen.view.onEvent(TurnEvent.ToolStarted({ call: readFile }))
      yield* seen.view.onEvent(TurnEvent.ToolFinished({ call: readFile, result: ToolResult.text("the file") }))
      yield* VirtualTerminal.streamText(seen, "- item\n".repeat(30))
      yield* answered(seen)
      for (const _ of [1, 2]) {
        yield* seen.press(keys.ctrl("o"))
        yield* seen.wait()
        const shown = yield* text(seen.all)
        assert.include(shown, '+ read_file(path: "src/a.ts")\n\n- item')
        assert.include(shown, '1.0 s\n\n+ read_file(path: "src/a.ts")\n  the file\n')
        assert.strictEqual(shown.match(/the file/g)?.length, 1)
      }
    }),
  )

  it.scoped("shows what an agent does as lines, and the end of its stderr while it answers", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      const reported = (text: string, isDiagnostic = false) =>
        seen.view.onEvent(TurnEvent.AgentReported({ text, isDiagnostic }))
      yield* reported("Read src/a.ts")
      yield* reported("loading\nTHINKING \u001b[31m3\n\n", true)
      yield* VirtualTerminal.streamText(seen, "It is 42.")
      yield* seen.wait()
      assert.match(yield* text(seen.screen), /Read src\/a\.ts\n\nIt is 42\.\n+THINKING 3\n/)
      assert.notInclude(yield* text(seen.screen), "loading")
      yield* seen.view.show(Entry.Stopped({ account: VirtualTerminal.account }))
      assert.notInclude(yield* text(seen.screen), "THINKING")
    }),
  )

  it.scoped("marks a tool that has failed or was stopped", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      yield* seen.view.onEvent(TurnEvent.ToolStarted({ call: readFile }))
      yield* seen.view.onEvent(TurnEvent.ToolFinished({ call: readFile, result: ToolResult.error("no such file") }))
      yield* seen.view.onEvent(TurnEvent.ToolStarted({ call: Block.toolUse("call-2", "list", {}) }))
      yield* seen.view.show(Entry.Stopped({ account: VirtualTerminal.account }))
      assert.include(
        yield* text(seen.screen),
        '! read_file failed: no such file (path: "src/a.ts")\n\n! list failed: It was stopped.\n\nstopped · 1.0 s',
      )
    }),
  )

  it.scoped("removes the text of an answer that is restarted", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      yield* VirtualTerminal.streamText(seen, "Kept.\n\n")
      yield* seen.view.onEvent(TurnEvent.ToolStarted({ call: readFile }))
      yield* seen.view.onEvent(TurnEvent.ToolFinished({ call: readFile, result: ToolResult.text("…") }))
      yield* VirtualTerminal.streamText(seen, "One thing.\n\nAnother th")
      yield* seen.wait()
      assert.include(yield* text(seen.screen), "Another th")
      yield* seen.view.onEvent(
        TurnEvent.RetryScheduled({ attempt: 1, delay: Duration.seconds(2), error: busy, restarted: true }),
      )
      yield* VirtualTerminal.streamText(seen, "The right thing.")
      yield* answered(seen, "The right thing.")
      assert.include(
        yield* text(seen.screen),
        'Kept.\n\n+ read_file(path: "src/a.ts")\n\nretry 1 in 2s: test/model: busy\n\nThe right thing.\n\n1.0 s',
      )
    }),
  )

  it.scoped("shows retries, replacements and compaction as quiet lines", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      const { onEvent } = seen.view
      const by = new ModelId.ModelId({ provider: "test", name: "other" })
      yield* onEvent(TurnEvent.ModelReplaced({ by, error: busy }))
      yield* onEvent(TurnEvent.HistoryCompacted({ leftOut: 2, error: busy }))
      yield* seen.view.onEvent(TurnEvent.PartReceived({ part: Part.Image({ media_type: "image/png", data: "AAAA" }) }))
      yield* answered(seen)
      assert.include(
        yield* text(seen.screen),
        "test/other answers instead: test/model: busy\n\n2 older tool results left out: test/model: busy\n\n[image/png, 1 kB]",
      )
    }),
  )

  it.scoped("shows time and tokens during an answer, and its account after it", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      assert.include(yield* text(seen.screen), "| 0 s · esc stops")
      yield* VirtualTerminal.streamText(seen, "x".repeat(1000))
      yield* seen.wait(3_000)
      yield* seen.wait()
      assert.match(yield* text(seen.screen), /[|/\\-] 3 s · ~300 tokens · esc stops/)
      const usage = { inputTokens: 1204, outputTokens: 312, cachedTokens: 0, thinkingTokens: 0 }
      yield* seen.view.show(
        Entry.Answered({
          text: "",
          node: undefined,
          account: { durationMs: 3249, usage, cost: 0.0011, sessionCost: 0.0021 },
        }),
      )
      const shown = yield* text(seen.screen)
      assert.include(shown, "3.2 s · 1,204 → 312 tokens · about $0.0021 so far")
      assert.notInclude(shown, "esc stops")
    }),
  )

  it.scoped("shows earlier messages", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      const node = (message: Message.Message): Node => ({
        id: NodeId.make("n"),
        root: NodeId.make("r"),
        parent: NodeId.make("r"),
        message,
        source: { type: "user" },
        createdAt: 0,
      })
      const nodes = [
        Message.user("Look\nat it"),
        { role: "assistant" as const, content: [Block.text("I **do**."), readFile] as const },
        Message.toolResult(readFile, "the file", false),
        { role: "assistant" as const, content: [Block.text("Done.")] as const },
      ].map(node)
      yield* seen.view.show(Entry.History({ nodes, more: true }))
      assert.deepStrictEqual((yield* seen.screen).slice(1, 11), [
        "earlier messages: /tree",
        "",
        "> Look",
        "> at it",
        "",
        "I do.",
        "",
        '+ read_file(path: "src/a.ts")',
        "",
        "Done.",
      ])
    }),
  )

  it.scoped("prints texts, Markdown, diffs and failures", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ rows: 40, theme: Theme.coloured })
      yield* seen.view.show(Entry.Printed({ text: "  a *text*\n\tas it is", form: "text" }))
      yield* seen.view.show(Entry.Printed({ text: "some *words*", form: "markdown" }))
      yield* seen.view.show(Entry.Printed({ text: "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same", form: "diff" }))
      yield* seen.view.show(Entry.Failed({ text: "It broke." }))
      yield* seen.view.show(Entry.Noted({ text: "And so on.\nAnd on." }))
      assert.deepStrictEqual((yield* seen.screen).slice(0, 18), [
        "",
        "  a *text*",
        "    as it is",
        "",
        "some words",
        "",
        "--- a",
        "+++ b",
        "@@ -1 +1 @@",
        "-old",
        "+new",
        " same",
        "",
        "✗ It broke.",
        "",
        "And so on.",
        "And on.",
        ...inputField(""),
      ])
      const raw = yield* seen.raw
      assert.include(raw, "\x1b[31m-old")
      assert.include(raw, "\x1b[32m+new")
    }),
  )

  it.scoped("sends no styles in a theme without colours", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({
        commands: [{ name: "tree", argument: undefined, summary: "Shows it" }],
      })
      yield* asked(seen)
      yield* VirtualTerminal.streamText(seen, markdown)
      yield* answered(seen)
      yield* seen.view.show(Entry.Failed({ text: "It broke." }))
      yield* seen.type("/t")
      yield* seen.wait()
      assert.match(yield* text(seen.screen), /→ \/tree +Shows it/)
      yield* seen.view.show(Entry.Queued({ text: "long ".repeat(100) }))
      yield* seen.resize(30, 24)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
      assert.notMatch(yield* seen.raw, /\x1b\[[\d;]*m/)
    }),
  )

  it("prints no control sequence of a model or a tool, however it is divided", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(hostile, { minLength: 1 }), (pieces) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const seen = yield* VirtualTerminal.open({ columns: 40, theme: Theme.coloured })
            const all = pieces.join("")
            yield* seen.view.show(Entry.Titled({ title: all, model: "test/model", facts: [all] }))
            yield* asked(seen, all)
            for (const piece of pieces) {
              yield* seen.view.onEvent(TurnEvent.PartReceived({ part: Part.Thinking({ text: piece }) }))
              yield* VirtualTerminal.streamText(seen, piece)
            }
            yield* seen.view.onEvent(TurnEvent.ToolStarted({ call: Block.toolUse("c", all, { [all]: all }) }))
            yield* seen.view.onEvent(
              TurnEvent.ToolFinished({ call: Block.toolUse("c", all, {}), result: ToolResult.text(all) }),
            )
            yield* seen.press(keys.ctrl("o"), keys.paste(all))
            yield* seen.view.show(Entry.Queued({ text: all }))
            yield* answered(seen, all)
            yield* seen.view.show(Entry.Failed({ text: all }))
            yield* seen.view.show(Entry.Noted({ text: all }))
            for (const form of ["text", "markdown", "diff"] as const)
              yield* seen.view.show(Entry.Printed({ text: all, form }))
            yield* seen.view.setDraft(all)
            // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
            assert.notMatch((yield* seen.raw).replaceAll(ours, ""), /[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]/)
          }).pipe(Effect.scoped, Effect.provide(TestContext.TestContext)),
        ),
      ),
      { numRuns: cases(25) },
    ))
})

/** What vibe moves and styles by. */
const ours =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /\x1b\[(?:\d*[ABGJK]|\?(?:2026|25|7|2004)[hl]|(?:[01234]|2[2349]|3[1269]|1;31|22;39|22;23;24;25;27;28;29;39)?m)/g

/** Sequences that control terminals, in parts that only work together. */
const hostile = FastCheck.oneof(
  FastCheck.constantFrom("\u001b", "\u001b[", "\u001b]", "\u001bP", "\\", "\u0007", "\u009b", "\u009d", "\u009c", "\n"),
  FastCheck.constantFrom("\ud83d", "\ude00", "\u200b", "\u202e", "[31m", "]52;c;", "]8;;http://a", "0", "m", "words "),
  FastCheck.constantFrom(
    "[a](http://b.c/\u001b]0;x)",
    "`",
    "```\n",
    "- ",
    "# ",
    "&#27;[2J",
    "\t",
    "\r",
    "| a |\n|-|\n",
  ),
)

describe("Terminal, input", () => {
  it.scoped("passes on messages of one line and of several", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.type("one")
      assert.include(yield* text(seen.screen), inputField("one").join("\n"))
      yield* seen.press(keys.enter)
      assert.include(yield* text(seen.screen), inputField("").join("\n"))
      yield* seen.press("a", keys.altEnter, "b", "\n", "c", "\x1b[13;2u", "d", "\\", keys.enter, "e", keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [
        Input.Sent({ text: "one" }),
        Input.Sent({ text: "a\nb\nc\nd\ne" }),
      ])
    }),
  )

  it.scoped("recalls earlier messages", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ history: ["first", "second"] })
      yield* seen.type("third")
      yield* seen.press(keys.enter, keys.up)
      assert.include(yield* text(seen.screen), inputField("third").join("\n"))
      yield* seen.press(keys.up, keys.up)
      assert.include(yield* text(seen.screen), inputField("first").join("\n"))
      yield* seen.press(keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Sent({ text: "third" }), Input.Sent({ text: "first" })])
    }),
  )

  it.scoped("recalls a message of several lines with the cursor at its end, and goes on from there", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ history: ["first", `${"a long line ".repeat(12)}\nend`] })
      yield* seen.press(keys.up)
      yield* seen.type("!")
      assert.match(yield* seen.view.draft, /\nend!$/)
      yield* seen.press(keys.ctrl("c"), keys.up, keys.up, keys.up, keys.up, keys.up)
      assert.match(yield* seen.view.draft, /^a long[^!]*$/)
    }),
  )

  it.scoped("searches earlier messages with Ctrl-R, the latest first", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ history: ["What is a monad?", "And a monoid?", "Thanks"] })
      yield* seen.type("draft")
      yield* seen.press(keys.ctrl("r"))
      yield* seen.wait()
      const shown = yield* text(seen.screen)
      assert.isBelow(shown.indexOf("Thanks"), shown.indexOf("What is a monad?"))
      yield* seen.type("mona")
      yield* seen.press(keys.enter)
      assert.strictEqual(yield* seen.view.draft, "What is a monad?")
      yield* seen.press(keys.ctrl("r"), keys.escape)
      assert.strictEqual(yield* seen.view.draft, "What is a monad?")
      assert.deepStrictEqual(yield* inputsOf(seen), [])
    }),
  )

  it.scoped("completes commands at the start, and files anywhere", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({
        commands: [
          { name: "tree", argument: "[NODE]", summary: "Shows the branches" },
          { name: "model", argument: "[NAME]", summary: "Changes the model" },
        ],
        files: (letters) =>
          Effect.succeed(["src/a.ts", "src/b.ts", "evil\u001b[2J"].filter((path) => path.includes(letters))),
      })
      yield* seen.type("/")
      yield* seen.wait()
      assert.match(
        yield* text(seen.screen),
        /\/tree \[NODE\] +Shows the branches\n.*\/model \[NAME\] +Changes the model/,
      )
      yield* seen.type("mo")
      yield* seen.press(keys.enter)
      yield* seen.type("see @b.")
      yield* seen.press(keys.tab)
      yield* seen.type("please")
      yield* seen.press(keys.enter)
      // A path that is complete needs no completion: Enter sends.
      yield* seen.type("see @src/b.ts")
      yield* seen.wait()
      yield* seen.press(keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [
        Input.Sent({ text: "/model" }),
        Input.Sent({ text: "see @src/b.ts please" }),
        Input.Sent({ text: "see @src/b.ts" }),
      ])
      assert.include(yield* text(seen.screen), "\n/model\n")
    }),
  )

  it.scoped("attaches a picture of a pasted path, or of the clipboard, as a chip that one key deletes", () =>
    Effect.gen(function* () {
      const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1])
      const picture = Block.image("image/png", Buffer.from(png).toString("base64"))
      const seen = yield* VirtualTerminal.open({
        readFile: (path) =>
          path.endsWith("/shot.png")
            ? Effect.succeed(png)
            : Effect.fail(new FileError({ path, reason: new NotFound() })),
        clipboard: { write: () => Effect.succeed(false), readPicture: Effect.succeedSome(png) },
      })
      yield* seen.type("Is ")
      yield* seen.press(keys.paste("/tmp/shot.png"))
      yield* seen.type("like ")
      yield* seen.press(keys.ctrl("v"))
      yield* seen.wait()
      assert.include(yield* text(seen.screen), inputField("Is [picture 1: shot.png] like [picture 2]").join("\n"))
      yield* seen.press(keys.backspace, keys.backspace)
      yield* seen.wait()
      assert.include(yield* text(seen.screen), inputField("Is [picture 1: shot.png] like").join("\n"))
      yield* seen.type("this?")
      yield* seen.press(keys.enter, keys.paste("/tmp/none.png"), keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [
        Input.Sent({ text: "Is [picture 1: shot.png] like this?", pictures: [picture] }),
        Input.Sent({ text: "/tmp/none.png" }),
      ])
    }),
  )

  it.scoped("says why a picture cannot be attached, and leaves what was pasted", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ readFile: () => Effect.succeed(new Uint8Array([0, 1])) })
      yield* seen.press(keys.paste("/tmp/shot.png"))
      yield* seen.wait()
      assert.include(yield* text(seen.screen), "shot.png is no picture; PNG, JPEG, GIF and WebP are")
      assert.strictEqual(yield* seen.view.draft, "/tmp/shot.png")
      yield* seen.press(keys.ctrl("v"))
      yield* seen.wait()
      assert.include(yield* text(seen.screen), "there is no picture in the clipboard")
    }),
  )

  it.scoped("completes the argument of a command that offers some", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({
        commands: [
          {
            name: "model",
            argument: "[NAME]",
            summary: "Changes the model",
            complete: (typed) =>
              Effect.succeed(
                [
                  { label: "a/small", about: "$1 in" },
                  { label: "b/large", about: undefined },
                ].filter(({ label }) => label.includes(typed)),
              ),
          },
        ],
      })
      yield* seen.type("/model ")
      yield* seen.wait()
      assert.match(yield* text(seen.screen), /a\/small +\$1 in\n.*b\/large/)
      yield* seen.type("la")
      yield* seen.wait()
      yield* seen.press(keys.tab, keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Sent({ text: "/model b/large" })])
    }),
  )

  it.scoped("clears the screen at Ctrl-L and /clear, and keeps what is typed and an answer in progress", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.view.show(Entry.Noted({ text: "an old note" }))
      yield* asked(seen)
      yield* VirtualTerminal.streamText(seen, "Half an ans")
      yield* seen.type("draft")
      yield* seen.wait()
      yield* seen.press(keys.ctrl("l"))
      yield* seen.wait()
      const shown = yield* text(seen.screen)
      assert.notInclude(shown, "an old note")
      assert.include(shown, "Half an ans")
      assert.include(shown, inputField("draft", { model: "test/model · " }).join("\n"))
      yield* answered(seen, "")
      yield* seen.view.show(Entry.Cleared())
      yield* seen.wait()
      assert.deepStrictEqual(yield* seen.screen, inputField("draft", { model: "test/model · " }))
    }),
  )

  it.scoped("takes a paste of any size, and shows how much it is", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      const line = "All of \u001b[31mit\u001b[0m. 漢字\r\n"
      yield* seen.type("see ")
      yield* seen.press(keys.paste(line.repeat(40_000)))
      assert.include(yield* text(seen.screen), inputField("see [paste #1 +40001 lines]").join("\n"))
      assert.strictEqual((yield* seen.view.draft).length, 4 + 40_000 * 14)
      yield* seen.press(keys.enter)
      const [said] = yield* inputsOf(seen)
      assert.deepStrictEqual(said, Input.Sent({ text: `see ${"All of it. 漢字\n".repeat(40_000).trim()}` }))
      yield* asked(seen, said?._tag === "Sent" ? said.text : "")
      assert.isBelow((yield* seen.all).length, 40)
    }),
  )

  it.scoped(
    "passes on requests to stop and to exit; Ctrl-C first empties the input field, and Up recalls its text",
    () =>
      Effect.gen(function* () {
        const seen = yield* VirtualTerminal.open()
        yield* asked(seen)
        yield* seen.type("words")
        yield* seen.press(keys.escape, keys.ctrl("d"))
        assert.deepStrictEqual(yield* inputsOf(seen), [Input.StopRequested()])
        assert.strictEqual(yield* seen.view.draft, "words")
        yield* seen.press(keys.ctrl("c"))
        assert.deepStrictEqual(yield* inputsOf(seen), [])
        assert.strictEqual(yield* seen.view.draft, "")
        yield* seen.press(keys.ctrl("c"), keys.ctrl("c"))
        assert.deepStrictEqual(yield* inputsOf(seen), [Input.ExitRequested(), Input.ExitRequested()])
        yield* seen.press(keys.up)
        assert.strictEqual(yield* seen.view.draft, "words")
      }),
  )

  it.scoped("closes completions with Esc before it stops an answer", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({
        commands: [{ name: "tree", argument: undefined, summary: "Shows it" }],
      })
      yield* seen.type("/")
      yield* seen.press(keys.escape)
      assert.notInclude(yield* text(seen.screen), "Shows it")
      assert.deepStrictEqual(yield* inputsOf(seen), [])
      yield* seen.press(keys.escape)
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.StopRequested()])
    }),
  )

  it.scoped("closes the input on Ctrl-D, and passes on nothing after it", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.press(keys.ctrl("d"), "a", keys.enter, keys.ctrl("d"))
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Closed()])
    }),
  )

  it.scoped("closes the input when the terminal is lost, and keeps the input field", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.type("words")
      yield* seen.disconnect
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Closed()])
      assert.strictEqual(yield* seen.view.draft, "words")
    }),
  )

  it.scoped("shows queued messages until they are sent", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      yield* seen.type("and then?")
      yield* seen.press(keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Sent({ text: "and then?" })])
      yield* seen.view.show(Entry.Queued({ text: "and then?" }))
      assert.include(
        yield* text(seen.screen),
        ["waits: and then?", ...inputField("", { model: "test/model · " })].join("\n"),
      )
      yield* answered(seen, "It is.")
      yield* seen.view.show(Entry.Dequeued({ text: "and then?" }))
      yield* asked(seen, "and then?")
      const shown = yield* text(seen.screen)
      assert.notInclude(shown, "waits")
      assert.include(shown, "> and then?")
    }),
  )

  it.scoped("shows a command that waited no longer, once it runs, and one more of the same words until that runs", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      yield* seen.view.show(Entry.Queued({ text: "/save t" }))
      yield* seen.view.show(Entry.Queued({ text: "/save t" }))
      yield* answered(seen, "It is.")
      yield* seen.view.show(Entry.Dequeued({ text: "/save t" }))
      assert.lengthOf((yield* text(seen.screen)).match(/waits: \/save t/g) ?? [], 1)
      yield* seen.view.show(Entry.Dequeued({ text: "/save t" }))
      yield* seen.view.show(Entry.Noted({ text: "saved" }))
      assert.notInclude(yield* text(seen.screen), "waits")
    }),
  )

  it.scoped("shows messages that go to the model in the middle of its answer", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      yield* seen.view.onEvent(TurnEvent.ToolStarted({ call: readFile }))
      yield* seen.view.show(Entry.Queued({ text: "not that one" }))
      yield* seen.view.show(Entry.Queued({ text: "and quickly" }))
      yield* seen.view.show(Entry.Steered({ text: "not that one" }))
      yield* VirtualTerminal.streamText(seen, "As you wish.")
      yield* seen.wait()
      const shown = yield* text(seen.screen)
      assert.include(shown, "> not that one\n\nAs you wish.")
      assert.include(shown, "waits: and quickly")
      assert.notInclude(shown, "waits: not")
    }),
  )

  it.scoped("offers a menu, by arrow keys and by letters", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      const choices = ["apple", "pear", "plum"].map((label) => ({ label, about: `a ${label}` }))
      const choose = (...pressed: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(
            seen.view.choose({ title: "Which one", choices, preselected: 1, command: "/pick N" }),
          )
          yield* seen.wait()
          assert.match(yield* text(seen.screen), /Which one\n {2}apple +a apple\n→ pear +a pear\n {2}plum/)
          yield* seen.press(...pressed)
          return yield* fiber
        })
      assert.deepStrictEqual(yield* choose(keys.enter), Option.some(1))
      assert.deepStrictEqual(yield* choose(keys.down, keys.enter), Option.some(2))
      assert.deepStrictEqual(yield* choose("a", "p", "p", keys.enter), Option.some(0))
      assert.deepStrictEqual(yield* choose(keys.escape), Option.none())
      assert.deepStrictEqual(yield* choose(keys.ctrl("c")), Option.none())
      yield* seen.wait()
      assert.notInclude(yield* text(seen.screen), "Which one")
      assert.deepStrictEqual(yield* inputsOf(seen), [])
    }),
  )

  it.scoped("searches for a filter once no letter has come for a moment, and offers what is found", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      const searched: Array<string> = []
      const find = (words: string) =>
        Effect.as(
          Effect.sync(() => searched.push(words)),
          [1],
        )
      const choices = ["apple", "pear"].map((label) => ({ label, about: undefined }))
      const menu = { title: "Which one", choices, preselected: 0, command: "/pick N" }
      const fiber = yield* Effect.fork(seen.view.choose(menu, { label: "in a message", find }))
      yield* seen.wait()
      yield* seen.press("r", "i", "p")
      yield* TestClock.adjust("1 second")
      yield* seen.wait()
      assert.deepStrictEqual(searched, ["rip"])
      assert.match(yield* text(seen.screen), /Which one: rip\n→ pear +in a message/)
      yield* seen.press("e")
      yield* seen.press(keys.escape)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([yield* fiber, searched], [Option.none(), ["rip"]])
    }),
  )

  it.scoped("puts a text into the input field", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.view.setDraft("as I said")
      assert.include(yield* text(seen.screen), inputField("as I said").join("\n"))
      yield* seen.type("!")
      yield* seen.press(keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Sent({ text: "as I said!" })])
    }),
  )

  it.scoped("gives the terminal and the draft to the user's editor", () =>
    Effect.gen(function* () {
      let isStopped = false
      const seen: VirtualTerminal.VirtualTerminal = yield* VirtualTerminal.open({
        edit: (text) =>
          Effect.map(
            Effect.suspend(() => seen.modes),
            (modes) => {
              isStopped = modes.isStopped
              return `${text}\nand more`
            },
          ),
      })
      yield* seen.type("words")
      yield* seen.press(keys.ctrl("g"))
      yield* seen.wait()
      assert.isTrue(isStopped)
      assert.isFalse((yield* seen.modes).isStopped)
      assert.strictEqual(yield* seen.view.draft, "words\nand more")
      assert.include(yield* text(seen.screen), "words\nand more")
    }),
  )

  it.scoped("continues below after a suspension", () =>
    Effect.gen(function* () {
      let isStopped = false
      const seen: VirtualTerminal.VirtualTerminal = yield* VirtualTerminal.open({
        suspend: Effect.map(
          Effect.suspend(() => seen.modes),
          (modes) => {
            isStopped = modes.isStopped
          },
        ),
      })
      yield* asked(seen)
      yield* VirtualTerminal.streamText(seen, "Half an ans")
      yield* seen.type("words")
      yield* seen.press(keys.ctrl("z"))
      yield* VirtualTerminal.streamText(seen, "wer.")
      yield* seen.wait()
      assert.isTrue(isStopped)
      const shown = yield* text(seen.all)
      assert.include(shown, "Half an answer.\n")
      assert.strictEqual(shown.match(/Half/g)?.length, 1)
      assert.include(shown, inputField("words", { model: "test/model · " }).join("\n"))
    }),
  )
})

describe("Terminal, as a device", () => {
  it.scoped("redraws the live region at the new width after a resize", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.view.show(Entry.Noted({ text: "What was said before." }))
      yield* asked(seen)
      yield* VirtualTerminal.streamText(seen, `It is ${"so ".repeat(30)}`)
      yield* seen.wait()
      for (const [columns, rows] of [
        [40, 24],
        [120, 30],
        [60, 12],
        [20, 24],
        [100, 24],
      ] as const) {
        yield* seen.resize(columns, rows)
        const shown = yield* text(seen.all)
        assert.strictEqual(shown.match(/What was said/g)?.length, 1)
        assert.strictEqual(shown.match(/so/g)?.length, 30, shown)
        assert.include(shown, inputField("", { columns, model: "test/model · " }).join("\n"))
        assert.strictEqual(shown.match(/─ /g)?.length, 1, shown)
      }
      assert.notInclude(yield* seen.raw, "\u001b[3J")
    }),
  )

  it.scoped("works in a window of a few columns and rows", () =>
    Effect.gen(function* () {
      for (const [columns, rows] of [
        [1, 1],
        [2, 3],
        [5, 2],
      ] as const) {
        const seen = yield* VirtualTerminal.open({ columns, rows })
        yield* asked(seen, markdown)
        yield* VirtualTerminal.streamText(seen, `${markdown}\n\n> - quoted\n`)
        yield* seen.type("漢字 🎉")
        yield* seen.wait()
        const choices = [{ label: "漢字", about: "one" }]
        const fiber = yield* Effect.fork(seen.view.choose({ title: "Which", choices, preselected: 0, command: "/x" }))
        yield* seen.wait()
        yield* seen.press(keys.enter)
        assert.deepStrictEqual(yield* fiber, Option.some(0))
        yield* answered(seen)
        yield* seen.resize(80, 24)
        assert.include(yield* text(seen.screen), inputField("漢字 🎉", { model: "test/model · " }).join("\n"))
      }
    }),
  )

  it.scoped("keeps few lines that can change, however long the session is", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      for (let turn = 0; turn < 200; turn++) {
        yield* asked(seen, `question ${turn}`)
        yield* VirtualTerminal.streamText(seen, `answer ${turn}\n\n- a\n- b\n`)
        yield* answered(seen)
      }
      const all = yield* seen.all
      assert.deepStrictEqual(
        all.filter((line) => /^> |^answer/.test(line)),
        Array.from({ length: 200 }, (_, turn) => [`> question ${turn}`, `answer ${turn}`]).flat(),
      )
      const before = (yield* seen.raw).length
      yield* seen.view.show(Entry.Noted({ text: "short" }))
      assert.isBelow((yield* seen.raw).length - before, 1000)
    }),
  )

  it.effect("is restored at the end, with the whole session on it", () =>
    Effect.gen(function* () {
      for (const exit of [Exit.void, Exit.interrupt("none" as never), Exit.die("broken")]) {
        const scope = yield* Scope.make()
        const seen = yield* Scope.extend(VirtualTerminal.open(), scope)
        yield* asked(seen)
        yield* VirtualTerminal.streamText(seen, "Half an ans")
        yield* seen.type("unsent")
        yield* Scope.close(scope, exit)
        assert.isTrue((yield* seen.modes).isStopped)
        assert.deepStrictEqual(yield* seen.all, ["", "> What is it?", "", "Half an ans"])
        assert.deepStrictEqual((yield* seen.modes).cursor, [0, 4])
        assert.match(yield* seen.raw, /\[\?7h.*\[\?25h.*\[\?2004l$/s)
      }
    }),
  )
})
