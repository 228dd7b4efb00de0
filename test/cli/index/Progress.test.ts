import { assert, describe, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import * as Progress from "../../../src/cli/index/Progress.ts"
import { IndexEvent } from "../../../src/explore/IndexEvent.ts"

const usage = { inputTokens: 12_000, outputTokens: 345, cachedTokens: 0, thinkingTokens: 0 }

const reading = (path: string) => IndexEvent.ToolStarted({ name: "read_file", parameters: { path } })

const next = (progress: Progress.Progress, event: IndexEvent) => Progress.next(progress, event, Duration.seconds(2))

/** In the midst of a run, at a tool that looks at `path`. */
const busy = (path: string): Progress.Progress =>
  [
    IndexEvent.Structured({ files: 265, symbols: 1916, parsed: 265, hidden: 0 }),
    IndexEvent.Asked({ iteration: 12, limit: 20 }),
    IndexEvent.Answered({ text: "", total: usage }),
    IndexEvent.ToolFinished({ name: "create_index_entry", text: "", isError: false }),
    IndexEvent.Recorded({ purposesWritten: 340 }),
    reading(path),
  ].reduce(next, Progress.start)

const line = (path: string, columns: number) => Progress.line(busy(path), Duration.seconds(62), columns)

describe("Progress.line", () => {
  it("shows the step and the counts so far", () => {
    assert.strictEqual(
      line("src/main.ts", 120),
      "[12/20] read_file src/main.ts · 1916 symbols · 340 purposes · 1 tool call · 12.3k tokens · 1:02",
    )
  })

  it("does without the tool calls where there is little room, and then without the end of the step", () => {
    assert.strictEqual(line("a.ts", 80), "[12/20] read_file a.ts · 1916 symbols · 340 purposes · 12.3k tokens · 1:02")
    assert.strictEqual(
      line("src/indexing/IndexStore.ts", 80),
      "[12/20] read_file src/inde… · 1916 symbols · 340 purposes · 12.3k tokens · 1:02",
    )
  })

  it("does without the purposes where they leave no room for the step", () => {
    assert.strictEqual(
      line("src/indexing/IndexStore.ts", 70),
      "[12/20] read_file src/indexing/… · 1916 symbols · 12.3k tokens · 1:02",
    )
  })

  describe("in batches", () => {
    const sent = (number: number, area: string) => [
      IndexEvent.BatchSent({ number, area, symbols: 60, model: "google/flash", isAgain: false }),
      IndexEvent.Asked({ iteration: number, limit: 20 }),
    ]
    const ended = (number: number) =>
      IndexEvent.BatchEnded({ number, area: "src", symbols: 60, explained: 51, reason: undefined })
    const lineAfter = (...events: ReadonlyArray<IndexEvent>) =>
      Progress.line(
        [IndexEvent.Planned({ symbols: 340 }), IndexEvent.Expected({ requests: 31 }), ...events].reduce(
          next,
          busy("a.ts"),
        ),
        Duration.seconds(62),
        120,
      )

    it("shows the share of the open symbols that have got a purpose, while their batches are under way", () => {
      assert.strictEqual(
        lineAfter(...sent(1, "src/forest"), IndexEvent.Recorded({ purposesWritten: 340 + 51 }), reading("a.ts")),
        "[13/31] batch 1: src/forest · 15% of 340 open symbols · 391 purposes · 12.3k tokens · 1:02",
      )
    })

    it("counts the requests of all explorations, of as many as are expected by now", () => {
      const requests = (...events: ReadonlyArray<IndexEvent>) => lineAfter(...events).replace(/ .*/, "")
      const many = Array.from({ length: 10 }, (_, n) => sent(n + 1, "src")).flat()
      assert.strictEqual(requests(...many), "[22/31]")
      assert.strictEqual(requests(...many, IndexEvent.Expected({ requests: 33 })), "[22/33]")
      assert.strictEqual(requests(...many, IndexEvent.Expected({ requests: 20 })), "[22/22]")
    })

    it("names the batches that are under way, and what they are of", () => {
      const step = (...events: ReadonlyArray<IndexEvent>) => /\] (.*?) · /.exec(lineAfter(...events))?.[1]
      const [three, four, five] = [sent(3, "src"), sent(4, "src/jsx"), sent(5, "src")]
      assert.strictEqual(step(...three, ...four), "batches 3, 4: src, src/jsx")
      assert.strictEqual(step(...three, ...four, ...five), "batches 3–5: src, src/jsx")
      assert.strictEqual(step(...three, ...four, ...five, ended(4)), "batches 3, 5: src")
      assert.strictEqual(step(...three, ...four, ended(3)), "batch 4: src/jsx")
    })
  })

  it("waits for another run, and then reads the code", () => {
    const waiting = next(Progress.start, IndexEvent.Waiting({ process: 12 }))
    const started = next(waiting, IndexEvent.Started({ root: "/r", model: "scripted/test" }))
    const resolving = next(started, IndexEvent.Refreshing({ phase: "resolving", done: 8, total: 8, share: 1 }))
    const structured = next(resolving, IndexEvent.Structured({ files: 265, symbols: 1916, parsed: 265, hidden: 0 }))
    assert.deepStrictEqual(
      [waiting, started, resolving, structured].map((progress) => Progress.line(progress, Duration.seconds(1), 80)),
      [
        "waiting for another vibe index · 0:01",
        "listing files · 0:01",
        "resolving uses · 0:01",
        "exploring · 1916 symbols · 0:01",
      ],
    )
  })

  it("counts parsed files, and estimates the time that is left by the size of the files", () => {
    const parsing = [0, 100, 1138].reduce(
      (progress, done) =>
        Progress.next(
          progress,
          IndexEvent.Refreshing({ phase: "parsing", done, total: 5260, share: done / 4552 }),
          Duration.seconds(10),
        ),
      Progress.start,
    )
    const at = (seconds: number, columns = 80) => Progress.line(parsing, Duration.seconds(seconds), columns)
    assert.strictEqual(at(14), "parsing 1,138/5,260 ██████░░░░░░░░░░░░░░░░░░ about 20 s left · 0:14")
    assert.strictEqual(at(14, 58), "parsing 1,138/5,260 ████░░░░░░░░░░ about 20 s left · 0:14")
    assert.strictEqual(at(14, 46), "parsing 1,138/5,260 · about 20 s left · 0:14")
    assert.strictEqual(at(40), "parsing 1,138/5,260 ██████░░░░░░░░░░░░░░░░░░ about 2 min left · 0:40")
    assert.strictEqual(at(12.5), "parsing 1,138/5,260 ██████░░░░░░░░░░░░░░░░░░ 0:12", "no guess in the first seconds")
  })

  it("makes no guess from a few files, and none about the last seconds", () => {
    const at = (share: number, seconds: number) =>
      Progress.line(
        Progress.next(
          Progress.start,
          IndexEvent.Refreshing({ phase: "parsing", done: 1, total: 2, share }),
          Duration.zero,
        ),
        Duration.seconds(seconds),
        80,
      )
    assert.notInclude(at(0.05, 60), "left")
    assert.notInclude(at(0.9, 10), "left")
    assert.include(at(0.5, 10), "about 10 s left")
  })

  it("shows no bar where no file has changed", () => {
    const parsing = next(Progress.start, IndexEvent.Refreshing({ phase: "parsing", done: 0, total: 0, share: 0 }))
    assert.strictEqual(Progress.line(parsing, Duration.seconds(0), 80), "listing files · 0:00")
  })

  it.prop(
    "is never as wide as the terminal",
    [FastCheck.string(), FastCheck.integer({ min: 1, max: 200 })],
    ([path, columns]) => {
      assert.isBelow(line(path, columns).length, columns)
      const parsing = IndexEvent.Refreshing({ phase: "parsing", done: columns, total: 5_260, share: columns / 5_260 })
      assert.isBelow(Progress.line(next(Progress.start, parsing), Duration.seconds(99), columns).length, columns)
    },
  )
})
