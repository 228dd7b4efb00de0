/**
 * `/clear`: clears the screen and begins a new conversation, as in other chat programs. The current one stays in the
 * forest.
 */
import * as Effect from "effect/Effect"
import * as View from "../View.ts"
import { newConversation } from "./New.ts"
import type { SlashCommand } from "./SlashCommand.ts"

export const clear: SlashCommand = {
  name: "clear",
  argument: undefined,
  summary: "Clear the screen and begin a new conversation; this one stays in the forest",
  run: (session, words) =>
    Effect.zipRight(session.view.show(View.Entry.Cleared()), newConversation.run(session, words)),
}
