import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, FastCheck, TestContext } from "effect"
import { TurnEvent } from "../../../src/agent/TurnEvent.ts"
import * as Theme from "../../../src/cli/View/terminal/Theme.ts"
import { Entry } from "../../../src/conversation/View.ts"
import type { Node } from "../../../src/forest/Node.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import * as ModelId from "../../../src/message/ModelId.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import { ModelError, Overloaded } from "../../../src/model/ModelError.ts"
import { Part } from "../../../src/model/Reply.ts"
import * as ToolResult from "../../../src/tool/ToolResult.ts"
import { cases, some } from "../../thoroughness.ts"
import { answered, asked, inputField, markdown, readFile, text } from "./terminal/entries.ts"
import * as VirtualTerminal from "./terminal/VirtualTerminal.ts"

const { keys } = VirtualTerminal

const busy = new ModelError({ model: "test/model", reason: new Overloaded({ message: "busy" }) })

/** Erases up to the end of the screen. */
const eraseBelow = new RegExp(`${keys.escape}\\[0?J`)

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
      const sizes = [
        [20, 5],
        [20, 24],
        [80, 24],
        [80, 5],
        [300, 5],
        [300, 24],
      ] as const
      for (const [columns, rows] of some(sizes, 0, 2)) {
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

/** The sequences by which vibe moves the cursor and styles. */
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
