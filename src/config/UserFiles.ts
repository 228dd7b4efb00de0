/** The paths of the user's own files, by the rules of XDG: a relative folder counts as not set. */
import * as path from "node:path"
import * as Config from "effect/Config"
import type * as Option from "effect/Option"
import { readFolder } from "./internal/readText.ts"

/** The variables of the folders of all programs. */
export const CONFIG_HOME = "XDG_CONFIG_HOME"
export const STATE_HOME = "XDG_STATE_HOME"
export const CACHE_HOME = "XDG_CACHE_HOME"

const home = readFolder("HOME")

/** The database of conversations. */
export const forestFile: Config.Config<string> = readFolder(STATE_HOME).pipe(
  // Windows has only this variable.
  Config.orElse(() => readFolder("LOCALAPPDATA")),
  Config.orElse(() => Config.map(home, (home) => path.join(home, ".local", "state"))),
  Config.map((folder) => path.join(folder, "vibe", "forest.db")),
)

/**
 * Returns the path of a file of vibe in the folder of a variable, or in that folder of the home; none if there is no
 * home.
 */
const fileIn = (variable: string, inHome: string, file: string): Config.Config<Option.Option<string>> =>
  readFolder(variable).pipe(
    Config.orElse(() => Config.map(home, (home) => path.join(home, inHome))),
    // Windows has no HOME.
    Config.orElse(() => Config.map(readFolder("USERPROFILE"), (home) => path.join(home, inHome))),
    Config.map((folder) => path.join(folder, "vibe", file)),
    Config.option,
  )

/** The user's configuration file. */
export const configFile = fileIn(CONFIG_HOME, ".config", "config.toml")

/** The fetched data of models. It is a cache, which can be fetched again. */
export const modelsFile = fileIn(CACHE_HOME, ".cache", "models.jsonl")

/** The user's home; Windows has another variable for it. */
const userHome = home.pipe(Config.orElse(() => readFolder("USERPROFILE")))

/** The user's home, if it is known. */
export const homeFolder: Config.Config<Option.Option<string>> = Config.option(userHome)

/** Returns a folder of another program: that of its variable, or else the one in the home. */
export const folderOf = (variable: string | undefined, inHome: string): Config.Config<string> => {
  const fallback = Config.map(userHome, (home) => path.join(home, inHome))
  return variable === undefined ? fallback : Config.orElse(readFolder(variable), () => fallback)
}
