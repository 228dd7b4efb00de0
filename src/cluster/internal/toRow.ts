/** Makes the database row of a batch, with what its answer may cost. */
import * as Effect from "effect/Effect"
import { type Batch, PURPOSE_TOKENS } from "../../explore/Batch.ts"
import type * as BatchRun from "../../explore/BatchRun.ts"
import * as Instruction from "../../explore/Instruction.ts"
import * as Tokens from "../../message/Tokens.ts"
import * as Usage from "../../message/Usage.ts"
import * as Cost from "../../model/Cost.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { declarations } from "../../model/Request.ts"
import * as RunBudget from "../../model/RunBudget.ts"
import * as BatchContent from "../BatchContent.ts"
import type * as RunStore from "../RunStore.ts"

/** `attempt`: see `BatchContent.digestOf`. */
export const toRow = Effect.fnUntraced(function* (
  { thinking, toolsFor }: BatchRun.Settings,
  model: LanguageModel.Service,
  batch: Batch,
  message: string,
  attempt: number,
) {
  const content = yield* BatchContent.pack(BatchContent.BatchContent, {
    area: batch.area,
    text: batch.text,
    message,
    entries: batch.symbols,
  })
  const { tools } = toolsFor(batch)
  // This is twice the room that the plan of batches allows, which is a third more than answers have on average: a cut
  // answer is worth nothing.
  const purposes = Math.ceil((2 * batch.symbols.length * PURPOSE_TOKENS * 4) / 3)
  const wanted = RunBudget.MIN_ANSWER_TOKENS + purposes + (thinking === "off" ? 0 : THINKING_TOKENS)
  const maxOutput = Math.min(wanted, model.limits?.output ?? wanted)
  const usage: Usage.Usage = {
    ...Usage.none,
    inputTokens: Tokens.estimate(Instruction.system + declarations(tools) + message, []),
    outputTokens: maxOutput,
  }
  const row: RunStore.NewBatch = {
    digest: BatchContent.digestOf(String(model.id), message, attempt),
    model: String(model.id),
    planned: attempt === 0,
    symbols: batch.symbols.length,
    tokens: batch.tokens,
    content,
    maxOutput,
    estimate: Cost.of(usage, model.price) ?? 0,
  }
  return row
})

/** The tokens for the thoughts of one answer: the most that providers give them by default. */
const THINKING_TOKENS = 8_192
