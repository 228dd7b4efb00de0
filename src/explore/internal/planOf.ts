/** Plans the batches of a run for its models. */
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { PURPOSE_TOKENS } from "../Batch.ts"
import * as Batches from "../Batches.ts"

/** The kinds of symbols that are planned separately, each with its model. */
export const sourcesOf = (
  model: LanguageModel.Service,
  liteModel: LanguageModel.Service | undefined,
): ReadonlyArray<{ readonly model: LanguageModel.Service; readonly only: Batches.Options["only"] }> =>
  liteModel === undefined
    ? [{ model, only: "all" }]
    : [
        { model, only: "code" },
        { model: liteModel, only: "definitions" },
      ]

/**
 * Returns how large a batch may be for a model. Leaves room in its window for the instruction, and two fifths of the
 * rest for the answer and for errors of the estimate. For each symbol there is a third more output than a purpose
 * takes.
 */
export const limitsFor = ({
  isLocal = false,
  limits,
}: Pick<LanguageModel.Service, "isLocal" | "limits">): Batches.Options => {
  const most = isLocal ? MAX_LOCAL_TOKENS : Batches.MAX_TOKENS
  const context = limits?.context ?? Number.POSITIVE_INFINITY
  const output = limits?.output ?? Number.POSITIVE_INFINITY
  return {
    summaries: true,
    maxTokens: Math.floor(Math.min(most, Math.max(Batches.MIN_TOKENS, (context - INSTRUCTION_TOKENS) * 0.6))),
    maxSymbols: Math.floor(Math.min(Batches.MAX_SYMBOLS, Math.max(1, output / ((4 / 3) * PURPOSE_TOKENS)))),
  }
}

/** Tokens of everything in a request except the batch: system instruction, tools, map and task. */
const INSTRUCTION_TOKENS = 4_000

/** The most tokens of a batch for a model on the user's own machine, which reads slowly. */
const MAX_LOCAL_TOKENS = 12_000
