import { assert, describe, it } from "@effect/vitest"
import { Console, Duration, Effect, type Layer, Ref } from "effect"
import { IndexEvent } from "../../src/explore/IndexEvent.ts"
import * as IndexObserver from "../../src/explore/IndexObserver.ts"
import { lines } from "../../src/explore/IndexObserver.ts"
import type { Report } from "../../src/explore/Report.ts"
import * as Usage from "../../src/message/Usage.ts"
import { report } from "../cli/index/indexEvents.ts"

const round = [
  IndexEvent.Started({ root: "/repo", model: "scripted/test" }),
  IndexEvent.Structured({ files: 1, symbols: 1, parsed: 1, hidden: 0 }),
  IndexEvent.Asked({ iteration: 1, limit: 20 }),
  IndexEvent.Answered({ text: "", total: Usage.none }),
  IndexEvent.ToolCalled({ name: "list_filesystem", parameters: { path: "." } }),
  IndexEvent.ToolStarted({ name: "list_filesystem", parameters: { path: "." } }),
  IndexEvent.ToolFinished({ name: "list_filesystem", text: "a.ts\nsrc/", isError: false }),
  IndexEvent.ResultsSent({ count: 1 }),
  IndexEvent.Retrying({ attempt: 1, delay: Duration.seconds(2), reason: "busy" }),
]

