/** Where a program is, by the rules of the system. */
import * as fs from "node:fs"
import { type Environment, foldersOf, pathOf, variable } from "./Environment.ts"

/**
 * The path of a program that can be started: `command` itself where it is an absolute path, else the first of that
 * name in the folders of PATH, on Windows with an ending of PATHEXT. Folders that are relative count as none: whoever
 * wrote the code we stand in would choose what runs.
 */
export const find = (
  command: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined => candidates(command, environment, platform).find(isProgram)

/** Where it is looked for, in order. */
export const candidates = (
  command: string,
  environment: Environment,
  platform: NodeJS.Platform,
): ReadonlyArray<string> => {
  const { isAbsolute, join, sep } = pathOf(platform)
  const endings = platform === "win32" ? endingsOf(command, environment) : [""]
  if (isAbsolute(command)) return endings.map((ending) => command + ending)
  if (command.includes("/") || command.includes(sep)) return []
  return foldersOf(variable(environment, "PATH", platform) ?? "", platform).flatMap((folder) =>
    endings.map((ending) => join(folder, command + ending)),
  )
}

/** Of those that need no shell to be started: `.cmd` and `.bat` do. */
const endingsOf = (command: string, environment: Environment): ReadonlyArray<string> => {
  const endings = (variable(environment, "PATHEXT", "win32") ?? ".EXE;.COM")
    .split(";")
    .filter((ending) => /^\.(exe|com)$/i.test(ending))
  return endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase())) ? [""] : endings
}

const isProgram = (file: string): boolean => {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}
