/** `/new`: starts a new conversation. The current one stays in the forest. */
import * as Effect from "effect/Effect"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"

export const newConversation: SlashCommand = {
  name: "new",
  argument: undefined,
  summary: "Begin a new conversation; this one stays in the forest",
  run: ({ moveTo: move, view }) =>
    Effect.as(
      Effect.zipRight(move(undefined), view.show(View.Entry.Noted({ text: "a new conversation" }))),
      "continue",
    ),
}
