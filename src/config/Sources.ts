/**
 * The sources of settings by precedence: the environment, the project's file, the user's file. Each command puts its
 * flags above them, and its defaults below.
 */
import * as path from "node:path"
import type * as Config from "effect/Config"
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
import type { Owner, SettingValues } from "./ConfigFile.ts"
import { projectFilesFrom } from "./mayBeSet.ts"
import * as Ownership from "./Ownership.ts"
import * as Settings from "./Settings.ts"
import * as UserFiles from "./UserFiles.ts"

export interface Source {
  /** `environment`, or the path of a file. */
  readonly name: string
  readonly provider: ConfigProvider.ConfigProvider
  /** The preset that this source names. */
  readonly preset: Option.Option<string>
}

/** The sources by precedence, the highest first. The environment is always one of them. */
export type Sources = readonly [Source, ...ReadonlyArray<Source>]

/**
 * Reads the environment and the configuration files. The project's file is the nearest `.vibe/config.toml` from the
 * folder `from` upwards that belongs to the user or is in a safe folder; the files of others are ignored with a
 * warning. Fails if a file is wrong, with the line if it is known.
 */
export const load = Effect.fn("Sources.load")(function* (from: string) {
  const [environment, ...user] = yield* loadUserSources
  const project = yield* findProjectFile(from, [environment, ...user])
  const file = yield* Effect.transposeOption(Option.map(project, (file) => readFile(file, "project")))
  const sources: Sources = [environment, ...Option.toArray(Option.flatten(file)), ...user]
  return sources
})

/** Reads the environment and the user's file. */
const loadUserSources = Effect.gen(function* () {
  const environment = yield* Effect.configProviderWith(Effect.succeed)
  const file = yield* UserFiles.configFile
  const user = yield* Effect.transposeOption(Option.map(file, (file) => readFile(file, "user")))
  const sources: Sources = [
    yield* makeSource("environment", withoutBlanks(environment)),
    ...Option.toArray(Option.flatten(user)),
  ]
  return sources
})

const makeSource = (name: string, provider: ConfigProvider.ConfigProvider) =>
  Effect.map(
    provider.load(Settings.readOptional(Settings.vibe.preset)),
    (preset): Source => ({ name, provider, preset }),
  )

/**
 * Takes each setting from the highest source that has it. Two paths of their own hold what
 * `AppConfig.generationSettings` needs besides: the settings above the preset, and the file that names the preset.
 */
export const toConfigProvider = (sources: Sources): ConfigProvider.ConfigProvider => {
  const all = combine(sources)
  const index = findPresetSource(sources)
  const file = sources[index]
  if (index <= 0 || file === undefined) return all
  return [
    all,
    ConfigProvider.unnested(combine(sources.slice(0, index)), AppConfig.presetOverrides),
    fromSettings([[[AppConfig.presetFile], file.name]]),
  ].reduce((above, below) => ConfigProvider.orElse(above, () => below))
}

/** Returns the index of the highest source that names a preset; -1 if none does. */
export const findPresetSource = (sources: Sources): number => sources.findIndex(({ preset }) => Option.isSome(preset))

/** Combines sources; there is at least one. */
const combine = (sources: ReadonlyArray<Source>): ConfigProvider.ConfigProvider =>
  sources.map(({ provider }) => provider).reduce((above, below) => ConfigProvider.orElse(above, () => below))

/** Makes effects read their settings from all sources, for a command that works on the folder `from`. */
export const layer = (from: string): Layer.Layer<never, ConfigError.ConfigError, Files.Files> =>
  Layer.unwrapEffect(Effect.map(load(from), (sources) => Layer.setConfigProvider(toConfigProvider(sources))))

/**
 * Makes a provider of these settings. Paths are compared part by part and never joined, since a part may hold any
 * character.
 */
export const fromSettings = (settings: SettingValues): ConfigProvider.ConfigProvider => {
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

const findProjectFile = Effect.fnUntraced(function* (from: string, userSources: Sources) {
  const files = yield* Files.Files
  for (const file of projectFilesFrom(path.resolve(from))) {
    const folder = path.dirname(path.dirname(file))
    if (!(yield* Effect.isSuccess(files.realPath(file)))) continue
    const owner = yield* Ownership.findOtherOwner(path.dirname(file))
    if (Option.isNone(owner) || (yield* isSafe(folder, userSources))) return Option.some(file)
    yield* Effect.annotateLogs(Effect.logWarning(ignored), { path: file, owner: owner.value })
  }
  return Option.none()
})

const ignored =
  "settings of another user are ignored; if you trust that user, name the folder in safeFolders of your own configuration, or in VIBE_SAFE_FOLDERS"

/** Returns whether the environment or the user's own file names a folder as safe. */
export const isSafeFolder = (folder: string): Effect.Effect<boolean, ConfigError.ConfigError, Files.Files> =>
  Effect.flatMap(loadUserSources, (sources) => isSafe(folder, sources))

const isSafe = (folder: string, userSources: Sources) =>
  Effect.flatMap(toConfigProvider(userSources).load(AppConfig.safeFolders), (safe) => Ownership.isSafe(folder, safe))

/** The most bytes of a configuration file. A page or two is enough for one, so this is far more than it needs. */
const MAX_BYTES = 262_144

/**
 * Reads a file, or returns none if there is none. Fails for a pipe, since one in a project would keep every command
 * waiting.
 */
const readFile = Effect.fnUntraced(function* (file: string, owner: Owner) {
  const files = yield* Files.Files
  const bytes = yield* Files.readAll(file, { most: MAX_BYTES }).pipe(
    Effect.asSome,
    Effect.catchAll(({ reason }) =>
      Effect.gen(function* () {
        if (reason._tag === "NotFound" || reason._tag === "NotAFolder") return Option.none()
        if (yield* Effect.isSuccess(files.stat(file))) {
          return yield* Effect.fail(ConfigError.InvalidData([file], describe(reason)))
        }
        // It may not be allowed to enter the folder above, and most users have no file there.
        yield* Effect.annotateLogs(Effect.logWarning("settings that may be here cannot be read"), { path: file })
        return Option.none()
      }),
    ),
  )
  if (Option.isNone(bytes)) return Option.none()
  const ConfigFile = yield* Effect.promise(() => import("./ConfigFile.ts"))
  const settings = yield* Either.mapLeft(
    ConfigFile.read(new TextDecoder().decode(bytes.value), owner),
    ({ line, message }) => ConfigError.InvalidData([line === undefined ? file : `${file}:${line}`], message),
  )
  return Option.some(yield* makeSource(file, fromSettings(settings)))
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

/** Treats blank variables as not set, so that lower sources apply. */
const withoutBlanks = ({ flattened }: ConfigProvider.ConfigProvider): ConfigProvider.ConfigProvider =>
  ConfigProvider.fromFlat({
    ...flattened,
    load: (path, config, split) => flattened.load(path, unlessBlank(config), split),
  })

const unlessBlank = <A>(config: Config.Config.Primitive<A>): Config.Config.Primitive<A> => ({
  ...config,
  parse: (text) => (text.trim() === "" ? Either.left(ConfigError.MissingData([], "is empty")) : config.parse(text)),
})
