/** The words that a shell can offer for the one that is being typed. Pure. */

import * as Agent from "../../install/Agent.ts"
import * as Launch from "../../install/Launch.ts"
import * as Arguments from "../arguments/Arguments.ts"
import type { Command } from "../arguments/Command.ts"
import type { Parameter } from "../arguments/Parameter.ts"
import type { Shell } from "./scripts.ts"

/**
 * The words as the scripts pass them: each has a `=` in front, so that none is empty or looks like an option. The
 * script's shell comes first.
 */
export const unprefix = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word) => word.startsWith("=")).map((word) => word.slice(1))

export interface Candidates {
  /** The possible completions of the last word. */
  readonly words: ReadonlyArray<string>
  /**
   * The kind of name that the last word may also be: a node (by id or bookmark), a commit (by branch or tag), a file or
   * folder, and so on.
   */
  readonly names?: "nodes" | "bookmarks" | "models" | "agents" | "presets" | "commits" | "files" | "symbols" | undefined
  /** The part of the last word before the name: `--resume=`. */
  readonly before?: string | undefined
}

/** `words` are those after the name of the program; the last one is being typed. */
export const candidates = (commands: ReadonlyArray<Command>, words: ReadonlyArray<string>): Candidates => {
  const [before, current] = [words.slice(0, -1), words.at(-1) ?? ""]
  const isHelp = before[0] === "help"
  const { group, operands, command, unknown } = Arguments.commandOf(commands, isHelp ? before.slice(1) : before)
  const startingWith = (names: ReadonlyArray<string>) => among(names, current)
  const options = command?.options ?? commands.flatMap(({ options }) => options)
  const option = options.find(({ alias, name }) => [name, alias ?? name].includes(before.at(-1) ?? ""))
  if (option?.value !== undefined) return candidatesFor(option, current)
  const [, named, value] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? []
  const assigned = options.find(({ name, value }) => name === named && value !== undefined)
  if (assigned !== undefined && value !== undefined) {
    const before = `${assigned.name}=`
    const { names, words } = candidatesFor(assigned, value)
    return { words: words.map((word) => before + word), names, before }
  }
  if (current.startsWith("-")) {
    const own = (command?.options ?? []).flatMap(({ isHidden, name }) => (isHidden ? [] : [name]))
    return startingWith([...own, "--help", ...(command === undefined ? ["--version"] : [])])
  }
  if (unknown !== undefined) return startingWith([])
  if (command === undefined) {
    const names = commands.map(({ name }) => name.split(" "))
    return startingWith(
      group === undefined
        ? [...names.map(([first = ""]) => first), ...(isHelp ? [Arguments.SETTINGS] : ["help", "version"])]
        : names.flatMap(([first, second = ""]) => (first === group ? [second] : [])),
    )
  }
  if (isHelp) return startingWith([])
  const operand = command.operands[operands.length]
  if (operand?.name === "SHELL") return startingWith(shells)
  if (operand?.name === "AGENT") return startingWith(Agent.names)
  const isFolder = operand?.name === "REF" && /^[./~]/.test(current)
  return { words: [], names: isFolder ? "files" : operand && namesFor(operand.name) }
}

const among = (names: ReadonlyArray<string>, typed: string): Candidates => ({
  words: [...new Set(names)].filter((name) => name.startsWith(typed)),
})

/** The values of an option. */
const candidatesFor = ({ choices, name, value = "" }: Parameter<unknown>, typed: string): Candidates => {
  if (choices.length > 0) return among(choices, typed)
  if (value === "WAY") return among(Launch.ways, typed)
  if (name === "--agent") return { ...among(agents, typed), names: "agents" }
  if (name === "--preset") return { words: [], names: "presets" }
  const known = values.get(name)
  return known === undefined ? { words: [], names: namesFor(value) } : among(known, typed)
}

/** The agents that need no entry in the configuration. */
export const agents: ReadonlyArray<string> = ["claude", "codex", "gemini", "opencode", "pi"]

/** The tools of vibe itself: to list those of a tool server, it would have to be started. */
const tools: ReadonlyArray<string> = ["current_date", "introspect"]

/** Words that an option takes besides others. */
const values: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["--tool", tools],
  ["--tool-choice", ["auto", "none", ...tools]],
])

const shells: ReadonlyArray<Shell> = ["bash", "zsh", "fish"]

/** Finds the kind of names by the name of the value in help, such as `NODE`. */
const namesFor = (name: string): Candidates["names"] => {
  switch (name) {
    case "NODE":
    case "[NODE]":
    case "OPERATION":
    case "A":
    case "B":
      return "nodes"
    case "TITLE":
      return "bookmarks"
    case "PROVIDER/NAME":
      return "models"
    case "REF":
      return "commits"
    case "DIR":
    case "FILE":
    case "PATH":
      return "files"
    case "SYMBOL":
      return "symbols"
    default:
      return undefined
  }
}

/** Escapes a name for bash, which reads a candidate as a part of a command line; zsh and fish escape it themselves. */
export const quote = (shell: Shell, name: string): string =>
  shell === "bash" ? name.replaceAll(/[^\p{L}\p{N}_./:@%+,~^=-]/gu, "\\$&") : name
