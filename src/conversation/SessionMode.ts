/**
 * The behaviour of a chat, an interview, a PRD or a document: the backend that answers, and what happens after its
 * replies.
 */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Sink } from "../agent/TurnEvent.ts"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Root } from "../forest/Node.ts"
import type * as Block from "../message/Block.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { Next, Session } from "./Session.ts"
import type { SessionFailure } from "./SessionFailure.ts"
import type { SlashCommand } from "./slash/SlashCommand.ts"
import type * as View from "./View.ts"

export interface SessionMode {
  /** The owner of the mode's conversation trees. */
  readonly owner: string
  /** Continues from a node, or begins. It sends no request, and reads no more of the path than it must. */
  readonly open: (position: Position) => Effect.Effect<Backend, ForestError>
  /** True if messages may show pictures. */
  readonly takesPictures?: boolean | undefined
  /** The commands of the mode, in addition to those of every session. */
  readonly commands: ReadonlyArray<SlashCommand>
  /** Called after each complete answer. */
  readonly onReply: (reply: Reply, session: Session) => Effect.Effect<Next, SessionFailure>
  /** Called before the first input, and after each answer, be it complete, stopped or failed. */
  readonly onIdle?: ((session: Session) => Effect.Effect<Next, SessionFailure>) | undefined
  /** Called with each message before anything else. Returns undefined if the message is not for the mode itself. */
  readonly handleInput: (text: string, session: Session) => Effect.Effect<Next | undefined, SessionFailure>
}

/** The node that a backend starts from, and its model and tools. */
export interface Position {
  readonly from: NodeId | undefined
  readonly model: LanguageModel.Service
  readonly tools: ToolRegistry.Service
  /** Shows an entry at any time, such as a file that a tool has written. */
  readonly show: View.Opened["show"]
}

/** Answers messages: one of the façades in `engines/`, at one position of the tree. */
export interface Backend {
  /** The last node of the conversation. Undefined before the first message. */
  readonly cursor: Effect.Effect<NodeId | undefined>
  /** Stores a message and answers it. An interrupt stops the answer, and keeps the part that has arrived. */
  readonly send: (text: string, options: SendOptions) => Effect.Effect<Reply, SessionFailure>
}

interface SendOptions {
  /** Receives every event of the answer. */
  readonly onEvent: Sink
  /** Called with the node of the message once it is stored, before the first request. */
  readonly messageStored: (node: NodeId) => Effect.Effect<void>
  /** Evaluated before each further request of the answer: the messages sent in the meantime, or an empty text. */
  readonly meanwhile: Effect.Effect<string>
  /** Pictures that the message shows. Only modes that take pictures get any. */
  readonly pictures?: ReadonlyArray<Block.Image> | undefined
}

export interface Reply {
  readonly text: string
  /** The paths of written files as the tools report them, each once. */
  readonly filesWritten: ReadonlyArray<string>
  /** True if the model has declared the session complete. */
  readonly isComplete: boolean
}

/**
 * Makes the backend of a conversation without a message: its tree is made with the first one. `open` makes the backend
 * at the root of the new tree. If the first message cannot be stored, the tree may stay empty.
 */
export const openOnFirstMessage = (
  forest: Forest.Service,
  tree: Pick<Root, "owner" | "systemPrompt">,
  open: (root: NodeId) => Effect.Effect<Backend, ForestError>,
): Effect.Effect<Backend> =>
  Effect.map(Ref.make<Backend | undefined>(undefined), (opened): Backend => {
    const begin = Effect.flatMap(forest.startConversation(tree), ({ id }) => open(id)).pipe(
      Effect.tap((backend) => Ref.set(opened, backend)),
      Effect.uninterruptible,
    )
    return {
      cursor: Effect.flatMap(Ref.get(opened), (backend) => backend?.cursor ?? Effect.succeed(undefined)),
      send: (text, options) =>
        Effect.flatMap(Ref.get(opened), (backend) =>
          backend === undefined
            ? Effect.flatMap(begin, ({ send }) => send(text, options))
            : backend.send(text, options),
        ),
    }
  })
