/** The settings of vibe itself, by the names its users type: how it asks, on what terms, and whom besides. */
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type * as ModelId from "../message/ModelId.ts"
import type { AgentEntry } from "../model/AgentEntry.ts"
import { formats } from "../model/AgentPrompt.ts"
import type { ModelEntry } from "../model/ModelEntry.ts"
import * as Value from "./internal/value.ts"

/** Answers to one question: each of them costs what one costs. */
export const MAX_ANSWERS = 20

/** Nobody is asked for ever. */
export const MAX_RETRIES = 100

/** The one to use where none is named on the command line. */
export const model: Config.Config<Option.Option<ModelId.ModelId>> = Config.option(Value.modelId("VIBE_MODEL"))

/** How to ask a model, as far as it is set. What a provider allows is `model/Sampling`'s to say. */
export interface Asking {
  readonly model: Option.Option<ModelId.ModelId>
  readonly temperature: Option.Option<number>
  readonly maxTokens: Option.Option<number>
  /** How many answers. */
  readonly n: Option.Option<number>
}

/** On what terms a run asks its models, as far as it is set. */
export interface RequestPolicy {
  readonly maxRetries: Option.Option<number>
  /** In seconds. */
  readonly maxWait: Option.Option<number>
  /** In US dollars. */
  readonly maxCost: Option.Option<number>
  /** Read and written in all. */
  readonly maxRunTokens: Option.Option<number>
  /** A folder. */
  readonly record: Option.Option<string>
  /** A folder. */
  readonly replay: Option.Option<string>
}

export const requestPolicy: Config.Config<RequestPolicy> = Config.all({
  maxRetries: Config.option(Value.count("VIBE_MAX_RETRIES", { least: 0, most: MAX_RETRIES })),
  maxWait: Config.option(Value.amount("VIBE_MAX_WAIT")),
  maxCost: Config.option(Value.amount("VIBE_MAX_COST")),
  maxRunTokens: Config.option(Value.count("VIBE_MAX_RUN_TOKENS")),
  record: Config.option(Value.text("VIBE_RECORD")),
  replay: Config.option(Value.text("VIBE_REPLAY")),
})

/** What people have put together under a name. */
export const presets: Config.Config<HashMap.HashMap<string, Asking>> = Config.hashMap(
  Config.all({
    model: Config.option(Value.modelId("model")),
    temperature: Config.option(Value.amount("temperature")),
    maxTokens: Config.option(Value.count("maxTokens")),
    n: Config.option(Value.count("n", { most: MAX_ANSWERS })),
  }),
  "VIBE_PRESETS",
)

const set: Config.Config<Asking> = Config.all({
  model,
  temperature: Config.option(Value.amount("VIBE_TEMPERATURE")),
  maxTokens: Config.option(Value.count("VIBE_MAX_TOKENS")),
  n: Config.option(Value.count("VIBE_N", { most: MAX_ANSWERS })),
})

/** Where `Sources` says again what stands over the preset: what is set above the file that names it. */
export const overPreset = "VIBE_OVER_PRESET"

/** What is wrong there is told of where it is set. */
const over: Config.Config<Asking> = Config.nested(set, overPreset).pipe(
  Config.orElse(() =>
    Config.succeed({ model: Option.none(), temperature: Option.none(), maxTokens: Option.none(), n: Option.none() }),
  ),
)

/**
 * How to ask a model where the command line does not say. A preset stands right above who names it: one that is `named`
 * on the command line over all that is set, one that a file names below what is set above that file.
 */
export const asking = (named: Option.Option<string> = Option.none()): Config.Config<Asking> =>
  Config.all({ preset: Config.option(Value.text("VIBE_PRESET")), presets, over, set }).pipe(
    Config.mapOrFail(({ over, preset, presets, set }) => {
      const name = Option.orElse(named, () => preset)
      if (Option.isNone(name)) return Either.right(set)
      return HashMap.get(presets, name.value).pipe(
        Option.map((chosen) => highest(Option.isSome(named) ? [chosen, set] : [over, chosen, set])),
        Either.fromOption(() => ConfigError.InvalidData(["VIBE_PRESET"], noPreset(name.value, presets))),
      )
    }),
  )

