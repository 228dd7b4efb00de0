/** The outcome of a run of `vibe index`; also the object that `--json` prints. */
import * as Schema from "effect/Schema"
import * as FileClass from "../code/FileClass.ts"
import { Usage } from "../message/Usage.ts"
import { Coverage } from "./Coverage.ts"
import { NotOutlined } from "./NotOutlined.ts"
import { Unreadable } from "./Unreadable.ts"

export const Report = Schema.Struct({
  root: Schema.String,
  /** The model that answered last, `provider/name`. */
  model: Schema.String,
  /** The model of types and constants; null where the model of the run explains them, too. */
  liteModel: Schema.NullOr(Schema.String),
  /**
   * `complete`: the model ended with a text, and all batches that followed were sent. `truncated`: that text was cut off, and
   * none followed. `unexplained`: batches were sent, and none of them brought a purpose, or several in a row brought none,
   * which ended the run; `failures` says why. `limit`: the iterations were used up. `budget`: the next request would have
   * exceeded the budget of the run.
   */
  outcome: Schema.Literal("complete", "truncated", "unexplained", "limit", "budget"),
  /** 1, or more with `all`; each has at most 20 iterations. */
  explorations: Schema.Number,
  iterations: Schema.Number,
  /** Batches of open symbols that were sent. */
  batches: Schema.Number,
  /** Those of them that brought no purpose. Their symbols may have got one when they were asked for once more. */
  failedBatches: Schema.Number,
  /** Why they brought none, with how many had that reason; the most frequent first, at most ten. */
  failures: Schema.Array(Schema.Struct({ reason: Schema.String, batches: Schema.Number })),
  toolCalls: Schema.Number,
  files: Schema.Number,
  /** Parsed in this run, because they are new or changed. */
  parsedFiles: Schema.Number,
  symbols: Schema.Number,
  /** Written or updated in this run. */
  purposesWritten: Schema.Number,
  /** In the index now, by origin. */
  purposes: Schema.Struct({ model: Schema.Number, comment: Schema.Number }),
  stale: Schema.Number,
  /** Purposes that failed a check, and are kept all the same. */
  weak: Schema.Number,
  /** Of the code; of all files where no code has major symbols. */
  majorSymbols: Schema.Number,
  /** Those of them with a purpose of origin `model` or `comment` that is not stale. */
  coveredSymbols: Schema.Number,
  /** The same by the class of file. */
  classes: Coverage,
  /**
   * Files of the code (of all files, where no code has major symbols) that still have major symbols without any purpose,
   * those that other files use most first: at most ten.
   */
  left: Schema.Array(Schema.Struct({ path: Schema.String, symbols: Schema.Number })),
  /** How many such files and symbols there are in all. */
  leftFiles: Schema.Number,
  leftSymbols: Schema.Number,
  /** As many files and symbols of each class besides the code, which are not in `left`; none if `left` is of all files. */
  leftBeside: Schema.Array(
    Schema.Struct({ class: Schema.Literal(...FileClass.all), files: Schema.Number, symbols: Schema.Number }),
  ),
  /**
   * Files with a partial outline, so that symbols are missing: at most ten. `cut`: the limit that was reached, of which the next run
   * tries `time` again, or `syntax` for an error in the text. `note`: the reason as a text.
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
  /** The estimated cost of `usage` in US dollars; null where a price is unknown. */
  cost: Schema.NullOr(Schema.Number),
  durationMs: Schema.Number,
  /** What a model wrote of the project as a whole, in this run or an earlier one; null where none did. */
  map: Schema.NullOr(Schema.String),
  /** The text with which the model ended its look around; what it says to batches is no part of it. */
  summary: Schema.String,
})
export type Report = typeof Report.Type

/** Why a run with the outcome `unexplained` brought no purposes, or ended early: `none of 3 batches was explained: …`. */
export const describeUnexplained = ({
  batches,
  failedBatches,
  failures: [first],
}: Pick<Report, "batches" | "failedBatches" | "failures">): string => {
  const [sent, what] =
    failedBatches >= batches
      ? batches === 1
        ? ["the only batch", "was not explained"]
        : [`none of ${batches} batches`, "was explained"]
      : [`${failedBatches} of ${batches} batches`, "were not explained, the last of them in a row"]
  return `${sent} ${what}${first === undefined ? "" : `: ${first.reason}`}`
}
