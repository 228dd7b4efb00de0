/**
 * A chat with any agent, a model or a program that answers: what is said is kept before anybody is asked, each message
 * tells its story in events, and a PRD in an answer is found. History is a path in the forest.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Draft, Node } from "../forest/Node.ts"
import { takeWindow } from "../loom/Context.ts"
import type { GenerateError } from "../loom/GenerateError.ts"
import type { GenerateEvent } from "../loom/GenerateEvent.ts"
import * as LoomEngine from "../loom/LoomEngine.ts"
import type { TurnObserver } from "../loom/TurnObserver.ts"
import * as Block from "../message/Block.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Agent from "../model/Agent.ts"
import * as AgentPrompt from "../model/AgentPrompt.ts"
import * as History from "../model/History.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { rendezvous } from "../model/Rendezvous.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as ChatEvent from "./ChatEvent.ts"
import * as Steering from "./internal/steering.ts"
import * as PrdVersions from "./PrdVersions.ts"
import { BlankMessage, type Reason, SessionBusy, SessionError } from "./SessionError.ts"

export class ChatEngine extends Context.Tag("vibe/chat/ChatEngine")<ChatEngine, Service>() {}

export interface Service {
  /**
   * Says something, and tells what comes of it; see `ChatEvent`. The message is kept and the engine is `processing` when
   * the first event comes. Fails before that where the message is not taken: blank, or while another is answered. Letting
   * the stream go stops the agent; what it has said by then is its answer, and the chat goes on after it.
   */
  readonly sendMessage: (content: string, options?: SendOptions) => Stream.Stream<ChatEvent.ChatEvent, ChatError>
  /** The prompt that an agent is sent with this message, as things stand. */
  readonly buildPrompt: (userMessage: string) => Effect.Effect<string, ForestError>
  /** What the person and the agent said, oldest first. */
  readonly history: Effect.Effect<ReadonlyArray<ChatEvent.ChatMessage>, ForestError>
  /** The PRDs of this conversation, oldest first. */
  readonly versions: Effect.Effect<ReadonlyArray<PrdVersions.Version>, ForestError>
  readonly status: Effect.Effect<ChatEvent.ChatStatus>
  /** Where in the forest the conversation stands. */
  readonly cursor: Effect.Effect<NodeId>
  /** As people call it. */
  readonly agentName: string
  /**
   * Begins anew. What is being answered is stopped, and its stream ends; the forest keeps it all the same. Gives the
   * event that says so.
   */
  readonly reset: Effect.Effect<ChatEvent.ChatEvent>
}

export interface Config {
  /** Who answers: a model, or an agent that is told text alone. */
  readonly agent: Agent.Service | LanguageModel.Service
  readonly systemPrompt: string
  /** Whom the tree belongs to; `chat` by default. */
  readonly owner?: string | undefined
  /** How many messages a model is told besides the one it answers, the last ones; 50 by default, zero for none. */
  readonly maxHistoryMessages?: number | undefined
  /** For the whole of an answer, tools and retries included; three minutes by default, zero for none. */
  readonly timeout?: Duration.DurationInput | undefined
  /** The folder that an agent works in; this process's own by default. */
  readonly cwd?: string | undefined
  /** Arguments of an agent besides its own. */
  readonly flags?: ReadonlyArray<string> | undefined
  /** What a model is offered; an agent has tools of its own, or none. */
  readonly tools?: ToolRegistry.Service | undefined
  /** Rounds of calls on the way to one answer; see `LoomEngine`. */
  readonly maxToolIterations?: number | undefined
  /** The node that the conversation goes on from. Its tree has a system prompt of its own, which counts. */
  readonly from?: NodeId | undefined
}

