/** Looks up programs by the rules of the operating system. */
import * as fs from "node:fs"
import { type Environment, foldersOf, isFullyQualified, pathOf, variable } from "./Environment.ts"

/**
 * Returns the path of an executable: `command` if it is an absolute path, otherwise the first of that name in the
 * folders of PATH, on Windows with an extension of PATHEXT. Relative folders are ignored, since the project in the
 * current folder would decide which program runs.
 */
export const find = (
  command: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined => candidates(command, environment, platform).find(isExecutable)

/** Lists the paths that are tried, in order. */
export const candidates = (
  command: string,
  environment: Environment,
  platform: NodeJS.Platform,
): ReadonlyArray<string> => {
  const { join, sep } = pathOf(platform)
  const extensions = platform === "win32" ? extensionsFor(command, environment) : [""]
  if (isFullyQualified(command, platform)) return extensions.map((extension) => command + extension)
  if (command.includes("/") || command.includes(sep)) return []
  // A colon names a drive, whose current folder would count, or a stream of another file.
  if (platform === "win32" && command.includes(":")) return []
  return foldersOf(variable(environment, "PATH", platform) ?? "", platform).flatMap((folder) =>
    extensions.map((extension) => join(folder, command + extension)),
  )
}

/**
 * Lists the extensions of programs and of batch files, which `Windows.batchCommand` starts, but not of scripts that
 * need another interpreter.
 */
const extensionsFor = (command: string, environment: Environment): ReadonlyArray<string> => {
  const extensions = (variable(environment, "PATHEXT", "win32") ?? ".COM;.EXE;.BAT;.CMD")
    .split(";")
    .filter((extension) => /^\.(?:exe|com|bat|cmd)$/i.test(extension))
  return extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase())) ? [""] : extensions
}

const isExecutable = (file: string): boolean => {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}