describe("IndexObserver.lines", () => {
  it("says nothing but the beginning when quiet", () => {
    assert.deepStrictEqual(
      round.flatMap((event) => lines(event, false)),
      ["Starting indexing..."],
    )
  })

  it("shows a round in the specified words when verbose", () => {
    assert.deepStrictEqual(
      round.flatMap((event) => lines(event, true)),
      [
        "Starting indexing...",
        '\u{1F916} LLM => Tool Call: list_filesystem({"path":"."})',
        '\u{1F6E0}\uFE0F Tool <= Executing: list_filesystem with args: {"path":"."}',
        "\u{1F6E0}\uFE0F Tool <= Result of list_filesystem: a.ts src/",
        "\u{1F4E4} Sending results back to LLM...",
      ],
    )
  })

  it("counts the entries of create_index_entry, in whichever form they are, and a batch is one line", () => {
    const entries = [
      { path: "a.ts", symbol: "f", purpose: "Adds." },
      { path: "a.ts", purposes: ["g: Takes away.", "h: Gives back."] },
      { path: "b.ts", purposes: { k: "Keeps." } },
    ]
    const recording = (entries: unknown) => ({ name: "create_index_entry", parameters: { entries } })
    const sent = { number: 2, area: "src/\u001b[2Jforest", symbols: 3, model: "google/flash" }
    assert.deepStrictEqual(
      [
        IndexEvent.BatchSent({ ...sent, isAgain: false }),
        IndexEvent.BatchSent({ ...sent, symbols: 1, isAgain: true }),
        IndexEvent.ToolCalled(recording(entries)),
        IndexEvent.ToolStarted(recording(entries)),
        IndexEvent.ToolCalled({ ...recording([{ purposes: ["1: Adds."] }]), batch: 3 }),
        IndexEvent.ToolStarted({ ...recording([{ purposes: ["1: Adds."] }]), batch: 3 }),
        IndexEvent.ToolCalled(recording(null)),
      ].flatMap((event) => lines(event, true)),
      [
        "\u{1F4E6} Batch 2: 3 symbols of src/forest to google/flash",
        "\u{1F4E6} Batch 2, once more: 1 symbol of src/forest to google/flash",
        "\u{1F916} LLM => Tool Call: create_index_entry: 4 entries in 2 files",
        "\u{1F6E0}\uFE0F Tool <= Executing: create_index_entry: 4 entries in 2 files",
        "\u{1F916} LLM => Tool Call: create_index_entry: 1 entry of batch 3",
        "\u{1F6E0}\uFE0F Tool <= Executing: create_index_entry: 1 entry of batch 3",
        "\u{1F916} LLM => Tool Call: create_index_entry: 0 entries",
      ],
    )
    assert.deepStrictEqual(lines(IndexEvent.BatchSent({ ...sent, isAgain: false }), false), [])
  })

  it("says at the end that it is complete, or which batches were not explained", () => {
    const ended = (other: Partial<Report>) => lines(IndexEvent.Finished({ report: { ...report, ...other } }), false)
    const failures = [{ reason: "google/flash: \u001b[2Jbusy", batches: 1 }]
    for (const outcome of ["complete", "truncated", "budget", "limit"] as const) {
      assert.deepStrictEqual(ended({ outcome }), ["Indexing complete."], outcome)
    }
    assert.deepStrictEqual(ended({ outcome: "partial", batches: 3, failedBatches: 1, failures }), [
      "Indexing ended: 1 of 3 batches was not explained: google/flash: busy",
    ])
    assert.deepStrictEqual(ended({ outcome: "unexplained", batches: 1, failedBatches: 1, failures }), [
      "Indexing ended: the only batch was not explained: google/flash: busy",
    ])
  })

  it("shows when verbose which batch was not explained, and why", () => {
    const batch = { number: 1, area: "src", symbols: 54, explained: 0, reason: "google/flash: \u001b[2Jblocked" }
    assert.deepStrictEqual(lines(IndexEvent.BatchEnded(batch), true), [
      "\u{1F4E6} Batch 1: 0 of 54 symbols of src explained: google/flash: blocked",
    ])
    assert.deepStrictEqual(lines(IndexEvent.BatchEnded(batch), false), [])
    assert.deepStrictEqual(lines(IndexEvent.BatchEnded({ ...batch, reason: undefined }), true), [])
  })

  it("shows the first line of what create_index_entry answers, cut at a word, with the batch", () => {
    const result = (text: string, batch?: number) =>
      lines(IndexEvent.ToolFinished({ name: "create_index_entry", text, isError: false, batch }), true)
    const start = "\u{1F6E0}\uFE0F Tool <= Result of create_index_entry: "
    assert.deepStrictEqual(result("recorded 1 of 2 entries\nweak, to be written once more", 3), [
      `${start}batch 3: recorded 1 of 2 entries`,
    ])
    assert.deepStrictEqual(result(`${"word ".repeat(39)}longer words`), [`${start}${"word ".repeat(39)}…`])
  })

  it("cuts results at 200 characters and lets no control sequence through", () => {
    const hostile = `\u001b]52;c;aGk=\u0007${"x".repeat(300)}\u001b[2J`
    const [line = ""] = lines(IndexEvent.ToolFinished({ name: "\u001b[31mread", text: hostile, isError: true }), true)
    assert.strictEqual(line, `\u{1F6E0}\uFE0F Tool <= Error of read: ${"x".repeat(200)}…`)
    const [call = ""] = lines(IndexEvent.ToolCalled({ name: "n", parameters: { a: "\u001b[2J\u009b2J" } }), true)
    assert.strictEqual(call, '\u{1F916} LLM => Tool Call: n({"a":"\\u001b[2J"})')
  })
})

