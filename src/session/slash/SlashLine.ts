/** A line that may be a slash command: `/name arguments`. Pure. */
import type { SlashCommand } from "./SlashCommand.ts"

/** A path such as `/usr/bin/env` is not a command, since it has a second slash. */
export const isCommand = (text: string): boolean => /^\s*\/[^\s/]*(\s|$)/.test(text)

/** The name without its slash, and what follows it without white space around it. */
export const parse = (line: string): { readonly name: string; readonly argument: string } => {
  const [, name = "", argument = ""] = /^\s*\/(\S*)\s*(.*)$/s.exec(line) ?? []
  return { name, argument: argument.trim() }
}

/** By its name, or by an alias. */
export const find = (commands: ReadonlyArray<SlashCommand>, name: string): SlashCommand | undefined =>
  commands.find((command) => command.name === name || command.aliases?.includes(name) === true)
