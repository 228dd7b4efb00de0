/** The events and the report of an exploration, and what a display writes of them. */
import { Effect, Logger, Ref } from "effect"
import * as IndexDisplay from "../../../src/cli/index/IndexDisplay.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import { IndexEvent } from "../../../src/explore/IndexEvent.ts"
import { IndexObserver, type Watch } from "../../../src/explore/IndexObserver.ts"
import type { Report } from "../../../src/explore/Report.ts"
import * as Coverage from "../../../src/index/Coverage.ts"

export const usage = { inputTokens: 12_000, outputTokens: 345, cachedTokens: 0, thinkingTokens: 0 }

export const report: Report = {
  root: "/p",
  model: "google/gemini-2.5-flash",
  liteModel: null,
  outcome: "complete",
  failedBatches: 0,
  failures: [],
  explorations: 1,
  iterations: 3,
  batches: 0,
  toolCalls: 7,
  files: 2,
  parsedFiles: 2,
  symbols: 40,
  purposesWritten: 9,
  purposes: { model: 9, comment: 1 },
  stale: 0,
  weak: 0,
  majorSymbols: 20,
  coveredSymbols: 10,
  classes: Coverage.make({ code: { files: 2, symbols: 40, majorSymbols: 20, covered: 10 } }),
  left: [{ path: "src/a\x1b[2J.ts", symbols: 6 }],
  leftFiles: 3,
  leftSymbols: 10,
  leftBeside: [],
  partial: [],
  partialFiles: 0,
  notOutlined: { languages: [], refused: [], refusedFiles: 0, unknown: [], unknownFiles: 0 },
  unreadable: { files: 0, folders: 0, paths: [] },
  landmarks: [{ path: "src/model/LanguageModel.ts", symbol: "LanguageModel" }],
  usage,
  cost: 0.00446,
  durationMs: 62_000,
  map: null,
  wiki: null,
  summary: "done",
}

export const events = [
  IndexEvent.Started({ root: "/p", model: "google/gemini-2.5-flash" }),
  IndexEvent.Structured({ files: 2, symbols: 40, parsed: 2, hidden: 0 }),
  IndexEvent.Asked({ iteration: 1, limit: 20 }),
  IndexEvent.Answered({ text: "", total: usage }),
  IndexEvent.ToolCalled({ name: "read_file", parameters: { path: "a.ts" } }),
  IndexEvent.ToolStarted({ name: "read_file", parameters: { path: "a.ts" } }),
  IndexEvent.ToolFinished({ name: "read_file", text: "const a = 1", isError: false }),
  IndexEvent.ResultsSent({ count: 1 }),
  IndexEvent.Finished({ report }),
]

/** Writes lines of the log to stderr at once, as the program does. */
const logsTo = (written: Ref.Ref<ReadonlyArray<Screen.Written>>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) =>
      Effect.runSync(Ref.update(written, (all) => [...all, { to: "err", text: String(message) } as const])),
    ),
  )

/** The output of a run of `show` on either stream. */
export const shown = (
  show: (watch: Watch) => Effect.Effect<void>,
  {
    isTerminal = false,
    json = false,
    notice,
    verbose = false,
  }: { isTerminal?: boolean; json?: boolean; notice?: string; verbose?: boolean } = {},
) =>
  Effect.gen(function* () {
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    const watching = Effect.gen(function* () {
      const observer = yield* IndexObserver
      yield* show(yield* observer.watch({ verbose }))
    })
    const ended = yield* Effect.scoped(watching).pipe(
      Effect.exit,
      Effect.provide(IndexDisplay.layer({ json, notice })),
      Effect.provide(logsTo(written)),
      Effect.provide(Screen.layerMemory(written, { isTerminal })),
    )
    const all = yield* Ref.get(written)
    const on = (stream: "out" | "err") => all.flatMap(({ text, to }) => (to === stream ? [text] : [])).join("")
    return { out: on("out"), err: on("err"), all, ended }
  })

export const everything = (watch: Watch) => Effect.forEach(events, watch, { discard: true })

export const started = (watch: Watch) => Effect.forEach(events.slice(0, 1), watch, { discard: true })

const judged = { statements: 0, corrected: 0, dropped: 0, undecided: 0 }

export const wiki: NonNullable<Report["wiki"]> = {
  pages: 12,
  written: ["index", "loader"],
  removed: [],
  left: [],
  gone: 0,
  touched: 0,
  failure: null,
  model: {
    outcome: "budget",
    reason: null,
    written: ["index", "loader"],
    missing: ["cache"],
    checked: { ...judged, statements: 20, corrected: 2, dropped: 1, undecided: 1 },
    judged: { ...judged, statements: 3, corrected: 1 },
    refused: { statements: 0, numbers: 0 },
    requests: 9,
    usage,
    cost: 0.01,
  },
}
