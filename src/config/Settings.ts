/**
 * The table of settings. A setting is stated here once: its environment variable, its key in a configuration file, the
 * type of its value, which files may set it, and its description. `AppConfig` and `ProviderConfig` read values by it,
 * `ConfigFile` derives the schema of a file from it, and `vibe --help`, `vibe config` and the tables in
 * docs/configuration.md are generated from it.
 */
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import type * as Option from "effect/Option"
import { formats } from "../model/AgentPrompt.ts"
import { type CompatibleServer, servers, urlVariableOf } from "../model/CompatibleServers.ts"
import { RetryPolicy } from "../model/RetryPolicy.ts"
import * as Thinking from "../model/Thinking.ts"
import * as ValueType from "./internal/valueType.ts"
import * as KnownProviders from "./KnownProviders.ts"

/** How a setting is shown to users. */
export interface Setting {
  /** The environment variable. */
  readonly name: string
  /** The variable that is read where the first one is not set. */
  readonly otherName?: string | undefined
  /** The key in a configuration file, `defaults.temperature`; none where only the environment can set it. */
  readonly key?: string | undefined
  /** A noun phrase in Markdown. Code is in backticks, which `vibe --help` leaves out. */
  readonly description: string
  /** The default, as text. */
  readonly builtIn?: string | undefined
  /** Whether users are shown only that it is set. */
  readonly isSecret?: boolean | undefined
  /** Whether `vibe --help` leaves it out. */
  readonly isRare?: boolean | undefined
}

/** A setting that only the environment can set. */
export interface EnvironmentSetting<A> extends Setting {
  readonly key?: undefined
  readonly type: ValueType.ValueType<A>
}

/**
 * Which configuration files may set a setting: the user's and a project's, or the user's alone. A project's file came
 * with its code, so others wrote it. `userOnly` completes the error message "only your own configuration file can say".
 */
export type Scope = "project" | { readonly userOnly: string }

/** What a configuration file can set. */
export interface FileEntry<A> {
  /** The environment variable, or the root of the paths that stand for a table. */
  readonly name: string
  readonly key: string
  readonly type: ValueType.FileType<A>
  readonly scope: Scope
  /** Whether the table around the key must have it. */
  readonly isRequired?: boolean | undefined
}

/** A setting that the environment and a configuration file can set. */
export interface FileSetting<A> extends Omit<Setting, "key" | "isSecret">, FileEntry<A> {
  readonly isSecret?: undefined
}

/** The most answers to one question. Each costs as much as one. */
const MAX_ANSWERS = 20

/** The most retries that can be set, so that a failing provider is not retried for ever. */
export const MAX_RETRIES = 100

/** The most requests of a run that can be set to be under way at a time. */
export const MAX_PARALLEL = 16

/** Tools that change nothing, and that `vibe mcp` offers where a setting names them. */
const MCP_TOOLS = [
  "list_filesystem",
  "read_file",
  "search_text",
  "list_symbols_in_file",
  "get_symbol_details",
  "find_references",
  "status",
  "search_conversations",
] as const
/** The longest call of a tool server that can be set, in seconds: just below the limit of any tool. */
const MAX_TOOL_SECONDS = 110

const RUN_LIMITS = { userOnly: "what a run may cost, and where its exchanges are kept" }
const EMBEDDING = { userOnly: "which model is sent the code to embed" }
const PROGRAMS = { userOnly: "which programs run" }

/** The key of a server, if it has one, and its address. */
export const serverSettings = (server: CompatibleServer) => {
  const { baseUrl, isLocal = false, keyVariable, modelNames = `${server.name}/… models`, title } = server
  const models = modelNames.replaceAll(/\S*\/…/g, "`$&`")
  return {
    apiKey:
      keyVariable === undefined
        ? undefined
        : ({
            name: keyVariable,
            type: ValueType.secret,
            description: `Key for ${models}`,
            isSecret: true,
          } satisfies EnvironmentSetting<unknown>),
    baseUrl: {
      name: urlVariableOf(server),
      type: ValueType.url,
      description: `Address of the server of ${models}`,
      builtIn: isLocal ? baseUrl : `${title}'s`,
      isRare: true,
    } satisfies EnvironmentSetting<unknown>,
  }
}

