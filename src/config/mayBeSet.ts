/**
 * Tells whether a setting can be set at all, for a command that answers as soon as it can: to load the table of
 * settings and their sources takes longer than to look for the files.
 */
import * as path from "node:path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Files from "../code/Files.ts"
import { readText } from "./internal/readText.ts"
import * as UserFiles from "./UserFiles.ts"

/**
 * Returns false if the environment does not have the variable, and there is no configuration file that `Sources.load`
 * would read. A file that cannot be looked for counts as one that is there.
 */
export const mayBeSet = (variable: string, from: string): Effect.Effect<boolean, never, Files.Files> =>
  Effect.gen(function* () {
    const value = yield* Config.option(readText(variable))
    const user = yield* UserFiles.configFile
    const files = [...Option.toArray(user), ...projectFilesFrom(path.resolve(from))]
    return Option.isSome(value) || (yield* Effect.exists(files, mayExist))
  }).pipe(Effect.orElseSucceed(() => true))

/** Returns where the file of a project may be, from a folder upwards. */
export const projectFilesFrom = (folder: string): ReadonlyArray<string> => {
  const above = path.dirname(folder)
  const file = path.join(folder, ".vibe", "config.toml")
  return above === folder ? [file] : [file, ...projectFilesFrom(above)]
}

const mayExist = (file: string) =>
  Effect.flatMap(Files.Files, ({ stat }) => stat(file)).pipe(
    Effect.as(true),
    Effect.catchAll(({ reason }) => Effect.succeed(reason._tag !== "NotFound" && reason._tag !== "NotAFolder")),
  )
