/**
 * A chat with any agent, which is a model or a program that answers. A message is stored before it is sent, its answer
 * is reported in events, and a PRD in an answer is detected. The history is a path in the forest.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { GenerateError } from "../../agent/GenerateError.ts"
import * as LoomEngine from "../../agent/LoomEngine.ts"
import * as Summary from "../../agent/Summary.ts"
import { type Sink, TurnEvent } from "../../agent/TurnEvent.ts"
import { endWith } from "../../base/concurrency.ts"
import { rendezvous } from "../../base/Rendezvous.ts"
import { flawOfCount, flawOfMeasure } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import { readTail } from "../../forest/ForestService.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Node } from "../../forest/Node.ts"
import type * as Block from "../../message/Block.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as AgentProgram from "../../model/AgentProgram.ts"
import * as AgentPrompt from "../../model/AgentPrompt.ts"
import * as History from "../../model/History.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as PrdVersions from "../prd/PrdVersions.ts"
import { draftsAfter, storeMessage } from "../storeMessage.ts"
import * as Turn from "../Turn.ts"
import * as ChatEvent from "./ChatEvent.ts"
import { SessionBusy, type SessionError } from "./SessionError.ts"

/**
 * Keeps a chat with a model or an agent: it stores each message, sends it with what came before, and reports the answer
 * in events.
 *
 * When to use it: for a chat that shows text as it arrives, as `vibe chat` does, and the only engine that accepts an
 * agent such as Claude Code. `ConversationEngine` gives one result for each message instead of events;
 * `ConversationManager` keeps a text that both sides edit.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Layer, Stream } from "effect"
 * import { ChatEngine, Forest, Ids, LoomEngine, SqliteForestStore } from "vibe-index"
 * import { Scripted } from "vibe-index/provider"
 *
 * const program = Effect.gen(function* () {
 *   const agent = yield* Scripted.make(["Hello, Ada.", "Ada."])
 *   const chat = yield* ChatEngine.make({ agent, systemPrompt: "Be brief." })
 *   const say = (text: string) =>
 *     Stream.runForEach(chat.sendMessage(text), (event) =>
 *       event.type === "message:received" ? Console.log(event.message.content) : Effect.void,
 *     )
 *   yield* say("I am Ada.")
 *   yield* say("What is my name?")
 * })
 *
 * const vibe = LoomEngine.layer.pipe(
 *   Layer.provideMerge(Forest.layer),
 *   // The model of the loop, which is used if an engine names none.
 *   Layer.provide([Scripted.layer([]), SqliteForestStore.layerMemory, Ids.layer]),
 * )
 * await Effect.runPromise(Effect.provide(program, vibe))
 * // prints: Hello, Ada.
 * // prints: Ada.
 * ```
 */
export class ChatEngine extends Context.Tag("vibe/conversation/engines/ChatEngine")<ChatEngine, Service>() {}

export interface Service {
  /**
   * Sends a message, and reports its answer; see `ChatEvent`. At the first event, `message:sent`, the message is stored
   * and the engine is `processing` already. The status changes when the message is accepted, so that no second one is
   * accepted while the first is stored; `status:changed` reports it afterwards. Fails before the first event if the
   * message is refused, because it is blank, or because another is being answered. Cancelling the stream stops the
   * answer; the text so far is stored as the answer, and the chat continues after it.
   */
  readonly sendMessage: (content: string, options?: SendOptions) => Stream.Stream<ChatEvent.ChatEvent, ChatError>
  /** Returns the prompt that an agent would get with this message now. */
  readonly buildPrompt: (userMessage: string) => Effect.Effect<string, ForestError>
  /** The messages of user and agent, oldest first. */
  readonly history: Effect.Effect<ReadonlyArray<ChatEvent.ChatMessage>, ForestError>
  /** The PRDs of this conversation, oldest first. */
  readonly versions: Effect.Effect<ReadonlyArray<PrdVersions.Version>, ForestError>
  readonly status: Effect.Effect<ChatEvent.ChatStatus>
  /** The node that the conversation continues after. */
  readonly cursor: Effect.Effect<NodeId>
  /** The name to show for the agent. */
  readonly agentName: string
  /**
   * Begins a new conversation. Stops the answer in progress, and ends its stream; the forest keeps what was stored.
   * Returns the event of the change.
   */
  readonly reset: Effect.Effect<ChatEvent.ChatEvent>
}

