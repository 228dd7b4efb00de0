/** `chat/ConversationManager` with promises instead of effects. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import * as Manager from "../chat/ConversationManager.ts"
import type * as Document from "../chat/Document.ts"
import type { Node } from "../forest/Node.ts"
import type { GenerateEvent } from "../loom/GenerateEvent.ts"
import type { Message } from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { type Kernel, makeKernel } from "./internal/kernel.ts"

export type Runtime = ManagedRuntime.ManagedRuntime<Kernel, never>

export interface Config extends Manager.Options {
  readonly model: LanguageModel.Service
  /** The runtime with the forest that stores the conversation. By default the conversation is in memory. */
  readonly runtime?: Runtime | undefined
}

/** One conversation. Its promises reject with the errors of `Manager.ManagerError`. */
export class ConversationManager {
  readonly #manager: Manager.Service
  readonly #model: LanguageModel.Service
  readonly #runtime: Runtime

  /** `ConversationManager.make` and `SessionManager` have the manager. */
  constructor(manager: Manager.Service, model: LanguageModel.Service, runtime: Runtime) {
    this.#manager = manager
    this.#model = model
    this.#runtime = runtime
  }

  static async make({ model, runtime = ManagedRuntime.make(makeKernel(model)), ...options }: Config) {
    return new ConversationManager(await run(runtime, Manager.make(options)), model, runtime)
  }

  addUserMessage(content: string): Promise<void> {
    return run(this.#runtime, this.#manager.addUserMessage(content))
  }

  addAssistantMessage(content: string, prompt?: string): Promise<void> {
    return run(this.#runtime, this.#manager.addAssistantMessage(content, prompt))
  }

  getHistory(): Promise<ReadonlyArray<Message>> {
    return run(this.#runtime, this.#manager.getHistory())
  }

  /** The history with ids, times and usage. */
  nodes(): Promise<ReadonlyArray<Node>> {
    return run(this.#runtime, this.#manager.nodes)
  }

  getCurrentPrompt(): Promise<string> {
    return run(this.#runtime, this.#manager.getCurrentPrompt())
  }

  isPromptEdited(): Promise<boolean> {
    return run(this.#runtime, this.#manager.isPromptEdited())
  }

  updatePrompt(newPrompt: string, options?: Manager.UpdateOptions): Promise<Document.Document> {
    return run(this.#runtime, this.#manager.updatePrompt(newPrompt, options))
  }

  revisePrompt(newPrompt: string): Promise<Document.Document> {
    return run(this.#runtime, this.#manager.revisePrompt(newPrompt))
  }

  notifyPromptEdited(): Promise<void> {
    return run(this.#runtime, this.#manager.notifyPromptEdited())
  }

  buildLLMContext(systemPrompt?: string): Promise<ReadonlyArray<Message>> {
    return run(this.#runtime, this.#manager.buildLLMContext(systemPrompt))
  }

  clear(): Promise<void> {
    return run(this.#runtime, this.#manager.clear())
  }

  /** The events of one turn. Leaving the loop over them cancels it. */
  respond(text: string, options: Manager.TurnOptions = {}): AsyncIterable<GenerateEvent> {
    return Stream.toAsyncIterable(this.#manager.respond(text, { model: this.#model, ...options }))
  }

  /** The present state, then each change of it, until the loop over them is left. */
  changes(): AsyncIterable<Manager.Change> {
    return Stream.toAsyncIterable(this.#manager.changes)
  }

  document(): Promise<Document.Document> {
    return run(this.#runtime, this.#manager.document)
  }

  cursor(): Promise<NodeId> {
    return run(this.#runtime, this.#manager.cursor)
  }

  /** Continues after another node of the tree, or its root, and returns the prompt there. */
  moveTo(node: NodeId): Promise<Document.Document> {
    return run(this.#runtime, this.#manager.moveTo(node))
  }

  /** The versions of the prompt that the path has, oldest first: those of the user and those of models. */
  versions(): Promise<ReadonlyArray<Manager.Version>> {
    return run(this.#runtime, this.#manager.versions)
  }

  status(): Promise<Manager.Status> {
    return run(this.#runtime, this.#manager.status)
  }

  /** Ends the turn in progress, and returns whether there was one. */
  stop(): Promise<boolean> {
    return run(this.#runtime, this.#manager.stop)
  }
}

/** Throws the error itself: `runPromise` would wrap it. */
export const run = async <A, E>(runtime: Runtime, effect: Effect.Effect<A, E, Kernel>): Promise<A> => {
  const result = await runtime.runPromise(Effect.either(effect))
  if (Either.isLeft(result)) throw result.left
  return result.right
}
