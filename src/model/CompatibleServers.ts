/**
 * The known OpenAI-compatible servers: names, addresses, variables, and how they differ. Adding a server takes one
 * entry here, from which its adapter, its settings and its provider are derived.
 */

/** A server and its deviations from OpenAI. */
export interface CompatibleServer {
  /** The provider in model ids. It is also the key of the server's metadata in blocks. */
  readonly name: string
  /** The name shown to users. */
  readonly title: string
  /** The address with the version, without a trailing slash. */
  readonly baseUrl: string
  /** The environment variable of the key. Undefined if the server requires no key. */
  readonly keyVariable?: string | undefined
  /** True if the user runs the server: it is free of charge, and only it can report its limits. */
  readonly isLocal?: boolean | undefined
  /** Describes the models in settings. The default is `NAME/… models`. */
  readonly modelNames?: string | undefined
  /** True if the server may have to load a model before it answers. */
  readonly loads?: boolean | undefined
  /** True if the models may write tool calls as text. */
  readonly writesCalls?: boolean | undefined
  /** The field of the output limit. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens"
  /** True if usage has to be requested for streams. */
  readonly asksForUsage: boolean
  /** Returns whether a model accepts no temperature, and takes its system prompt as `developer`. */
  readonly reasons?: ((model: string) => boolean) | undefined
  /**
   * The form in which thinking is sent back: as `reasoning_details`, in the field it came in, as content parts, or not
   * at all.
   */
  readonly thinking: "details" | "field" | "parts" | "none"
  /** True if the server rejects calls without preceding thinking, such as those of other models. */
  readonly missesThinking?: boolean | undefined
  /** True if message content may be an array of parts, as required for images. */
  readonly takesParts: boolean
  /** Matches valid ids of calls. */
  readonly callId: RegExp
  /** True if the server's output count excludes thinking. */
  readonly countsThinkingApart?: boolean | undefined
}

/** Returns whether a model of OpenAI is a reasoning model. */
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

/** Adds the defaults of most servers. */
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

/** The servers by name, which is the provider in model ids. */
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
    // Mistral reports usage without a request.
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
 * Describes a server that the user configured, with the defaults of most servers. Thinking is sent back in the field it
 * came in.
 */
export const custom = (name: string, baseUrl: string, keyVariable: string | undefined): CompatibleServer =>
  withDefaults({ name, title: name, baseUrl, keyVariable, loads: true, thinking: "field" })

/** The name of a known server. */
export type KnownServer = keyof typeof servers

/** The environment variable that overrides the address of a server. */
export const urlVariableOf = ({ name }: CompatibleServer): string => `${name.toUpperCase()}_BASE_URL`