export interface SendOptions {
  readonly observer?: ChatObserver | undefined
  /** Called with the node of the message once it is stored, before the agent is asked. */
  readonly messageStored?: ((node: NodeId) => Effect.Effect<void>) | undefined
  /** Aborting it stops the agent: the message is then one that was not answered, but for the words that have come. */
  readonly signal?: AbortSignal | undefined
  /**
   * Asked before each request but the first what the person has said since, nothing where that is blank: it is kept, told as
   * `message:sent`, and the model hears it with the results of its tools.
   */
  readonly meanwhile?: Effect.Effect<string> | undefined
}

/** Hears what goes on while a message is answered. Nothing depends on it. */
export interface ChatObserver extends TurnObserver {
  /** Words as they come, those that a program says beside its answer too. */
  readonly chunk?: ((text: string) => Effect.Effect<void>) | undefined
  /** What is being done, in words. */
  readonly status?: ((text: string) => Effect.Effect<void>) | undefined
}

/** `SessionError`: the message was not taken. `ForestError`: it could not be kept. */
export type ChatError = SessionError | ForestError

export const MAX_HISTORY_MESSAGES = 50

export const TIMEOUT: Duration.Duration = Duration.minutes(3)

/** A conversation that has not begun, or one that goes on. Needs the forest that keeps it, and the kernel. */
export const make = Effect.fnUntraced(function* (config: Config) {
  const { agent, maxHistoryMessages = MAX_HISTORY_MESSAGES, systemPrompt, tools } = config
  const timeout = Duration.decode(config.timeout ?? TIMEOUT)
  const forest = yield* Forest.Forest
  const loom = yield* LoomEngine.LoomEngine

  const root = yield* config.from === undefined
    ? forest.root({ owner: config.owner ?? OWNER, systemPrompt })
    : Effect.map(forest.path(config.from, { last: 0 }), ({ root }) => root)
  const state = yield* Ref.make<State>({ cursor: config.from ?? root.id, status: "idle", turn: undefined })

  const path = (last?: number) => Effect.flatMap(Ref.get(state), ({ cursor }) => forest.path(cursor, { last }))

  /** Only what runs may change the state: a turn that was stopped by `reset` no longer does. */
  const update = (turn: Turn, change: Partial<State>): Effect.Effect<State> =>
    Ref.getAndUpdate(state, (now) => (now.turn === turn ? { ...now, ...change } : now))

  /** Takes the message: from here on the engine is at work, and what was said is kept. */
  const begun = Effect.fnUntraced(function* (content: string) {
    if (content.trim() === "") return yield* refused(new BlankMessage())
    const turn: Turn = { stopped: yield* Deferred.make<void>() }
    const before = yield* Ref.getAndUpdate(state, (now) =>
      now.turn === undefined ? { ...now, status: "processing" as const, turn } : now,
    )
    if (before.turn !== undefined) return yield* refused(new SessionBusy())
    const said = yield* Effect.onError(kept(before.cursor, content), () => Ref.set(state, before))
    yield* update(turn, { cursor: said.id })
    return { turn, said, previousStatus: before.status }
  })

  /** The person's message in the forest, below all that a turn before it has left there. */
  const kept = Effect.fnUntraced(function* (cursor: NodeId, content: string) {
    const { nodes } = yield* forest.path(cursor, { last: 1 })
    const added = yield* forest.append(cursor, addition(nodes, content), { distinct: true })
    return added.at(-1) ?? nodes.at(-1) ?? (yield* refused(new BlankMessage()))
  })

  const told =
    ({ messageStored }: SendOptions) =>
    ({ said }: Begun) =>
      messageStored?.(said.id) ?? Effect.void

  /** Whoever let the stream go has stopped the turn. */
  const ended = ({ turn }: Begun) => update(turn, { status: "idle", turn: undefined })

  const story = ({ previousStatus, said, turn }: Begun, options: SendOptions, tell: Tell) =>
    Effect.gen(function* () {
      const { observer = {}, signal } = options
      const sent = (node: Node) => {
        const message = ChatEvent.messageOf(node)
        return message === undefined ? Effect.void : tell({ type: "message:sent", message })
      }
      yield* sent(said)
      yield* tell({ type: "status:changed", previousStatus, newStatus: "processing" })
      yield* observer.status?.("Sending to agent...") ?? Effect.void

      const nodes: Array<Node> = []
      const stored = (node: Node): Effect.Effect<unknown> => {
        nodes.push(node)
        return update(turn, { cursor: node.id })
      }
      const steered = Steering.make(forest, said.id, options.meanwhile)
      const meanwhile = Effect.fnUntraced(function* (cursor: NodeId) {
        const nodes = yield* steered(cursor)
        for (const node of nodes) yield* Effect.zipRight(stored(node), sent(node))
        return { nodes, trailing: [] }
      })
      const answering = loom
        .generateStream(said.id, {
          model: modelOf(observer),
          tools: isAgent(agent) ? undefined : tools,
          window: maxHistoryMessages + 1,
          maxToolIterations: config.maxToolIterations,
          stopsRepeats: true,
          observer: toldOf(observer, isAgent(agent)),
          signal,
          keepUnfinished: true,
          stored,
          meanwhile,
        })
        .pipe(Stream.runFold<GenerateError | undefined, GenerateEvent>(undefined, failureOf))

      const [duration, failure] = yield* Effect.timed(
        Effect.merge(Effect.raceFirst(answering, Agent.expiry(agent.id, timeout))),
      )
      const durationMs = Math.round(Duration.toMillis(duration))
      const turned = (newStatus: ChatEvent.ChatStatus) =>
        Effect.zipRight(
          update(turn, { status: newStatus, turn: undefined }),
          tell({ type: "status:changed", previousStatus: "processing", newStatus }),
        )

      if (failure !== undefined) {
        yield* turned("error")
        return yield* tell({ type: "error:occurred", error: inWords(failure), cause: failure, durationMs })
      }
      const received = nodes.map(ChatEvent.messageOf).findLast((message) => message !== undefined)
      if (received !== undefined) yield* tell({ type: "message:received", message: received, durationMs })
      const prd = PrdVersions.versions(nodes).at(-1)?.prd
      yield* turned(prd === undefined ? "idle" : "completed")
      if (prd !== undefined) yield* tell({ type: "prd:detected", prdContent: prd.content, featureName: prd.name })
    })

  const modelOf = ({ chunk }: ChatObserver): LanguageModel.Service =>
    isAgent(agent)
      ? Agent.toModel(agent, {
          cwd: config.cwd,
          flags: config.flags,
          timeout,
          heard: ({ text }) => chunk?.(text) ?? Effect.void,
        })
      : agent

  const sendMessage: Service["sendMessage"] = (content, options = {}) =>
    Stream.unwrapScoped(
      // The message and all that answers it are one operation of the forest.
      Effect.flatMap(forest.begin, (within) =>
        Effect.map(Effect.acquireRelease(Effect.tap(within(begun(content)), told(options)), ended), (begun) =>
          rendezvous<ChatEvent.ChatEvent, never, never>((emit) =>
            within(story(begun, options, (event) => Effect.flatMap(stamped(event), emit))).pipe(
              Effect.raceFirst(Deferred.await(begun.turn.stopped)),
            ),
          ),
        ),
      ),
    )

  const buildPrompt: Service["buildPrompt"] = Effect.fn("ChatEngine.buildPrompt")(function* (userMessage) {
    // One more than is told, which tells that from all of the path.
    const { nodes, root } = yield* path(maxHistoryMessages + 2)
    const messages = [...nodes, ...addition(nodes, userMessage)].map(({ message }) => message)
    return AgentPrompt.render(isAgent(agent) ? agent.format : "xml", {
      system: root.systemPrompt,
      messages: History.repair(takeWindow(messages, maxHistoryMessages + 1)),
    })
  })

  const reset = Effect.gen(function* () {
    const { status, turn } = yield* Ref.getAndSet(state, { cursor: root.id, status: "idle", turn: undefined })
    if (turn !== undefined) yield* Deferred.succeed(turn.stopped, undefined)
    return yield* stamped({ type: "status:changed", previousStatus: status, newStatus: "idle" })
  })

  return ChatEngine.of({
    sendMessage,
    buildPrompt,
    history: Effect.map(path(), ({ nodes }) => nodes.flatMap((node) => ChatEvent.messageOf(node) ?? [])),
    versions: Effect.map(path(), ({ nodes }) => PrdVersions.versions(nodes)),
    status: Effect.map(Ref.get(state), ({ status }) => status),
    cursor: Effect.map(Ref.get(state), ({ cursor }) => cursor),
    agentName: isAgent(agent) ? agent.name : String(agent.id),
    reset,
  })
})