/** Of each part what the first says that says anything. */
const highest = (all: ReadonlyArray<Asking>): Asking => ({
  model: Option.firstSomeOf(all.map(({ model }) => model)),
  temperature: Option.firstSomeOf(all.map(({ temperature }) => temperature)),
  maxTokens: Option.firstSomeOf(all.map(({ maxTokens }) => maxTokens)),
  n: Option.firstSomeOf(all.map(({ n }) => n)),
})

const noPreset = (name: string, presets: HashMap.HashMap<string, Asking>): string => {
  const names = HashMap.toEntries(presets).map(([name]) => name)
  const there = names.length === 0 ? "there are none" : `there are ${names.sort().join(", ")}`
  return `there is no preset '${name}'; ${there}`
}

/** What the user says of models, by their ids. */
export const models: Config.Config<HashMap.HashMap<string, ModelEntry>> = Config.hashMap(
  Config.all({
    context: Config.option(Value.count("context")),
    output: Config.option(Value.count("output")),
    total: Config.option(Value.count("total")),
    prices: Config.option(
      Config.nested(
        Config.all({
          input: Value.amount("input"),
          output: Value.amount("output"),
          cached: Config.option(Value.amount("cached")),
        }),
        "prices",
      ),
    ),
  }),
  "VIBE_MODELS",
).pipe(
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

/** What the user says of agents that are programs, by their names. */
export const agents: Config.Config<HashMap.HashMap<string, AgentEntry>> = Config.hashMap(
  Config.all({
    command: Config.option(Value.text("command")),
    args: Config.option(Value.list("args")),
    format: Config.option(Config.literal(...formats)("format")),
    /** In seconds. */
    timeout: Config.option(Value.amount("timeout")),
    env: Config.option(Value.list("env")),
  }),
  "VIBE_AGENTS",
).pipe(
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

/** The program that searches the web: its name on PATH or its path, and what it is given. */
export interface WebSearch {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Names of variables that it is given though they look like secrets. */
  readonly env: ReadonlyArray<string>
}

export const webSearch: Config.Config<Option.Option<WebSearch>> = Config.all({
  command: Value.list("VIBE_WEB_SEARCH").pipe(
    Config.mapOrFail(([command = "", ...args]) =>
      command.trim() === ""
        ? Either.left(ConfigError.InvalidData(["VIBE_WEB_SEARCH"], "names no program"))
        : Either.right({ command, args }),
    ),
    Config.option,
  ),
  env: Config.withDefault(Value.list("VIBE_WEB_SEARCH_ENV"), []),
}).pipe(Config.map(({ command, env }) => Option.map(command, (command) => ({ ...command, env }))))

/** Where models.dev's catalogue, or a copy of it, is fetched from. */
export const modelsUrl: Config.Config<string> = Value.url("VIBE_MODELS_URL").pipe(
  Config.orElseIf({ if: ConfigError.isMissingDataOnly, orElse: () => Config.succeed("https://models.dev/api.json") }),
)

/** Folders whose `.vibe` is used though it belongs to another user, as `Ownership.isSafe` reads them. */
export const safeFolders: Config.Config<ReadonlyArray<string>> = Value.list("VIBE_SAFE_FOLDERS").pipe(
  Config.orElseIf({ if: ConfigError.isMissingDataOnly, orElse: () => Config.succeed([]) }),
)

/** no-color.org; a dumb terminal has none either. */
export const noColor: Config.Config<boolean> = Config.all([
  Config.option(Value.text("NO_COLOR")),
  Config.option(Value.text("TERM")),
]).pipe(Config.map(([noColor, term]) => Option.isSome(noColor) || Option.contains(term, "dumb")))

/** Colours in a pipe too: FORCE_COLOR or CLICOLOR_FORCE, set to anything but nothing, `0` and `false`. */
export const forceColor: Config.Config<boolean> = Config.all([
  Config.option(Value.text("FORCE_COLOR")),
  Config.option(Value.text("CLICOLOR_FORCE")),
]).pipe(Config.map((values) => values.some(Option.exists((value) => !["", "0", "false"].includes(value)))))

/** The command of the user's own editor, as a shell takes it. */
export const editor: Config.Config<Option.Option<string>> = Value.text("VISUAL").pipe(
  Config.orElse(() => Value.text("EDITOR")),
  Config.option,
)
