/** `chat/ChatEngine` for code without Effect: promises, listeners, and what there is to know at once. */
import { cwd } from "node:process"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Engine from "../chat/ChatEngine.ts"
import { type ChatEvent, type ChatMessage, type ChatStatus, chunkText, statusText } from "../chat/ChatEvent.ts"
import * as Prd from "../chat/Prd.ts"
import { PRD_SYSTEM_PROMPT } from "../chat/PrdPrompt.ts"
import * as Forest from "../forest/Forest.ts"
import * as SqliteForestStore from "../forest/ForestStore/Sqlite.ts"
import * as LoomEngine from "../loom/LoomEngine.ts"
import type { Sink, TurnEvent } from "../loom/TurnEvent.ts"
import * as Ids from "../message/Ids.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Agent from "../model/Agent.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import { type AgentExecuteOptions, type AgentPlugin, toAgent } from "./AgentPlugin.ts"

export interface ChatEngineConfig {
  readonly agent: AgentPlugin
  readonly systemPrompt: string
  /** 50 by default, zero for none. */
  readonly maxHistoryMessages?: number | undefined
  /** In milliseconds; 180000 by default, zero for none. */
  readonly timeout?: number | undefined
  /** This process's own by default. */
  readonly cwd?: string | undefined
  readonly agentOptions?: Partial<AgentExecuteOptions> | undefined
  /** What a model is offered; see `AgentPlugin.service`. */
  readonly tools?: ToolRegistry.Service | undefined
  /** Holds the kernel, and the forest that keeps the conversation; by default it lives in memory, with the engine. */
  readonly runtime?: ManagedRuntime.ManagedRuntime<Kernel, never> | undefined
  /** The node to continue after. */
  readonly from?: NodeId | undefined
}

export interface SendMessageOptions {
  /** Receives the text of the answer as it arrives; of an agent, everything that its program prints. */
  readonly onChunk?: ((chunk: string) => void) | undefined
  /** Receives a text for a status line, such as `Running file_read...`. */
  readonly onStatus?: ((status: string) => void) | undefined
  /** Aborting it stops the agent. */
  readonly signal?: AbortSignal | undefined
}

export interface SendMessageResult {
  readonly success: boolean
  readonly response?: ChatMessage
  readonly error?: string
  /** Of the agent; absent where it was not asked. */
  readonly durationMs?: number
}

/** Receives every event in order. What it throws is ignored. */
export type ChatEventListener = (event: ChatEvent) => void

type Kernel = Forest.Forest | LoomEngine.LoomEngine

/** A conversation with an agent. Methods answer at once, but for `sendMessage`. */
export class ChatEngine {
  readonly #agent: AgentPlugin
  readonly #engine: Engine.Service
  readonly #isAgent: boolean
  readonly #listeners = new Set<ChatEventListener>()
  readonly #runtime: ManagedRuntime.ManagedRuntime<Kernel, never>

