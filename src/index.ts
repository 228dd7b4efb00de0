/**
 * The library: what most programs need. The other public modules are under subpaths, one for each room: `code`, `model`,
 * `provider`, `tools`, `forest`, `chat`, `promise` (without Effect) and `effect-ai`.
 */

// The index.

export * as Indexing from "./app/Indexing.ts"
export type * as Batch from "./indexing/Batch.ts"
export type * as Coverage from "./indexing/Coverage.ts"
export * as Embedding from "./indexing/Embedding.ts"
export * as ExplorationTools from "./indexing/ExplorationTools.ts"
export * as ExplorerError from "./indexing/ExplorerError.ts"
export * as Freshness from "./indexing/Freshness.ts"
export * as IndexEntry from "./indexing/IndexEntry.ts"
export * as IndexError from "./indexing/IndexError.ts"
export * as IndexEvent from "./indexing/IndexEvent.ts"
export * as IndexingOrchestrator from "./indexing/IndexingOrchestrator.ts"
export * as IndexObserver from "./indexing/IndexObserver.ts"
export * as SqliteIndexStore from "./indexing/IndexStore/Sqlite.ts"
export * as IndexStore from "./indexing/IndexStore.ts"
export * as NearestSymbols from "./indexing/NearestSymbols.ts"
export type { RefreshProgress } from "./indexing/RefreshProgress.ts"
export * as Report from "./indexing/Report.ts"
export type { RunProgress } from "./indexing/RunProgress.ts"

// Conversations.

export * as ChatEngine from "./chat/ChatEngine.ts"
export type { ChatEvent, ChatMessage, ChatStatus, Timed } from "./chat/ChatEvent.ts"
export * as ConversationEngine from "./chat/ConversationEngine.ts"
export * as ConversationManager from "./chat/ConversationManager.ts"
export type { EngineOutput } from "./chat/EngineOutput.ts"
export * as SessionError from "./chat/SessionError.ts"
export * as SessionManager from "./chat/SessionManager.ts"
export * as Forest from "./forest/Forest.ts"
export * as ForestError from "./forest/ForestError.ts"
export * as SqliteForestStore from "./forest/ForestStore/Sqlite.ts"
export * as ForestStore from "./forest/ForestStore.ts"
export * as ContextUse from "./loom/ContextUse.ts"
export * as GenerateError from "./loom/GenerateError.ts"
export type { GenerateEvent } from "./loom/GenerateEvent.ts"
export type { Additions, GenerateOptions } from "./loom/GenerateOptions.ts"
export * as LoomEngine from "./loom/LoomEngine.ts"
export * as Spending from "./loom/Spending.ts"
export * as Summary from "./loom/Summary.ts"
export * as TurnEvent from "./loom/TurnEvent.ts"

// Messages and models.

export * as Block from "./message/Block.ts"
export * as FinishReason from "./message/FinishReason.ts"
export * as Ids from "./message/Ids.ts"
export type { Json, JsonObject } from "./message/Json.ts"
export * as Message from "./message/Message.ts"
export * as ModelId from "./message/ModelId.ts"
export * as NodeId from "./message/NodeId.ts"
export * as Usage from "./message/Usage.ts"
export * as Agent from "./model/Agent.ts"
export * as LanguageModel from "./model/LanguageModel.ts"
export * as ModelError from "./model/ModelError.ts"
export * as ModelRegistry from "./model/ModelRegistry.ts"
export * as Reply from "./model/Reply.ts"
export type { Request } from "./model/Request.ts"
export * as RetryPolicy from "./model/RetryPolicy.ts"
export type * as Thinking from "./model/Thinking.ts"

// Files and tools.

export * as FileError from "./code/FileError.ts"
export * as Files from "./code/Files.ts"
export * as Symbols from "./code/Symbols.ts"
export * as Workspace from "./code/Workspace.ts"
export type * as Parameters from "./tool/Parameters.ts"
export * as Tool from "./tool/Tool.ts"
export type { ToolChoice } from "./tool/ToolChoice.ts"
export type { ToolContext } from "./tool/ToolContext.ts"
export * as ToolError from "./tool/ToolError.ts"
export * as ToolRegistry from "./tool/ToolRegistry.ts"
export * as ToolResult from "./tool/ToolResult.ts"
