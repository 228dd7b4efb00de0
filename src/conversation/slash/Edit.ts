/** `/edit`: replaces the last message on a new branch. */
import * as Effect from "effect/Effect"
import { lastUserMessage } from "./lastUserMessage.ts"
import type { SlashCommand } from "./SlashCommand.ts"
import { goTo } from "./Tree.ts"

export const edit: SlashCommand = {
  name: "edit",
  argument: "[TEXT]",
  summary: "Edit your last message and send it again; the old one stays on the tree",
  run: (session, text) =>
    Effect.gen(function* () {
      const node = yield* lastUserMessage(session)
      if (text === "") yield* goTo(session, node)
      else
        yield* session.send(
          text,
          node.parent,
          node.message.content.flatMap((block) => (block.type === "image" ? [block] : [])),
        )
      return "continue" as const
    }),
}
