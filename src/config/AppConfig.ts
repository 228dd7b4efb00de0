/** The settings of vibe itself as typed values: sampling, limits of a run, and the environment of the program. */

import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import type { Selection } from "../code/Selection.ts"
import type * as ModelId from "../message/ModelId.ts"
import type { AgentEntry } from "../model/AgentProgram.ts"
import type { ModelEntry } from "../model/ModelEntry.ts"
import type * as Thinking from "../model/Thinking.ts"
import * as Settings from "./Settings.ts"

/** The model to use if the command line names none. */
export const model: Config.Config<Option.Option<ModelId.ModelId>> = Settings.readOptional(Settings.generation.model)

/** The model and its sampling parameters, as far as they are set. `model/Sampling` checks the ranges of providers. */
export interface GenerationSettings {
  readonly model: Option.Option<ModelId.ModelId>
  readonly temperature: Option.Option<number>
  readonly maxTokens: Option.Option<number>
  /** The number of answers. */
  readonly n: Option.Option<number>
}

/** The limits of a run, and how it handles failing requests, as far as they are set. */
export interface RequestPolicy {
  readonly maxRetries: Option.Option<number>
  /** The longest delay before a retry, in seconds. */
  readonly maxWait: Option.Option<number>
  /** The most that a run may cost, in US dollars. */
  readonly maxCost: Option.Option<number>
  /** The most tokens that a run may read and write in all. */
  readonly maxRunTokens: Option.Option<number>
  /** The path of a folder with exchanges. */
  readonly record: Option.Option<string>
  /** The path of a folder with exchanges. */
  readonly replay: Option.Option<string>
}

export const requestPolicy: Config.Config<RequestPolicy> = Config.all({
  maxRetries: Settings.readOptional(Settings.vibe.maxRetries),
  maxWait: Settings.readOptional(Settings.vibe.maxWait),
  maxCost: Settings.readOptional(Settings.vibe.maxCost),
  maxRunTokens: Settings.readOptional(Settings.vibe.maxRunTokens),
  record: Settings.readOptional(Settings.vibe.record),
  replay: Settings.readOptional(Settings.vibe.replay),
})

/**
 * The address of the Postgres that the machines of a cluster share. Only the environment can set it, since a file of a
 * project could send its source to any server.
 */
export const clusterUrl: Config.Config<Option.Option<Redacted.Redacted>> = Config.option(
  Config.redacted(Config.nonEmptyString("VIBE_CLUSTER_URL")),
)

/** The secret that requests to `vibe serve` carry. */
export const serverToken: Config.Config<Option.Option<Redacted.Redacted>> = Settings.readOptional(
  Settings.environment.serverToken,
)

/** The presets by name. */
export const presets: Config.Config<HashMap.HashMap<string, GenerationSettings>> = Settings.read(
  Settings.tables.presets,
)

/** Returns the value that a preset gives to a setting. */
export const partOfPreset = (
  preset: GenerationSettings,
  setting: Settings.Setting,
): Option.Option<ModelId.ModelId | number> => {
  const part = Struct.keys(Settings.generation).find((name) => Settings.generation[name] === setting)
  return part === undefined ? Option.none() : preset[part]
}

const set: Config.Config<GenerationSettings> = Config.all({
  model,
  temperature: Settings.readOptional(Settings.generation.temperature),
  maxTokens: Settings.readOptional(Settings.generation.maxTokens),
  n: Settings.readOptional(Settings.generation.n),
})

/**
 * The path at which `Sources` repeats the settings that override a preset: those above the file that names the preset.
 */
export const presetOverrides = "VIBE_OVER_PRESET"

/** The path at which `Sources` puts the name of the file that sets the `preset` in effect. */
export const presetFile = "VIBE_PRESET_FILE"

/** The settings that override a preset. Invalid values count as not set here, since `set` reports them. */
const over: Config.Config<GenerationSettings> = Config.nested(set, presetOverrides).pipe(
  Config.orElse(() =>
    Config.succeed({ model: Option.none(), temperature: Option.none(), maxTokens: Option.none(), n: Option.none() }),
  ),
)

