import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Ref, TestClock } from "effect"
import * as Style from "../../../src/base/Style.ts"
import * as IndexDisplay from "../../../src/cli/index/IndexDisplay.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import { IndexEvent } from "../../../src/explore/IndexEvent.ts"
import { IndexObserver } from "../../../src/explore/IndexObserver.ts"
import type { Report } from "../../../src/explore/Report.ts"
import * as Coverage from "../../../src/index/Coverage.ts"
import { IndexError, Removed } from "../../../src/index/IndexError.ts"
import * as Usage from "../../../src/message/Usage.ts"
import { events, everything, report, shown, started, usage, wiki } from "./indexEvents.ts"

describe("IndexDisplay", () => {
  it.effect("says what a model wrote of the wiki, and why pages are missing", () =>
    Effect.gen(function* () {
      const { err } = yield* shown((watch) => watch(IndexEvent.Finished({ report: { ...report, wiki } })))
      assert.include(
        err,
        "  The model: wrote 2 pages; had 3 statements corrected or dropped by the source; left 1 statement marked as not checked; judged 3 statements about changed code (1 corrected, 0 dropped); 1 page left to write, since the next request would cost more than the run may\n",
      )
    }),
  )

  it.effect("says of a page of the wiki why it was not written", () =>
    Effect.gen(function* () {
      const { err } = yield* shown((watch) =>
        Effect.zipRight(
          watch(IndexEvent.PageFailed({ page: "loader", reason: "the answer ended early" })),
          watch(IndexEvent.PageFailed({ page: undefined, reason: "no plan\u001b[2J" })),
        ),
      )
      assert.strictEqual(err, "wiki, page loader: the answer ended early\nwiki: no plan\n")
    }),
  )

  it.effect("prints exactly two lines on stdout when quiet", () =>
    Effect.gen(function* () {
      const { out } = yield* shown(everything)
      assert.strictEqual(out, "Starting indexing...\nIndexing complete.\n")
    }),
  )

  it.effect("prints the conversation on stdout when verbose", () =>
    Effect.gen(function* () {
      const { out } = yield* shown(everything, { verbose: true })
      assert.deepStrictEqual(out.split("\n"), [
        "Starting indexing...",
        '🤖 LLM => Tool Call: read_file({"path":"a.ts"})',
        '🛠️ Tool <= Executing: read_file with args: {"path":"a.ts"}',
        "🛠️ Tool <= Result of read_file: const a = 1",
        "📤 Sending results back to LLM...",
        "Indexing complete.",
        "",
      ])
    }),
  )

  it.effect.each([
    [3, 3, "none of 3 batches was explained: busy"],
    [1, 1, "the only batch was not explained: busy"],
    [9, 5, "5 of 9 batches were not explained, the last of them in a row: busy"],
  ] as const)(
    "does not say that indexing is complete if batches were not explained: %s, %s",
    ([batches, failed, what]) =>
      Effect.gen(function* () {
        const failures = [{ reason: "busy", batches: failed }]
        const { err, out } = yield* shown((watch) =>
          watch(
            IndexEvent.Finished({
              report: { ...report, outcome: "unexplained", batches, failedBatches: failed, failures },
            }),
          ),
        )
        assert.strictEqual(out, `Indexing ended: ${what}\n`)
        assert.notInclude(err, "stopped after")
      }),
  )

  it.effect.each([
    [1, [["busy", 1]], "1 of 6 batches was not explained: busy"],
    [3, [["busy", 3]], "3 of 6 batches were not explained: busy"],
    [
      4,
      [
        ["busy", 3],
        ["blocked", 1],
      ],
      "4 of 6 batches were not explained: busy (3), blocked (1)",
    ],
  ] as const)(
    "says which share of the batches was refused if others were explained: %s",
    ([failedBatches, reasons, what]) =>
      Effect.gen(function* () {
        const failures = reasons.map(([reason, batches]) => ({ reason, batches }))
        const { err, out } = yield* shown((watch) =>
          watch(
            IndexEvent.Finished({ report: { ...report, outcome: "partial", batches: 6, failedBatches, failures } }),
          ),
        )
        assert.strictEqual(out, `Indexing ended: ${what}\n`)
        assert.include(err, `warning: ${what}\n`)
      }),
  )

  it.effect("says that a budget was too small for any request", () =>
    Effect.gen(function* () {
      const { err } = yield* shown((watch) =>
        watch(IndexEvent.Finished({ report: { ...report, outcome: "budget", iterations: 0, batches: 0 } })),
      )
      assert.match(
        err,
        /warning: no request was sent, since even one for a single symbol would exceed the limit of the run/,
      )
      assert.notInclude(err, "stopped after")
    }),
  )

  it.effect("leaves stdout to the report with json", () =>
    Effect.gen(function* () {
      const { err, out } = yield* shown(everything, { json: true, verbose: true })
      assert.strictEqual(out, "")
      assert.include(err, "40 symbols")
    }),
  )

  it.effect("wraps the summary at words on a terminal, and not in a pipe", () =>
    Effect.gen(function* () {
      const isLong = (text: string) => text.split("\n").some((line) => line.length > 80)
      assert.isTrue(isLong((yield* shown(everything)).err))
      const { err } = yield* shown(everything, { isTerminal: true })
      assert.isFalse(isLong(err.slice(err.lastIndexOf("\r\x1b[2K") + 5)))
      assert.include(err, '  vibe query "your question"')
    }),
  )

  it.effect("prints the notice when the run starts, and not before", () =>
    Effect.gen(function* () {
      const notice = "nobody chose a model"
      assert.deepStrictEqual((yield* shown(() => Effect.void, { notice })).all, [])
      assert.strictEqual((yield* shown(started, { notice })).err, `${notice}\n`)
    }),
  )

  it.effect("prints a summary on stderr, and no progress where it is not a terminal", () =>
    Effect.gen(function* () {
      const { err } = yield* shown(everything)
      assert.strictEqual(
        err,
        [
          "done",
          "",
          "40 symbols in 2 files, 9 purposes written in 3 requests by google/gemini-2.5-flash",
          "10 of 20 major symbols (50%) are explained by models and comments, 10 not yet, 12.3k tokens, about $0.0045, took 1:02",
          "10 major symbols in 3 files still without a purpose; run it again to go on",
          "",
          "Next:",
          '  vibe query "your question"   find the code that answers it',
          "  vibe show LanguageModel      what a symbol is for, and what uses it",
          "  vibe serve --open            read all of it in the browser",
          "",
        ].join("\n"),
      )
    }),
  )

  it.effect("counts the code, and the other classes of files apart", () =>
    Effect.gen(function* () {
      const classes = Coverage.make({
        code: { files: 2, symbols: 40, majorSymbols: 20, covered: 10 },
        test: { files: 60, symbols: 500, majorSymbols: 487, covered: 4 },
      })
      const leftBeside = [{ class: "test" as const, files: 60, symbols: 483 }]
      const { err } = yield* shown((watch) =>
        watch(IndexEvent.Finished({ report: { ...report, classes, leftBeside } })),
      )
      assert.include(
        err,
        "10 of 20 major symbols in code (50%) are explained by models and comments, 10 not yet; tests: 4 of 487; 12.3k tokens",
      )
      assert.include(err, "10 major symbols in 3 files of code (and 483 in tests) still without a purpose")
    }),
  )

  it.effect(
    "says after a run of the offline guide what comments explain, and advises a language model for the rest",
    () =>
      Effect.gen(function* () {
        const classes = Coverage.make({
          code: { files: 2, symbols: 40, majorSymbols: 20, covered: 10 },
          test: { files: 60, symbols: 500, majorSymbols: 487, covered: 4 },
        })
        const offline = {
          ...report,
          model: "offline",
          purposesWritten: 0,
          purposes: { model: 0, comment: 14 },
          classes,
        }
        const { err } = yield* shown((watch) => watch(IndexEvent.Finished({ report: offline })))
        assert.include(err, "40 symbols in 2 files, read without a language model\n")
        assert.include(err, "10 of 20 major symbols in code (50%) are explained by comments; tests: 4 of 487; ")
        assert.include(
          err,
          "A language model can explain 10 major symbols in 3 files that no comment explains (vibe models)\n",
        )
        assert.notMatch(err, /0 purposes|iteration|\d not yet/)
      }),
  )

  it.effect("says so where attributes mark everything as generated", () =>
    Effect.gen(function* () {
      const classes = Coverage.make({ generated: { files: 2, symbols: 40, majorSymbols: 20, covered: 10 } })
      const { err } = yield* shown((watch) => watch(IndexEvent.Finished({ report: { ...report, classes } })))
      assert.include(err, "note: no code has major symbols, so that all files count alike: generated 2\n")
      assert.include(err, "10 of 20 major symbols (50%) are explained by models and comments, 10 not yet, ")
    }),
  )

  it.effect("prints the beginning of a long summary, wrapped, without blank lines and safe to print", () =>
    Effect.gen(function* () {
      const summary = `# A forest\x1b[2J\n\n${"It keeps trees. ".repeat(10).trim()}\n\n${"- a tree\n".repeat(20)}`
      const { err } = yield* shown((watch) => watch(IndexEvent.Finished({ report: { ...report, summary } })))
      const lines = err.split("\n")
      assert.deepStrictEqual(lines.slice(0, 5), [
        "# A forest",
        "It keeps trees. It keeps trees. It keeps trees. It keeps trees. It keeps trees.",
        "It keeps trees. It keeps trees. It keeps trees. It keeps trees. It keeps trees.",
        "- a tree",
        "- a tree",
      ])
      assert.deepStrictEqual(lines.slice(10, 13), ["- a tree", "…", ""])
      assert.include(lines[13], "40 symbols")
    }),
  )

  it.effect("prints no summary of a run that was cut short", () =>
    Effect.gen(function* () {
      for (const outcome of ["limit", "budget"] as const) {
        const { err } = yield* shown((watch) => watch(IndexEvent.Finished({ report: { ...report, outcome } })))
        assert.notInclude(err, "done")
      }
    }),
  )

  it.effect("prints the map of the project in place of the summary, whatever ended the run", () =>
    Effect.gen(function* () {
      const map = `A forest.\n\n${"- a tree\n".repeat(20).trim()}`
      for (const outcome of ["complete", "budget"] as const) {
        const { err } = yield* shown((watch) => watch(IndexEvent.Finished({ report: { ...report, outcome, map } })))
        assert.isTrue(err.startsWith(`${map}\n\n`))
        assert.notInclude(err, "done")
      }
    }),
  )

  it.effect("counts explorations and batches, names both models, and says what a further run would do", () =>
    Effect.gen(function* () {
      const further = { explorations: 2, iterations: 31, batches: 28, liteModel: "google/lite", stale: 2, weak: 4 }
      const { err } = yield* shown((watch) => watch(IndexEvent.Finished({ report: { ...report, ...further } })))
      assert.include(
        err,
        "9 purposes written in 31 requests (2 explorations, 28 batches) by google/gemini-2.5-flash and google/lite\n",
      )
      assert.include(err, "explained by models and comments, 2 stale, 4 weak, 10 not yet, 12.3k tokens")
    }),
  )

  it.effect("proposes another model where no batch was explained", () =>
    Effect.gen(function* () {
      const none = { ...report, iterations: 2, batches: 2, purposesWritten: 0 }
      const { err } = yield* shown((watch) => watch(IndexEvent.Finished({ report: none })))
      assert.include(
        err,
        "without a purpose; no batch was explained, for the reasons above: another model may do better\n",
      )
      assert.notInclude(err, "run it again")
    }),
  )

  it.effect("says how to ask again for weak purposes, where there are some", () =>
    Effect.gen(function* () {
      const summary = (weak: number) =>
        Effect.map(
          shown((watch) => watch(IndexEvent.Finished({ report: { ...report, weak } }))),
          ({ err }) => err,
        )
      assert.include(
        yield* summary(6),
        "\n6 purposes failed a check (vibe show NAME says why); vibe index --refresh-weak asks again\n",
      )
      assert.include(
        yield* summary(1),
        "\n1 purpose failed a check (vibe show NAME says why); vibe index --refresh-weak asks again\n",
      )
      assert.notInclude(yield* summary(0), "refresh-weak")
    }),
  )

  it.effect("says why symbols of a batch stay open", () =>
    Effect.gen(function* () {
      const ended = { number: 3, area: "src/\x1b[2Jforest", symbols: 12, explained: 4 }
      const { err } = yield* shown((watch) =>
        Effect.forEach(
          [
            IndexEvent.BatchEnded({ ...ended, reason: "blocked" }),
            IndexEvent.BatchEnded({ ...ended, reason: undefined }),
          ],
          watch,
          { discard: true },
        ),
      )
      assert.strictEqual(err, "batch 3 (src/forest), 4 of 12 explained: blocked\n")
    }),
  )

  it.effect("mentions no remaining symbols where there are none", () =>
    Effect.gen(function* () {
      const { err } = yield* shown((watch) =>
        watch(IndexEvent.Finished({ report: { ...report, left: [], leftFiles: 0, leftSymbols: 0 } })),
      )
      assert.notInclude(err, "without a purpose")
    }),
  )

  it.effect("warns of what a run that was cut short left, safe to print", () =>
    Effect.gen(function* () {
      const { err } = yield* shown((watch) =>
        watch(IndexEvent.Finished({ report: { ...report, outcome: "limit", iterations: 20 } })),
      )
      assert.deepStrictEqual(err.split("\n").slice(0, 4), [
        "warning: stopped after 20 requests, with 10 major symbols in 3 files left",
        "  /p/src/a.ts (6)",
        "  and 2 more files",
        "  Run it again to go on: what is known is kept.",
      ])
    }),
  )

  it.effect("prints why a run ended at its budget, and that a price is unknown", () =>
    Effect.gen(function* () {
      const { err } = yield* shown((watch) =>
        watch(IndexEvent.Finished({ report: { ...report, outcome: "budget", iterations: 1, cost: null } })),
      )
      assert.include(err, "warning: stopped after 1 request, since the next would cost more than the run may, with 10")
      assert.include(err, "12.3k tokens, price unknown, took 1:02")
    }),
  )

  it.effect("warns of files that are only partly outlined, also after a run that is complete", () =>
    Effect.gen(function* () {
      const partial = [
        { path: "libs/a\x1b[2J.mjs", cut: "time", note: "not all of it was outlined in time" },
        { path: "b.sh", cut: "work", note: "too much work to parse" },
      ] as const
      const warnings = (partial: Report["partial"], partialFiles: number) =>
        shown((watch) => watch(IndexEvent.Finished({ report: { ...report, partial, partialFiles } })))
      assert.deepStrictEqual((yield* warnings(partial, 3)).err.split("\n").slice(2, 7), [
        "warning: 3 files only partly outlined, so some of their symbols are missing",
        "  /p/libs/a.mjs (not all of it was outlined in time)",
        "  /p/b.sh (too much work to parse)",
        "  and 1 more file",
        "  Run it again: what took too long is outlined anew.",
      ])
      assert.notInclude((yield* warnings(partial.slice(1), 1)).err, "outlined anew")
    }),
  )

  it.effect("warns of files and folders that could not be read", () =>
    Effect.gen(function* () {
      const warnings = (unreadable: Report["unreadable"]) =>
        shown((watch) => watch(IndexEvent.Finished({ report: { ...report, unreadable } })))
      const { err } = yield* warnings({ files: 3, folders: 1, paths: ["lib/", "a\x1b[2J.ts"] })
      assert.deepStrictEqual(err.split("\n").slice(2, 6), [
        "warning: 3 files and 1 folder could not be read, so the index has nothing of them",
        "  /p/lib/",
        "  /p/a.ts",
        "  and 2 more",
      ])
    }),
  )

  it.effect("names the languages of files without an outline, in one line", () =>
    Effect.gen(function* () {
      const notOutlined = {
        languages: [
          { language: "ocaml", files: 12 },
          { language: "nix", files: 1 },
        ],
        refused: [
          { path: "src/big.ts", note: "too large to outline (9.0 MB)" },
          { path: "z.js", note: "binary content" },
        ],
        refusedFiles: 2,
        unknown: [],
        unknownFiles: 0,
      }
      const summary = (of: Report) =>
        Effect.map(
          shown((watch) => watch(IndexEvent.Finished({ report: of }))),
          ({ err }) => err,
        )
      assert.include(
        yield* summary({ ...report, notOutlined }),
        "\nnot outlined: 12 ocaml files, 1 nix file, 2 files refused: /p/src/big.ts (too large to outline (9.0 MB)), /p/z.js (binary content)\n",
      )
      assert.notInclude(yield* summary(report), "not outlined")
    }),
  )

  it.effect("warns of last words that were cut off, and of what was left out of a long conversation", () =>
    Effect.gen(function* () {
      const { err } = yield* shown((watch) =>
        Effect.zipRight(
          watch(IndexEvent.Compacted({ leftOut: 3, reason: "too \x1b[2Jlong" })),
          watch(IndexEvent.Finished({ report: { ...report, outcome: "truncated" } })),
        ),
      )
      assert.deepStrictEqual(err.split("\n").slice(0, 4), [
        "3 older tool results left out: too long",
        "done",
        "",
        "warning: the model's last words were cut off",
      ])
    }),
  )

  it.effect("reports another run that it waits for, and lost purposes", () =>
    Effect.gen(function* () {
      const lost = new IndexError({ path: "/p/.vibe", reason: new Removed() })
      const { err, out } = yield* shown((watch) =>
        Effect.forEach(
          [
            IndexEvent.Waiting({ process: 12 }),
            IndexEvent.Waiting({ process: undefined }),
            IndexEvent.Stopped({ purposesWritten: 0, lost, usage: Usage.none, cost: 0 }),
            IndexEvent.Stopped({ purposesWritten: 2, lost, usage, cost: 0.0031 }),
          ],
          watch,
          { discard: true },
        ),
      )
      assert.strictEqual(out, "")
      assert.deepStrictEqual(err.split("\n"), [
        "another vibe index is at work here (process 12); waiting",
        "another vibe index is at work here; waiting",
        "stopped before any purpose was written",
        "stopped; 2 purposes written so far are lost: /p/.vibe: the index was removed while it was in use, 12.3k tokens, about $0.0031",
        "",
      ])
    }),
  )

  it.effect("reports retries, a replaced model and a run that stopped", () =>
    Effect.gen(function* () {
      const { err, out } = yield* shown((watch) =>
        Effect.forEach(
          [
            IndexEvent.Retrying({ attempt: 2, delay: Duration.seconds(4), reason: "503 overloaded" }),
            IndexEvent.Replaced({ by: "google/gemini-flash-latest", reason: "it is gone" }),
            IndexEvent.Stopped({ purposesWritten: 1, lost: undefined, usage, cost: undefined }),
            IndexEvent.Stopped({ purposesWritten: 0, lost: undefined, usage, cost: 0.01 }),
          ],
          watch,
          { discard: true },
        ),
      )
      assert.strictEqual(out, "")
      assert.deepStrictEqual(err.split("\n"), [
        "retry 2 in 4s: 503 overloaded",
        "google/gemini-flash-latest answers instead: it is gone",
        "stopped; 1 purpose written so far is kept, 12.3k tokens, price unknown; run it again to go on",
        "stopped before any purpose was written, 12.3k tokens, about $0.010; the files read so far are kept",
        "",
      ])
    }),
  )

  it.effect("keeps one line on a terminal, ten times a second at most, and takes it away", () =>
    Effect.gen(function* () {
      const erase = "\r\x1b[2K"
      const { all } = yield* shown(
        (watch) =>
          Effect.gen(function* () {
            yield* Effect.forEach(events.slice(0, 3), watch)
            yield* TestClock.adjust("1 second")
            yield* Effect.forEach(events.slice(3, 6), watch)
            yield* TestClock.adjust("99 millis")
            yield* TestClock.adjust("1 millis")
            yield* Effect.forEach(events.slice(6), watch)
          }),
        { isTerminal: true },
      )
      const drawn = all.filter(({ text, to }) => to === "err" && text.startsWith(erase) && text !== erase)
      assert.deepStrictEqual(
        drawn.map(({ text }) => text.slice(erase.length)),
        [
          "[1/20] waiting for the model · 40 symbols · 0:00",
          "[1/20] waiting for the model · 40 symbols · 0:01",
          "[1/20] read_file a.ts · 40 symbols · 12.3k tokens · 0:01",
        ],
      )
      const last = all.findIndex(({ text }) => text === "Indexing complete.\n")
      assert.strictEqual(all[last - 1]?.text, erase, "the line is gone before anything is printed over it")
      assert.isTrue(all.slice(last).every(({ text }) => !text.includes("\x1b")))
    }),
  )

  it.effect("draws nothing between the lines of an event", () =>
    Effect.gen(function* () {
      const written = yield* Ref.make<ReadonlyArray<string>>([])
      // Slow for these lines: the progress may be drawn anew meanwhile.
      const stream = {
        write: (text: string) =>
          Effect.zipRight(
            text.startsWith("📦") ? Effect.sleep("150 millis") : Effect.void,
            Ref.update(written, (all) => [...all, text]),
          ),
        canRedraw: true,
        isTerminal: true,
        columns: Effect.succeed(80),
        style: Style.plain,
      }
      const sent = (number: number) =>
        IndexEvent.BatchSent({ number, area: "src", symbols: 6, model: "google/flash", isAgain: false })
      yield* Effect.gen(function* () {
        const observer = yield* IndexObserver
        const watch = yield* observer.watch({ verbose: true })
        yield* watch(IndexEvent.Planned({ symbols: 12 }))
        const fibers = [yield* Effect.fork(watch(sent(1))), yield* Effect.fork(watch(sent(2)))]
        for (let n = 0; n < 50; n++) yield* TestClock.adjust("50 millis")
        for (const fiber of fibers) yield* Fiber.join(fiber)
      }).pipe(
        Effect.scoped,
        Effect.provide(IndexDisplay.layer({ json: false })),
        Effect.provideService(Screen.Screen, { out: stream, err: stream }),
      )
      const erase = "\r\x1b[2K"
      const all = yield* Ref.get(written)
      for (const [at, text] of all.entries()) {
        const before = all.slice(0, at).findLast((text) => text !== "")
        if (text.startsWith("📦"))
          assert.isTrue(before === erase || before?.endsWith("\n") === true || before === undefined)
      }
      assert.lengthOf(
        all.filter((text) => text.startsWith("📦")),
        2,
      )
    }),
  )

  it.effect("erases the line before a line of the log is printed", () =>
    Effect.gen(function* () {
      const { all } = yield* shown(
        (watch) =>
          started(watch).pipe(
            Effect.zipRight(TestClock.adjust("1 second")),
            Effect.zipRight(Effect.logWarning("the index was damaged")),
          ),
        { isTerminal: true },
      )
      const warning = all.findIndex(({ text }) => text === "the index was damaged")
      assert.deepStrictEqual(
        all.slice(warning - 2, warning).map(({ text }) => text),
        ["\r\x1b[2Klisting files · 0:01", "\r\x1b[2K"],
      )
    }),
  )

  it.effect("leaves no line on the terminal when the run breaks", () =>
    Effect.gen(function* () {
      const { all, ended } = yield* shown(
        (watch) => Effect.zipRight(started(watch), Effect.zipRight(TestClock.adjust("1 second"), Effect.die("broken"))),
        { isTerminal: true },
      )
      assert.isTrue(Exit.isFailure(ended))
      assert.deepStrictEqual(
        all.slice(-2).map(({ text }) => text),
        ["\r\x1b[2Klisting files · 0:01", "\r\x1b[2K"],
      )
    }),
  )
})
