/** Stores the messages of a user at the node that they follow, and starts an answer of each of the chosen models. */
import * as Effect from "effect/Effect"
import type * as LoomEngine from "../../agent/LoomEngine.ts"
import * as ConversationManager from "../../conversation/engines/ConversationManager.ts"
import * as Forest from "../../forest/Forest.ts"
import { ForestError, NotFound } from "../../forest/ForestError.ts"
import type { Root } from "../../forest/Node.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { Served } from "../Served.ts"
import type { Answers, Said } from "./answers.ts"
import type { SharedDocument } from "./sharedDocument.ts"

export interface Options {
  readonly root: Root
  /** The conversation's own manager. */
  readonly manager: ConversationManager.Service
  readonly document: SharedDocument
  readonly start: Answers["start"]
  /** Publishes the messages on the way to `id` that come after `before`. */
  readonly publishSince: (id: NodeId, before: NodeId) => Effect.Effect<void>
  /** Stores the message at which the conversation ends. */
  readonly leave: Effect.Effect<void>
  /** Called when answers have begun. */
  readonly changed: Effect.Effect<void>
}

type Models = ReadonlyArray<LanguageModel.Service>

export const make = Effect.fnUntraced(function* (options: Options) {
  const { changed, document, leave, manager, publishSince, root, start } = options
  const forest = yield* Forest.Forest
  const context = yield* Effect.context<Forest.Forest | LoomEngine.LoomEngine | Served>()

  /** Fails if the node is not in this conversation's tree. */
  const requireOwn = (id: NodeId): Effect.Effect<void, ForestError> =>
    id === root.id
      ? Effect.void
      : Effect.filterOrFail(
          forest.node(id),
          (node) => node.root === root.id,
          () => new ForestError({ reason: new NotFound({ id }) }),
        )

  const moveTo = Effect.fnUntraced(function* (target: NodeId) {
    if (target === (yield* manager.cursor)) return
    yield* requireOwn(target)
    const { text } = yield* manager.document
    yield* manager.moveTo(target)
    yield* document.moved(text)
    yield* leave
    yield* document.sync
  })

  /** Starts answers beside each other, none of which is the conversation's own until the user moves to it. */
  const startBeside = (node: NodeId, said: Said, models: Models) =>
    Effect.forEach(models, (model) =>
      Effect.gen(function* () {
        const { known, text: prompt } = yield* manager.document
        const beside = yield* ConversationManager.make({
          owner: root.owner,
          systemPrompt: root.systemPrompt,
          from: node,
          prompt,
          known,
        }).pipe(Effect.provide(context))
        const [run] = yield* start(beside, said, model)
        return run.answer()
      }),
    )

  /** Stores a message after `parent`, and has it answered. Returns its node. */
  const send = Effect.fnUntraced(function* (parent: NodeId, said: Said, models: Models) {
    yield* moveTo(parent)
    const [model, ...others] = models
    if (model !== undefined && others.length === 0) {
      const [, node] = yield* start(manager, said, model)
      yield* changed
      return node
    }
    const before = yield* manager.cursor
    yield* manager.notifyPromptEdited()
    yield* manager.addUserMessage(said.text, said.pictures)
    const node = yield* manager.cursor
    yield* publishSince(node, before)
    yield* leave
    yield* document.sync
    yield* startBeside(node, said, models)
    yield* changed
    return node
  })

  /**
   * Starts more answers to a stored message. The only one is the conversation's own unless that has one in progress.
   */
  const answerAgain = Effect.fnUntraced(function* (node: NodeId, said: Said, models: Models, isAnswering: boolean) {
    if (isAnswering) return yield* startBeside(node, said, models)
    yield* moveTo(node)
    const [model, ...others] = models
    if (model === undefined || others.length > 0) return yield* startBeside(node, said, models)
    const [run] = yield* start(manager, said, model)
    return [run.answer()]
  })

  return { requireOwn, moveTo, send, answerAgain }
})