/**
 * Reads the defaults of a request, for options that the command line does not give. A preset overrides the source that
 * names it and all sources below. The preset of the flag `--preset` overrides all settings; a preset that a file names
 * is overridden by the settings above that file.
 */
export const generationSettings = (flag: Option.Option<string> = Option.none()): Config.Config<GenerationSettings> =>
  Config.all({
    preset: Settings.readOptional(Settings.vibe.preset),
    file: Config.option(Config.string(presetFile)),
    presets,
    over,
    set,
  }).pipe(
    Config.mapOrFail(({ file, over, preset, presets, set }) => {
      const name = Option.orElse(flag, () => preset)
      if (Option.isNone(name)) return Either.right(set)
      return HashMap.get(presets, name.value).pipe(
        Option.map((chosen) => mergeGenerationSettings(Option.isSome(flag) ? [chosen, set] : [over, chosen, set])),
        Either.fromOption(() => {
          const problem = describeMissingPreset(name.value, presets)
          if (Option.isSome(flag)) return ConfigError.InvalidData(["--preset"], problem)
          return Option.match(file, {
            onNone: () => ConfigError.InvalidData([Settings.vibe.preset.name], problem),
            onSome: (file) => ConfigError.InvalidData([file], `${Settings.vibe.preset.key}: ${problem}`),
          })
        }),
      )
    }),
  )

/** Takes each setting from the first element that has it. */
const mergeGenerationSettings = (all: ReadonlyArray<GenerationSettings>): GenerationSettings => ({
  model: Option.firstSomeOf(all.map(({ model }) => model)),
  temperature: Option.firstSomeOf(all.map(({ temperature }) => temperature)),
  maxTokens: Option.firstSomeOf(all.map(({ maxTokens }) => maxTokens)),
  n: Option.firstSomeOf(all.map(({ n }) => n)),
})

const describeMissingPreset = (name: string, presets: HashMap.HashMap<string, GenerationSettings>): string => {
  const names = HashMap.toEntries(presets).map(([name]) => name)
  const existing = names.length === 0 ? "there are none" : `there are ${names.sort().join(", ")}`
  return `there is no preset '${name}'; ${existing}`
}

/** The user's entries of the model catalogue, by model id. */
export const models: Config.Config<HashMap.HashMap<string, ModelEntry>> = Settings.read(Settings.tables.models).pipe(
  Config.map(
    HashMap.map(
      ({ context, output, prices, total }): ModelEntry => ({
        context: Option.getOrUndefined(context),
        output: Option.getOrUndefined(output),
        total: Option.getOrUndefined(total),
        price: Option.getOrUndefined(
          Option.map(prices, ({ cached, ...price }) => ({ ...price, cached: Option.getOrUndefined(cached) })),
        ),
      }),
    ),
  ),
)

/** The user's agents that are programs, by name. */
export const agents: Config.Config<HashMap.HashMap<string, AgentEntry>> = Settings.read(Settings.tables.agents).pipe(
  Config.map(
    HashMap.map(
      ({ args, command, env, format, timeout }): AgentEntry => ({
        command: Option.getOrUndefined(command),
        args: Option.getOrUndefined(args),
        format: Option.getOrUndefined(format),
        timeout: Option.getOrUndefined(Option.map(timeout, Duration.seconds)),
        env: Option.getOrUndefined(env),
      }),
    ),
  ),
)

/** The program that searches the web: its name on PATH or its path, and its arguments. */
export interface WebSearch {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The environment variables that are passed to it although they look like secrets. */
  readonly env: ReadonlyArray<string>
}

export const webSearch: Config.Config<Option.Option<WebSearch>> = Config.all({
  command: Settings.readOptional(Settings.vibe.webSearch),
  env: Config.withDefault(Settings.read(Settings.vibe.webSearchEnv), []),
}).pipe(Config.map(({ command, env }) => Option.map(command, (command) => ({ ...command, env }))))

