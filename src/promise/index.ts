/** `vibe-index/promise`: the engines for programs without Effect. */
export * as AgentPlugin from "./AgentPlugin.ts"
export * as ChatEngine from "./ChatEngine.ts"
export * as ConversationEngine from "./ConversationEngine.ts"
export * as GenerateSession from "./GenerateSession.ts"
