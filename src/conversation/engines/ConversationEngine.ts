/**
 * An interview: a conversation between a user, a model and its tools, with one output for each message. It reads no
 * input and prints nothing; that is up to the caller, such as a terminal or a server.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type { GenerateError } from "../../agent/GenerateError.ts"
import * as LoomEngine from "../../agent/LoomEngine.ts"
import { CONVERSATION_ROUNDS } from "../../agent/rounds.ts"
import { broadcast, type Sink } from "../../agent/TurnEvent.ts"
import { makeMutexIfFree } from "../../base/mutex.ts"
import * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Node } from "../../forest/Node.ts"
import type * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import { storeMessage } from "../storeMessage.ts"
import * as Turn from "../Turn.ts"
import * as SessionComplete from "./SessionComplete.ts"
import { SessionAlreadyStarted, SessionBusy, type SessionError, SessionNotStarted } from "./SessionError.ts"

/**
 * Leads an interview: each message of the user gives one output, with the answer, the files that were written, and
 * whether the interview is done.
 *
 * When to use it: if a model works towards an end, such as a document, and says itself when it has got there, as in
 * `vibe discover`. `ChatEngine` has no end and streams its answers.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Layer } from "effect"
 * import { ConversationEngine, Forest, Ids, LoomEngine, SqliteForestStore } from "vibe-index"
 * import { Scripted } from "vibe-index/provider"
 *
 * const program = Effect.gen(function* () {
 *   const interview = yield* ConversationEngine.make({
 *     model: yield* Scripted.make(["Which colour?", Scripted.calls(["session_complete"]), "Blue it is."]),
 *     systemPrompt: "Find out what to paint.",
 *     codebasePath: "/repo",
 *   })
 *   const question = yield* interview.start("Paint the door.")
 *   const answer = yield* interview.respond("Blue.")
 *   for (const { done, text } of [question, answer]) yield* Console.log(`${text} ${done ? "Done." : "Go on."}`)
 * })
 *
 * const vibe = LoomEngine.layer.pipe(
 *   Layer.provideMerge(Forest.layer),
 *   Layer.provide([Scripted.layer([]), SqliteForestStore.layerMemory, Ids.layer]),
 * )
 * await Effect.runPromise(Effect.provide(program, vibe))
 * // prints: Which colour? Go on.
 * // prints: Blue it is. Done.
 * ```
 */
export class ConversationEngine extends Context.Tag("vibe/conversation/engines/ConversationEngine")<
  ConversationEngine,
  Service
>() {}

/**
 * One session. Each message is stored in the forest before a request is sent, and the session continues after the last
 * node of a turn, however the turn ends. A message whose turn failed is sent with the next one, followed by a notice
 * that it was not answered; if the next one has the same text, it is the same message. If a reply is interrupted, the
 * text so far is stored.
 */
export interface Service {
  /** Begins the session with the user's first message. Fails with `SessionAlreadyStarted` if it has begun. */
  readonly start: (userMessage: string, options?: Options) => Effect.Effect<EngineOutput, ConversationError>
  /** Answers the user's next message. Fails with `SessionNotStarted` before `start`. */
  readonly respond: (userMessage: string, options?: Options) => Effect.Effect<EngineOutput, ConversationError>
  /** The whole state of the session: the system prompt first, then all messages. Empty before `start`. */
  readonly messages: Effect.Effect<ReadonlyArray<Message.Message>, ForestError>
  /** The node that the session continues after. None before `start`. */
  readonly cursor: Effect.Effect<Option.Option<NodeId>>
}

export type Options = Turn.MessageOptions

/** The output of one message to a `ConversationEngine`. */
export interface EngineOutput {
  /** The answer, for the user. */
  readonly text: string
  /**
   * The paths that tools have written in this turn, as they report them, each once in the order of its first write.
   * Absent if nothing was written.
   */
  readonly files_written?: ReadonlyArray<string>
  /** True if the model has declared the session complete in this turn. The session can continue all the same. */
  readonly done: boolean
}

/** The parts of an engine. */
export interface Config {
  readonly model: LanguageModel.Service
  /**
   * The tools that are offered to the model. By default they are those of the `ToolRegistry` that the loop was built
   * with, if any. `session_complete` is offered as well, unless they have a tool of that name.
   */
  readonly tools?: ToolRegistry.Service | undefined
  /** The system prompt, which is sent unchanged. */
  readonly systemPrompt: string
  /** The folder that the session is about. Sessions about different folders share no nodes. */
  readonly codebasePath: string
  /**
   * The node to continue after. The session counts as started then, and `respond` is next. The system prompt of its
   * tree is used. A message at its end that has no reply is sent with the next one.
   */
  readonly from?: NodeId | undefined
  /** Has the model summarise older turns when its context is nearly full; see `GenerateOptions`. Off by default. */
  readonly summarizes?: boolean | undefined
}

/**
 * The errors of a turn: with a `SessionError` the message was refused. With any other error it was stored, and its turn
 * failed.
 */
export type ConversationError = SessionError | GenerateError

/** The most rounds on the way to one answer, as specified. */
export const MAX_ITERATIONS = CONVERSATION_ROUNDS

/** The owner of the trees of sessions about a folder. */
export const OWNER = (codebasePath: string): string => `conversation:${codebasePath}`

