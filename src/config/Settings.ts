/** What people are told of every setting: `vibe --help` of those that are often set, `vibe config` of all. */
import { type CompatibleServer, servers, urlVariableOf } from "../model/CompatibleServers.ts"

/** What people are told of a setting. */
export interface Setting {
  /** The variable. */
  readonly name: string
  /** Another variable, for where that one is not set. */
  readonly otherName?: string | undefined
  /** Its name in a configuration file; none where a file cannot set it. */
  readonly key?: string | undefined
  readonly description: string
  /** What holds where nobody sets it. */
  readonly builtIn?: string | undefined
  /** Told only whether it is set. */
  readonly isSecret?: boolean | undefined
  /** Seldom set: `vibe config` tells of it, `vibe --help` does not. */
  readonly isRare?: boolean | undefined
}

const serverSettings = (server: CompatibleServer): ReadonlyArray<Setting> => {
  const { baseUrl, isLocal = false, keyVariable, modelNames = `${server.name}/… models`, title } = server
  const builtIn = isLocal ? baseUrl : `${title}'s`
  return [
    ...(keyVariable === undefined ? [] : [{ name: keyVariable, description: `Key for ${modelNames}`, isSecret: true }]),
    { name: urlVariableOf(server), description: `Where the server of ${modelNames} is`, builtIn, isRare: true },
  ]
}

export const settings: ReadonlyArray<Setting> = [
  {
    name: "GOOGLE_API_KEY",
    otherName: "GEMINI_API_KEY",
    description: "Key for google/… models (else GEMINI_API_KEY)",
    isSecret: true,
  },
  {
    name: "GOOGLE_GEMINI_BASE_URL",
    description: "Where the Gemini API is, if not at Google: a proxy, a test server",
    builtIn: "Google's",
    isRare: true,
  },
  {
    name: "GOOGLE_GENAI_USE_VERTEXAI",
    description: "Set to true to ask Vertex AI for google/… models",
    builtIn: "false",
    isRare: true,
  },
  { name: "GOOGLE_CLOUD_PROJECT", description: "The project that Vertex AI is asked for", isRare: true },
  { name: "GOOGLE_CLOUD_LOCATION", description: "The location of that project", builtIn: "global", isRare: true },
  { name: "GOOGLE_VERTEX_BASE_URL", description: "Where Vertex AI is", builtIn: "Google's", isRare: true },
  { name: "ANTHROPIC_API_KEY", description: "Key for anthropic/… models", isSecret: true },
  {
    name: "ANTHROPIC_BASE_URL",
    description: "Where the server of anthropic/… models is",
    builtIn: "Anthropic's",
    isRare: true,
  },
  { name: "OLLAMA_HOST", description: "Where Ollama is, for ollama/… models", builtIn: "127.0.0.1:11434" },
  {
    name: "OLLAMA_API_KEY",
    description: "Key for an Ollama that wants one, such as ollama.com",
    isSecret: true,
    isRare: true,
  },
  ...Object.values<CompatibleServer>(servers).flatMap(serverSettings),
  {
    name: "VIBE_MODEL",
    key: "defaultModel",
    description: "Model to use where --model is not given",
    builtIn: "google/gemini-2.5-flash if there is a key, else offline",
  },
  { name: "VIBE_PRESET", key: "preset", description: "Preset to use, one of [presets.NAME] in a configuration file" },
  {
    name: "VIBE_TEMPERATURE",
    key: "defaults.temperature",
    description: "How freely a model answers, from 0 on",
    builtIn: "the provider's",
  },
  {
    name: "VIBE_MAX_TOKENS",
    key: "defaults.maxTokens",
    description: "The most tokens of an answer",
    builtIn: "the model's",
  },
  { name: "VIBE_N", key: "defaults.n", description: "How many answers to ask for", builtIn: "1" },
  {
    name: "VIBE_MAX_RETRIES",
    key: "maxRetries",
    description: "How often to ask a provider again that fails; 0 for one request",
    builtIn: "3",
  },
  {
    name: "VIBE_MAX_WAIT",
    key: "maxWait",
    description: "The longest wait before that, in seconds; a provider that asks for more is given up",
    builtIn: "60",
  },
  {
    name: "VIBE_MAX_COST",
    key: "maxCost",
    description: "What a run may cost, in US dollars: the call that would pass it is not made",
  },
  {
    name: "VIBE_MAX_RUN_TOKENS",
    key: "maxRunTokens",
    description: "The most tokens a run may read and write in all",
  },
  {
    name: "VIBE_RECORD",
    key: "record",
    description: "The folder to which exchanges with providers are written, without keys",
  },
  { name: "VIBE_REPLAY", key: "replay", description: "The folder from which they are had again, without a network" },
  {
    name: "VIBE_WEB_SEARCH",
    key: "web_search.command",
    description:
      'A command that lets \'vibe discover\' search the web, ["program", "argument"]: reads the words on stdin, prints JSON of { title, url, snippet }',
    isRare: true,
  },
  {
    name: "VIBE_WEB_SEARCH_ENV",
    key: "web_search.env",
    description: 'The variables with keys that it needs, ["NAME"]; others it is not given',
    isRare: true,
  },
  {
    name: "VIBE_SAFE_FOLDERS",
    key: "safeFolders",
    description:
      'Folders whose .vibe is used though it belongs to another user, ["/srv/project", "/srv/team/*"]; ["*"] for all',
    isRare: true,
  },
  {
    name: "VIBE_MODELS_URL",
    description: "Where 'vibe models --refresh' gets what is known of models",
    builtIn: "https://models.dev/api.json",
    isRare: true,
  },
  {
    name: "XDG_CONFIG_HOME",
    description: "The folder under which your configuration is, vibe/config.toml",
    builtIn: "~/.config",
    isRare: true,
  },
  {
    name: "XDG_STATE_HOME",
    description: "The folder under which conversations are kept (default: ~/.local/state)",
    builtIn: "~/.local/state",
    isRare: true,
  },
  {
    name: "XDG_CACHE_HOME",
    description: "The folder under which fetched model data and the compiled program are kept",
    builtIn: "~/.cache",
    isRare: true,
  },
  {
    name: "VISUAL",
    otherName: "EDITOR",
    description: "Your editor, for what you say in vibe chat (else EDITOR)",
    builtIn: "vi",
    isRare: true,
  },
  { name: "NO_COLOR", description: "Set to anything to do without colours" },
]

/** What `vibe --help` says of them. */
export const descriptions: ReadonlyArray<readonly [name: string, description: string]> = settings
  .filter(({ isRare = false }) => !isRare)
  .map(({ description, name }) => [name, description])
