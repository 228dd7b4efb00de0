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

/** Up to the first full stop outside parentheses that ends a sentence, on one line, and no longer than a few lines. */
export const firstSentence = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, " ")
  let depth = 0
  for (const { 0: sign, index } of line.matchAll(/[()]|(?<!\be\.g|\bi\.e|\betc)\.(?= |$)/g)) {
    if (sign === ".") {
      if (depth <= 0) return cut(line.slice(0, index + 1))
    } else depth += sign === "(" ? 1 : -1
  }
  return cut(line)
}

const cut = (text: string): string =>
  text.length <= MAX_SENTENCE
    ? text
    : `${text
        .slice(0, MAX_SENTENCE - 1)
        .trimEnd()
        .toWellFormed()}…`

/** In characters. */
const MAX_SENTENCE = 200
