/** A running session, as modes and slash commands use it. */
import type * as Effect from "effect/Effect"
import type * as Forest from "../forest/Forest.ts"
import type { Node } from "../forest/Node.ts"
import type { ContextUse } from "../loom/ContextUse.ts"
import type { Spending } from "../loom/Spending.ts"
import type * as Block from "../message/Block.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type * as ToolServers from "../tool/ToolServers.ts"
import type { SessionFailure } from "./SessionFailure.ts"
import type { Spent } from "./Spent.ts"
import type * as View from "./View.ts"

export interface Session {
  /** The owner of the conversation trees of its mode. */
  readonly owner: string
  readonly forest: Forest.Service
  readonly view: View.Opened
  /** The last node of the conversation; none before the first message. */
  readonly cursor: Effect.Effect<NodeId | undefined>
  /** The last message of the user on the path to the cursor, whole. */
  readonly lastUserMessage: Effect.Effect<Node | undefined, SessionFailure>
  readonly model: Effect.Effect<LanguageModel.Service>
  readonly tools: Effect.Effect<ToolRegistry.Service>
  readonly spent: Effect.Effect<Spent>
  /** How much of the context of the model the conversation takes; none before the first message. */
  readonly contextUse: Effect.Effect<ContextUse | undefined, SessionFailure>
  /** Adds what a command has spent to what the session has. */
  readonly recordSpending: (spending: Spending) => Effect.Effect<void>
  /** Continues from another node; none for a new conversation. */
  readonly moveTo: (to: NodeId | undefined) => Effect.Effect<void, SessionFailure>
  /**
   * Starts tool servers while the session goes on; their tools are added to those of `change` before the next message is
   * sent. With none, those that were to be added are not.
   */
  readonly serve: (servers: ToolServers.Service | undefined) => Effect.Effect<void>
  /** Continues from the cursor with another model, or other tools. */
  readonly change: (change: Partial<Settings>) => Effect.Effect<void, SessionFailure>
  /** Sends a message for the user, before those that are queued; after the node `at`, or the cursor without it. */
  readonly send: (text: string, at?: NodeId, pictures?: ReadonlyArray<Block.Image>) => Effect.Effect<void>
  /** Has a stored message answered once more, before the messages that are queued. */
  readonly answerAgain: (message: Node) => Effect.Effect<void, SessionFailure>
}

/** `exit`: the session ends. */
export type Next = "continue" | "exit"

/** What the user can change during a session. */
export interface Settings {
  readonly model: LanguageModel.Service
  readonly tools: ToolRegistry.Service
}
