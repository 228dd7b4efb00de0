/** Filters the environment of a program that vibe starts: it gets no secrets, and no relative folders in PATH. Pure. */
import * as path from "node:path"
import * as Secret from "../base/Secret.ts"

export type Environment = Readonly<Record<string, string>>

export interface FilterOptions {
  /**
   * The names of secrets that the program receives all the same, such as the key of an agent's provider. A name that
   * begins with `*` is a suffix.
   */
  readonly needs: ReadonlyArray<string>
  /** True if the program writes to the terminal; otherwise colours are switched off. */
  readonly onTerminal: boolean
}

/**
 * Returns all variables except secrets (`Secret.isSecret`). Those in `needs` and proxies stay, though a proxy may hold
 * a password: without it a program may have no network. PATH keeps its absolute folders: a relative one would let the
 * current folder decide which programs the program starts.
 */
export const filter = (
  environment: Environment,
  { needs, onTerminal }: FilterOptions,
  platform: NodeJS.Platform = process.platform,
): Environment => ({
  ...Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => onTerminal || !colorOverrides.has(name))
      .filter(
        ([name, value]) =>
          proxyVariable.test(name) ||
          !Secret.isSecret(name, value) ||
          needs.some((need) => matches(need, name, platform)),
      )
      .flatMap(([name, value]) => (isPath(name, platform) ? absoluteOnly(name, value, platform) : [[name, value]])),
  ),
  ...(!onTerminal && { NO_COLOR: "1" }),
  // Windows shells look in the current folder before they look on PATH.
  ...(platform === "win32" && { NoDefaultCurrentDirectoryInExePath: "1" }),
})

/** Returns the absolute folders of a PATH. */
export const foldersOf = (path: string, platform: NodeJS.Platform): ReadonlyArray<string> =>
  path.split(pathOf(platform).delimiter).flatMap((folder) => {
    // Windows allows quotes around a folder.
    const plain = platform === "win32" ? folder.replaceAll('"', "") : folder
    return isFullyQualified(plain, platform) ? [plain] : []
  })

/**
 * Returns whether a path is absolute and, on Windows, says its drive or share: `\\bin` is on the drive of the current
 * folder.
 */
export const isFullyQualified = (file: string, platform: NodeJS.Platform): boolean =>
  platform === "win32" ? /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/])/i.test(file) : path.posix.isAbsolute(file)

/** Returns the value of a variable. On Windows the case of names is ignored; `name` is in upper case. */
export const variable = (environment: Environment, name: string, platform: NodeJS.Platform): string | undefined =>
  platform === "win32"
    ? Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1]
    : environment[name]

/** Returns the path functions of a platform. */
export const pathOf = (platform: NodeJS.Platform): typeof path.posix => (platform === "win32" ? path.win32 : path.posix)

const isPath = (name: string, platform: NodeJS.Platform): boolean =>
  (platform === "win32" ? name.toUpperCase() : name) === "PATH"

/**
 * Keeps the absolute folders of a variable, and drops the variable if none is left, since an empty PATH means the
 * current folder.
 */
const absoluteOnly = (name: string, value: string, platform: NodeJS.Platform): Array<[string, string]> => {
  const folders = foldersOf(value, platform)
  return folders.length === 0 ? [] : [[name, folders.join(pathOf(platform).delimiter)]]
}

/** Returns whether a name matches. On Windows the case of names is ignored. */
const matches = (need: string, name: string, platform: NodeJS.Platform): boolean => {
  if (platform === "win32") return matches(need.toUpperCase(), name.toUpperCase(), "linux")
  return need.startsWith("*") ? name.endsWith(need.slice(1)) : name === need
}

/** The variables that override NO_COLOR. */
const colorOverrides: ReadonlySet<string> = new Set(["FORCE_COLOR", "CLICOLOR_FORCE"])

/** Matches variables such as `https_proxy`, whose URL may hold a password. */
const proxyVariable = /^(?:https?|all|ftp|no)_proxy$/i
