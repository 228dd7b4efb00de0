/** `chat/ConversationEngine` with promises instead of effects. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Engine from "../chat/ConversationEngine.ts"
import type { EngineOutput } from "../chat/EngineOutput.ts"
import type { Message } from "../message/Message.ts"
import { type Kernel, makeKernel } from "./internal/kernel.ts"

export interface Config extends Engine.Config {
  /** Has the forest that stores the session. By default the session is in memory. */
  readonly runtime?: ManagedRuntime.ManagedRuntime<Kernel, never> | undefined
}

export interface Options extends Engine.Options {
  /** Aborting it stops the turn; the promise rejects. */
  readonly signal?: AbortSignal | undefined
}

/** One session. Its promises reject with the errors of `Engine.ConversationError`. */
export class ConversationEngine {
  readonly #engine: Engine.Service
  readonly #runtime: ManagedRuntime.ManagedRuntime<Kernel, never>

  constructor({ runtime, ...config }: Config) {
    this.#runtime = runtime ?? ManagedRuntime.make(makeKernel(config.model))
    this.#engine = this.#runtime.runSync(Engine.make(config))
  }

  start(userMessage: string, { signal, ...options }: Options = {}): Promise<EngineOutput> {
    return this.#run(this.#engine.start(userMessage, options), signal)
  }

  respond(userMessage: string, { signal, ...options }: Options = {}): Promise<EngineOutput> {
    return this.#run(this.#engine.respond(userMessage, options), signal)
  }

  /** The system prompt, then all messages. Empty before `start`. */
  messages(): Promise<ReadonlyArray<Message>> {
    return this.#run(this.#engine.messages)
  }

  /** Throws the error itself: `runPromise` would wrap it. */
  async #run<A, E>(effect: Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> {
    const result = await this.#runtime.runPromise(Effect.either(effect), signal && { signal })
    if (Either.isLeft(result)) throw result.left
    return result.right
  }
}
