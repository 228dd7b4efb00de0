/** `/title`: shows or changes the title of the conversation. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as View from "../View.ts"
import { noMessage } from "./lastUserMessage.ts"
import type { SlashCommand } from "./SlashCommand.ts"

export const title: SlashCommand = {
  name: "title",
  argument: "[TEXT]",
  summary: "Show the title of this conversation, or give it one",
  isImmediate: true,
  run: ({ cursor, forest, view }, text) =>
    Effect.gen(function* () {
      const at = yield* cursor
      const conversation = at === undefined ? Option.none() : yield* forest.conversation(at)
      if (Option.isNone(conversation)) return yield* noMessage
      const { title } = text === "" ? conversation.value : yield* forest.rename(conversation.value.root, text)
      // The conversation has only notices so far, such as an edit of the document.
      if (title === "") return yield* noMessage
      yield* view.show(View.Entry.Noted({ text: text === "" ? title : `The title is now: ${title}` }))
      return "continue" as const
    }),
}
