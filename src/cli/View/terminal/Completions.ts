/** What a word that is being written may become: `/` at the start a command, `@` anywhere a file. */
import type { AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui/dist/autocomplete.js"
import { printableLine } from "../../../message/Printable.ts"
import type { CommandName } from "../../../session/View.ts"

export interface Options {
  readonly commands: ReadonlyArray<CommandName>
  /** Paths that hold the letters, the likeliest first. */
  readonly files: (letters: string, signal: AbortSignal) => Promise<ReadonlyArray<string>>
}

export const make = ({ commands, files }: Options): AutocompleteProvider => ({
  getSuggestions: async (lines, row, column, { signal }) => {
    const before = textBefore(lines, row, column)
    const command = row === 0 ? COMMAND.exec(before)?.[0] : undefined
    if (command !== undefined) return commandsLike(command, commands)
    const file = FILE.exec(before)?.[1]
    return file === undefined ? null : filesLike(file, await files(file.slice(1), signal))
  },
  applyCompletion: (lines, row, column, { value }, prefix) => {
    const line = lines[row] ?? ""
    // Whoever types quickly has gone on from what is still offered.
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
const FILE = /(?:^|[\s("'`[])(@[^\s@]*)$/

const textBefore = (lines: ReadonlyArray<string>, row: number, column: number): string =>
  (lines[row] ?? "").slice(0, column)

const commandsLike = (prefix: string, commands: ReadonlyArray<CommandName>): AutocompleteSuggestions => ({
  prefix,
  items: commands
    .filter(({ name }) => name.startsWith(prefix.slice(1)))
    .map(({ name, summary, argument: takes }) => ({
      value: `/${name}`,
      label: takes === undefined ? `/${name}` : `/${name} ${takes}`,
      description: summary,
    })),
})

/** What is not shown as it is cannot be named. */
const filesLike = (prefix: string, paths: ReadonlyArray<string>): AutocompleteSuggestions => ({
  prefix,
  items: paths.filter((path) => path === printableLine(path)).map((path) => ({ value: `@${path}`, label: path })),
})
