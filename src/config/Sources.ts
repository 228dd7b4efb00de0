/**
 * Where settings come from, the highest first: the environment, the project's file, the user's file. Flags stand over
 * all of them, and what is built in stands below; both are their commands' own.
 */
import * as path from "node:path"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as PathPatch from "effect/ConfigProviderPathPatch"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { FileError } from "../code/FileError.ts"
import * as Files from "../code/Files.ts"
import * as AppConfig from "./AppConfig.ts"
import type { Owner, Settings } from "./ConfigFile.ts"
import * as Value from "./internal/value.ts"
import * as Ownership from "./Ownership.ts"
import * as UserFiles from "./UserFiles.ts"

export interface Source {
  /** `environment`, or the path of a file. */
  readonly name: string
  readonly provider: ConfigProvider.ConfigProvider
  /** The preset that it names. */
  readonly preset: Option.Option<string>
}

/** The highest first. */
export type Sources = readonly [Source, ...ReadonlyArray<Source>]

/**
 * Reads the files there are. The project's is the nearest `.vibe/config.toml` from the folder `from` upwards that belongs
 * to the user, or is safe; of others it is said that they are ignored. A file that says what it may not is an error, with
 * its line where that is known.
 */
export const load = Effect.fn("Sources.load")(function* (from: string) {
  const [environment, ...user] = yield* ofUser
  const project = yield* nearest(from, [environment, ...user])
  const file = yield* Effect.transposeOption(Option.map(project, (file) => read(file, "project")))
  const sources: Sources = [environment, ...Option.toArray(Option.flatten(file)), ...user]
  return sources
})

/** Those that are the user's own: the environment, and the user's file. */
const ofUser = Effect.gen(function* () {
  const environment = yield* Effect.configProviderWith(Effect.succeed)
  const file = yield* UserFiles.configFile
  const user = yield* Effect.transposeOption(Option.map(file, (file) => read(file, "user")))
  const sources: Sources = [
    yield* source("environment", withoutBlanks(environment)),
    ...Option.toArray(Option.flatten(user)),
  ]
  return sources
})

const source = (name: string, provider: ConfigProvider.ConfigProvider) =>
  Effect.map(provider.load(presetName), (preset): Source => ({ name, provider, preset }))

const presetName = Config.option(Value.text("VIBE_PRESET"))

/** What the highest source says that says anything. */
export const provider = (sources: Sources): ConfigProvider.ConfigProvider => {
  const all = together(sources)
  const named = naming(sources)
  if (named <= 0) return all
  return ConfigProvider.orElse(all, () =>
    ConfigProvider.unnested(together(sources.slice(0, named)), AppConfig.overPreset),
  )
}

/** The place of the source whose preset holds, the highest that names one; -1 where none does. */
export const naming = (sources: Sources): number => sources.findIndex(({ preset }) => Option.isSome(preset))

/** Of one source at least. */
const together = (sources: ReadonlyArray<Source>): ConfigProvider.ConfigProvider =>
  sources.map(({ provider }) => provider).reduce((above, below) => ConfigProvider.orElse(above, () => below))

/** Has what it is given to read its settings from all sources. */
export const layer = (from: string): Layer.Layer<never, ConfigError.ConfigError, Files.Files> =>
  Layer.unwrapEffect(Effect.map(load(from), (sources) => Layer.setConfigProvider(provider(sources))))

/** As a source. Paths are compared part by part and never joined: a part may hold any character. */
export const fromSettings = (settings: Settings): ConfigProvider.ConfigProvider => {
  const under = (above: ReadonlyArray<string>) =>
    settings.filter(([path]) => path.length >= above.length && above.every((part, depth) => part === path[depth]))
  return ConfigProvider.fromFlat(
    ConfigProvider.makeFlat({
      load: (path, config) => {
        const [, value] = under(path).find(([{ length }]) => length === path.length) ?? []
        if (value === undefined) return Effect.fail(ConfigError.MissingData([...path], "is not set"))
        return Either.mapBoth(config.parse(value), { onLeft: ConfigError.prefixed([...path]), onRight: (one) => [one] })
      },
      enumerateChildren: (path) =>
        Effect.succeed(
          HashSet.fromIterable(under(path).flatMap(([found]) => found.slice(path.length, path.length + 1))),
        ),
      patch: PathPatch.empty,
    }),
  )
}

const nearest = Effect.fnUntraced(function* (from: string, ofUser: Sources) {
  const files = yield* Files.Files
  for (const folder of upwards(path.resolve(from))) {
    const file = path.join(folder, ".vibe", "config.toml")
    if (!(yield* Effect.isSuccess(files.realPath(file)))) continue
    const owner = yield* Ownership.findOtherOwner(path.dirname(file))
    if (Option.isNone(owner) || (yield* isSafe(folder, ofUser))) return Option.some(file)
    yield* Effect.annotateLogs(Effect.logWarning(ignored), { path: file, owner: owner.value })
  }
  return Option.none()
})

const ignored =
  "settings of another user are ignored; if you trust that user, name the folder in safeFolders of your own configuration, or in VIBE_SAFE_FOLDERS"

/** Whether the user has named a folder as safe, in the environment or in the user's own file. */
export const isSafeFolder = (folder: string): Effect.Effect<boolean, ConfigError.ConfigError, Files.Files> =>
  Effect.flatMap(ofUser, (sources) => isSafe(folder, sources))

const isSafe = (folder: string, ofUser: Sources) =>
  Effect.flatMap(provider(ofUser).load(AppConfig.safeFolders), (safe) => Ownership.isSafe(folder, safe))

const upwards = (folder: string): ReadonlyArray<string> => {
  const above = path.dirname(folder)
  return above === folder ? [folder] : [folder, ...upwards(above)]
}

/** A file of settings is a page or two. */
const maxBytes = 262_144

/** None where there is none. A pipe is none either: a project's would keep every command waiting. */
const read = Effect.fnUntraced(function* (file: string, owner: Owner) {
  const bytes = yield* Files.readAll(file, { most: maxBytes }).pipe(
    Effect.asSome,
    Effect.catchAll(({ reason }) =>
      reason._tag === "NotFound" || reason._tag === "NotAFolder"
        ? Effect.succeedNone
        : Effect.fail(ConfigError.InvalidData([file], describe(reason))),
    ),
  )
  if (Option.isNone(bytes)) return Option.none()
  const ConfigFile = yield* Effect.promise(() => import("./ConfigFile.ts"))
  const settings = yield* Either.mapLeft(
    ConfigFile.read(new TextDecoder().decode(bytes.value), owner),
    ({ line, message }) => ConfigError.InvalidData([line === undefined ? file : `${file}:${line}`], message),
  )
  return Option.some(yield* source(file, fromSettings(settings)))
})

const describe = (reason: FileError["reason"]): string => {
  switch (reason._tag) {
    case "TooLarge":
      return `is larger than ${reason.limit} bytes, too large for settings`
    case "NotAFile":
      return "is not a regular file"
    default:
      return "cannot be read"
  }
}

/** A variable that is set to nothing counts as not set, so that what is below it shows. */
const withoutBlanks = ({ flattened }: ConfigProvider.ConfigProvider): ConfigProvider.ConfigProvider =>
  ConfigProvider.fromFlat({
    ...flattened,
    load: (path, config, split) => flattened.load(path, unlessBlank(config), split),
  })

const unlessBlank = <A>(config: Config.Config.Primitive<A>): Config.Config.Primitive<A> => ({
  ...config,
  parse: (text) => (text.trim() === "" ? Either.left(ConfigError.MissingData([], "is empty")) : config.parse(text)),
})
