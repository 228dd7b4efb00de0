/** `/cost`: shows the tokens and the cost of this session, and how full the context of the model is. */
import * as Effect from "effect/Effect"
import type * as ContextUse from "../../agent/ContextUse.ts"
import type { Spending } from "../../agent/Spending.ts"
import { plural } from "../../base/Prose.ts"
import * as Cost from "../../model/Cost.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { Spent } from "../Spent.ts"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"

export const cost: SlashCommand = {
  name: "cost",
  argument: undefined,
  summary: "Show the tokens and the cost of this session, and how full the context is",
  isImmediate: true,
  run: (session) =>
    Effect.gen(function* () {
      const text = describe(yield* session.spent, yield* session.model, yield* session.contextUse)
      yield* session.view.show(View.Entry.Noted({ text }))
      return "continue" as const
    }),
}

/** Describes the session in three lines of two columns. */
const describe = (
  { answers, isEstimated, last, total }: Spent,
  { id }: LanguageModel.Service,
  use: ContextUse.ContextUse | undefined,
): string => {
  return [
    `session      ${plural(answers, "answer")}: ${spendingText(total, isEstimated)}`,
    ...(last === undefined ? [] : [`last answer  ${spendingText(last.spending, last.isEstimated)}`]),
    `context      ${use === undefined ? "empty" : contextText(use)} of ${id}`,
  ].join("\n")
}

const contextText = ({ isEstimated, used, window }: ContextUse.ContextUse): string => {
  const percent = window === undefined ? 0 : (100 * used) / window
  const share = window === undefined ? "" : ` (${percent > 0 && percent < 1 ? "under 1" : Math.ceil(percent)} %)`
  return `${isEstimated ? "about " : ""}${count(used)}${window === undefined ? "" : ` of ${count(window)}`} tokens${share}`
}

/** Describes spending: `12,304 tokens read (3,000 of them cached), 1,204 written, about $0.012`. */
const spendingText = ({ cost, usage }: Spending, isEstimated: boolean): string => {
  const cached = usage.cachedTokens === 0 ? "" : ` (${count(usage.cachedTokens)} of them cached)`
  const mark = isEstimated ? "; of stopped answers an estimate" : ""
  return `${count(usage.inputTokens)} tokens read${cached}, ${count(usage.outputTokens)} written, ${Cost.describe(cost)}${mark}`
}

const count = (tokens: number): string => tokens.toLocaleString("en")
