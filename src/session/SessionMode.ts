/** What distinguishes one kind of conversation from another in the terminal: who takes part, and what comes of it. */
import type * as Effect from "effect/Effect"
import type { ForestError } from "../forest/ForestError.ts"
import type { TurnObserver } from "../loom/TurnObserver.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { Session } from "./Session.ts"
import type { SessionFailure } from "./SessionFailure.ts"
import type { SlashCommand } from "./slash/SlashCommand.ts"
import type * as View from "./View.ts"

export interface SessionMode {
  /** Whom its trees belong to. */
  readonly owner: string
  /** Goes on from a node, or begins. Asks nobody, and reads no more of the path than it must. */
  readonly open: (place: Position) => Effect.Effect<Backend, ForestError>
  /** Besides those that all have. */
  readonly commands: ReadonlyArray<SlashCommand>
  /** Follows each answer. */
  readonly onReply: (said: Reply, session: Session) => Effect.Effect<Next, SessionFailure>
  /** Looks at where things stand: before the person is heard first, and once an answer is there, whole, in part or not. */
  readonly onIdle?: ((session: Session) => Effect.Effect<Next, SessionFailure>) | undefined
  /** Looks at what the person says before anybody is asked: whether it was an answer to what vibe asked. */
  readonly handleInput: (text: string, session: Session) => Effect.Effect<Next | undefined, SessionFailure>
}

/** `over`: the person has what they came for, and the talk ends. */
export type Next = "continue" | "exit"

export interface Position {
  readonly from: NodeId | undefined
  readonly model: LanguageModel.Service
  readonly tools: ToolRegistry.Service
  /** Shows the person something at any time: of an answer, what it does besides words. */
  readonly show: View.Opened["show"]
}

/** The other side of a conversation: one of the façades, as it stands at one place. */
export interface Backend {
  /** Where the conversation stands: a node, or none before it has begun. */
  readonly cursor: Effect.Effect<NodeId | undefined>
  /**
   * Stores what the person says, and answers it. Interrupting it stops the answer; what of it was said is kept.
   */
  readonly send: (text: string, options: SendOptions) => Effect.Effect<Reply, SessionFailure>
}

export interface SendOptions {
  readonly observer: TurnObserver
  /** Called with the node of the message once it is stored, before the model is asked. */
  readonly messageStored: (node: NodeId) => Effect.Effect<void>
  /** What the person has said since, if the model can be told that while it works: nothing where it is blank. */
  readonly meanwhile: Effect.Effect<string>
}

export interface Reply {
  readonly text: string
  /** As the tools report them, each once. */
  readonly filesWritten: ReadonlyArray<string>
  /** The model has all that it wanted. */
  readonly isComplete: boolean
}
