/** Wraps `conversation/engines/SessionManager` in promises instead of effects. */
import * as Option from "effect/Option"
import type * as Manager from "../conversation/engines/ConversationManager.ts"
import * as Sessions from "../conversation/engines/SessionManager.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { ConversationManager } from "./ConversationManager.ts"
import { EngineRuntime, type Runtime } from "./internal/EngineRuntime.ts"

export interface Config extends Sessions.Options {
  readonly model: LanguageModel.Service
  /** The runtime with the forest that stores the sessions. By default they are in memory, until `dispose`. */
  readonly runtime?: Runtime | undefined
}

/** The conversations of many users. Its promises reject with the errors of `ConversationManager.ManagerError`. */
export class SessionManager implements AsyncDisposable {
  readonly #model: LanguageModel.Service
  readonly #runtime: EngineRuntime
  readonly #sessions: Sessions.Service
  /** Holds one object for each session, until the session is removed. */
  readonly #managers = new WeakMap<Manager.Service, ConversationManager>()

  private constructor(sessions: Sessions.Service, model: LanguageModel.Service, runtime: EngineRuntime) {
    this.#sessions = sessions
    this.#model = model
    this.#runtime = runtime
  }

  static async make({ model, runtime: given, ...options }: Config): Promise<SessionManager> {
    const runtime = new EngineRuntime(given, model)
    return new SessionManager(await runtime.open(Sessions.make(options)), model, runtime)
  }

  /** Returns the same object for the same id, until the session is removed. */
  async getOrCreate(sessionId: string): Promise<ConversationManager> {
    const manager = await this.#runtime.run(this.#sessions.getOrCreate(sessionId))
    return this.#toManager(manager)
  }

  async get(sessionId: string): Promise<ConversationManager | undefined> {
    const manager = Option.getOrUndefined(await this.#runtime.run(this.#sessions.get(sessionId)))
    return manager && this.#toManager(manager)
  }

  #toManager(service: Manager.Service): ConversationManager {
    const known = this.#managers.get(service)
    if (known !== undefined) return known
    const manager = ConversationManager.of(service, this.#model, this.#runtime, async () => {
      await this.#runtime.run(service.stop)
    })
    this.#managers.set(service, manager)
    return manager
  }

  remove(sessionId: string): Promise<boolean> {
    return this.#runtime.run(this.#sessions.remove(sessionId))
  }

  /** Stops all turns in progress, and frees the memory of sessions without a `runtime` of the caller's. */
  dispose(): Promise<void> {
    return this.#runtime.dispose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}
