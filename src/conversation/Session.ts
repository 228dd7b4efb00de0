/** A running session, as modes and slash commands use it. */
import type * as Effect from "effect/Effect"
import type { ContextUse } from "../agent/ContextUse.ts"
import type { Spending } from "../agent/Spending.ts"
import type * as Forest from "../forest/Forest.ts"
import type { Node } from "../forest/Node.ts"
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
  /** The last node of the conversation. Undefined before the first message. */
  readonly cursor: Effect.Effect<NodeId | undefined>
  /** The last message of the user on the path to the cursor, whole. */
  readonly lastUserMessage: Effect.Effect<Node | undefined, SessionFailure>
  readonly model: Effect.Effect<LanguageModel.Service>
  readonly tools: Effect.Effect<ToolRegistry.Service>
  readonly spent: Effect.Effect<Spent>
  /** How much of the model's context the conversation takes. Undefined before the first message. */
  readonly contextUse: Effect.Effect<ContextUse | undefined, SessionFailure>
  /** Adds the spending of a command to that of the session. */
  readonly recordSpending: (spending: Spending) => Effect.Effect<void>
  /** Continues from another node, or begins a new conversation if it is undefined. */
  readonly moveTo: (to: NodeId | undefined) => Effect.Effect<void, SessionFailure>
  /**
   * Starts tool servers while the session goes on. Their tools are added to those of `change` before the next message
   * is sent. If `servers` is undefined, tools that still wait to be added are dropped.
   */
  readonly serve: (servers: ToolServers.Service | undefined) => Effect.Effect<void>
  /** Continues from the cursor with another model, or other tools. */
  readonly change: (change: Partial<Settings>) => Effect.Effect<void, SessionFailure>
  /**
   * Sends a message for the user, before the messages that are queued. It follows the node `at`, or the cursor if that
   * is omitted.
   */
  readonly send: (text: string, at?: NodeId, pictures?: ReadonlyArray<Block.Image>) => Effect.Effect<void>
  /** Requests another answer to a stored message, before the messages that are queued. */
  readonly answerAgain: (message: Node) => Effect.Effect<void, SessionFailure>
}

/** `exit` ends the session. */
export type Next = "continue" | "exit"

/** The settings that the user can change during a session. */
export interface Settings {
  readonly model: LanguageModel.Service
  readonly tools: ToolRegistry.Service
}
