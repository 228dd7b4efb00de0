/** `/resume`: continues another conversation. */
import * as Effect from "effect/Effect"
import * as Files from "../../code/Files.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Conversations from "../Conversations.ts"
import * as Resume from "../Resume.ts"
import type { SlashCommand } from "./SlashCommand.ts"

export const resume = (files: Files.Service, place: Resume.Place): SlashCommand => ({
  name: "resume",
  argument: "[--all] [N or NODE]",
  summary: "Continue another conversation of this folder, or of all",
  run: (session, words) =>
    Effect.gen(function* () {
      const [, all, name = ""] = /^(--all\b\s*)?(.*)$/s.exec(words) ?? []
      const scope = Conversations.scopeOf(session.owner, place.folder, all !== undefined)
      const isNumber = /^\d{1,4}$/.test(name)
      if (name === "" || isNumber) {
        const picked = yield* Resume.pick(session, scope, place, isNumber ? Number(name) : undefined)
        if (picked !== undefined) yield* Resume.goTo(session, picked.last.id, place)
        return "continue" as const
      }
      const node = yield* Effect.provideService(NodeName.resolve(name), Forest.Forest, session.forest)
      yield* Resume.goTo(session, node, place)
      return "continue" as const
    }).pipe(Effect.provideService(Files.Files, files)),
})
