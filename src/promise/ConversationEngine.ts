/** `chat/ConversationEngine` for code without Effect: promises in the place of effects. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Engine from "../chat/ConversationEngine.ts"
import type { EngineOutput } from "../chat/EngineOutput.ts"
import * as Forest from "../forest/Forest.ts"
import * as SqliteForestStore from "../forest/ForestStore/Sqlite.ts"
import * as LoomEngine from "../loom/LoomEngine.ts"
import * as Ids from "../message/Ids.ts"
import type { Message } from "../message/Message.ts"
import * as LanguageModel from "../model/LanguageModel.ts"

export interface Config extends Engine.Config {
  /** Holds the kernel, and the forest that keeps the session; by default it lives in memory, with the engine. */
  readonly runtime?: ManagedRuntime.ManagedRuntime<Kernel, never> | undefined
}

export interface Options extends Engine.Options {
  /** Aborting it stops the turn, and rejects. */
  readonly signal?: AbortSignal | undefined
}

type Kernel = Forest.Forest | LoomEngine.LoomEngine

/** One session. Its promises reject with the errors of `Engine.ConversationError`. */
export class ConversationEngine {
  readonly #engine: Engine.Service
  readonly #runtime: ManagedRuntime.ManagedRuntime<Kernel, never>

  constructor({ runtime, ...config }: Config) {
    this.#runtime = runtime ?? ManagedRuntime.make(inMemory(config.model))
    this.#engine = this.#runtime.runSync(Engine.make(config))
  }

  start(userMessage: string, { signal, ...options }: Options = {}): Promise<EngineOutput> {
    return this.#run(this.#engine.start(userMessage, options), signal)
  }

  respond(userMessage: string, { signal, ...options }: Options = {}): Promise<EngineOutput> {
    return this.#run(this.#engine.respond(userMessage, options), signal)
  }

  /** The system prompt first, then all messages. Empty before `start`. */
  messages(): Promise<ReadonlyArray<Message>> {
    return this.#run(this.#engine.messages)
  }

  /** Throws the failure as it is: Effect would wrap it. */
  async #run<A, E>(effect: Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> {
    const result = await this.#runtime.runPromise(Effect.either(effect), signal && { signal })
    if (Either.isLeft(result)) throw result.left
    return result.right
  }
}

/** The model is the session's own: each turn names it. */
const inMemory = (model: LanguageModel.Service): Layer.Layer<Kernel> =>
  LoomEngine.layer.pipe(
    Layer.provideMerge(Forest.layer),
    Layer.provide([SqliteForestStore.layerMemory, Ids.layer, Layer.succeed(LanguageModel.LanguageModel, model)]),
  )