/** Settings of the providers with an interface of their own, by the names that the providers' own programs read. */
export const provider = {
  googleApiKey: {
    name: "GOOGLE_API_KEY",
    otherName: "GEMINI_API_KEY",
    type: ValueType.secret,
    description: "Key for `google/…` models",
    isSecret: true,
  },
  googleBaseUrl: {
    name: "GOOGLE_GEMINI_BASE_URL",
    type: ValueType.url,
    description: "Address of the Gemini API, such as that of a proxy",
    builtIn: "Google's",
    isRare: true,
  },
  useVertex: {
    name: "GOOGLE_GENAI_USE_VERTEXAI",
    type: ValueType.text,
    description: "`true` to use Vertex AI for `google/…` models",
    builtIn: "false",
    isRare: true,
  },
  vertexProject: {
    name: "GOOGLE_CLOUD_PROJECT",
    type: ValueType.text,
    description: "Project on Vertex AI",
    isRare: true,
  },
  vertexLocation: {
    name: "GOOGLE_CLOUD_LOCATION",
    type: ValueType.text,
    description: "Location of that project",
    builtIn: "global",
    isRare: true,
  },
  vertexBaseUrl: {
    name: "GOOGLE_VERTEX_BASE_URL",
    type: ValueType.url,
    description: "Address of Vertex AI",
    builtIn: "Google's",
    isRare: true,
  },
  anthropicApiKey: {
    name: "ANTHROPIC_API_KEY",
    type: ValueType.secret,
    description: "Key for `anthropic/…` models",
    isSecret: true,
  },
  anthropicBaseUrl: {
    name: "ANTHROPIC_BASE_URL",
    type: ValueType.url,
    description: "Address of the server of `anthropic/…` models",
    builtIn: "Anthropic's",
    isRare: true,
  },
  ollamaHost: {
    name: "OLLAMA_HOST",
    // `Ollama` reads it as its own program does, with defaults for its parts.
    type: ValueType.text,
    description: "Address of Ollama, for `ollama/…` models",
    builtIn: "127.0.0.1:11434",
  },
  ollamaApiKey: {
    name: "OLLAMA_API_KEY",
    type: ValueType.secret,
    description: "Key for an Ollama server that requires one, such as ollama.com",
    isSecret: true,
    isRare: true,
  },
} satisfies Record<string, EnvironmentSetting<unknown>>

/** Where `vibe models --refresh` fetches from. */
export const MODELS_URL = "https://models.dev/api.json"

