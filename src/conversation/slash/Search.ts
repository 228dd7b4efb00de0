/** `/search`: finds messages in all conversations of the mode, and goes to one. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Conversations from "../Conversations.ts"
import type { SlashCommand } from "./SlashCommand.ts"
import { goTo } from "./Tree.ts"

export const search: SlashCommand = {
  name: "search",
  argument: "WORDS",
  summary: "Search all of your conversations, and go to a result",
  run: (session, words) =>
    Effect.gen(function* () {
      const { forest, owner, view } = session
      if (words === "") return yield* new UsageError({ message: "/search takes words to look for" })
      const hits = yield* Effect.provideService(Conversations.search(owner, words, LIMIT), Forest.Forest, forest)
      const found = (yield* MessageParts.readAll(forest, hits)).map(MessageParts.join)
      if (found.length === 0) return yield* new UsageError({ message: `no conversation says: ${words}` })
      const picked = yield* view.choose({
        title: words,
        command: "/tree ID",
        preselected: 0,
        choices: found.map((node) => ({
          label: NodeText.line(node),
          about: `${node.id.slice(0, 10)} ${NodeText.time(node.createdAt)}`,
        })),
      })
      const node = found[Option.getOrElse(picked, () => -1)]
      if (node !== undefined) yield* goTo(session, node)
      return "continue" as const
    }),
}

/** The most choices in the menu. */
const LIMIT = 50
