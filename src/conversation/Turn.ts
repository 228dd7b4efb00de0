/**
 * A turn of a conversation: a message of the user, and all rounds of the model until its answer. The engines answer the
 * messages that `storeMessage` has stored with this module. Sessions and pages follow a turn with its fold.
 */
import * as Effect from "effect/Effect"
import type { GenerateError } from "../agent/GenerateError.ts"
import type { Additions, GenerateOptions } from "../agent/GenerateOptions.ts"
import { CONVERSATION_ROUNDS } from "../agent/rounds.ts"
import * as Spending from "../agent/Spending.ts"
import { broadcast, type NodeKind, replyText, type Sink, type TurnEvent } from "../agent/TurnEvent.ts"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import type * as Block from "../message/Block.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Price } from "../model/ModelEntry.ts"
import * as SessionComplete from "./engines/SessionComplete.ts"
import { BlankMessage, type Reason, SessionError } from "./engines/SessionError.ts"
import { userDraft } from "./storeMessage.ts"

/**
 * The limits of a turn that a user watches, in the terminal and on a page. It has no time limit: the user
 * sees the time, and can stop it.
 */
export const LIMITS = { maxToolIterations: CONVERSATION_ROUNDS, summarizes: true } as const

/** The options of a turn that all engines have. */
export interface MessageOptions {
  /** Receives every event of the turn, even if the turn fails. */
  readonly onEvent?: Sink | undefined
  /** Called with the node of the message once it is stored, before the first request. */
  readonly messageStored?: ((node: NodeId) => Effect.Effect<void>) | undefined
  /**
   * Evaluated before each request but the first: the text that the user has sent in the meantime, or a blank text. It
   * is stored, and the model receives it with the results of its tools.
   */
  readonly meanwhile?: Effect.Effect<string> | undefined
}

/** Fails with the reason for which a message is refused. */
export const refuse = (reason: Reason): Effect.Effect<never, SessionError> => Effect.fail(new SessionError({ reason }))

/** Refuses a message that has only white space, and no picture. */
export const requireText = (
  message: string,
  pictures: ReadonlyArray<Block.Image> = [],
): Effect.Effect<void, SessionError> =>
  message.trim() === "" && pictures.length === 0 ? refuse(new BlankMessage()) : Effect.void

/** How the agent loop answers a message: its own options, and what a turn needs besides. */
export interface Rounds
  extends Omit<GenerateOptions, "text" | "n" | "keepUnfinished" | "meanwhile">,
    Pick<MessageOptions, "meanwhile"> {
  /**
   * Called with each stored node that the conversation continues after. A summary is none: a message that failed is
   * sent again from its own node, and its summary is found below it.
   */
  readonly advance: (node: Node, kind: NodeKind) => Effect.Effect<void>
  /**
   * Makes the additions to a request from the messages that the user has sent meanwhile, which it stores below
   * `cursor`. By default they are these messages alone.
   */
  readonly additions?:
    | ((
        store: Effect.Effect<ReadonlyArray<Node>, ForestError>,
        cursor: NodeId,
      ) => Effect.Effect<Additions, ForestError>)
    | undefined
}

/**
 * Returns the options by which the agent loop answers the stored message `asked`: it receives what the user sends
 * meanwhile, and keeps the text of a reply that is interrupted.
 */
export const roundsAfter = (
  forest: Forest.Service,
  asked: NodeId,
  { additions = messagesAlone, advance, meanwhile, onEvent, ...options }: Rounds,
): GenerateOptions => ({
  ...options,
  keepUnfinished: true,
  meanwhile: (cursor) => additions(storeMeanwhile(forest, asked, cursor, meanwhile), cursor),
  onEvent: broadcast(
    (event) =>
      event._tag === "NodeStored" && event.kind !== "summary" ? advance(event.node, event.kind) : Effect.void,
    onEvent,
  ),
})

