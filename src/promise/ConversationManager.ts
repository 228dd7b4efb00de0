/** Wraps `conversation/engines/ConversationManager` in promises instead of effects. */

import type { GenerateEvent } from "../agent/GenerateEvent.ts"
import type * as Document from "../conversation/document/Document.ts"
import * as Manager from "../conversation/engines/ConversationManager.ts"
import type { Node } from "../forest/Node.ts"
import type { Message } from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { EngineRuntime, type Runtime } from "./internal/EngineRuntime.ts"

export type { Runtime } from "./internal/EngineRuntime.ts"

export interface Config extends Manager.Options {
  readonly model: LanguageModel.Service
  /**
   * The runtime with the forest that stores the conversation. By default the conversation
   * is in memory, until `dispose`.
   */
  readonly runtime?: Runtime | undefined
}

/** One conversation. Its promises reject with the errors of `Manager.ManagerError`. */
export class ConversationManager implements AsyncDisposable {
  readonly #manager: Manager.Service
  readonly #model: LanguageModel.Service
  readonly #runtime: EngineRuntime
  readonly #dispose: () => Promise<void>

  private constructor(
    manager: Manager.Service,
    model: LanguageModel.Service,
    runtime: EngineRuntime,
    dispose: () => Promise<void>,
  ) {
    this.#dispose = dispose
    this.#manager = manager
    this.#model = model
    this.#runtime = runtime
  }

  static async make({ model, runtime: given, ...options }: Config): Promise<ConversationManager> {
    const runtime = new EngineRuntime(given, model)
    return ConversationManager.of(await runtime.open(Manager.make(options)), model, runtime)
  }

  /** @internal */
  static of(
    manager: Manager.Service,
    model: LanguageModel.Service,
    runtime: EngineRuntime,
    dispose = () => runtime.dispose(),
  ): ConversationManager {
    return new ConversationManager(manager, model, runtime, dispose)
  }

  addUserMessage(content: string): Promise<void> {
    return this.#runtime.run(this.#manager.addUserMessage(content))
  }

  addAssistantMessage(content: string, prompt?: string): Promise<void> {
    return this.#runtime.run(this.#manager.addAssistantMessage(content, prompt))
  }

  getHistory(): Promise<ReadonlyArray<Message>> {
    return this.#runtime.run(this.#manager.getHistory())
  }

  /** Returns the history with ids, times and usage. */
  nodes(): Promise<ReadonlyArray<Node>> {
    return this.#runtime.run(this.#manager.nodes)
  }

  getCurrentPrompt(): Promise<string> {
    return this.#runtime.run(this.#manager.getCurrentPrompt())
  }

  isPromptEdited(): Promise<boolean> {
    return this.#runtime.run(this.#manager.isPromptEdited())
  }

  updatePrompt(newPrompt: string, options?: Manager.UpdateOptions): Promise<Document.Document> {
    return this.#runtime.run(this.#manager.updatePrompt(newPrompt, options))
  }

  revisePrompt(newPrompt: string): Promise<Document.Document> {
    return this.#runtime.run(this.#manager.revisePrompt(newPrompt))
  }

  notifyPromptEdited(): Promise<void> {
    return this.#runtime.run(this.#manager.notifyPromptEdited())
  }

  buildLLMContext(systemPrompt?: string): Promise<ReadonlyArray<Message>> {
    return this.#runtime.run(this.#manager.buildLLMContext(systemPrompt))
  }

  clear(): Promise<void> {
    return this.#runtime.run(this.#manager.clear())
  }

  /** Runs one turn and returns its events. Leaving the loop over them cancels the turn. */
  respond(text: string, options: Manager.TurnOptions = {}): AsyncIterable<GenerateEvent> {
    return this.#runtime.iterate(this.#manager.respond(text, { model: this.#model, ...options }))
  }

  /** Returns the present state, then each change of it, until the loop over them is left. */
  changes(): AsyncIterable<Manager.Change> {
    return this.#runtime.iterate(this.#manager.changes)
  }

  document(): Promise<Document.Document> {
    return this.#runtime.run(this.#manager.document)
  }

  cursor(): Promise<NodeId> {
    return this.#runtime.run(this.#manager.cursor)
  }

  /** Continues after another node of the tree, or its root, and returns the prompt there. */
  moveTo(node: NodeId): Promise<Document.Document> {
    return this.#runtime.run(this.#manager.moveTo(node))
  }

  /** Returns the versions of the prompt on the path, oldest first: those of the user and those of models. */
  versions(): Promise<ReadonlyArray<Manager.Version>> {
    return this.#runtime.run(this.#manager.versions)
  }

  status(): Promise<Manager.Status> {
    return this.#runtime.run(this.#manager.status)
  }

  /** Stops the turn in progress, and returns true if there was one. */
  stop(): Promise<boolean> {
    return this.#runtime.run(this.#manager.stop)
  }

  /**
   * Stops a turn in progress, and frees the memory of a conversation without a `runtime` of the caller's. One of a
   * `SessionManager` only stops its turn: the memory is freed with all of them.
   */
  dispose(): Promise<void> {
    return this.#dispose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}