/** Makes a new session, or one that continues. Needs the forest that stores it, and the loop. */
export const make = Effect.fnUntraced(function* ({
  codebasePath,
  from,
  model,
  summarizes,
  systemPrompt,
  tools,
}: Config) {
  const forest = yield* Forest.Forest
  const loom = yield* LoomEngine.LoomEngine
  const cursor = yield* Ref.make(Option.fromNullable(from))
  const offered = withCompletion(tools ?? loom.defaultTools)
  const ifFree = makeMutexIfFree()

  /** Moves the session to each node of a turn, however the turn ends. */
  const advance = ({ id }: Pick<Node, "id">) => Ref.set(cursor, Option.some(id))

  /** Stores the message, and answers it. */
  const takeTurn = Effect.fnUntraced(function* (parent: NodeId, userMessage: string, options: Options) {
    const { meanwhile, messageStored, onEvent } = options
    yield* Turn.requireText(userMessage)
    const asked = yield* storeMessage(forest, parent, { text: userMessage, distinct: false }).pipe(
      Effect.tap(advance),
      Effect.tap(({ id }) => messageStored?.(id) ?? Effect.void),
      Effect.uninterruptible,
    )
    const turn = yield* Ref.make(Turn.initial)
    const record: Sink = (event) => Ref.update(turn, (turn) => Turn.step(turn, event))
    const rounds = Turn.roundsAfter(forest, asked.id, {
      model,
      tools: offered,
      maxToolIterations: MAX_ITERATIONS,
      summarizes,
      meanwhile,
      advance,
      onEvent: broadcast(record, onEvent),
    })
    // A failure of the run is recorded in the turn, too.
    yield* Effect.either(loom.generate(asked.id, rounds))
    const ended = yield* Ref.get(turn)
    const output = outputOf(ended)
    if (output !== undefined) return output
    return yield* ended.failure ?? Effect.dieMessage("a turn has ended without a text and without a failure")
  })

  /** Runs one turn at a time: a second would be answered without the first. Each is one operation of the forest. */
  const exclusively = <A, E>(turn: Effect.Effect<A, E>): Effect.Effect<A, E | SessionError> =>
    ifFree(forest.operation(turn), Turn.refuse(new SessionBusy()))

  const start: Service["start"] = Effect.fn("ConversationEngine.start")(function* (userMessage, options = {}) {
    if (Option.isSome(yield* Ref.get(cursor))) return yield* Turn.refuse(new SessionAlreadyStarted())
    const root = yield* forest.root({ owner: OWNER(codebasePath), systemPrompt })
    return yield* takeTurn(root.id, userMessage, options)
  }, exclusively)

  const respond: Service["respond"] = Effect.fn("ConversationEngine.respond")(function* (userMessage, options = {}) {
    const at = yield* Ref.get(cursor)
    if (Option.isNone(at)) return yield* Turn.refuse(new SessionNotStarted())
    return yield* takeTurn(at.value, userMessage, options)
  }, exclusively)

  const messages = Effect.gen(function* () {
    const at = yield* Ref.get(cursor)
    if (Option.isNone(at)) return []
    const { nodes, root } = yield* forest.path(at.value)
    return [systemMessage(root.systemPrompt), ...MessageParts.messagesOf(nodes)]
  })

  return ConversationEngine.of({ start, respond, messages, cursor: Ref.get(cursor) })
})

/** Needs the forest that stores the session, and the loop. */
export const layer = (config: Config): Layer.Layer<ConversationEngine, never, Forest.Forest | LoomEngine.LoomEngine> =>
  Layer.effect(ConversationEngine, make(config))

/** Adds the tool that ends the session. */
const withCompletion = (tools: ToolRegistry.Service): ToolRegistry.Service =>
  tools.tools.some(({ name }) => name === SessionComplete.NAME)
    ? tools
    : ToolRegistry.join(tools, ToolRegistry.make([SessionComplete.make]))

/** Returns the output of a turn that has ended. Undefined if the caller gets its failure instead. */
const outputOf = (turn: Turn.State): EngineOutput | undefined => {
  const { failure, filesWritten, isComplete } = turn
  const text = failure === undefined ? turn.text : textAfter(turn, failure)
  return text === undefined
    ? undefined
    : { text, ...(filesWritten.size > 0 && { files_written: [...filesWritten] }), done: isComplete }
}

/**
 * Returns the text of a turn that ended with an error. The limit of rounds is not a failure of the turn, and neither is
 * an error after the session was declared complete.
 */
const textAfter = ({ aside, isComplete }: Turn.State, failure: GenerateError): string | undefined => {
  if (isComplete && (failure._tag === "ModelError" || failure._tag === "ToolIterationLimitExceededError")) {
    return aside === "" ? "Session complete." : aside
  }
  return failure._tag === "ToolIterationLimitExceededError"
    ? `Stopped: ${failure.limit} rounds of tool calls have passed without an answer. What was done until now is kept; say how to go on.`
    : undefined
}

/** Turns the root's prompt into a message. The prompt is not a node; requests have it in a field of its own. */
const systemMessage = (prompt: string): Message.Message => ({
  role: "system",
  content: [{ type: "text", text: prompt }],
})
