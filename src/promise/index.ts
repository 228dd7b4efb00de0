/** `vibe-index/promise`: the index and the engines for programs without Effect. */
export * as AgentPlugin from "./AgentPlugin.ts"
export * as ChatEngine from "./ChatEngine.ts"
export * as CodeIndex from "./CodeIndex.ts"
export * as ConversationEngine from "./ConversationEngine.ts"
export * as ConversationManager from "./ConversationManager.ts"
export * as GenerateSession from "./GenerateSession.ts"
export type { Kernel } from "./internal/kernel.ts"
export * as SessionManager from "./SessionManager.ts"
