/**
 * The back-and-forth between a person, a model and its tools, without a face: it takes a message and gives back what
 * came of it. It reads no input and prints nothing; whoever holds it, a terminal or a server, does.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import type { GenerateError } from "../loom/GenerateError.ts"
import * as LoomEngine from "../loom/LoomEngine.ts"
import type { TurnObserver } from "../loom/TurnObserver.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { EngineOutput } from "./EngineOutput.ts"
import * as Steering from "./internal/steering.ts"
import * as Turn from "./internal/turn.ts"
import {
  BlankMessage,
  type Reason,
  SessionAlreadyStarted,
  SessionBusy,
  SessionError,
  SessionNotStarted,
} from "./SessionError.ts"

export class ConversationEngine extends Context.Tag("vibe/chat/ConversationEngine")<ConversationEngine, Service>() {}

/**
 * One session. Each message is kept in the forest before a model is asked, and the session stands after the last
 * answer, or the last tool results where a turn ended early: what failed can be sent again. Of an answer that is
 * interrupted the words that have come are kept, and the session stands after them.
 */
export interface Service {
  /** Begins the session with what the person says first. Fails with `SessionAlreadyStarted` where it has begun. */
  readonly start: (userMessage: string, options?: Options) => Effect.Effect<EngineOutput, ConversationError>
  /** The person's next message. Fails with `SessionNotStarted` before `start`. */
  readonly respond: (userMessage: string, options?: Options) => Effect.Effect<EngineOutput, ConversationError>
  /** The session's whole state: the system prompt first, then all that was said. Empty before `start`. */
  readonly messages: Effect.Effect<ReadonlyArray<Message.Message>, ForestError>
  /** Where in the forest the session stands; none before `start`. */
  readonly cursor: Effect.Effect<Option.Option<NodeId>>
}

export interface Options {
  /** Hears the words as they come, and tools at work: of a turn that fails too, what it wrote. Nothing depends on it. */
  readonly observer?: TurnObserver | undefined
  /** Called with the node of the message once it is stored, before the model is asked. */
  readonly messageStored?: ((node: NodeId) => Effect.Effect<void>) | undefined
  /**
   * Asked before each request but the first what the person has said since, nothing where that is blank: it is kept, and
   * the model hears it with the results of its tools.
   */
  readonly meanwhile?: Effect.Effect<string> | undefined
}

/** All that an engine is made of. */
export interface Config {
  readonly model: LanguageModel.Service
  readonly tools: ToolRegistry.Service
  /** Sent as it is, and not read. */
  readonly systemPrompt: string
  /** The folder that is talked about. Sessions about different folders share nothing. */
  readonly codebasePath: string
  /**
   * The node that the session goes on from: it has been started, then, and `respond` is next. Its tree has a system
   * prompt of its own, which counts. A message that was not answered can be sent again, or another in its place.
   */
  readonly from?: NodeId | undefined
}

/** `SessionError`: the message was not taken. The others: it was kept, and its turn failed. */
export type ConversationError = SessionError | GenerateError

/** Rounds of tool calls on the way to one answer. */
export const MAX_ITERATIONS = 50

/** Whom the trees of sessions about a folder belong to. */
export const OWNER = (codebasePath: string): string => `conversation:${codebasePath}`

/** A session that has not begun, or one that goes on. Needs the forest that keeps it, and the kernel. */
export const make = Effect.fnUntraced(function* ({ codebasePath, from, model, systemPrompt, tools }: Config) {
  const forest = yield* Forest.Forest
  const loom = yield* LoomEngine.LoomEngine
  const cursor = yield* Ref.make(from === undefined ? Option.none() : Option.some(yield* answered(forest, from)))
  const turns = yield* Effect.makeSemaphore(1)

  /** The session stands after what answers the person, whatever becomes of the turn; never after an unanswered message. */
  const stored = (node: Node): Effect.Effect<void> => Ref.set(cursor, Option.some(node.id))

  /** Keeps the message, and answers it. */
  const turn = Effect.fnUntraced(function* (parent: NodeId, userMessage: string, options: Options) {
    const { messageStored, observer } = options
    const [said] = yield* forest
      .append(parent, [{ message: Message.user(userMessage), source: { type: "user" } }])
      .pipe(
        Effect.tap(([said]) => (said === undefined ? Effect.void : (messageStored?.(said.id) ?? Effect.void))),
        Effect.uninterruptible,
      )
    if (said === undefined) return yield* refused(new BlankMessage())
    yield* Ref.update(
      cursor,
      Option.orElseSome(() => parent),
    )
    const steered = Steering.make(forest, said.id, options.meanwhile)
    const meanwhile = (cursor: NodeId) =>
      steered(cursor).pipe(
        Effect.tap((nodes) => Effect.forEach(nodes, stored, { discard: true })),
        Effect.map((nodes) => ({ nodes, trailing: [] })),
      )
    const generating = {
      model,
      tools,
      maxToolIterations: MAX_ITERATIONS,
      observer,
      keepUnfinished: true,
      meanwhile,
      stored,
    }
    const ended = yield* Stream.runFold(loom.generateStream(said.id, generating), Turn.start, Turn.step)
    const output = Turn.output(ended)
    if (output !== undefined) return output
    return yield* ended.failure ?? Effect.dieMessage("a turn ended without words and without a failure")
  })

  /** One at a time: a second would be answered without the first. Each is one operation of the forest. */
  const alone = <A, E>(turn: Effect.Effect<A, E>): Effect.Effect<A, E | SessionError> =>
    Effect.flatMap(
      turns.withPermitsIfAvailable(1)(forest.operation(turn)),
      Option.match({ onNone: () => refused(new SessionBusy()), onSome: Effect.succeed }),
    )

  const start: Service["start"] = Effect.fn("ConversationEngine.start")(function* (userMessage, options = {}) {
    if (Option.isSome(yield* Ref.get(cursor))) return yield* refused(new SessionAlreadyStarted())
    const root = yield* forest.root({ owner: OWNER(codebasePath), systemPrompt })
    return yield* turn(root.id, userMessage, options)
  }, alone)

  const respond: Service["respond"] = Effect.fn("ConversationEngine.respond")(function* (userMessage, options = {}) {
    const at = yield* Ref.get(cursor)
    if (Option.isNone(at)) return yield* refused(new SessionNotStarted())
    return yield* turn(at.value, userMessage, options)
  }, alone)

  const messages = Effect.gen(function* () {
    const at = yield* Ref.get(cursor)
    if (Option.isNone(at)) return []
    const { nodes, root } = yield* forest.path(at.value)
    return [system(root.systemPrompt), ...nodes.map(({ message }) => message)]
  })

  return ConversationEngine.of({ start, respond, messages, cursor: Ref.get(cursor) })
})

/** Needs the forest that keeps the session, and the kernel. */
export const layer = (config: Config): Layer.Layer<ConversationEngine, never, Forest.Forest | LoomEngine.LoomEngine> =>
  Layer.effect(ConversationEngine, make(config))

/** The node itself, or what is above a message that was not answered. Whether it is there is told when it is answered. */
const answered = (forest: Forest.Service, id: NodeId): Effect.Effect<NodeId> =>
  forest.node(id).pipe(
    Effect.map(({ message, parent }) => (message.role === "user" ? parent : id)),
    Effect.orElseSucceed(() => id),
  )

const refused = (reason: Reason): Effect.Effect<never, SessionError> => Effect.fail(new SessionError({ reason }))

/** The root's prompt as a message to look at. It is no node, and goes to a model beside the messages. */
const system = (prompt: string): Message.Message => ({ role: "system", content: [{ type: "text", text: prompt }] })
