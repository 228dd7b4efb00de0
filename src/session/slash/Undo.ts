/** `/undo`: back to before the last message. It and its answer stay on the tree. */
import * as Effect from "effect/Effect"
import * as View from "../View.ts"
import { lastWords } from "./lastUserMessage.ts"
import type { Command } from "./SlashCommand.ts"

export const undo: Command = {
  name: "undo",
  takes: undefined,
  summary: "Go back to before your last message; /tree still has it",
  run: (session) =>
    Effect.gen(function* () {
      const node = yield* lastWords(session)
      yield* session.move(node.parent)
      yield* session.view.tell(View.Entry.Noted({ text: "back before your last message; /tree still has it" }))
      return "on" as const
    }),
}
