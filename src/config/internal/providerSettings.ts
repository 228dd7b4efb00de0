/** The settings of providers, as a part of the table of settings. Only the environment can set them. */
import { type CompatibleServer, urlVariableOf } from "../../model/CompatibleServers.ts"
import type { EnvironmentSetting } from "../Setting.ts"
import * as ValueType from "./valueType.ts"

/** Returns the settings for the key of a server, if it has one, and for its address. */
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

/** The settings of the providers with an interface of their own, by the names that the providers' own programs read. */
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
