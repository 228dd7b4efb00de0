/** `/compact`: has the model summarise the older messages. After that it no longer reads them one by one. */
import * as Effect from "effect/Effect"
import * as Summarize from "../../agent/Summarize.ts"
import * as Summary from "../../agent/Summary.ts"
import type { TurnEvent } from "../../agent/TurnEvent.ts"
import { plural } from "../../base/Prose.ts"
import { UsageError } from "../../base/UsageError.ts"
import { readTail } from "../../forest/ForestService.ts"
import * as Tokens from "../../message/Tokens.ts"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"

const longer = new UsageError({
  message: "the summary is longer than the messages that it would stand for, so they stay as they are",
})

const nothing = new UsageError({ message: "there is nothing before your last message to summarise" })

export const compact: SlashCommand = {
  name: "compact",
  argument: "[WHAT TO KEEP]",
  summary: "Summarise the older messages, to make room; /tree has them all",
  run: (session, focus) =>
    Effect.gen(function* () {
      const { forest, view } = session
      const cursor = yield* session.cursor
      if (cursor === undefined) return yield* nothing
      const model = yield* session.model
      if (model.followsInstructions === false)
        return yield* new UsageError({ message: `${model.id} writes no summaries` })
      const { nodes } = yield* readTail(forest, cursor, TAIL, Summary.hasWhole)
      const division = Summary.divide(Summary.visible(nodes), 0)
      if (division === undefined) return yield* nothing
      const count = plural(Summary.countSaid(division.covered), "earlier message")
      yield* view.show(View.Entry.Noted({ text: `${model.id} summarises ${count}...` }))
      const made = yield* Summarize.ask(division.covered, { model, focus })
      yield* session.recordSpending(made.spending)
      const length = Tokens.tokens({ characters: Tokens.lengthOf(made.text), messages: 0 })
      if (length >= Summary.tokensOf(division.covered)) return yield* longer
      const report = (event: TurnEvent) =>
        event._tag === "HistorySummarized"
          ? view.show(View.Entry.Noted({ text: Summary.notice(event, "as you asked") }))
          : Effect.void
      const node = yield* Summarize.storeAndReport(forest, cursor, division, {
        made,
        model,
        problem: undefined,
        report,
      })
      yield* session.moveTo(node.id)
      return "continue" as const
    }),
}

/** The number of nodes of a path that are read at first. */
const TAIL = 200