export interface Config {
  /** The backend: a model, or an agent that accepts only text. */
  readonly agent: AgentProgram.Service | LanguageModel.Service
  readonly systemPrompt: string
  /** The owner of the conversation tree; `chat` by default. */
  readonly owner?: string | undefined
  /**
   * The most messages of user and agent that are sent before the one to answer, the last ones; 50 by default, zero for
   * none, infinite for all. Calls of tools and their results do not count. Anything but a count is a defect.
   */
  readonly maxHistoryMessages?: number | undefined
  /** Has the model summarise older turns when its context is nearly full; see `GenerateOptions`. Off by default. */
  readonly summarizes?: boolean | undefined
  /** The time limit of an answer, tools and retries included; three minutes by default, zero for none. */
  readonly timeout?: Duration.DurationInput | undefined
  /** The working directory of an agent; the one of this process by default. */
  readonly cwd?: string | undefined
  /** Arguments of an agent besides its own. */
  readonly flags?: ReadonlyArray<string> | undefined
  /**
   * The tools that are offered to a model. By default they are those of the `ToolRegistry` that the loop was built
   * with, if any. An agent has tools of its own, or none.
   */
  readonly tools?: ToolRegistry.Service | undefined
  /** The most rounds of calls on the way to one answer, from 1; see `LoomEngine`. Anything else is a defect. */
  readonly maxToolIterations?: number | undefined
  /** The node to continue after. The system prompt of its tree is used. */
  readonly from?: NodeId | undefined
}

/**
 * `onEvent` also receives the output of an agent as it arrives. What `meanwhile` adds is reported as `message:sent`.
 */
export interface SendOptions extends Turn.MessageOptions {
  /** Aborting it stops the answer. Then the message fails, and the text so far is stored. */
  readonly signal?: AbortSignal | undefined
  /** Pictures that the message shows, before its text. */
  readonly pictures?: ReadonlyArray<Block.Image> | undefined
}

/** The errors of a chat: with a `SessionError` the message was refused, with a `ForestError` it could not be stored. */
export type ChatError = SessionError | ForestError

export const MAX_HISTORY_MESSAGES = 50

export const TIMEOUT: Duration.Duration = Duration.minutes(3)

