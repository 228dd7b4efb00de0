/** `/fork`: goes back to an earlier message, to branch off before it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as MessageParts from "../../forest/MessageParts.ts"
import * as Message from "../../message/Message.ts"
import * as Mentions from "../Mentions.ts"
import { noMessage } from "./lastUserMessage.ts"
import { pickChoice } from "./pickChoice.ts"
import type { SlashCommand } from "./SlashCommand.ts"
import { goTo } from "./Tree.ts"

export const fork: SlashCommand = {
  name: "fork",
  argument: "[N]",
  summary: "Go back to one of your messages, and branch off there",
  run: (session, words) =>
    Effect.gen(function* () {
      const at = yield* session.cursor
      const nodes = at === undefined ? [] : (yield* session.forest.path(at, { last: MAX_MESSAGES })).nodes
      const own = MessageParts.joinAll(nodes).filter(({ message }) => message.role === "user")
      if (own.length === 0) return yield* noMessage
      const picked = yield* pickChoice(session, words, {
        title: "Where to branch off?",
        command: "/fork N",
        preselected: own.length - 1,
        choices: own.map(({ message }) => ({ label: Mentions.withoutFiles(Message.text(message)), about: undefined })),
      })
      const node = own[Option.getOrElse(picked, () => -1)]
      if (node !== undefined) yield* goTo(session, node)
      return "continue" as const
    }),
}

/** The number of nodes that are searched for messages. */
const MAX_MESSAGES = 400
