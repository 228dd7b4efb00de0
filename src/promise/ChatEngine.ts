/** Wraps `conversation/engines/ChatEngine` without Effect: promises, listeners and synchronous getters. */
import { cwd } from "node:process"
import * as Effect from "effect/Effect"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { GenerationAbortedError } from "../agent/GenerateError.ts"
import type { Sink, TurnEvent } from "../agent/TurnEvent.ts"
import * as Engine from "../conversation/engines/ChatEngine.ts"
import {
  type ChatEvent,
  type ChatMessage,
  type ChatStatus,
  chunkText,
  statusText,
} from "../conversation/engines/ChatEvent.ts"
import * as Prd from "../conversation/prd/Prd.ts"
import { PRD_SYSTEM_PROMPT } from "../conversation/prd/Prd.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as AgentProgram from "../model/AgentProgram.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import { type AgentExecuteOptions, type AgentPlugin, toAgent } from "./AgentPlugin.ts"
import { EngineRuntime, type Kernel } from "./internal/EngineRuntime.ts"

export interface ChatEngineConfig {
  readonly agent: AgentPlugin
  readonly systemPrompt: string
  /**
   * The most messages of the history that are sent; 50 by default, 0 for none. The constructor throws if it is not a
   * count.
   */
  readonly maxHistoryMessages?: number | undefined
  /** The timeout in milliseconds; 180000 by default, 0 for none. */
  readonly timeout?: number | undefined
  /** The working directory of the agent; by default that of this process. */
  readonly cwd?: string | undefined
  /** Options of each execution. Their `cwd` and `timeout` take precedence over those above. */
  readonly agentOptions?: Partial<AgentExecuteOptions> | undefined
  /** The tools of an agent that wraps a model; see `AgentPlugin.service`. */
  readonly tools?: ToolRegistry.Service | undefined
  /**
   * The runtime with the forest that stores the conversation. By default the conversation
   * is in memory, until `dispose`.
   */
  readonly runtime?: ManagedRuntime.ManagedRuntime<Kernel, never> | undefined
  /** The node to continue after. */
  readonly from?: NodeId | undefined
}

export interface SendMessageOptions {
  /** Receives the text of the answer as it arrives; for an agent program, everything that it prints. */
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
  /** The duration of the agent's execution; absent if it was not executed. */
  readonly durationMs?: number
}

/** Receives every event in order. Exceptions that it throws are ignored. */
export type ChatEventListener = (event: ChatEvent) => void

/** A conversation with an agent. All methods but `sendMessage` and `dispose` are synchronous. */
export class ChatEngine implements AsyncDisposable {
  readonly #agent: AgentPlugin
  readonly #engine: Engine.Service
  readonly #isAgent: boolean
  readonly #listeners = new Set<ChatEventListener>()
  readonly #runtime: EngineRuntime

  constructor(config: ChatEngineConfig) {
    const { agentOptions = {} } = config
    this.#agent = config.agent
    const service = config.agent.service ?? toAgent(config.agent, agentOptions)
    this.#isAgent = "ask" in service
    this.#runtime = new EngineRuntime(config.runtime, "ask" in service ? AgentProgram.toModel(service) : service)
    this.#engine = this.#runtime.runtime.runSync(
      Engine.make({
        agent: service,
        systemPrompt: config.systemPrompt,
        maxHistoryMessages: config.maxHistoryMessages,
        timeout: agentOptions.timeout ?? config.timeout,
        cwd: agentOptions.cwd ?? config.cwd ?? cwd(),
        flags: agentOptions.flags,
        tools: config.tools,
        from: config.from,
      }),
    )
  }

  /**
   * Sends a message, and resolves to the result. A failure of the agent is a result too and never rejects. Refuses a
   * message while another one is answered.
   */
  async sendMessage(content: string, options: SendMessageOptions = {}): Promise<SendMessageResult> {
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
    const answer = this.#consume(this.#engine.sendMessage(content, { onEvent, signal }), reportStatus).pipe(
      Effect.scoped,
      Effect.catchAll((error) => Effect.succeed({ success: false, error: describe(error) })),
    )
    try {
      return await this.#runtime.run(answer)
    } catch (error) {
      if (error instanceof GenerationAbortedError) return { success: false, error: error.message }
      throw error
    }
  }

  /**
   * Consumes the events without `Stream.run`, which starts asynchronously: the engine is `processing` when
   * `sendMessage` returns.
   */
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

  /** Returns the prompt that the agent receives with this message. */
  buildPrompt(userMessage: string): string {
    return this.#runtime.runtime.runSync(this.#engine.buildPrompt(userMessage))
  }

  detectPrd(response: string): PrdDetectionResult {
    return detectPrd(response)
  }

  /** Returns a function that unsubscribes. */
  on(listener: ChatEventListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Returns a copy of the history. */
  getHistory(): Array<ChatMessage> {
    return [...this.#runtime.runtime.runSync(this.#engine.history)]
  }

  getStatus(): ChatStatus {
    return this.#runtime.runtime.runSync(this.#engine.status)
  }

  getAgent(): AgentPlugin {
    return this.#agent
  }

  /** Starts a new conversation, and stops an answer in progress. */
  reset(): void {
    this.#notify(this.#runtime.runtime.runSync(this.#engine.reset))
  }

  /** Stops an answer in progress, and frees the memory of a conversation without a `runtime` of the caller's. */
  dispose(): Promise<void> {
    return this.#runtime.dispose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }

  #notify(event: ChatEvent): void {
    for (const listener of [...this.#listeners]) callSafely(listener, event)
  }
}

export interface PrdDetectionResult {
  readonly found: boolean
  /** The document without the markers. */
  readonly content?: string
  readonly featureName?: string
}

/** Finds a PRD in a response; see `Prd.detect`. */
export const detectPrd = (response: string): PrdDetectionResult => {
  const prd = Prd.detect(response)
  return prd === undefined ? { found: false } : { found: true, content: prd.content, featureName: prd.name }
}

/** Makes an engine for writing a PRD. `model` is passed to the agent as `--model`. */
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

/** The result of a message when `reset` has stopped its answer. */
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
