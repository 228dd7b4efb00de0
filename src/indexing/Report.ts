/** What a run of `vibe index` came to; also the object that `--json` prints. */
import * as Schema from "effect/Schema"
import { Usage } from "../message/Usage.ts"

export const Report = Schema.Struct({
  root: Schema.String,
  /** The model that did the work, `provider/name`. */
  model: Schema.String,
  /**
   * `complete`: the model ended with a text. `truncated`: that was cut off. `limit`: the iterations were used up.
   * `budget`: the next call would have passed what the run may cost.
   */
  outcome: Schema.Literal("complete", "truncated", "limit", "budget"),
  iterations: Schema.Number,
  toolCalls: Schema.Number,
  files: Schema.Number,
  /** Parsed in this run, for being new or changed. */
  parsedFiles: Schema.Number,
  symbols: Schema.Number,
  /** Written or renewed in this run. */
  purposesWritten: Schema.Number,
  /** In the index now, by origin. */
  purposes: Schema.Struct({ model: Schema.Number, comment: Schema.Number, derived: Schema.Number }),
  stale: Schema.Number,
  majorSymbols: Schema.Number,
  /** Major symbols with a purpose of origin `model` or `comment` that is true of the present source. */
  coveredSymbols: Schema.Number,
  /** Files that still have major symbols without any purpose, most first: ten at the most. */
  left: Schema.Array(Schema.Struct({ path: Schema.String, symbols: Schema.Number })),
  /** How many such files and symbols there are in all. */
  leftFiles: Schema.Number,
  leftSymbols: Schema.Number,
  /**
   * Files whose outline was cut short, so that symbols are missing: ten at the most. `cut`: the limit that was reached;
   * the next run tries `time` again. `note`: the same in words.
   */
  partial: Schema.Array(
    Schema.Struct({ path: Schema.String, cut: Schema.Literal("work", "time"), note: Schema.String }),
  ),
  /** How many such files there are in all. */
  partialFiles: Schema.Number,
  /** The symbols that most other files use: five at the most. */
  landmarks: Schema.Array(Schema.Struct({ path: Schema.String, symbol: Schema.String })),
  usage: Usage,
  /** Of `usage`, in US dollars, estimated from the prices that are known; null where one is not. */
  cost: Schema.NullOr(Schema.Number),
  durationMs: Schema.Number,
  /** The model's last words. */
  summary: Schema.String,
})
export type Report = typeof Report.Type
