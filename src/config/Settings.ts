/**
 * The table of settings; the parts for providers and for tables of a file are in `internal`. A setting is stated once,
 * with its environment variable, its key in a configuration file, the type of its value, the files that may set it, and
 * its description. `AppConfig` and `ProviderConfig` read values by it, `ConfigFile` derives the schema of a file from
 * it, and `vibe --help`, `vibe config` and the tables in docs/configuration.md are generated from it.
 */

import * as Duration from "effect/Duration"
import { type CompatibleServer, servers } from "../model/CompatibleServers.ts"
import { MAX_PARALLEL, MAX_RETRIES, RetryPolicy } from "../model/Retry.ts"
import * as Thinking from "../model/Thinking.ts"
import { MAX_ANSWERS, tables } from "./internal/fileTables.ts"
import { provider, serverSettings } from "./internal/providerSettings.ts"
import * as ValueType from "./internal/valueType.ts"
import * as KnownProviders from "./KnownProviders.ts"
import type { EnvironmentSetting, FileEntry, FileSetting, Setting } from "./Setting.ts"
import * as UserFiles from "./UserFiles.ts"

export { tables } from "./internal/fileTables.ts"
export { provider, serverSettings } from "./internal/providerSettings.ts"
export {
  type EnvironmentSetting,
  type FileEntry,
  type FileSetting,
  read,
  readOptional,
  type Setting,
} from "./Setting.ts"

/** Tools that change nothing, and that `vibe mcp` offers if a setting names them. */
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
const RUN_LIMITS = { userOnly: "what a run may cost, and where its exchanges are kept" }
const EMBEDDING = { userOnly: "which model is sent the code to embed" }

/** The address from which `vibe models --refresh` fetches. */
export const MODELS_URL = "https://models.dev/api.json"

/** Settings of vibe itself that a configuration file can set as well. */
export const vibe = {
  model: {
    name: "VIBE_MODEL",
    key: "defaultModel",
    type: ValueType.modelId,
    scope: "project",
    description: "Model to use if `--model` is not given",
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
  wiki: {
    name: "VIBE_INDEX_WIKI",
    key: "index.wiki",
    type: ValueType.boolean,
    scope: "project",
    description: "Whether `vibe index` writes the wiki, `.vibe/wiki`",
    builtIn: "true",
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
    scope: { userOnly: "which programs run" },
    isRequired: true,
    description: 'Command with which `vibe discover` searches the web, `["program", "argument"]`',
    isRare: true,
  },
  webSearchEnv: {
    name: "VIBE_WEB_SEARCH_ENV",
    key: "web_search.env",
    type: ValueType.variables,
    scope: { userOnly: "which programs run" },
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
    name: UserFiles.CONFIG_HOME,
    type: ValueType.absoluteFolder,
    description: "Folder of `vibe/config.toml`, your configuration file",
    builtIn: "~/.config",
    isRare: true,
  },
  stateHome: {
    name: UserFiles.STATE_HOME,
    type: ValueType.absoluteFolder,
    description: "Folder of `vibe/forest.db`, your conversations",
    builtIn: "~/.local/state",
    isRare: true,
  },
  cacheHome: {
    name: UserFiles.CACHE_HOME,
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
  serverToken: {
    name: "VIBE_TOKEN",
    type: ValueType.secret,
    description: "Token of `vibe serve`, of at least 16 characters; a new one each time if it is not set",
    isSecret: true,
    isRare: true,
  },
  noColor: { name: "NO_COLOR", type: ValueType.text, description: "Any text, for output without colours" },
} satisfies Record<string, EnvironmentSetting<unknown>>

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

/** The settings that `vibe help settings` lists, in plain text. */
export const descriptions: ReadonlyArray<readonly [name: string, description: string]> = settings
  .filter(({ isRare = false }) => !isRare)
  .map(({ description, name, otherName }) => [
    name,
    `${description}${otherName === undefined ? "" : ` (else ${otherName})`}`.replaceAll("`", ""),
  ])
