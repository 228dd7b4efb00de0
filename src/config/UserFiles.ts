/** The paths of the user's own files, by the rules of XDG: a relative folder counts as not set. */
import * as path from "node:path"
import * as Config from "effect/Config"
import type * as Option from "effect/Option"
import * as ValueType from "./internal/valueType.ts"
import * as Settings from "./Settings.ts"

const home = ValueType.absoluteFolder.config("HOME")

/** The database of conversations. */
export const forestFile: Config.Config<string> = Settings.read(Settings.environment.stateHome).pipe(
  // Windows has only this variable.
  Config.orElse(() => ValueType.absoluteFolder.config("LOCALAPPDATA")),
  Config.orElse(() => Config.map(home, (home) => path.join(home, ".local", "state"))),
  Config.map((folder) => path.join(folder, "vibe", "forest.db")),
)

/**
 * Returns the path of a file of vibe in the folder of a setting, or in that folder of the home; none if there is no
 * home.
 */
const fileIn = (
  setting: Settings.EnvironmentSetting<string>,
  inHome: string,
  file: string,
): Config.Config<Option.Option<string>> =>
  Settings.read(setting).pipe(
    Config.orElse(() => Config.map(home, (home) => path.join(home, inHome))),
    // Windows has no HOME.
    Config.orElse(() => Config.map(ValueType.absoluteFolder.config("USERPROFILE"), (home) => path.join(home, inHome))),
    Config.map((folder) => path.join(folder, "vibe", file)),
    Config.option,
  )

/** The user's configuration file. */
export const configFile = fileIn(Settings.environment.configHome, ".config", "config.toml")

/** The fetched data of models. It is a cache, which can be fetched again. */
export const modelsFile = fileIn(Settings.environment.cacheHome, ".cache", "models.jsonl")

/** The user's home; Windows has another variable for it. */
const userHome = home.pipe(Config.orElse(() => ValueType.absoluteFolder.config("USERPROFILE")))

/** The user's home, if it is known. */
export const homeFolder: Config.Config<Option.Option<string>> = Config.option(userHome)

/** Returns a folder of another program: that of its variable, or else the one in the home. */
export const folderOf = (variable: string | undefined, inHome: string): Config.Config<string> => {
  const fallback = Config.map(userHome, (home) => path.join(home, inHome))
  return variable === undefined ? fallback : Config.orElse(ValueType.absoluteFolder.config(variable), () => fallback)
}
