/** Makes the report of a run that has ended, from what it has done and from what its index has then. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { IndexError } from "../../index/IndexError.ts"
import type { Refreshed } from "../../index/IndexStore.ts"
import * as NotOutlined from "../../index/NotOutlined.ts"
import * as WorkLeft from "../../index/WorkLeft.ts"
import * as Exploration from "../Exploration.ts"
import type { Report } from "../Report.ts"
import type { ExplorationRun } from "./ExplorationRun.ts"
import * as RunTotals from "./RunTotals.ts"

interface Ended extends Pick<Report, "outcome" | "summary" | "batches"> {
  readonly map: string | undefined
  readonly wiki: Report["wiki"]
  /** When the run began, in milliseconds of the clock. */
  readonly startedAt: number
  readonly refreshed: Refreshed
}

export const reportOf: (run: ExplorationRun, ended: Ended) => Effect.Effect<Report, IndexError> = Effect.fnUntraced(
  function* ({ index, liteModel, totals, workspace, written }, ended) {
    const { batches, map, outcome, refreshed, startedAt, summary, wiki } = ended
    const done = yield* Ref.get(totals)
    const { exploration } = done
    const status = yield* index.status
    const files = yield* index.files
    const unreadable = yield* index.unreadable
    const { beside, files: left } = WorkLeft.of(files)
    const partial = files.flatMap(({ cut, note = "", path }) => (cut === undefined ? [] : [{ path, cut, note }]))
    const report: Report = {
      root: workspace.root,
      model: exploration.model,
      liteModel: liteModel === undefined ? null : String(liteModel.id),
      outcome: outcome === "complete" && left.length > 0 && done.isRefused ? "partial" : outcome,
      explorations: exploration.explorations,
      iterations: Exploration.allIterations(exploration),
      batches,
      ...RunTotals.countFailures(done),
      toolCalls: exploration.toolCalls,
      files: refreshed.files,
      parsedFiles: refreshed.parsed,
      symbols: refreshed.symbols,
      purposesWritten: written.size,
      purposes: status.purposes,
      stale: status.stale,
      weak: status.weak,
      majorSymbols: status.majorSymbols,
      coveredSymbols: status.covered,
      classes: status.classes,
      left: left.slice(0, MAX_FILES).map((file) => ({ path: file.path, symbols: file.open })),
      leftFiles: left.length,
      leftSymbols: left.reduce((total, file) => total + file.open, 0),
      leftBeside: beside,
      partial: partial.slice(0, MAX_FILES),
      partialFiles: partial.length,
      notOutlined: NotOutlined.count(files, unreadable),
      unreadable: NotOutlined.countUnreadable(unreadable),
      landmarks: (yield* index.landmarks(MAX_LANDMARKS)).map((entry) => ({
        path: entry.path,
        symbol: entry.qualifiedName,
      })),
      usage: exploration.spending.usage,
      cost: exploration.spending.cost ?? null,
      durationMs: (yield* Clock.currentTimeMillis) - startedAt,
      map: map ?? null,
      wiki,
      summary,
    }
    return report
  },
)

/** The most files that a report lists of those with symbols that are open, and of those with a partial outline. */
const MAX_FILES = 10

const MAX_LANDMARKS = 5
