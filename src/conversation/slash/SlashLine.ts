/** A line that may be a slash command: `/name arguments`. Pure. */
import type { SlashCommand } from "./SlashCommand.ts"

/** Returns true for a command. A path such as `/usr/bin/env` is not one, since it has a second slash. */
export const isCommand = (text: string): boolean => /^\s*\/[^\s/]*(\s|$)/.test(text)

/** Splits a line into the name without its slash, and the text after it without white space around it. */
export const parse = (line: string): { readonly name: string; readonly argument: string } => {
  const [, name = "", argument = ""] = /^\s*\/(\S*)\s*(.*)$/s.exec(line) ?? []
  return { name, argument: argument.trim() }
}

/** Finds a command by its name, or by an alias. */
export const find = (commands: ReadonlyArray<SlashCommand>, name: string): SlashCommand | undefined =>
  commands.find((command) => command.name === name || command.aliases?.includes(name) === true)
