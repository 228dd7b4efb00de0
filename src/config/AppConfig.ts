/** Every setting of the program, by the name its users type. */
import * as path from "node:path"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as ModelId from "../message/ModelId.ts"
import type { AgentEntry } from "../model/AgentEntry.ts"
import { formats } from "../model/AgentPrompt.ts"
import type { ModelEntry } from "../model/ModelEntry.ts"
import { type ServerVariables, serverVariables } from "./internal/serverVariables.ts"

/** A setting that is set to nothing counts as not set. */
const text = (name: string): Config.Config<string> =>
  Config.string(name).pipe(
    Config.mapOrFail((value) =>
      value.trim() === "" ? Either.left(ConfigError.MissingData([name], "is empty")) : Either.right(value.trim()),
    ),
  )

const absolute = (name: string): Config.Config<string> =>
  text(name).pipe(
    Config.mapOrFail((folder) =>
      path.isAbsolute(folder)
        ? Either.right(folder)
        : Either.left(ConfigError.MissingData([name], "is no absolute path")),
    ),
  )

const key = (name: string): Config.Config<Redacted.Redacted> =>
  Config.redacted(name).pipe(
    Config.mapOrFail((key) =>
      Redacted.value(key).trim() === "" ? Either.left(ConfigError.MissingData([name], "is empty")) : Either.right(key),
    ),
  )

const url = (name: string): Config.Config<string> =>
  text(name).pipe(
    Config.mapOrFail((value) =>
      /^https?:$/.test(URL.parse(value)?.protocol ?? "")
        ? Either.right(value.replace(/\/+$/, ""))
        : Either.left(ConfigError.InvalidData([name], "is not an http or https URL")),
    ),
  )

const amount = (name: string): Config.Config<number> =>
  text(name).pipe(
    Config.mapOrFail((value) => {
      const amount = Number(value)
      return Number.isFinite(amount) && amount >= 0
        ? Either.right(amount)
        : Either.left(ConfigError.InvalidData([name], `is a number from 0 on, not '${value}'`))
    }),
  )

const count = (name: string, { least = 1, most }: { least?: number; most?: number } = {}): Config.Config<number> =>
  text(name).pipe(
    Config.mapOrFail((value) => {
      const count = Number(value)
      const range = most === undefined ? `from ${least} on` : `from ${least} to ${most}`
      return Number.isSafeInteger(count) && count >= least && count <= (most ?? count)
        ? Either.right(count)
        : Either.left(ConfigError.InvalidData([name], `is a whole number ${range}, not '${value}'`))
    }),
  )

/** As JSON has it: a setting is one text. */
const list = (name: string): Config.Config<ReadonlyArray<string>> =>
  text(name).pipe(
    Config.mapOrFail((value) =>
      Either.mapLeft(decodeList(value), () =>
        ConfigError.InvalidData([name], `is a list as in JSON, ["a", "b"], not '${value}'`),
      ),
    ),
  )

const decodeList = Schema.decodeEither(Schema.parseJson(Schema.Array(Schema.String)))

/** Answers to one question: each of them costs what one costs. */
export const mostAnswers = 20

/** Nobody is asked for ever. */
export const mostRetries = 100

const modelId = (name: string): Config.Config<ModelId.ModelId> =>
  text(name).pipe(
    Config.mapOrFail((value) =>
      Either.mapLeft(ModelId.parse(value), (message) => ConfigError.InvalidData([name], message)),
    ),
  )

/** Of Google's Gemini, as it was set. */
export const googleApiKey: Config.Config<Option.Option<Redacted.Redacted>> = key("GOOGLE_API_KEY").pipe(
  Config.orElse(() => key("GEMINI_API_KEY")),
  Config.option,
)

/** Where Google's SDK is told by its own variables to ask Vertex AI: of which project, if it is not the key that counts. */
export const googleVertex: Config.Config<
  Option.Option<{ readonly project: string | undefined; readonly location: string | undefined }>
> = Config.all({
  wish: Config.option(text("GOOGLE_GENAI_USE_VERTEXAI")),
  project: Config.option(text("GOOGLE_CLOUD_PROJECT")),
  location: Config.option(text("GOOGLE_CLOUD_LOCATION")),
}).pipe(
  Config.map(({ location, project, wish }) =>
    Option.exists(wish, (wish) => wish.toLowerCase() === "true")
      ? Option.some({ project: Option.getOrUndefined(project), location: Option.getOrUndefined(location) })
      : Option.none(),
  ),
)

