/** OpenAI-compatible servers and how they differ. */

/** A server and its deviations from OpenAI. */
export interface Dialect {
  /** The provider in model ids; also the key of its metadata in blocks. */
  readonly name: string
  /** The name shown to users. */
  readonly title: string
  /** With the version, without a trailing slash. */
  readonly baseUrl: string
  /** The environment variable of its key; none where it requires no key. */
  readonly keyVariable?: string | undefined
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
export const reasons = (model: string): boolean => /^(o\d|codex|gpt-([5-9]|\d\d)(?!.*chat))/.test(model)

const openAi: Dialect = {
  name: "openai",
  title: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  keyVariable: "OPENAI_API_KEY",
  maxTokensField: "max_completion_tokens",
  asksForUsage: true,
  reasons,
  thinking: "none",
  takesParts: true,
  callId: /^[\w-]{1,40}$/,
}

/** Defaults of most servers. */
const like = (dialect: Pick<Dialect, "name" | "title" | "baseUrl"> & Partial<Dialect>): Dialect => ({
  maxTokensField: "max_tokens",
  asksForUsage: true,
  thinking: "none",
  takesParts: true,
  callId: /^[\w.:-]{1,64}$/,
  ...dialect,
})

/** A server that runs on this machine by default. */
const local = (dialect: Pick<Dialect, "name" | "title" | "baseUrl">): Dialect =>
  like({ loads: true, writesCalls: true, thinking: "field", ...dialect })

/** By name. */
export const dialects = {
  openai: openAi,
  openrouter: like({
    name: "openrouter",
    title: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    thinking: "details",
  }),
  groq: like({
    name: "groq",
    title: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    maxTokensField: "max_completion_tokens",
  }),
  deepseek: like({
    name: "deepseek",
    title: "DeepSeek",
    baseUrl: "https://api.deepseek.com",
    keyVariable: "DEEPSEEK_API_KEY",
    thinking: "field",
    missesThinking: true,
    takesParts: false,
  }),
  mistral: like({
    name: "mistral",
    title: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    // It reports usage without a request.
    asksForUsage: false,
    thinking: "parts",
    callId: /^[a-zA-Z0-9]{9}$/,
  }),
  xai: like({
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
} satisfies Record<string, Dialect>

/**
 * A server that the user configured, with the defaults of most servers; thinking is sent back in the field it came
 * in.
 */
export const custom = (name: string, baseUrl: string, keyVariable: string | undefined): Dialect =>
  like({ name, title: name, baseUrl, keyVariable, loads: true, thinking: "field" })
