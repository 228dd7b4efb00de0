/**
 * The known OpenAI-compatible servers: names, addresses, variables, and how they differ. Adding a server is one entry here:
 * its adapter, its settings and its provider are derived from it.
 */

/** A server and its deviations from OpenAI. */
export interface CompatibleServer {
  /** The provider in model ids; also the key of its metadata in blocks. */
  readonly name: string
  /** The name shown to users. */
  readonly title: string
  /** With the version, without a trailing slash. */
  readonly baseUrl: string
  /** The environment variable of its key; none where it requires no key. */
  readonly keyVariable?: string | undefined
  /** Whether the user runs it: free of charge, with limits that only the server can report. */
  readonly isLocal?: boolean | undefined
  /** How its models are described in settings; `NAME/… models` by default. */
  readonly modelNames?: string | undefined
  /** Whether it may have to load a model before it answers. */
  readonly loads?: boolean | undefined
  /** Whether its models may write tool calls as text. */
  readonly writesCalls?: boolean | undefined
  /** The field of the output limit. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens"
  /** Whether usage has to be requested for streams. */
  readonly asksForUsage: boolean
  /** Whether a model accepts no temperature, and takes its system prompt as `developer`. */
  readonly reasons?: ((model: string) => boolean) | undefined
  /** How thinking is sent back: as `reasoning_details`, in the field it came in, as content parts, or not at all. */
  readonly thinking: "details" | "field" | "parts" | "none"
  /** Whether calls without preceding thinking, such as those of other models, are rejected. */
  readonly missesThinking?: boolean | undefined
  /** Whether message content may be an array of parts, as required for images. */
  readonly takesParts: boolean
  /** Valid ids of calls. */
  readonly callId: RegExp
  /** Whether its output count excludes thinking. */
  readonly countsThinkingApart?: boolean | undefined
}

/** Whether a model of OpenAI is a reasoning model. */
export const isReasoningModel = (model: string): boolean => /^(o\d|codex|gpt-([5-9]|\d\d)(?!.*chat))/.test(model)

const openAi: CompatibleServer = {
  name: "openai",
  title: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  keyVariable: "OPENAI_API_KEY",
  modelNames: "openai/… and openai-responses/… models",
  maxTokensField: "max_completion_tokens",
  asksForUsage: true,
  reasons: isReasoningModel,
  thinking: "none",
  takesParts: true,
  callId: /^[\w-]{1,40}$/,
}

/** Defaults of most servers. */
const withDefaults = (
  server: Pick<CompatibleServer, "name" | "title" | "baseUrl"> & Partial<CompatibleServer>,
): CompatibleServer => ({
  maxTokensField: "max_tokens",
  asksForUsage: true,
  thinking: "none",
  takesParts: true,
  callId: /^[\w.:-]{1,64}$/,
  ...server,
})

/** A server that runs on this machine by default. */
const local = (server: Pick<CompatibleServer, "name" | "title" | "baseUrl">): CompatibleServer =>
  withDefaults({ isLocal: true, loads: true, writesCalls: true, thinking: "field", ...server })

/** By name, which is the provider in model ids. */
export const servers = {
  openai: openAi,
  openrouter: withDefaults({
    name: "openrouter",
    title: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    modelNames: "openrouter/VENDOR/… models",
    thinking: "details",
  }),
  groq: withDefaults({
    name: "groq",
    title: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    maxTokensField: "max_completion_tokens",
  }),
  deepseek: withDefaults({
    name: "deepseek",
    title: "DeepSeek",
    baseUrl: "https://api.deepseek.com",
    keyVariable: "DEEPSEEK_API_KEY",
    thinking: "field",
    missesThinking: true,
    takesParts: false,
  }),
  mistral: withDefaults({
    name: "mistral",
    title: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    // It reports usage without a request.
    asksForUsage: false,
    thinking: "parts",
    callId: /^[a-zA-Z0-9]{9}$/,
  }),
  xai: withDefaults({
    name: "xai",
    title: "xAI",
    baseUrl: "https://api.x.ai/v1",
    keyVariable: "XAI_API_KEY",
    maxTokensField: "max_completion_tokens",
    countsThinkingApart: true,
  }),
  lmstudio: local({ name: "lmstudio", title: "LM Studio", baseUrl: "http://localhost:1234/v1" }),
  llamacpp: local({ name: "llamacpp", title: "llama.cpp", baseUrl: "http://localhost:8080/v1" }),
  vllm: local({ name: "vllm", title: "vLLM", baseUrl: "http://localhost:8000/v1" }),
} satisfies Record<string, CompatibleServer>

/**
 * A server that the user configured, with the defaults of most servers; thinking is sent back in the field it came
 * in.
 */
export const custom = (name: string, baseUrl: string, keyVariable: string | undefined): CompatibleServer =>
  withDefaults({ name, title: name, baseUrl, keyVariable, loads: true, thinking: "field" })

/** The name of a known server. */
export type KnownServer = keyof typeof servers

/** The environment variable that overrides the address of a server. */
export const urlVariableOf = ({ name }: CompatibleServer): string => `${name.toUpperCase()}_BASE_URL`
