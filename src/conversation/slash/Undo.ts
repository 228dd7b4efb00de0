/** `/undo`: goes back to before the last message. The message and its answer stay on the tree. */
import * as Effect from "effect/Effect"
import * as View from "../View.ts"
import { lastUserMessage } from "./lastUserMessage.ts"
import type { SlashCommand } from "./SlashCommand.ts"

export const undo: SlashCommand = {
  name: "undo",
  argument: undefined,
  summary: "Go back to before your last message; /tree still has it",
  run: (session) =>
    Effect.gen(function* () {
      const node = yield* lastUserMessage(session)
      yield* session.moveTo(node.parent)
      yield* session.view.show(View.Entry.Noted({ text: "back before your last message; /tree still has it" }))
      return "continue" as const
    }),
}