const messagesAlone: NonNullable<Rounds["additions"]> = (store) =>
  Effect.map(store, (nodes) => ({ nodes, trailing: [] }))

/**
 * Stores the messages that the user has sent in the meantime, unless they are blank. While the cursor is still at the
 * message that is answered, before the first request, nothing is taken.
 */
const storeMeanwhile = (
  forest: Forest.Service,
  asked: NodeId,
  cursor: NodeId,
  take: Effect.Effect<string> = Effect.succeed(""),
): Effect.Effect<ReadonlyArray<Node>, ForestError> =>
  cursor === asked
    ? Effect.succeed([])
    : Effect.flatMap(take, (text) =>
        text.trim() === "" ? Effect.succeed([]) : forest.append(cursor, [userDraft(text)], { distinct: true }),
      )

/** Makes one text of the messages that a turn takes meanwhile. */
export const joinTexts = (messages: ReadonlyArray<{ readonly text: string }>): string =>
  messages.map(({ text }) => text).join("\n\n")

/** The state of a turn: a fold of its events. */
export interface State {
  /** The text of the reply that is in progress. */
  readonly replyText: string
  /** The node of the latest reply, and its text. */
  readonly reply: NodeId | undefined
  readonly text: string
  /** The text of the last reply that had text as well as tool calls. */
  readonly aside: string
  /** The paths of written files as the tools report them, in the order of their first write. */
  readonly filesWritten: ReadonlySet<string>
  /** True if the model has declared the session complete. */
  readonly isComplete: boolean
  readonly failure: GenerateError | undefined
  readonly spending: Spending.Spending
  /** The request whose reply is not complete. */
  readonly pending: Spending.Pending | undefined
}

export const initial: State = {
  replyText: "",
  reply: undefined,
  text: "",
  aside: "",
  filesWritten: new Set(),
  isComplete: false,
  failure: undefined,
  spending: Spending.zero,
  pending: undefined,
}

/** Adds one event of the turn. */
export const step = (state: State, event: TurnEvent): State => {
  const next: State = {
    ...state,
    replyText: replyText(state.replyText, event),
    spending: Spending.step(state.spending, event),
    pending: Spending.pending(state.pending, event),
  }
  switch (event._tag) {
    case "NodeStored":
      return event.kind === "reply" ? withReply(next, event.node) : withResult(next, event.node)
    case "RunFailed": {
      // A turn that is stopped by a signal fails, but its last request is still charged.
      const isStopped = event.error._tag === "GenerationAbortedError"
      return { ...next, failure: event.error, pending: isStopped ? state.pending : undefined }
    }
    default:
      return next
  }
}

const withReply = (state: State, { id, message }: Node): State => {
  const text = Message.text(message)
  const isAside = Message.toolUses(message).length > 0 && text.trim() !== ""
  return { ...state, reply: id, text, aside: isAside ? text : state.aside }
}

const withResult = (state: State, { message, source }: Node): State => {
  if (source.type !== "tool" || message.role !== "tool") return state
  return {
    ...state,
    filesWritten: new Set([...state.filesWritten, ...(source.filesWritten ?? [])]),
    // The call fails if the tool is not offered, and then nothing is complete.
    isComplete: state.isComplete || (source.tool === SessionComplete.NAME && message.isError !== true),
  }
}

/**
 * Returns what a turn costs, and whether that is an estimate. The provider charges for a stopped reply, too,
 * but has not reported its tokens.
 */
export const charge = (
  { pending, spending }: Pick<State, "pending" | "spending">,
  { price, wasStopped }: { readonly price: Price | undefined; readonly wasStopped: boolean },
): { readonly spending: Spending.Spending; readonly isEstimated: boolean } =>
  wasStopped && pending !== undefined
    ? {
        spending: Spending.add(spending, Spending.estimate(pending, price)),
        isEstimated: pending.usage === undefined,
      }
    : { spending, isEstimated: false }
