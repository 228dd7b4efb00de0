/** What of an environment a program is given that vibe starts. Pure. */
import * as path from "node:path"
import * as Secret from "../message/Secret.ts"

export type Environment = Readonly<Record<string, string>>

export interface Wishes {
  /**
   * Names of secrets that the program is given all the same: an agent cannot speak to its provider without a key, and
   * has no use for any other. A name may begin with a `*`, for any that ends so.
   */
  readonly needs: ReadonlyArray<string>
  /** Whether what it writes goes to the terminal; else colours are switched off. */
  readonly onTerminal: boolean
}

/**
 * All variables but secrets (`Secret.isSecret`), those in `needs` and the addresses of proxies excepted: without them a
 * program reaches no network. Of PATH only absolute folders are left: through a relative one the folder that vibe runs
 * in would choose what the program starts in its turn.
 */
export const passed = (
  environment: Environment,
  { needs, onTerminal }: Wishes,
  platform: NodeJS.Platform = process.platform,
): Environment => ({
  ...Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => onTerminal || !forced.has(name))
      .filter(
        ([name, value]) =>
          proxy.test(name) || !Secret.isSecret(name, value) || needs.some((need) => isMeant(need, name)),
      )
      .flatMap(([name, value]) => (isPath(name, platform) ? absoluteOnly(name, value, platform) : [[name, value]])),
  ),
  ...(!onTerminal && { NO_COLOR: "1" }),
  // A shell of Windows looks in its folder before it looks on PATH.
  ...(platform === "win32" && { NoDefaultCurrentDirectoryInExePath: "1" }),
})

/** The folders of PATH that count. */
export const foldersOf = (path: string, platform: NodeJS.Platform): ReadonlyArray<string> => {
  const { delimiter, isAbsolute } = pathOf(platform)
  return path.split(delimiter).filter(isAbsolute)
}

/** The value of a variable. Windows does not mind the case of names. */
export const variable = (environment: Environment, name: string, platform: NodeJS.Platform): string | undefined =>
  platform === "win32"
    ? Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1]
    : environment[name]

/** The rules for paths of a system. */
export const pathOf = (platform: NodeJS.Platform): path.PlatformPath => (platform === "win32" ? path.win32 : path.posix)

const isPath = (name: string, platform: NodeJS.Platform): boolean =>
  (platform === "win32" ? name.toUpperCase() : name) === "PATH"

/** No variable at all where no folder is left: an empty one means the current folder. */
const absoluteOnly = (name: string, value: string, platform: NodeJS.Platform): Array<[string, string]> => {
  const folders = foldersOf(value, platform)
  return folders.length === 0 ? [] : [[name, folders.join(pathOf(platform).delimiter)]]
}

const isMeant = (need: string, name: string): boolean =>
  need.startsWith("*") ? name.endsWith(need.slice(1)) : name === need

/** They outweigh NO_COLOR. */
const forced: ReadonlySet<string> = new Set(["FORCE_COLOR", "CLICOLOR_FORCE"])

/** `https_proxy`: its address may hold a password. */
const proxy = /^(?:https?|all|ftp|no)_proxy$/i
