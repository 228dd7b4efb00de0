/** How the text of an environment variable, or of a key of a table, is read and converted. */
import * as path from "node:path"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"

/** Reads a text. A blank one counts as not set. */
export const readText = (name: string): Config.Config<string> =>
  Config.string(name).pipe(
    Config.mapOrFail((value) =>
      value.trim() === "" ? Either.left(ConfigError.MissingData([name], "is empty")) : Either.right(value.trim()),
    ),
  )

/** Reads a text and converts it; `Left` says what is wrong with it. */
export const readAs =
  <A>(convert: (text: string) => Either.Either<A, string>) =>
  (name: string): Config.Config<A> =>
    readText(name).pipe(
      Config.mapOrFail((value) =>
        Either.mapLeft(convert(value), (message) => ConfigError.InvalidData([name], message)),
      ),
    )

/** Reads the path of a folder by the rules of XDG: a relative path counts as not set. */
export const readFolder = (name: string): Config.Config<string> =>
  readText(name).pipe(
    Config.mapOrFail((folder) =>
      path.isAbsolute(folder)
        ? Either.right(folder)
        : Either.left(ConfigError.MissingData([name], "is no absolute path")),
    ),
  )
