/** `/tools`: shows or changes the tools of the model. */
import * as Effect from "effect/Effect"
import { UsageError } from "../../message/UsageError.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import type { SessionFailure } from "../SessionFailure.ts"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"

/** `offered`: opens the tools of `/tools on`. */
export const tools = (offered: Effect.Effect<ToolRegistry.Service, SessionFailure>): SlashCommand => ({
  name: "tools",
  argument: "[on|off]",
  summary: "Show the model's tools, give it some, or take them away",
  run: ({ change: take, tools, view }, words) =>
    Effect.gen(function* () {
      if (words === "on") yield* take({ tools: yield* offered })
      else if (words === "off") yield* take({ tools: ToolRegistry.make([]) })
      else if (words !== "") return yield* new UsageError({ message: "/tools takes 'on' or 'off', or nothing" })
      const { notes, tools: has } = yield* tools
      const lines = has.map(({ description, name }) => `${name}: ${firstSentence(description)}`)
      const text = [...lines, ...notes].join("\n")
      yield* view.show(
        View.Entry.Noted({ text: text === "" ? "the model has no tools; /tools on gives it some" : text }),
      )
      return "continue" as const
    }),
})

/** Up to a full stop outside of parentheses; descriptions of tool servers may have several lines. */
const firstSentence = (text: string): string => {
  const line = text.split("\n")[0] ?? ""
  return /^(?:\([^)]*\)|[^(])*?[.](?=\s|$)/.exec(line)?.[0] ?? line
}