/** Settings of vibe itself that a configuration file can set as well. */
export const vibe = {
  model: {
    name: "VIBE_MODEL",
    key: "defaultModel",
    type: ValueType.modelId,
    scope: "project",
    description: "Model to use where `--model` is not given",
    builtIn: KnownProviders.defaultRule,
  },
  preset: {
    name: "VIBE_PRESET",
    key: "preset",
    type: ValueType.text,
    scope: "project",
    description: "Preset to use, one of `[presets.NAME]` in a configuration file",
  },
  temperature: {
    name: "VIBE_TEMPERATURE",
    key: "defaults.temperature",
    type: ValueType.amount,
    scope: "project",
    description: "Sampling temperature, from 0",
    builtIn: "the provider's",
  },
  maxTokens: {
    name: "VIBE_MAX_TOKENS",
    key: "defaults.maxTokens",
    type: ValueType.count(),
    scope: "project",
    description: "Longest answer, in tokens",
    builtIn: "the model's",
  },
  n: {
    name: "VIBE_N",
    key: "defaults.n",
    type: ValueType.count({ most: MAX_ANSWERS }),
    scope: "project",
    description: `Number of answers of \`vibe loom generate\`, up to ${MAX_ANSWERS}`,
    builtIn: "1",
  },
  maxRetries: {
    name: "VIBE_MAX_RETRIES",
    key: "maxRetries",
    type: ValueType.count({ least: 0, most: MAX_RETRIES }),
    scope: "project",
    description: "How often to send a failed request again; 0 for one request",
    builtIn: String(RetryPolicy.defaultValue().maxRetries),
  },
  maxWait: {
    name: "VIBE_MAX_WAIT",
    key: "maxWait",
    type: ValueType.amount,
    scope: "project",
    description: "Longest delay before a retry, in seconds; a provider that asks for more is not retried",
    builtIn: String(Duration.toSeconds(RetryPolicy.defaultValue().maxWait)),
  },
  exclude: {
    name: "VIBE_INDEX_EXCLUDE",
    key: "index.exclude",
    type: ValueType.patterns,
    scope: "project",
    description: 'Files that `vibe index` leaves out, as patterns of a `.gitignore`, `["libs/**", "*.gen.ts"]`',
    isRare: true,
  },
  include: {
    name: "VIBE_INDEX_INCLUDE",
    key: "index.include",
    type: ValueType.patterns,
    scope: "project",
    description: "Files that it indexes though ignore files leave them out, as such patterns; never secrets",
    isRare: true,
  },
  parallel: {
    name: "VIBE_INDEX_PARALLEL",
    key: "index.parallel",
    type: ValueType.count({ most: MAX_PARALLEL }),
    scope: "project",
    description: `Batches of symbols that \`vibe index\` sends at the same time, up to ${MAX_PARALLEL}`,
    builtIn: "3; 1 for a local model",
    isRare: true,
  },
  thinking: {
    name: "VIBE_INDEX_THINKING",
    key: "index.thinking",
    type: ValueType.oneOf(Thinking.choices),
    scope: RUN_LIMITS,
    description:
      "How much the model of `vibe index` thinks: `off`, `low`, `medium`, `high`; `auto` for the provider's default",
    builtIn: "off",
    isRare: true,
  },
  mcpTools: {
    name: "VIBE_MCP_TOOLS",
    key: "mcp.tools",
    type: ValueType.someOf(MCP_TOOLS, (tool) =>
      tool === "search_conversations"
        ? "only your own configuration file can open your conversations to the agents of a project"
        : undefined,
    ),
    scope: "project",
    description: `Tools that \`vibe mcp\` offers besides \`query\` and \`show\`: ${MCP_TOOLS.map((tool) => `\`${tool}\``).join(", ")}`,
    isRare: true,
  },
  embeddingModel: {
    name: "VIBE_EMBEDDING_MODEL",
    key: "embedding.model",
    type: ValueType.modelId,
    scope: EMBEDDING,
    description:
      "Model that turns symbols and questions into vectors for the search, `google/gemini-embedding-001`; `vibe index` sends it names, signatures, comments and purposes, `vibe query` the question",
    builtIn: "none: nothing is sent",
    isRare: true,
  },
  embeddingDimensions: {
    name: "VIBE_EMBEDDING_DIMENSIONS",
    key: "embedding.dimensions",
    type: ValueType.count({ most: 8_192 }),
    scope: EMBEDDING,
    description: "Length of these vectors, for models that can shorten them",
    builtIn: "256 for models of Google and OpenAI, else the model's",
    isRare: true,
  },
  maxCost: {
    name: "VIBE_MAX_COST",
    key: "maxCost",
    type: ValueType.amount,
    scope: RUN_LIMITS,
    description: "Most a run may cost, in US dollars: the request that would exceed it is not sent",
  },
  maxRunTokens: {
    name: "VIBE_MAX_RUN_TOKENS",
    key: "maxRunTokens",
    type: ValueType.count(),
    scope: RUN_LIMITS,
    description: "Most tokens a run may read and write in all",
  },
  record: {
    name: "VIBE_RECORD",
    key: "record",
    type: ValueType.text,
    scope: RUN_LIMITS,
    description: "Folder to record exchanges with providers in, without keys",
  },
  replay: {
    name: "VIBE_REPLAY",
    key: "replay",
    type: ValueType.text,
    scope: RUN_LIMITS,
    description: "Folder to replay recorded exchanges from, without a network",
  },
  webSearch: {
    name: "VIBE_WEB_SEARCH",
    key: "web_search.command",
    type: ValueType.commandLine,
    scope: PROGRAMS,
    isRequired: true,
    description: 'Command with which `vibe discover` searches the web, `["program", "argument"]`',
    isRare: true,
  },
  webSearchEnv: {
    name: "VIBE_WEB_SEARCH_ENV",
    key: "web_search.env",
    type: ValueType.variables,
    scope: PROGRAMS,
    description: 'Variables with keys that this command is given, `["NAME"]`',
    isRare: true,
  },
  safeFolders: {
    name: "VIBE_SAFE_FOLDERS",
    key: "safeFolders",
    type: ValueType.safeFolders,
    scope: { userOnly: "which folders are safe" },
    description:
      'Folders whose `.vibe` is used though it belongs to another user, `["/srv/project", "/srv/team/*"]`; `["*"]` for all',
    isRare: true,
  },
} satisfies Record<string, FileSetting<unknown>>

/** The settings that a preset can contain: the model and its sampling parameters. */
export const generation = {
  model: vibe.model,
  temperature: vibe.temperature,
  maxTokens: vibe.maxTokens,
  n: vibe.n,
}

/** Settings of vibe itself that only the environment can set. */
export const environment = {
  modelsUrl: {
    name: "VIBE_MODELS_URL",
    type: ValueType.url,
    description: "Address from which `vibe models --refresh` fetches model data",
    builtIn: MODELS_URL,
    isRare: true,
  },
  configHome: {
    name: "XDG_CONFIG_HOME",
    type: ValueType.absoluteFolder,
    description: "Folder of `vibe/config.toml`, your configuration file",
    builtIn: "~/.config",
    isRare: true,
  },
  stateHome: {
    name: "XDG_STATE_HOME",
    type: ValueType.absoluteFolder,
    description: "Folder of `vibe/forest.db`, your conversations",
    builtIn: "~/.local/state",
    isRare: true,
  },
  cacheHome: {
    name: "XDG_CACHE_HOME",
    type: ValueType.absoluteFolder,
    description: "Folder of `vibe`, what can be made again: fetched model data, compiled code",
    builtIn: "~/.cache",
    isRare: true,
  },
  editor: {
    name: "VISUAL",
    otherName: "EDITOR",
    type: ValueType.text,
    description: "Your editor, for messages in `vibe chat`",
    builtIn: "vi",
    isRare: true,
  },
  noColor: { name: "NO_COLOR", type: ValueType.text, description: "Any text, for output without colours" },
} satisfies Record<string, EnvironmentSetting<unknown>>

const price = ValueType.table({
  input: ValueType.amount,
  output: ValueType.amount,
  cached: ValueType.optional(ValueType.amount),
})

/** Tables of a configuration file whose keys are names of the user's choice. No variable sets them. */
export const tables = {
  presets: {
    name: "VIBE_PRESETS",
    key: "presets",
    type: ValueType.record(
      ValueType.name(),
      ValueType.table({
        model: ValueType.optional(generation.model.type),
        temperature: ValueType.optional(generation.temperature.type),
        maxTokens: ValueType.optional(generation.maxTokens.type),
        n: ValueType.optional(generation.n.type),
      }),
    ),
    scope: "project",
  },
  models: {
    name: "VIBE_MODELS",
    key: "models",
    type: ValueType.record(
      ValueType.modelName,
      ValueType.table({
        context: ValueType.optional(ValueType.count()),
        output: ValueType.optional(ValueType.count()),
        total: ValueType.optional(ValueType.count()),
        prices: ValueType.optional(ValueType.userOnly(price, "what a model costs")),
      }),
    ),
    scope: "project",
  },
  agents: {
    name: "VIBE_AGENTS",
    key: "agents",
    type: ValueType.record(
      ValueType.name(),
      ValueType.table({
        command: ValueType.optional(ValueType.command),
        args: ValueType.optional(ValueType.list),
        format: ValueType.optional(ValueType.oneOf(formats)),
        /** In seconds. */
        timeout: ValueType.optional(ValueType.amount),
        env: ValueType.optional(ValueType.variables),
      }),
    ),
    scope: PROGRAMS,
  },
  providers: {
    name: "VIBE_PROVIDERS",
    key: "providers",
    type: ValueType.record(
      // The address of a known provider does not come from a file.
      ValueType.name((name) => KnownProviders.names.includes(name)),
      ValueType.table({ baseUrl: ValueType.url, keyVariable: ValueType.optional(ValueType.variable) }),
    ),
    scope: { userOnly: "which servers receive requests and keys" },
  },
  toolServers: {
    name: "VIBE_MCP",
    key: "mcp",
    type: ValueType.record(
      // `[mcp] tools` is a setting of `vibe mcp`.
      ValueType.name((name) => name === "tools"),
      ValueType.table(
        {
          command: ValueType.optional(ValueType.command),
          args: ValueType.optional(ValueType.list),
          env: ValueType.optional(ValueType.variables),
          url: ValueType.optional(ValueType.url),
          keyVariable: ValueType.optional(ValueType.variable),
          header: ValueType.optional(ValueType.headerName),
          only: ValueType.optional(ValueType.list),
          /** In seconds. */
          timeout: ValueType.optional(ValueType.count({ most: MAX_TOOL_SECONDS })),
        },
        (has) => {
          if (has("command") === has("url")) {
            return has("url") ? "has a command and a url; a tool server has one of them" : "needs a command or a url"
          }
          if (has("url")) return has("args") || has("env") ? "has args or env, which go with a command" : undefined
          if (has("keyVariable") || has("header")) return "has keyVariable or header, which go with a url"
          return undefined
        },
      ),
    ),
    scope: { userOnly: "which tool servers are used" },
  },
} satisfies Record<string, FileEntry<unknown>>

/** Everything that a configuration file can set. */
export const fileEntries: ReadonlyArray<FileEntry<unknown>> = [vibe, tables].flatMap((entries) =>
  Object.values<FileEntry<unknown>>(entries),
)

/** The settings of all providers. Only the environment can set them. */
export const providerSettings: ReadonlyArray<Setting> = [
  ...Object.values(provider),
  ...Object.values<CompatibleServer>(servers)
    .map(serverSettings)
    .flatMap(({ apiKey, baseUrl }) => (apiKey === undefined ? [baseUrl] : [apiKey, baseUrl])),
]

/** Every setting that has a variable. */
export const settings: ReadonlyArray<Setting> = [
  ...providerSettings,
  ...Object.values(vibe),
  ...Object.values(environment),
]

/** The settings that `vibe --help` lists, in plain text. */
export const descriptions: ReadonlyArray<readonly [name: string, description: string]> = settings
  .filter(({ isRare = false }) => !isRare)
  .map(({ description, name, otherName }) => [
    name,
    `${description}${otherName === undefined ? "" : ` (else ${otherName})`}`.replaceAll("`", ""),
  ])

/** Reads a setting. Fails where it is not set. */
export const read = <A>({
  name,
  otherName,
  type,
}: Pick<EnvironmentSetting<A>, "name" | "otherName" | "type">): Config.Config<A> =>
  otherName === undefined ? type.config(name) : Config.orElse(type.config(name), () => type.config(otherName))

/** Reads a setting that may not be set. */
export const readOptional = <A>(
  setting: Pick<EnvironmentSetting<A>, "name" | "otherName" | "type">,
): Config.Config<Option.Option<A>> => Config.option(read(setting))
