/** A conversation as it stands in the terminal, and what commands can do with it. */
import type * as Effect from "effect/Effect"
import type * as Forest from "../forest/Forest.ts"
import type { Node } from "../forest/Node.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { SessionFailure } from "./SessionFailure.ts"
import type { SessionMode } from "./SessionMode.ts"
import type * as View from "./View.ts"

export interface Session {
  readonly mode: SessionMode
  readonly forest: Forest.Service
  readonly view: View.Opened
  /** Where it stands; none before it has begun. */
  readonly cursor: Effect.Effect<NodeId | undefined>
  /** What the person said last on the way there, if anything. */
  readonly lastUserMessage: Effect.Effect<Node | undefined, SessionFailure>
  readonly model: Effect.Effect<LanguageModel.Service>
  readonly tools: Effect.Effect<ToolRegistry.Service>
  /** Goes on from another place; none for the beginning. */
  readonly moveTo: (to: NodeId | undefined) => Effect.Effect<void, SessionFailure>
  /** Goes on with another model, or other tools, from where it stands. */
  readonly change: (change: Partial<Settings>) => Effect.Effect<void, SessionFailure>
  /** Says something in the person's name, before what waits already: `at` a place, if not where things stand then. */
  readonly send: (text: string, at?: NodeId) => Effect.Effect<void>
  /** Has a message of the person's answered again, as it was said; before what waits already. */
  readonly answerAgain: (said: Node) => Effect.Effect<void>
}

export interface Settings {
  readonly model: LanguageModel.Service
  readonly tools: ToolRegistry.Service
}
