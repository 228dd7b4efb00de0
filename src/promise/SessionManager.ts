/** `chat/SessionManager` with promises instead of effects. */
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Sessions from "../chat/SessionManager.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { ConversationManager, type Runtime, run } from "./ConversationManager.ts"
import { makeKernel } from "./internal/kernel.ts"

export interface Config extends Sessions.Options {
  readonly model: LanguageModel.Service
  /** Has the forest that stores the sessions. By default they are in memory. */
  readonly runtime?: Runtime | undefined
}

/** The conversations of many users. Its promises reject with the errors of `ConversationManager.ManagerError`. */
export class SessionManager {
  readonly #model: LanguageModel.Service
  readonly #runtime: Runtime
  readonly #sessions: Sessions.Service

  private constructor(sessions: Sessions.Service, model: LanguageModel.Service, runtime: Runtime) {
    this.#sessions = sessions
    this.#model = model
    this.#runtime = runtime
  }

  static async make({ model, runtime = ManagedRuntime.make(makeKernel(model)), ...options }: Config) {
    return new SessionManager(await run(runtime, Sessions.make(options)), model, runtime)
  }

  async getOrCreate(sessionId: string): Promise<ConversationManager> {
    const manager = await run(this.#runtime, this.#sessions.getOrCreate(sessionId))
    return new ConversationManager(manager, this.#model, this.#runtime)
  }

  async get(sessionId: string): Promise<ConversationManager | undefined> {
    const manager = Option.getOrUndefined(await run(this.#runtime, this.#sessions.get(sessionId)))
    return manager && new ConversationManager(manager, this.#model, this.#runtime)
  }

  remove(sessionId: string): Promise<boolean> {
    return run(this.#runtime, this.#sessions.remove(sessionId))
  }
}