describe("IndexObserver.lines, of events for others", () => {
  const usage = Usage.none
  const pages = IndexEvent.PageWritten({ page: "doors", title: "Doors\u001b[2J", words: 1 })

  it.each([
    IndexEvent.Waiting({ process: 1 }),
    IndexEvent.Refreshing({ phase: "walking", done: 0, total: 0, share: 0 }),
    IndexEvent.Mapped({ map: "A house." }),
    IndexEvent.Distributed({ run: "r", state: "s", batches: 1, workers: 1 }),
    IndexEvent.Stalled({ run: "r", advice: "a" }),
    IndexEvent.Planned({ symbols: 1 }),
    IndexEvent.Expected({ requests: 1 }),
    IndexEvent.Answered({ text: "", total: usage }),
    IndexEvent.Recorded({ purposesWritten: 1 }),
    IndexEvent.Replaced({ by: "a/b", reason: "busy" }),
    IndexEvent.Compacted({ leftOut: 1, reason: "long" }),
    IndexEvent.PagesPlanned({ pages: 1, statements: 0 }),
    IndexEvent.PageFailed({ page: "a", reason: "b" }),
    IndexEvent.Stopped({ purposesWritten: 1, lost: undefined, usage, cost: undefined }),
  ])("has none for $_tag", (event) => {
    assert.deepStrictEqual(lines(event, true), [])
    assert.deepStrictEqual(lines(event, false), [])
  })

  it("has a line for each page and each text when verbose", () => {
    assert.deepStrictEqual(lines(pages, true), ["\u{1F4D6} Page doors: Doors, 1 word"])
    assert.deepStrictEqual(lines(pages, false), [])
    const answered = (text: string) => IndexEvent.Answered({ text, total: usage })
    assert.deepStrictEqual(lines(answered("Done.\u001b[2J"), true), ["\u{1F916} LLM => Done."])
    assert.deepStrictEqual(lines(answered("Done."), false), [])
    assert.deepStrictEqual(lines(answered("x".repeat(200)), true), [`\u{1F916} LLM => ${"x".repeat(200)}`])
    assert.deepStrictEqual(lines(answered("x".repeat(201)), true), [`\u{1F916} LLM => ${"x".repeat(200)}…`])
  })

  it("cuts what create_index_entry answers at a word of its second half, and within a word otherwise", () => {
    const [start, result] = [
      "\u{1F6E0}\uFE0F Tool <= Result of create_index_entry: ",
      (text: string) => lines(IndexEvent.ToolFinished({ name: "create_index_entry", text, isError: false }), true)[0],
    ]
    assert.strictEqual(result(`${"x".repeat(101)} ${"y".repeat(200)}`), `${start}${"x".repeat(101)} …`)
    assert.strictEqual(result(`${"x".repeat(100)} ${"y".repeat(200)}`), `${start}${"x".repeat(100)} ${"y".repeat(99)}…`)
    assert.strictEqual(result(`${"x".repeat(150)} ${"y".repeat(49)}`), `${start}${"x".repeat(150)} ${"y".repeat(49)}`)
  })
})

describe("IndexObserver.layerTest", () => {
  it.effect("keeps all events in their order", () =>
    Effect.gen(function* () {
      const events = yield* Ref.make<ReadonlyArray<IndexEvent>>([])
      assert.deepStrictEqual(yield* printed(IndexObserver.layerTest(events), true), [])
      assert.deepStrictEqual(yield* Ref.get(events), round)
    }),
  )
})

/** All that a layer prints of these events: the arguments of each call of the console. */
const printed = (layer: Layer.Layer<IndexObserver.IndexObserver>, verbose: boolean, events = round) =>
  Effect.gen(function* () {
    const calls: Array<ReadonlyArray<unknown>> = []
    const { unsafe, ...console } = yield* Console.consoleWith(Effect.succeed)
    const log = (...args: ReadonlyArray<unknown>) => Effect.sync(() => void calls.push(args))
    yield* Effect.gen(function* () {
      const { watch } = yield* IndexObserver.IndexObserver
      const observe = yield* watch({ verbose })
      for (const event of events) yield* observe(event)
    }).pipe(Effect.provide(layer), Effect.scoped, Effect.withConsole({ ...console, unsafe, log }))
    return calls
  })

describe("IndexObserver.layerConsole", () => {
  it.effect.each([false, true])("prints each line alone, and nothing beside it (verbose: %s)", (verbose) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* printed(IndexObserver.layerConsole, verbose),
        round.flatMap((event) => lines(event, verbose)).map((line) => [line]),
      )
    }),
  )
})

describe("IndexObserver.layerSilent", () => {
  it.effect("prints nothing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* printed(IndexObserver.layerSilent, true), [])
    }),
  )
})
