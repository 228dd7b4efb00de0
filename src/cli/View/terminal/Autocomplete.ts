/** Completes `/command` and its argument at the start of the text, and `@file` anywhere. */
import type { AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui/dist/autocomplete.js"
import { sanitizeLine } from "../../../base/Sanitize.ts"
import type { Choice, CommandName } from "../../../conversation/View.ts"

export interface Options {
  readonly commands: ReadonlyArray<CommandName>
  /** Paths that contain the letters, the likeliest first. */
  readonly files: (letters: string, signal: AbortSignal) => Promise<ReadonlyArray<string>>
  /** Lists the possible arguments of a command. */
  readonly argumentsOf: (command: CommandName, typed: string, signal: AbortSignal) => Promise<ReadonlyArray<Choice>>
}

export const make = ({ argumentsOf, commands, files }: Options): AutocompleteProvider => ({
  getSuggestions: async (lines, row, column, { signal }) => {
    const before = textBefore(lines, row, column)
    const command = row === 0 ? COMMAND.exec(before)?.[0] : undefined
    if (command !== undefined) return completeCommand(command, commands)
    const [, name, typed] = (row === 0 ? ARGUMENT.exec(before) : null) ?? []
    const named = commands.find((command) => command.name === name && command.complete !== undefined)
    if (named !== undefined && typed !== undefined)
      return completeArgument(typed, await argumentsOf(named, typed, signal))
    const file = FILE.exec(before)?.[1]
    return file === undefined ? null : completeFile(file, await files(file.slice(1), signal))
  },
  applyCompletion: (lines, row, column, { value }, prefix) => {
    const line = lines[row] ?? ""
    // The suggestions are out of date if the user has typed on.
    if (!line.slice(0, column).endsWith(prefix)) return { lines: [...lines], cursorLine: row, cursorCol: column }
    const before = `${line.slice(0, column - prefix.length)}${value} `
    return {
      lines: lines.with(row, before + line.slice(column).trimStart()),
      cursorLine: row,
      cursorCol: before.length,
    }
  },
  shouldTriggerFileCompletion: (lines, row, column) => FILE.test(textBefore(lines, row, column)),
})

const COMMAND = /^\/\S*$/
const ARGUMENT = /^\/(\S+) +(\S*)$/
const FILE = /(?:^|[\s("'`[])(@[^\s@]*)$/

const textBefore = (lines: ReadonlyArray<string>, row: number, column: number): string =>
  (lines[row] ?? "").slice(0, column)

const completeCommand = (prefix: string, commands: ReadonlyArray<CommandName>): AutocompleteSuggestions => ({
  prefix,
  items: commands
    .filter(({ name }) => name.startsWith(prefix.slice(1)))
    .map(({ name, summary, argument }) => ({
      value: `/${name}`,
      label: argument === undefined ? `/${name}` : `/${name} ${argument}`,
      description: summary,
    })),
})

const completeArgument = (prefix: string, choices: ReadonlyArray<Choice>): AutocompleteSuggestions => ({
  prefix,
  items: choices.map(({ about, label }) => ({
    value: label,
    label: sanitizeLine(label),
    ...(about !== undefined && { description: sanitizeLine(about) }),
  })),
})

/**
 * Leaves out paths that the terminal cannot show as they are. Offers nothing for a path that is complete: Enter would
 * take the completion, and not send the message.
 */
const completeFile = (prefix: string, paths: ReadonlyArray<string>): AutocompleteSuggestions | null =>
  paths.includes(prefix.slice(1))
    ? null
    : {
        prefix,
        items: paths.filter((path) => path === sanitizeLine(path)).map((path) => ({ value: `@${path}`, label: path })),
      }
