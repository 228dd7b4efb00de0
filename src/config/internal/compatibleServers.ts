/** The known OpenAI-compatible servers: the variables of their keys and addresses, and how settings describe them. */

export interface CompatibleServer {
  /** The provider in model ids. */
  readonly name: string
  /** The name shown to users. */
  readonly title: string
  readonly baseUrl: string
  /** The environment variable of its key; none where it requires no key. */
  readonly keyVariable?: string | undefined
  /** Whether it is the user's own. */
  readonly isLocal?: boolean | undefined
  /** How its models are described in settings; `NAME/… models` by default. */
  readonly modelNames?: string | undefined
}

/** By name, which is the provider in model ids. */
export const servers = {
  openai: {
    name: "openai",
    title: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    modelNames: "openai/… and openai-responses/… models",
  },
  openrouter: {
    name: "openrouter",
    title: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    modelNames: "openrouter/VENDOR/… models",
  },
  groq: { name: "groq", title: "Groq", baseUrl: "https://api.groq.com/openai/v1", keyVariable: "GROQ_API_KEY" },
  deepseek: {
    name: "deepseek",
    title: "DeepSeek",
    baseUrl: "https://api.deepseek.com",
    keyVariable: "DEEPSEEK_API_KEY",
  },
  mistral: {
    name: "mistral",
    title: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
  },
  xai: { name: "xai", title: "xAI", baseUrl: "https://api.x.ai/v1", keyVariable: "XAI_API_KEY" },
  lmstudio: { name: "lmstudio", title: "LM Studio", baseUrl: "http://localhost:1234/v1", isLocal: true },
  llamacpp: { name: "llamacpp", title: "llama.cpp", baseUrl: "http://localhost:8080/v1", isLocal: true },
  vllm: { name: "vllm", title: "vLLM", baseUrl: "http://localhost:8000/v1", isLocal: true },
} satisfies Record<string, CompatibleServer>

/** The name of a known server. */
export type KnownServer = keyof typeof servers

/** The environment variable that overrides the address of a server. */
export const urlVariableOf = ({ name }: CompatibleServer): string => `${name.toUpperCase()}_BASE_URL`
