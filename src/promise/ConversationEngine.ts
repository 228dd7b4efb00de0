/** Wraps `conversation/engines/ConversationEngine` in promises instead of effects. */
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Engine from "../conversation/engines/ConversationEngine.ts"
import type { Message } from "../message/Message.ts"
import { EngineRuntime, type Kernel } from "./internal/EngineRuntime.ts"

export interface Config extends Engine.Config {
  /** The runtime with the forest that stores the session. By default the session is in memory, until `dispose`. */
  readonly runtime?: ManagedRuntime.ManagedRuntime<Kernel, never> | undefined
}

export interface Options extends Engine.Options {
  /**
   * Aborting it stops the turn; the promise rejects with a `GenerationAbortedError`. No request is sent if it is
   * already aborted.
   */
  readonly signal?: AbortSignal | undefined
}

/** One session. Its promises reject with the errors of `Engine.ConversationError`. */
export class ConversationEngine implements AsyncDisposable {
  readonly #engine: Engine.Service
  readonly #runtime: EngineRuntime

  constructor({ runtime, ...config }: Config) {
    this.#runtime = new EngineRuntime(runtime, config.model)
    this.#engine = this.#runtime.runtime.runSync(Engine.make(config))
  }

  start(userMessage: string, { signal, ...options }: Options = {}): Promise<Engine.EngineOutput> {
    return this.#runtime.run(this.#engine.start(userMessage, options), signal)
  }

  respond(userMessage: string, { signal, ...options }: Options = {}): Promise<Engine.EngineOutput> {
    return this.#runtime.run(this.#engine.respond(userMessage, options), signal)
  }

  /** Returns the system prompt, then all messages. Empty before `start`. */
  messages(): Promise<ReadonlyArray<Message>> {
    return this.#runtime.run(this.#engine.messages)
  }

  /** Stops a turn in progress, and frees the memory of a session without a `runtime` of the caller's. */
  dispose(): Promise<void> {
    return this.#runtime.dispose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}
