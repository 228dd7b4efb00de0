/** `/edit`: says the last thing otherwise. */
import * as Effect from "effect/Effect"
import { lastWords } from "./lastUserMessage.ts"
import type { Command } from "./SlashCommand.ts"
import { goTo } from "./Tree.ts"

export const edit: Command = {
  name: "edit",
  takes: "[TEXT]",
  summary: "Say your last message otherwise; the first way stays on the tree",
  run: (session, text) =>
    Effect.gen(function* () {
      const node = yield* lastWords(session)
      if (text === "") yield* goTo(session, node)
      else yield* session.say(text, node.parent)
      return "on" as const
    }),
}
