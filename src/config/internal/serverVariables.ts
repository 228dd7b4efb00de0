/** Servers that speak as OpenAI does, by provider: the variables that hold their keys and their addresses. */

export interface ServerVariables {
  /** None where a server wants no key. */
  readonly keyVariable?: string
  readonly urlVariable: string
  /** What people call its models. */
  readonly models: string
  /** Where they are if nothing else is set. */
  readonly at: string
}

export const serverVariables = {
  openai: {
    keyVariable: "OPENAI_API_KEY",
    urlVariable: "OPENAI_BASE_URL",
    models: "openai/… and openai-responses/… models",
    at: "OpenAI's",
  },
  openrouter: {
    keyVariable: "OPENROUTER_API_KEY",
    urlVariable: "OPENROUTER_BASE_URL",
    models: "openrouter/VENDOR/… models",
    at: "OpenRouter's",
  },
  groq: { keyVariable: "GROQ_API_KEY", urlVariable: "GROQ_BASE_URL", models: "groq/… models", at: "Groq's" },
  deepseek: {
    keyVariable: "DEEPSEEK_API_KEY",
    urlVariable: "DEEPSEEK_BASE_URL",
    models: "deepseek/… models",
    at: "DeepSeek's",
  },
  mistral: {
    keyVariable: "MISTRAL_API_KEY",
    urlVariable: "MISTRAL_BASE_URL",
    models: "mistral/… models",
    at: "Mistral's",
  },
  xai: { keyVariable: "XAI_API_KEY", urlVariable: "XAI_BASE_URL", models: "xai/… models", at: "xAI's" },
  lmstudio: { urlVariable: "LMSTUDIO_BASE_URL", models: "lmstudio/… models", at: "http://localhost:1234/v1" },
  llamacpp: { urlVariable: "LLAMACPP_BASE_URL", models: "llamacpp/… models", at: "http://localhost:8080/v1" },
  vllm: { urlVariable: "VLLM_BASE_URL", models: "vllm/… models", at: "http://localhost:8000/v1" },
} satisfies Record<string, ServerVariables>