  constructor(config: ChatEngineConfig) {
    const { agentOptions = {}, cwd: folder = cwd() } = config
    this.#agent = config.agent
    const service = config.agent.service ?? toAgent(config.agent, agentOptions)
    this.#isAgent = "ask" in service
    this.#runtime = config.runtime ?? ManagedRuntime.make(inMemory("ask" in service ? Agent.toModel(service) : service))
    this.#engine = this.#runtime.runSync(
      Engine.make({
        agent: service,
        systemPrompt: config.systemPrompt,
        maxHistoryMessages: config.maxHistoryMessages,
        timeout: config.timeout,
        cwd: folder,
        flags: agentOptions.flags,
        tools: config.tools,
        from: config.from,
      }),
    )
  }

  /** Never rejects for what an agent does: a failure is a result. One message at a time. */
  sendMessage(content: string, options: SendMessageOptions = {}): Promise<SendMessageResult> {
    const { onChunk, onStatus, signal } = options
    const reportStatus = (event: ChatEvent | TurnEvent) => {
      const status = statusText(event)
      if (status !== undefined) callSafely(onStatus, status)
    }
    const onEvent: Sink = (event) =>
      Effect.sync(() => {
        const chunk = chunkText(event, this.#isAgent)
        if (chunk !== undefined) callSafely(onChunk, chunk)
        reportStatus(event)
      })
    return this.#runtime.runPromise(
      this.#consume(this.#engine.sendMessage(content, { onEvent, signal }), reportStatus).pipe(
        Effect.scoped,
        Effect.catchAll((error) => Effect.succeed({ success: false, error: describe(error) })),
      ),
    )
  }

  /** Not `Stream.run`: that begins a moment later, and the message is to be taken when `sendMessage` returns. */
  #consume(events: Stream.Stream<ChatEvent, Engine.ChatError>, reportStatus: (event: ChatEvent) => void) {
    return Effect.gen(this, function* () {
      const pull = Effect.matchEffect(yield* Stream.toPull(events), {
        onFailure: Option.match({ onNone: () => Effect.succeedNone, onSome: Effect.fail }),
        onSuccess: Effect.succeedSome,
      })
      let result = wasReset
      for (;;) {
        const chunk = yield* pull
        if (Option.isNone(chunk)) return result
        for (const event of chunk.value) {
          this.#notify(event)
          reportStatus(event)
          result = step(result, event)
        }
      }
    })
  }

  /** The prompt that an agent is sent with this message. */
  buildPrompt(userMessage: string): string {
    return this.#runtime.runSync(this.#engine.buildPrompt(userMessage))
  }

  detectPrd(response: string): PrdDetectionResult {
    return detectPrd(response)
  }

  /** Returns what ends the subscription. */
  on(listener: ChatEventListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** A copy. */
  getHistory(): Array<ChatMessage> {
    return [...this.#runtime.runSync(this.#engine.history)]
  }

  getStatus(): ChatStatus {
    return this.#runtime.runSync(this.#engine.status)
  }

  getAgent(): AgentPlugin {
    return this.#agent
  }

  /** Starts a new conversation, and stops an answer in progress. */
  reset(): void {
    this.#notify(this.#runtime.runSync(this.#engine.reset))
  }

  #notify(event: ChatEvent): void {
    for (const listener of [...this.#listeners]) callSafely(listener, event)
  }
}

export interface PrdDetectionResult {
  readonly found: boolean
  /** Without the markers. */
  readonly content?: string
  readonly featureName?: string
}

/** See `Prd.detect`. */
export const detectPrd = (response: string): PrdDetectionResult => {
  const prd = Prd.detect(response)
  return prd === undefined ? { found: false } : { found: true, content: prd.content, featureName: prd.name }
}

/** An engine that helps to write a PRD. `model`: one that the agent has, by the name the agent gives it. */
export const createPrdChatEngine = (
  agent: AgentPlugin,
  {
    model,
    ...options
  }: Pick<ChatEngineConfig, "cwd" | "timeout" | "tools" | "runtime"> & { readonly model?: string } = {},
): ChatEngine =>
  new ChatEngine({
    ...options,
    agent,
    systemPrompt: PRD_SYSTEM_PROMPT,
    agentOptions: model === undefined ? {} : { flags: ["--model", model] },
  })

/** The model is the chat's own: each message names it. */
const inMemory = (model: LanguageModel.Service): Layer.Layer<Kernel> =>
  LoomEngine.layer.pipe(
    Layer.provideMerge(Forest.layer),
    Layer.provide([SqliteForestStore.layerMemory, Ids.layer, Layer.succeed(LanguageModel.LanguageModel, model)]),
  )

/** The result of a message whose answer was stopped by `reset`. */
const wasReset: SendMessageResult = { success: false, error: "The conversation was reset." }

const step = (result: SendMessageResult, event: ChatEvent): SendMessageResult => {
  switch (event.type) {
    case "message:received":
      return { success: true, response: event.message, durationMs: event.durationMs }
    case "error:occurred":
      return { success: false, error: event.error, durationMs: event.durationMs }
    default:
      return result
  }
}

const describe = (error: Engine.ChatError): string =>
  error.reason._tag === "SessionBusy" ? "Already processing a message. Please wait." : error.message

const callSafely = <A>(listener: ((value: A) => void) | undefined, value: A): void => {
  try {
    listener?.(value)
  } catch {
    // An exception of a listener must not end the conversation.
  }
}
