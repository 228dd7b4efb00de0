/** `/retry`: requests another answer to the last message, each a branch of its own. */
import * as Effect from "effect/Effect"
import { UsageError } from "../../base/UsageError.ts"
import { lastUserMessage } from "./lastUserMessage.ts"
import type { SlashCommand } from "./SlashCommand.ts"

export const retry: SlashCommand = {
  name: "retry",
  argument: "[-n N]",
  summary: "Request another answer to your last message, or N answers",
  run: (session, words) =>
    Effect.gen(function* () {
      const times = Number(/^(?:-n\s*)?(\d+)$/.exec(words)?.[1] ?? (words === "" ? 1 : Number.NaN))
      if (!(times >= 1 && times <= MAX_ANSWERS)) {
        return yield* new UsageError({ message: `/retry takes -n and a number from 1 to ${MAX_ANSWERS}` })
      }
      const node = yield* lastUserMessage(session)
      // Each answer starts from the message itself, so that it is one question with several answers.
      for (let time = 0; time < times; time++) yield* session.answerAgain(node)
      return "continue" as const
    }),
}

const MAX_ANSWERS = 20