/** Without a slash at its end. */
export const googleBaseUrl: Config.Config<Option.Option<string>> = Config.all([
  googleVertex,
  Config.option(url("GOOGLE_GEMINI_BASE_URL")),
  Config.option(url("GOOGLE_VERTEX_BASE_URL")),
]).pipe(Config.map(([isVertex, gemini, vertex]) => (Option.isSome(isVertex) ? vertex : gemini)))

export const anthropicApiKey: Config.Config<Option.Option<Redacted.Redacted>> = Config.option(key("ANTHROPIC_API_KEY"))

/** Without a slash at its end. */
export const anthropicBaseUrl: Config.Config<Option.Option<string>> = Config.option(url("ANTHROPIC_BASE_URL"))

/** Where Ollama is, as its own program takes it: `Ollama.placeOf` reads it. */
export const ollamaHost: Config.Config<Option.Option<string>> = Config.option(text("OLLAMA_HOST"))

export const ollamaApiKey: Config.Config<Option.Option<Redacted.Redacted>> = Config.option(key("OLLAMA_API_KEY"))

/** Where a server is that speaks as OpenAI does, and its key, as far as they are set. */
export interface Server {
  readonly apiKey: Option.Option<Redacted.Redacted>
  readonly baseUrl: Option.Option<string>
}

/** Of a server that is known. */
export const server = (provider: keyof typeof serverVariables): Config.Config<Server> => {
  const { keyVariable, urlVariable }: ServerVariables = serverVariables[provider]
  return Config.all({
    apiKey: keyVariable === undefined ? Config.succeed(Option.none()) : keyIn(keyVariable),
    baseUrl: Config.option(url(urlVariable)),
  })
}

/** A server that only its user knows. */
export interface CustomServer {
  readonly baseUrl: string
  /** Where its key is set, if it wants one. */
  readonly keyVariable: string | undefined
}

/** By the names that the user gave them. */
export const customServers: Config.Config<HashMap.HashMap<string, CustomServer>> = Config.hashMap(
  Config.all({ baseUrl: url("baseUrl"), keyVariable: Config.option(text("keyVariable")) }),
  "VIBE_PROVIDERS",
).pipe(
  Config.map(HashMap.map(({ baseUrl, keyVariable }) => ({ baseUrl, keyVariable: Option.getOrUndefined(keyVariable) }))),
)

/** Those that there are without any setting. */
export const knownProviders: ReadonlyArray<string> = [
  "google",
  "anthropic",
  ...Object.keys(serverVariables),
  "openai-responses",
  "ollama",
  "offline",
  "scripted",
  "cli",
]

/** The key in this variable, where it is set. */
export const keyIn = (variable: string): Config.Config<Option.Option<Redacted.Redacted>> => Config.option(key(variable))

/** The one to use where none is named on the command line. */
export const model: Config.Config<Option.Option<ModelId.ModelId>> = Config.option(modelId("VIBE_MODEL"))

/** The file with the forest of this user, by the rules of XDG: a relative folder counts as none. */
export const forestFile: Config.Config<string> = absolute("XDG_STATE_HOME").pipe(
  // Windows has this one alone.
  Config.orElse(() => absolute("LOCALAPPDATA")),
  Config.orElse(() => Config.map(absolute("HOME"), (home) => path.join(home, ".local", "state"))),
  Config.map((folder) => path.join(folder, "vibe", "forest.db")),
)

/** How to ask a model, as far as it is set. What a provider allows is `model/Sampling`'s to say. */
export interface Asking {
  readonly model: Option.Option<ModelId.ModelId>
  readonly temperature: Option.Option<number>
  readonly maxTokens: Option.Option<number>
  /** How many answers. */
  readonly n: Option.Option<number>
}

