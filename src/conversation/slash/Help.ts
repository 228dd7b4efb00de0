/** `/help` and `/quit`. */
import * as Effect from "effect/Effect"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"

/** Lists the other commands and itself. */
export const help = (others: ReadonlyArray<SlashCommand>, keys: string): SlashCommand => {
  const self: SlashCommand = {
    name: "help",
    argument: undefined,
    summary: "This list",
    isImmediate: true,
    run: ({ view }) =>
      Effect.as(
        view.show(View.Entry.Noted({ text: [...listCommands([...others, self]), keys].join("\n") })),
        "continue",
      ),
  }
  return self
}

export const quit: SlashCommand = {
  name: "quit",
  aliases: ["exit", "q"],
  argument: undefined,
  summary: "Leave; everything is kept",
  isImmediate: true,
  run: () => Effect.succeed("exit"),
}

const listCommands = (commands: ReadonlyArray<SlashCommand>): ReadonlyArray<string> => {
  const named = commands.map(
    ({ name, summary, argument: takes }) => [`/${name}${takes === undefined ? "" : ` ${takes}`}`, summary] as const,
  )
  const width = Math.max(...named.map(([name]) => name.length))
  return named.map(([name, summary]) => `${name.padEnd(width)}  ${summary}`)
}