/** Needs the forest that keeps the conversation, and the kernel. */
export const layer = (config: Config): Layer.Layer<ChatEngine, ForestError, Forest.Forest | LoomEngine.LoomEngine> =>
  Layer.effect(ChatEngine, make(config))

/** Whom the trees belong to that chats grow, where nobody says otherwise. */
export const OWNER = "chat"

interface State {
  readonly cursor: NodeId
  readonly status: ChatEvent.ChatStatus
  /** None where nothing is being answered. */
  readonly turn: Turn | undefined
}

/** One message and its answer. */
interface Turn {
  readonly stopped: Deferred.Deferred<void>
}

interface Begun {
  readonly turn: Turn
  readonly said: Node
  readonly previousStatus: ChatEvent.ChatStatus
}

type Untimed<E> = E extends unknown ? Omit<E, "timestamp"> : never

type Tell = (event: Untimed<ChatEvent.ChatEvent>) => Effect.Effect<void>

const stamped = (event: Untimed<ChatEvent.ChatEvent>): Effect.Effect<ChatEvent.ChatEvent> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({ ...event, timestamp: new Date(now) }))

const refused = (reason: Reason): Effect.Effect<never, SessionError> => Effect.fail(new SessionError({ reason }))

const isAgent = (agent: Config["agent"]): agent is Agent.Service => "ask" in agent

