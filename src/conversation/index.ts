/** `vibe-index/chat`: conversations with a model, interviews, documents that both sides edit, and PRDs. */

export * as ChatTools from "./ChatTools.ts"
export * as DiscoveryPrompt from "./DiscoveryPrompt.ts"
export * as Document from "./document/Document.ts"
export * as Merge from "./document/Merge.ts"
export * as ChatEngine from "./engines/ChatEngine.ts"
export {
  type ChatEvent,
  type ChatMessage,
  type ChatStatus,
  chunkText,
  statusText,
  type Timed,
} from "./engines/ChatEvent.ts"
export type { EngineOutput } from "./engines/ConversationEngine.ts"
export * as ConversationEngine from "./engines/ConversationEngine.ts"
export * as ConversationManager from "./engines/ConversationManager.ts"
export * as SessionError from "./engines/SessionError.ts"
export * as SessionManager from "./engines/SessionManager.ts"
export * as Prompt from "./Prompt.ts"
export * as OpenPoints from "./prd/OpenPoints.ts"
export * as Prd from "./prd/Prd.ts"
export * as PrdPrompt from "./prd/Prd.ts"
export * as PrdJson from "./prd/PrdJson.ts"
export * as PrdVersions from "./prd/PrdVersions.ts"
export * as Slug from "./prd/Slug.ts"
export type { MessageOptions } from "./Turn.ts"
export * as WebSearch from "./WebSearch.ts"
