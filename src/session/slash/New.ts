/** `/new`: begins anew. What was said stays in the forest. */
import * as Effect from "effect/Effect"
import * as View from "../View.ts"
import type { Command } from "./SlashCommand.ts"

export const fresh: Command = {
  name: "new",
  takes: undefined,
  summary: "Begin anew; this conversation stays where it is",
  run: ({ move, view }) =>
    Effect.as(Effect.zipRight(move(undefined), view.tell(View.Entry.Noted({ text: "a new conversation" }))), "on"),
}