/** Makes a new conversation, or one that continues. Needs the forest that stores it, and the loop. */
export const make = Effect.fnUntraced(function* (config: Config) {
  const { agent, maxHistoryMessages = MAX_HISTORY_MESSAGES, systemPrompt, tools } = config
  /** The most messages that are sent, including the one to answer. */
  const window = Number.isFinite(maxHistoryMessages) ? maxHistoryMessages + 1 : undefined
  const flaw =
    flawOfCount("maxHistoryMessages", maxHistoryMessages, 0) ??
    flawOfCount("maxToolIterations", config.maxToolIterations, 1) ??
    (typeof config.timeout === "number" ? flawOfMeasure("timeout", config.timeout) : undefined)
  if (flaw !== undefined) return yield* Effect.die(new RangeError(flaw))
  const timeout = Duration.decode(config.timeout ?? TIMEOUT)
  const forest = yield* Forest.Forest
  const loom = yield* LoomEngine.LoomEngine

  const root = yield* config.from === undefined
    ? forest.root({ owner: config.owner ?? OWNER, systemPrompt })
    : Effect.map(forest.path(config.from, { last: 0 }), ({ root }) => root)
  const state = yield* Ref.make<State>({ cursor: config.from ?? root.id, status: "idle", turn: undefined })

  /** Reads the path back to so many messages of user and agent, or all of it. */
  const path = (said?: number) =>
    Effect.flatMap(Ref.get(state), ({ cursor }) =>
      said === undefined
        ? forest.path(cursor)
        : readTail(
            forest,
            cursor,
            said + 1,
            (nodes) => Summary.countSaidMessages(MessageParts.messagesOf(nodes)) >= said,
          ),
    )

  /** Changes the state for the turn in progress only: a turn that `reset` has stopped changes nothing. */
  const update = (turn: InProgress, change: Partial<State>): Effect.Effect<State> =>
    Ref.getAndUpdate(state, (now) => (now.turn === turn ? { ...now, ...change } : now))

  /** Accepts the message: from here on the engine is processing, and the message is stored. */
  const begin = Effect.fnUntraced(function* (content: string, pictures?: ReadonlyArray<Block.Image>) {
    yield* Turn.requireText(content)
    const turn: InProgress = { stopped: yield* Deferred.make<void>() }
    const before = yield* Ref.getAndUpdate(state, (now) =>
      now.turn === undefined ? { ...now, status: "processing" as const, turn } : now,
    )
    if (before.turn !== undefined) return yield* Turn.refuse(new SessionBusy())
    const message = { text: content, pictures, distinct: true }
    const asked = yield* Effect.onError(storeMessage(forest, before.cursor, message), () => Ref.set(state, before))
    yield* update(turn, { cursor: asked.id })
    return { turn, asked, previousStatus: before.status }
  })

  const reportStored =
    ({ messageStored }: SendOptions) =>
    ({ asked }: Begun) =>
      messageStored?.(asked.id) ?? Effect.void

  /** Ends the turn when its stream is cancelled. */
  const release = ({ turn }: Begun) => update(turn, { status: "idle", turn: undefined })

  const takeTurn = ({ asked, previousStatus, turn }: Begun, options: SendOptions, emit: Emit) =>
    Effect.gen(function* () {
      const { onEvent, signal } = options
      const emitSent = (node: Node) => {
        const message = ChatEvent.messageOf(node)
        return message === undefined ? Effect.void : emit({ type: "message:sent", message })
      }
      yield* emitSent(asked)
      yield* emit({ type: "status:changed", previousStatus, newStatus: "processing" })

      const nodes: Array<Node> = []
      const rounds = Turn.roundsAfter(forest, asked.id, {
        model: modelFor(onEvent),
        tools: isAgent(agent) ? ToolRegistry.none : tools,
        window,
        summarizes: config.summarizes,
        maxToolIterations: config.maxToolIterations,
        stopsRepeats: true,
        signal,
        meanwhile: options.meanwhile,
        advance: (node, kind) => {
          nodes.push(node)
          const advanced = update(turn, { cursor: node.id })
          // Only messages that `meanwhile` has added are emitted: other nodes are also reported after an
          // interrupt, when emitting would hang.
          return kind === "input" ? Effect.zipRight(advanced, emitSent(node)) : Effect.asVoid(advanced)
        },
        onEvent,
      })
      const answering = loom.generate(asked.id, rounds)

      const [duration, result] = yield* Effect.timed(
        Effect.either(answering.pipe(endWith(AgentProgram.expiry(agent.id, timeout)))),
      )
      const durationMs = Math.round(Duration.toMillis(duration))
      const finish = (newStatus: ChatEvent.ChatStatus) =>
        Effect.zipRight(
          update(turn, { status: newStatus, turn: undefined }),
          emit({ type: "status:changed", previousStatus: "processing", newStatus }),
        )

      if (Either.isLeft(result)) {
        yield* finish("error")
        const { left: cause } = result
        return yield* emit({ type: "error:occurred", error: describe(cause), cause, durationMs })
      }
      const received = nodes.map(ChatEvent.messageOf).findLast((message) => message !== undefined)
      if (received !== undefined) yield* emit({ type: "message:received", message: received, durationMs })
      const prd = PrdVersions.versions(nodes).at(-1)?.prd
      yield* finish(prd === undefined ? "idle" : "completed")
      if (prd !== undefined) yield* emit({ type: "prd:detected", prdContent: prd.content, featureName: prd.name })
    })

  const modelFor = (onEvent: Sink | undefined): LanguageModel.Service =>
    isAgent(agent)
      ? AgentProgram.toModel(agent, {
          cwd: config.cwd,
          flags: config.flags,
          timeout,
          onOutput: (output) => onEvent?.(TurnEvent.AgentOutput({ output })) ?? Effect.void,
        })
      : agent

  const sendMessage: Service["sendMessage"] = (content, options = {}) =>
    Stream.unwrapScoped(
      // The message and its answer are one operation of the forest.
      Effect.flatMap(forest.begin, (within) =>
        Effect.map(
          Effect.acquireRelease(Effect.tap(within(begin(content, options.pictures)), reportStored(options)), release),
          (begun) =>
            rendezvous<ChatEvent.ChatEvent, never, never>((emit) =>
              within(takeTurn(begun, options, (event) => Effect.flatMap(withTimestamp(event), emit))).pipe(
                endWith(Deferred.await(begun.turn.stopped)),
              ),
            ),
        ),
      ),
    )

  const buildPrompt: Service["buildPrompt"] = Effect.fn("ChatEngine.buildPrompt")(function* (userMessage) {
    const { nodes, root } = yield* path(window)
    const sent = Summary.visible(nodes)
    const messages = [...MessageParts.joinAll(sent), ...draftsAfter(nodes, userMessage)].map(({ message }) => message)
    return AgentPrompt.render(isAgent(agent) ? agent.format : "xml", {
      system: root.systemPrompt,
      messages: History.repair(Summary.takeWindow(messages, window)),
    })
  })

  const reset = Effect.gen(function* () {
    const { status, turn } = yield* Ref.getAndSet(state, { cursor: root.id, status: "idle", turn: undefined })
    if (turn !== undefined) yield* Deferred.succeed(turn.stopped, undefined)
    return yield* withTimestamp({ type: "status:changed", previousStatus: status, newStatus: "idle" })
  })

  return ChatEngine.of({
    sendMessage,
    buildPrompt,
    history: Effect.map(path(), ({ nodes }) =>
      MessageParts.joinAll(nodes).flatMap((node) => ChatEvent.messageOf(node) ?? []),
    ),
    versions: Effect.map(path(), ({ nodes }) => PrdVersions.versions(nodes)),
    status: Effect.map(Ref.get(state), ({ status }) => status),
    cursor: Effect.map(Ref.get(state), ({ cursor }) => cursor),
    agentName: isAgent(agent) ? agent.name : String(agent.id),
    reset,
  })
})

