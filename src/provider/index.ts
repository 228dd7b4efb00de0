/**
 * `vibe-index/provider`: language models by provider, programs that answer, recordings, and models for tests. Models of
 * `@effect/ai` are in `vibe-index/effect-ai`, since that package is optional.
 */
export * as AgentCassette from "./agents/AgentCassette.ts"
export * as CliAgent from "./agents/CliAgent.ts"
export type * as Decoder from "./agents/events/Decoder.ts"
export type { KnownAgent } from "./agents/knownAgents.ts"
export * as Anthropic from "./anthropic/Anthropic.ts"
export * as Gemini from "./gemini/Gemini.ts"
export * as GeminiEmbedder from "./gemini/GeminiEmbedder.ts"
export * as Offline from "./offline/Offline.ts"
export * as Ollama from "./ollama/Ollama.ts"
export * as OllamaEmbedder from "./ollama/OllamaEmbedder.ts"
export * as OpenAiCompatible from "./openai-chat/OpenAiCompatible.ts"
export * as OpenAiEmbedder from "./openai-chat/OpenAiEmbedder.ts"
export * as OpenAiResponses from "./openai-responses/OpenAiResponses.ts"
export * as Scripted from "./scripted/Scripted.ts"
export * as Cassette from "./transport/Cassette.ts"
export type { Fetch } from "./transport/http.ts"