/** On what terms a run asks its models, as far as it is set. */
export interface Terms {
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

export const terms: Config.Config<Terms> = Config.all({
  maxRetries: Config.option(count("VIBE_MAX_RETRIES", { least: 0, most: mostRetries })),
  maxWait: Config.option(amount("VIBE_MAX_WAIT")),
  maxCost: Config.option(amount("VIBE_MAX_COST")),
  maxRunTokens: Config.option(count("VIBE_MAX_RUN_TOKENS")),
  record: Config.option(text("VIBE_RECORD")),
  replay: Config.option(text("VIBE_REPLAY")),
})

/** What people have put together under a name. */
export const presets: Config.Config<HashMap.HashMap<string, Asking>> = Config.hashMap(
  Config.all({
    model: Config.option(modelId("model")),
    temperature: Config.option(amount("temperature")),
    maxTokens: Config.option(count("maxTokens")),
    n: Config.option(count("n", { most: mostAnswers })),
  }),
  "VIBE_PRESETS",
)

/**
 * How to ask a model where the command line does not say: what the preset says, `named` or else the one that is set,
 * and what is set besides for what it leaves open.
 */
export const asking = (named: Option.Option<string> = Option.none()): Config.Config<Asking> =>
  Config.all({
    preset: Config.option(text("VIBE_PRESET")),
    presets,
    model,
    temperature: Config.option(amount("VIBE_TEMPERATURE")),
    maxTokens: Config.option(count("VIBE_MAX_TOKENS")),
    n: Config.option(count("VIBE_N", { most: mostAnswers })),
  }).pipe(
    Config.mapOrFail(({ preset, presets, ...set }) => {
      const name = Option.orElse(named, () => preset)
      if (Option.isNone(name)) return Either.right(set)
      return HashMap.get(presets, name.value).pipe(
        Option.map(
          (chosen): Asking => ({
            model: Option.orElse(chosen.model, () => set.model),
            temperature: Option.orElse(chosen.temperature, () => set.temperature),
            maxTokens: Option.orElse(chosen.maxTokens, () => set.maxTokens),
            n: Option.orElse(chosen.n, () => set.n),
          }),
        ),
        Either.fromOption(() => ConfigError.InvalidData(["VIBE_PRESET"], noPreset(name.value, presets))),
      )
    }),
  )

const noPreset = (name: string, presets: HashMap.HashMap<string, Asking>): string => {
  const names = HashMap.toEntries(presets).map(([name]) => name)
  const there = names.length === 0 ? "there are none" : `there are ${names.sort().join(", ")}`
  return `there is no preset '${name}'; ${there}`
}

/** What the user says of models, by their ids. */
export const models: Config.Config<HashMap.HashMap<string, ModelEntry>> = Config.hashMap(
  Config.all({
    context: Config.option(count("context")),
    output: Config.option(count("output")),
    total: Config.option(count("total")),
    prices: Config.option(
      Config.nested(
        Config.all({ input: amount("input"), output: amount("output"), cached: Config.option(amount("cached")) }),
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
    command: Config.option(text("command")),
    args: Config.option(list("args")),
    format: Config.option(Config.literal(...formats)("format")),
    /** In seconds. */
    timeout: Config.option(amount("timeout")),
    env: Config.option(list("env")),
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
  command: list("VIBE_WEB_SEARCH").pipe(
    Config.mapOrFail(([command = "", ...args]) =>
      command.trim() === ""
        ? Either.left(ConfigError.InvalidData(["VIBE_WEB_SEARCH"], "names no program"))
        : Either.right({ command, args }),
    ),
    Config.option,
  ),
  env: Config.withDefault(list("VIBE_WEB_SEARCH_ENV"), []),
}).pipe(Config.map(({ command, env }) => Option.map(command, (command) => ({ ...command, env }))))

/** Where models.dev's catalogue, or a copy of it, is fetched from. */
export const modelsUrl: Config.Config<string> = url("VIBE_MODELS_URL").pipe(
  Config.orElseIf({ if: ConfigError.isMissingDataOnly, orElse: () => Config.succeed("https://models.dev/api.json") }),
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

/** The providers that want a key: where they look for it, and the key as far as it is set. */
export const keys: Readonly<
  Record<string, { readonly name: string; readonly key: Config.Config<Option.Option<Redacted.Redacted>> }>
> = {
  google: { name: "GOOGLE_API_KEY", key: googleApiKey },
  anthropic: { name: "ANTHROPIC_API_KEY", key: anthropicApiKey },
  ...Object.fromEntries(
    Object.entries<ServerVariables>({ ...serverVariables, "openai-responses": serverVariables.openai }).flatMap(
      ([provider, { keyVariable }]) =>
        keyVariable === undefined ? [] : [[provider, { name: keyVariable, key: keyIn(keyVariable) }]],
    ),
  ),
}

/** no-color.org; a dumb terminal has none either. */
export const colourless: Config.Config<boolean> = Config.all([
  Config.option(text("NO_COLOR")),
  Config.option(text("TERM")),
]).pipe(Config.map(([noColor, term]) => Option.isSome(noColor) || Option.contains(term, "dumb")))

/** The command of the user's own editor, as a shell takes it. */
export const editor: Config.Config<Option.Option<string>> = text("VISUAL").pipe(
  Config.orElse(() => text("EDITOR")),
  Config.option,
)