/** A server of tools (MCP) that the user has configured: a program, or an address. */
export type ToolServer = (
  | {
      readonly _tag: "Program"
      /** A name on PATH, or an absolute path. */
      readonly command: string
      readonly args: ReadonlyArray<string>
      /** The environment variables that are passed to it although they look like secrets. */
      readonly env: ReadonlyArray<string>
    }
  | {
      readonly _tag: "Remote"
      readonly url: string
      /** The header whose whole value is the key; undefined for `Authorization: Bearer`. */
      readonly header: string | undefined
      /** The environment variable of the key; undefined if the server requires none. */
      readonly keyVariable: string | undefined
    }
) & {
  /** The names of the tools that are offered; undefined for all. */
  readonly only: ReadonlyArray<string> | undefined
  /** The time limit of a call. */
  readonly timeout: Duration.Duration | undefined
}

/** The tool servers by the names that the user gave them. */
export const toolServers: Config.Config<HashMap.HashMap<string, ToolServer>> = Settings.read(
  Settings.tables.toolServers,
).pipe(
  Config.map(
    HashMap.filterMap(({ args, command, env, header, keyVariable, only, timeout, url }) => {
      const common = {
        only: Option.getOrUndefined(only),
        timeout: Option.getOrUndefined(Option.map(timeout, Duration.seconds)),
      }
      const noValues = () => []
      // The file has either a command or a url; see `Settings.tables`.
      return Option.orElse(
        Option.map(
          command,
          (command): ToolServer => ({
            _tag: "Program",
            command,
            args: Option.getOrElse(args, noValues),
            env: Option.getOrElse(env, noValues),
            ...common,
          }),
        ),
        () =>
          Option.map(
            url,
            (url): ToolServer => ({
              _tag: "Remote",
              url,
              header: Option.getOrUndefined(header),
              keyVariable: Option.getOrUndefined(keyVariable),
              ...common,
            }),
          ),
      )
    }),
  ),
)

/** The files of a project that `vibe index` sees, as far as ignore files do not decide it. */
export const selection: Config.Config<Selection> = Config.all({
  exclude: Config.withDefault(Settings.read(Settings.vibe.exclude), []),
  include: Config.withDefault(Settings.read(Settings.vibe.include), []),
})

/** The tools that `vibe mcp` offers besides `query` and `show`. */
export const mcpTools = Config.withDefault(Settings.read(Settings.vibe.mcpTools), [])

/** The number of batches that `vibe index` sends at the same time. */
export const parallel: Config.Config<Option.Option<number>> = Settings.readOptional(Settings.vibe.parallel)

/** True if `vibe index` writes the wiki. */
export const wiki: Config.Config<Option.Option<boolean>> = Settings.readOptional(Settings.vibe.wiki)

/** The setting of how much the model of `vibe index` thinks. */
export const thinking: Config.Config<Option.Option<Thinking.Choice>> = Settings.readOptional(Settings.vibe.thinking)

/** The model that makes vectors for the search, and the length of the vectors. */
export interface Embedding {
  readonly model: ModelId.ModelId
  readonly dimensions: number | undefined
}

/** The embedding model. If the user has set none, nothing is embedded. */
export const embedding: Config.Config<Option.Option<Embedding>> = Config.all({
  model: Settings.readOptional(Settings.vibe.embeddingModel),
  dimensions: Settings.readOptional(Settings.vibe.embeddingDimensions),
}).pipe(
  Config.map(({ dimensions, model }) =>
    Option.map(model, (model) => ({ model, dimensions: Option.getOrUndefined(dimensions) })),
  ),
)

/** The address of models.dev's catalogue, or of a copy. */
export const modelsUrl: Config.Config<string> = Config.withDefault(
  Settings.read(Settings.environment.modelsUrl),
  Settings.MODELS_URL,
)

/** The folders whose `.vibe` is used though it belongs to another user, as `Ownership.isSafe` reads them. */
export const safeFolders: Config.Config<ReadonlyArray<string>> = Config.withDefault(
  Settings.read(Settings.vibe.safeFolders),
  [],
)

/** The command of the user's editor, for a shell. */
export const editor: Config.Config<Option.Option<string>> = Settings.readOptional(Settings.environment.editor)