const spoken = (content: string): Draft => ({ message: Message.user(content), source: { type: "user" } })

/** What the person says next, after a path. A message that was not answered and is said again is the same. */
const addition = (nodes: ReadonlyArray<Node>, content: string): ReadonlyArray<Draft> => {
  const last = nodes.at(-1)?.message
  if (last?.role !== "user") return [spoken(content)]
  return Message.text(last) === content ? [] : [unanswered, spoken(content)]
}

/** Stands between a message that was not answered and the next, so that they are not read as one. */
const unanswered: Draft = {
  message: { role: "system", content: [Block.text("[The message above was not answered.]")] },
  source: { type: "notice" },
}

const failureOf = (_: GenerateError | undefined, event: GenerateEvent): GenerateError | undefined =>
  event.type === "error" ? event.error : undefined

/** Of whom a model's error is, everybody in the chat knows. */
const inWords = (error: GenerateError): string => (error._tag === "ModelError" ? error.reason.message : error.message)

/** What the loop tells, and in words. An agent's own words come by another way, those beside its answer among them. */
const toldOf = (observer: ChatObserver, isAgent: boolean): TurnObserver => {
  const say = (text: string) => observer.status?.(text) ?? Effect.void
  return {
    ...observer,
    part: (part) =>
      Effect.zipRight(
        part._tag === "Text" && !isAgent ? (observer.chunk?.(part.text) ?? Effect.void) : Effect.void,
        observer.part?.(part) ?? Effect.void,
      ),
    retry: (retry) =>
      Effect.zipRight(
        say(`Asking again in ${Duration.format(retry.delay)}: ${retry.error.reason.message}`),
        observer.retry?.(retry) ?? Effect.void,
      ),
    toolStarted: (call) => Effect.zipRight(say(`Running ${call.name}...`), observer.toolStarted?.(call) ?? Effect.void),
  }
}
