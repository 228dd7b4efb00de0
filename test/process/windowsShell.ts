/** What Windows makes of a command line: its shell, and then the program that reads its arguments. */
import { assert } from "@effect/vitest"
import { Either } from "effect"
import * as Windows from "../../src/process/Windows.ts"

export const environment = {
  ComSpec: "C:\\Windows\\System32\\cmd.exe",
  SystemRoot: "C:\\Windows",
  PATH: "C:\\secret",
  a: "& calc.exe",
}

/**
 * What cmd.exe makes of a line after `/c`: replaces variables, then ends the command at the first character that means
 * something outside of quotes. Fails there: a command that is split starts a program that an argument names.
 */
const throughShell = (line: string): string => {
  let expanded = ""
  for (let at = 0; at < line.length; at += 1) {
    const end = line.indexOf("%", at + 1)
    const name = line[at] === "%" && end > at + 1 ? line.slice(at + 1, end) : undefined
    const value =
      name === "cd:~,"
        ? ""
        : Object.entries(environment).find(([key]) => key.toUpperCase() === name?.toUpperCase())?.[1]
    expanded += value ?? line[at]
    if (value !== undefined) at = end
  }
  let isQuoted = false
  for (const character of expanded) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && /[&|<>^()\r\n]/.test(character)) assert.fail(`${character} ends the command: ${expanded}`)
  }
  assert.isFalse(isQuoted, `a quote is left open: ${expanded}`)
  return expanded
}

/** The arguments that a program of today's C runtime reads from its command line. */
const parseArguments = (line: string): ReadonlyArray<string> => {
  const args: Array<string> = []
  let at = 0
  while (at < line.length) {
    while (line[at] === " " || line[at] === "\t") at += 1
    if (at >= line.length) break
    let arg = ""
    let isQuoted = false
    for (; at < line.length && (isQuoted || (line[at] !== " " && line[at] !== "\t")); at += 1) {
      const [slashes = ""] = /^\\*/.exec(line.slice(at)) ?? []
      if (line[at + slashes.length] !== '"') {
        arg += slashes === "" ? line[at] : slashes
        at += Math.max(0, slashes.length - 1)
        continue
      }
      arg += "\\".repeat(Math.floor(slashes.length / 2))
      at += slashes.length
      if (slashes.length % 2 === 1) arg += '"'
      else if (isQuoted && line[at + 1] === '"') {
        arg += '"'
        at += 1
      } else isQuoted = !isQuoted
    }
    args.push(arg)
  }
  return args
}

/** The words after `/c`, as the batch file passes them on by `%*`. */
export const received = (file: string, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const command = Either.getOrThrowWith(Windows.batchCommand(file, args, environment), (why) => new Error(why))
  const [line = ""] = command.args.slice(-1)
  assert.match(line, /^".*"$/s)
  return parseArguments(throughShell(line.slice(1, -1)))
}
