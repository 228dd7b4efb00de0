/** The outcome of a run of `vibe index`; also the object that `--json` prints. */
import * as Schema from "effect/Schema"
import * as FileClass from "../code/FileClass.ts"
import { WikiReport } from "../index/WikiReport.ts"
import { Usage } from "../message/Usage.ts"

/** See `index/Coverage`. */
const ClassCoverage = Schema.Struct({
  files: Schema.Number,
  symbols: Schema.Number,
  majorSymbols: Schema.Number,
  covered: Schema.Number,
})

/** See `index/NotOutlined`. */
const NotOutlined = Schema.Struct({
  languages: Schema.Array(Schema.Struct({ language: Schema.String, files: Schema.Number })),
  refused: Schema.Array(Schema.Struct({ path: Schema.String, note: Schema.String })),
  refusedFiles: Schema.Number,
  unknown: Schema.Array(Schema.Struct({ extension: Schema.String, files: Schema.Number })),
  unknownFiles: Schema.Number,
})

/** See `index/NotOutlined`. */
const Unreadable = Schema.Struct({
  files: Schema.Number,
  folders: Schema.Number,
  paths: Schema.Array(Schema.String),
})

export const Report = Schema.Struct({
  root: Schema.String,
  /** The model that answered last, as `provider/name`. */
  model: Schema.String,
  /** The model of types and constants; null if the model of the run explains them too. */
  liteModel: Schema.NullOr(Schema.String),
  /**
   * How the run ended:
   *
   * - `complete`: the model ended with a text, and all batches that followed were sent
   * - `partial`: likewise, but some batches were refused, and symbols are still open; `failures` says why
   * - `truncated`: that text was cut off, and none followed
   * - `unexplained`: all requests for batches were refused, or several in a row, which ended the run; `failures` says
   *   why
   * - `limit`: the iterations were used up
   * - `budget`: the next request would have exceeded the budget of the run
   */
  outcome: Schema.Literal("complete", "partial", "truncated", "unexplained", "limit", "budget"),
  /** The number of explorations: 1, or more with `all`. Each has at most 20 iterations. */
  explorations: Schema.Number,
  iterations: Schema.Number,
  /** Batches of open symbols that were sent. */
  batches: Schema.Number,
  /** Batches that brought no purpose. Their symbols may have got one when they were asked for once more. */
  failedBatches: Schema.Number,
  /** The reasons why batches brought none, with the number of batches; the most frequent first, at most ten. */
  failures: Schema.Array(Schema.Struct({ reason: Schema.String, batches: Schema.Number })),
  toolCalls: Schema.Number,
  files: Schema.Number,
  /** Files that were parsed in this run, because they are new or changed. */
  parsedFiles: Schema.Number,
  symbols: Schema.Number,
  /** Purposes that were written or updated in this run. */
  purposesWritten: Schema.Number,
  /** Purposes in the index now, by origin. */
  purposes: Schema.Struct({ model: Schema.Number, comment: Schema.Number }),
  stale: Schema.Number,
  /** Purposes that failed a check, and are kept all the same. */
  weak: Schema.Number,
  /** Major symbols of the code, or of all files if no code has any. */
  majorSymbols: Schema.Number,
  /** Major symbols with a purpose of origin `model` or `comment` that is not stale. */
  coveredSymbols: Schema.Number,
  /** The same numbers for each class of files. */
  classes: Schema.Struct({
    code: ClassCoverage,
    test: ClassCoverage,
    example: ClassCoverage,
    documentation: ClassCoverage,
    generated: ClassCoverage,
    vendored: ClassCoverage,
  }),
  /**
   * Files of the code that still have major symbols without any purpose, those that other files use most first: at most
   * ten. If no code has major symbols, all files count.
   */
  left: Schema.Array(Schema.Struct({ path: Schema.String, symbols: Schema.Number })),
  /** How many such files and symbols there are in all. */
  leftFiles: Schema.Number,
  leftSymbols: Schema.Number,
  /** The same numbers for each other class, whose files are not in `left`; empty if `left` covers all files. */
  leftBeside: Schema.Array(
    Schema.Struct({ class: Schema.Literal(...FileClass.all), files: Schema.Number, symbols: Schema.Number }),
  ),
  /**
   * Files with a partial outline, so that symbols are missing: at most ten. `cut` is the limit that was reached, or
   * `syntax` for an error in the text; the next run tries again after `time`. `note` is the reason as a text.
   */
  partial: Schema.Array(
    Schema.Struct({ path: Schema.String, cut: Schema.Literal("work", "time", "syntax"), note: Schema.String }),
  ),
  /** How many such files there are in all. */
  partialFiles: Schema.Number,
  notOutlined: NotOutlined,
  unreadable: Unreadable,
  /** The symbols of the code that the most other files use: at most five. */
  landmarks: Schema.Array(Schema.Struct({ path: Schema.String, symbol: Schema.String })),
  usage: Usage,
  /** The estimated cost of `usage` in US dollars; null if a price is unknown. */
  cost: Schema.NullOr(Schema.Number),
  durationMs: Schema.Number,
  /** The page that a model wrote about the whole project, in this run or an earlier one; null if there is none. */
  map: Schema.NullOr(Schema.String),
  /** Says what became of the wiki; null if the run was not to write one. */
  wiki: Schema.NullOr(WikiReport),
  /** The text with which the model ended its look around; its answers to batches are no part of it. */
  summary: Schema.String,
})
export type Report = typeof Report.Type

/**
 * Says why batches of a run brought no purposes: `none of 3 batches was explained: …`, or
 * `3 of 9 batches were not explained: busy (2), blocked (1)`.
 */
export const describeFailures = ({
  batches,
  failedBatches,
  failures,
  outcome,
}: Pick<Report, "batches" | "failedBatches" | "failures" | "outcome">): string => {
  const why = failures
    .slice(0, MAX_DESCRIBED)
    .map(({ batches, reason }) => (failures.length === 1 ? reason : `${reason} (${batches})`))
  return `${describeShare(batches, failedBatches, outcome)}${why.length === 0 ? "" : `: ${why.join(", ")}`}`
}

/** The most reasons in a line. */
const MAX_DESCRIBED = 3

const describeShare = (batches: number, failed: number, outcome: Report["outcome"]): string => {
  if (failed >= batches) {
    return batches === 1 ? "the only batch was not explained" : `none of ${batches} batches was explained`
  }
  const share = `${failed} of ${batches} batches ${failed === 1 ? "was" : "were"} not explained`
  return outcome === "unexplained" ? `${share}, the last of them in a row` : share
}
