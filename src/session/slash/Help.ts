/** `/help` and `/quit`. */
import * as Effect from "effect/Effect"
import * as View from "../View.ts"
import type { Command } from "./SlashCommand.ts"

/** Lists the others and itself. */
export const help = (others: ReadonlyArray<Command>, keys: string): Command => {
  const self: Command = {
    name: "help",
    takes: undefined,
    summary: "This list",
    isImmediate: true,
    run: ({ view }) =>
      Effect.as(view.tell(View.Entry.Noted({ text: [...listed([...others, self]), keys].join("\n") })), "on"),
  }
  return self
}

export const quit: Command = {
  name: "quit",
  also: ["exit", "q"],
  takes: undefined,
  summary: "Leave; everything is kept",
  isImmediate: true,
  run: () => Effect.succeed("over"),
}

const listed = (commands: ReadonlyArray<Command>): ReadonlyArray<string> => {
  const named = commands.map(
    ({ name, summary, takes }) => [`/${name}${takes === undefined ? "" : ` ${takes}`}`, summary] as const,
  )
  const width = Math.max(...named.map(([name]) => name.length))
  return named.map(([name, summary]) => `${name.padEnd(width)}  ${summary}`)
}
