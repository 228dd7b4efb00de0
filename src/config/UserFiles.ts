/** The files of this user, where XDG wants them. */
import * as path from "node:path"
import * as Config from "effect/Config"
import * as Option from "effect/Option"
import { absolute } from "./internal/value.ts"

/** The file with the forest of this user, by the rules of XDG: a relative folder counts as none. */
export const forestFile: Config.Config<string> = absolute("XDG_STATE_HOME").pipe(
  // Windows has this one alone.
  Config.orElse(() => absolute("LOCALAPPDATA")),
  Config.orElse(() => Config.map(absolute("HOME"), (home) => path.join(home, ".local", "state"))),
  Config.map((folder) => path.join(folder, "vibe", "forest.db")),
)

/** The folders of this user, by the rules of XDG: a relative one counts as none, and there may be no home either. */
const home = (name: string, below: string): Config.Config<Option.Option<string>> =>
  absolute(name).pipe(
    Config.orElse(() => Config.map(absolute("HOME"), (home) => path.join(home, below))),
    // Windows has no HOME.
    Config.orElse(() => Config.map(absolute("USERPROFILE"), (home) => path.join(home, below))),
    Config.option,
  )

/** The user's configuration. */
export const configFile: Config.Config<Option.Option<string>> = Config.map(
  home("XDG_CONFIG_HOME", ".config"),
  Option.map((folder) => path.join(folder, "vibe", "config.toml")),
)

/** What was fetched of what is known of models; it can be fetched again, so it is a cache. */
export const modelsFile: Config.Config<Option.Option<string>> = Config.map(
  home("XDG_CACHE_HOME", ".cache"),
  Option.map((folder) => path.join(folder, "vibe", "models.jsonl")),
)