/** Needs the forest that stores the conversation, and the loop. */
export const layer = (config: Config): Layer.Layer<ChatEngine, ForestError, Forest.Forest | LoomEngine.LoomEngine> =>
  Layer.effect(ChatEngine, make(config))

/** The default owner of conversation trees. */
export const OWNER = "chat"

interface State {
  readonly cursor: NodeId
  readonly status: ChatEvent.ChatStatus
  /** Undefined while no answer is in progress. */
  readonly turn: InProgress | undefined
}

/** The turn in progress. */
interface InProgress {
  readonly stopped: Deferred.Deferred<void>
}

interface Begun {
  readonly turn: InProgress
  /** The user's message. */
  readonly asked: Node
  readonly previousStatus: ChatEvent.ChatStatus
}

type Untimed<E> = E extends unknown ? Omit<E, "timestamp"> : never

type Emit = (event: Untimed<ChatEvent.ChatEvent>) => Effect.Effect<void>

const withTimestamp = (event: Untimed<ChatEvent.ChatEvent>): Effect.Effect<ChatEvent.ChatEvent> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({ ...event, timestamp: new Date(now) }))

const isAgent = (agent: Config["agent"]): agent is AgentProgram.Service => "ask" in agent

/** Returns the message of an error without the name of the model, which the users of a chat know. */
const describe = (error: GenerateError): string => (error._tag === "ModelError" ? error.reason.message : error.message)
