/** `/save`: bookmarks the position of the conversation. */
import * as Effect from "effect/Effect"
import { UsageError } from "../../base/UsageError.ts"
import * as View from "../View.ts"
import { noMessage } from "./lastUserMessage.ts"
import type { SlashCommand } from "./SlashCommand.ts"

/** `program` is the command that continues from the bookmark, such as `vibe chat`. */
export const save = (program: string): SlashCommand => ({
  name: "save",
  argument: "TITLE",
  summary: "Bookmark this place",
  run: ({ cursor, forest, view }, title) =>
    Effect.gen(function* () {
      const at = yield* cursor
      if (title === "") return yield* new UsageError({ message: "/save takes a title" })
      if (at === undefined) return yield* noMessage
      const { nodes } = yield* forest.path(at, { last: 1 })
      if (nodes.length === 0) return yield* noMessage
      yield* forest.bookmark(title, at)
      yield* view.show(
        View.Entry.Noted({ text: `saved: ${program} --resume=${JSON.stringify(title)} continues from here` }),
      )
      return "continue" as const
    }),
})
