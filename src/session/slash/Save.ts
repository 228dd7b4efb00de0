/** `/save`: names the place where the conversation stands, so that it is found again. */
import * as Effect from "effect/Effect"
import { UsageError } from "../../message/UsageError.ts"
import * as View from "../View.ts"
import { noMessage } from "./lastUserMessage.ts"
import type { SlashCommand } from "./SlashCommand.ts"

/** `program`: the command that goes on from it, `vibe chat`. */
export const save = (program: string): SlashCommand => ({
  name: "save",
  argument: "TITLE",
  summary: "Bookmark this place",
  run: ({ cursor, forest, view }, title) =>
    Effect.gen(function* () {
      const at = yield* cursor
      if (title === "") return yield* new UsageError({ message: "/save takes a title" })
      if (at === undefined) return yield* noMessage
      yield* forest.bookmark(title, at)
      yield* view.show(
        View.Entry.Noted({ text: `saved: ${program} --resume=${JSON.stringify(title)} goes on from here` }),
      )
      return "continue" as const
    }),
})
