/**
 * The library: what most programs need. The other public modules are under subpaths, one for each room: `code`,
 * `model`, `provider`, `tools`, `forest`, `chat`, `mcp`, `cluster`, `promise` (without Effect) and `effect-ai`.
 */

// The index.

export * as Indexing from "./app/Indexing.ts"
export type * as Batch from "./explore/Batch.ts"
export * as ExplorationTools from "./explore/ExplorationTools.ts"
export * as ExplorerError from "./explore/ExplorerError.ts"
export * as IndexEvent from "./explore/IndexEvent.ts"
export type { AfterRun, EndedRun } from "./explore/IndexingOrchestrator.ts"
export * as IndexingOrchestrator from "./explore/IndexingOrchestrator.ts"
export * as IndexObserver from "./explore/IndexObserver.ts"
export * as Report from "./explore/Report.ts"
export type * as Coverage from "./index/Coverage.ts"
export * as Embedding from "./index/Embedding.ts"
export * as Freshness from "./index/Freshness.ts"
export * as IndexEntry from "./index/IndexEntry.ts"
export * as IndexError from "./index/IndexError.ts"
export * as SqliteIndexStore from "./index/IndexStore/Sqlite.ts"
export * as IndexStore from "./index/IndexStore.ts"
export * as NearestSymbols from "./index/NearestSymbols.ts"
export type { RefreshProgress, RunProgress } from "./index/RunProgress.ts"
export type { ModelReport, WikiReport } from "./index/WikiReport.ts"

// Conversations.

export * as ContextUse from "./agent/ContextUse.ts"
export * as GenerateError from "./agent/GenerateError.ts"
export type { GenerateEvent } from "./agent/GenerateEvent.ts"
export type { Additions, GenerateOptions } from "./agent/GenerateOptions.ts"
export * as LoomEngine from "./agent/LoomEngine.ts"
export * as Spending from "./agent/Spending.ts"
export * as Summary from "./agent/Summary.ts"
export * as TurnEvent from "./agent/TurnEvent.ts"
export * as ChatEngine from "./conversation/engines/ChatEngine.ts"
export type { ChatEvent, ChatMessage, ChatStatus, Timed } from "./conversation/engines/ChatEvent.ts"
export type { EngineOutput } from "./conversation/engines/ConversationEngine.ts"
export * as ConversationEngine from "./conversation/engines/ConversationEngine.ts"
export * as ConversationManager from "./conversation/engines/ConversationManager.ts"
export * as SessionError from "./conversation/engines/SessionError.ts"
export * as SessionManager from "./conversation/engines/SessionManager.ts"
export * as Forest from "./forest/Forest.ts"
export * as ForestError from "./forest/ForestError.ts"
export * as SqliteForestStore from "./forest/ForestStore/Sqlite.ts"
export * as ForestStore from "./forest/ForestStore.ts"

// Messages and models.

export type { Json, JsonObject } from "./base/Json.ts"
export * as Block from "./message/Block.ts"
export * as Ids from "./message/Ids.ts"
export * as Message from "./message/Message.ts"
export * as ModelId from "./message/ModelId.ts"
export * as NodeId from "./message/NodeId.ts"
export * as FinishReason from "./message/Usage.ts"
export * as Usage from "./message/Usage.ts"
export * as Agent from "./model/AgentProgram.ts"
export * as LanguageModel from "./model/LanguageModel.ts"
export * as ModelError from "./model/ModelError.ts"
export * as ModelRegistry from "./model/ModelRegistry.ts"
export * as Reply from "./model/Reply.ts"
export type { Request } from "./model/Request.ts"
export * as RetryPolicy from "./model/Retry.ts"
export type * as Thinking from "./model/Thinking.ts"

// Files and tools.

export * as FileError from "./code/FileError.ts"
export * as Files from "./code/Files.ts"
export * as Symbols from "./code/Symbols.ts"
export * as Workspace from "./code/Workspace.ts"
export type { ToolChoice } from "./model/Request.ts"
export type * as Parameters from "./tool/Parameters.ts"
export type { ToolContext } from "./tool/Tool.ts"
export * as Tool from "./tool/Tool.ts"
export * as ToolError from "./tool/ToolError.ts"
export * as ToolRegistry from "./tool/ToolRegistry.ts"
export * as ToolResult from "./tool/ToolResult.ts"
