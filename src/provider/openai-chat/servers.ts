/** Who speaks OpenAI's chat completions, where, and how they differ in what they take. */

/** What a server takes, and gives back otherwise than OpenAI. */
export interface Dialect {
  /** As in the ids of its models. What it wants back with a block is kept under this name, too. */
  readonly name: string
  /** As people write it. */
  readonly title: string
  /** Without a slash at its end, version included. */
  readonly baseUrl: string
  /** The variable that holds its key; none where it wants none. */
  readonly keyVariable?: string | undefined
  /** Whether it may have to load a model before it answers. */
  readonly loads?: boolean | undefined
  /** Whether its models may write a call as words, which it leaves as they are. */
  readonly writesCalls?: boolean | undefined
  /** What the longest answer is called. */
  readonly longest: "max_tokens" | "max_completion_tokens"
  /** Whether it is asked to count the tokens of a stream. */
  readonly asksForUsage: boolean
  /** Models that take no temperature, and their system prompt from the developer. */
  readonly reasons?: ((model: string) => boolean) | undefined
  /** How the thinking of its models goes back to them: in which field of a message, as parts of its content, or not. */
  readonly thinking: "details" | "field" | "parts" | "none"
  /** Whether calls without the thinking before them, as other models made them, are refused. */
  readonly missesThinking?: boolean | undefined
  /** Whether the content of a message may be in parts, as it is where several speak or something is shown. */
  readonly takesParts: boolean
  /** Ids of calls that it takes. */
  readonly callId: RegExp
  /** Thinking is not in its count of what was written. */
  readonly countsThinkingApart?: boolean | undefined
}

/** Whether it is one of OpenAI's models that think before they speak. */
export const reasons = (model: string): boolean => /^(o\d|codex|gpt-([5-9]|\d\d)(?!.*chat))/.test(model)

const openAi: Dialect = {
  name: "openai",
  title: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  keyVariable: "OPENAI_API_KEY",
  longest: "max_completion_tokens",
  asksForUsage: true,
  reasons,
  thinking: "none",
  takesParts: true,
  callId: /^[\w-]{1,40}$/,
}

/** What most of the others have in common. */
const like = (dialect: Pick<Dialect, "name" | "title" | "baseUrl"> & Partial<Dialect>): Dialect => ({
  longest: "max_tokens",
  asksForUsage: true,
  thinking: "none",
  takesParts: true,
  callId: /^[\w.:-]{1,64}$/,
  ...dialect,
})

/** A server that runs on this machine, unless its variable says where else. */
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
    longest: "max_completion_tokens",
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
    // It counts without being asked.
    asksForUsage: false,
    thinking: "parts",
    callId: /^[a-zA-Z0-9]{9}$/,
  }),
  xai: like({
    name: "xai",
    title: "xAI",
    baseUrl: "https://api.x.ai/v1",
    keyVariable: "XAI_API_KEY",
    longest: "max_completion_tokens",
    countsThinkingApart: true,
  }),
  lmstudio: local({ name: "lmstudio", title: "LM Studio", baseUrl: "http://localhost:1234/v1" }),
  llamacpp: local({ name: "llamacpp", title: "llama.cpp", baseUrl: "http://localhost:8080/v1" }),
  vllm: local({ name: "vllm", title: "vLLM", baseUrl: "http://localhost:8000/v1" }),
} satisfies Record<string, Dialect>

/** Of a server that only its user knows: it gets back what it gave, and takes what most take. */
export const custom = (name: string, baseUrl: string, keyVariable: string | undefined): Dialect =>
  like({ name, title: name, baseUrl, keyVariable, loads: true, thinking: "field" })
