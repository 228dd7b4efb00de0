/**
 * The agent loop: messages go to a model, the model calls tools, and their results go back, until the model answers.
 * All other modules use this one loop.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { inParallel } from "../base/concurrency.ts"
import { makeMutex } from "../base/mutex.ts"
import { rendezvous } from "../base/Rendezvous.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import type { ModelId } from "../message/ModelId.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError } from "../model/ModelError.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import {
  type GenerateError,
  InvalidOptionError,
  ToolNotFoundError,
  ToolsOnlySupportNSingletonError,
} from "./GenerateError.ts"
import { fromTurnEvent, type GenerateEvent } from "./GenerateEvent.ts"
import { flawOf, type GenerateOptions } from "./GenerateOptions.ts"
import { abortable } from "./internal/abortable.ts"
import { ignore, make as makeComplete } from "./internal/complete.ts"
import * as OpenPath from "./internal/openPath.ts"
import * as StoreNodes from "./internal/storeNodes.ts"
import { type Sink, TurnEvent } from "./TurnEvent.ts"

/**
 * Lets a model answer a path of the forest, call tools and read their results, until it has an answer.
 *
 * When to use it: for an agent whose conversation you arrange yourself. `ChatEngine`, `ConversationEngine` and
 * `ConversationManager` are built on it and keep track of the conversation; `LanguageModel` sends a single request,
 * without running tools or storing anything.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Layer, Schema } from "effect"
 * import { Forest, Ids, LoomEngine, Message, SqliteForestStore, Tool, ToolRegistry } from "vibe-index"
 * import { Scripted } from "vibe-index/provider"
 *
 * const roll = Tool.make({
 *   name: "roll_die",
 *   description: "Rolls a die.",
 *   parameters: Schema.Struct({}),
 *   run: () => Effect.succeed("4"),
 * })
 *
 * const program = Effect.gen(function* () {
 *   const forest = yield* Forest.Forest
 *   const engine = yield* LoomEngine.LoomEngine
 *   const root = yield* forest.root({ owner: "example", systemPrompt: "You play games." })
 *   for (const reply of yield* engine.generate(root.id, { text: "Roll a die.", tools: ToolRegistry.make([roll]) })) {
 *     const { nodes } = yield* forest.path(reply.id)
 *     yield* Console.log(`${nodes.map(({ message }) => message.role).join(", ")}: ${Message.text(reply.message)}`)
 *   }
 * })
 *
 * const model = Scripted.layer([Scripted.calls(["roll_die"]), "A four."])
 * const vibe = LoomEngine.layer.pipe(
 *   Layer.provideMerge(Forest.layer),
 *   Layer.provide([model, SqliteForestStore.layerMemory, Ids.layer]),
 * )
 * await Effect.runPromise(Effect.provide(program, vibe))
 * // prints: user, assistant, tool, assistant: A four.
 * ```
 */
export class LoomEngine extends Context.Tag("vibe/agent/LoomEngine")<LoomEngine, Service>() {}

export interface Service {
  /**
   * Answers the path that ends at `parent`, a node or a root. The run goes no further than its consumer: the step after
   * an event begins when the next event is pulled. Cancelling the stream interrupts the run; the stored path stays
   * complete, with a result for every tool call.
   */
  readonly generateStream: (parent: NodeId, options?: GenerateOptions) => Stream.Stream<GenerateEvent>
  /**
   * Runs the same without a consumer, and returns the nodes of `done`, or fails with the error. The nodes are the ends
   * of the paths: replies, or the last result of a round in which all results end the run (`ToolResult.endsRun`).
   */
  readonly generate: (parent: NodeId, options?: GenerateOptions) => Effect.Effect<ReadonlyArray<Node>, GenerateError>
  /**
   * Runs several models on one path, concurrently. Each event comes with its model, and a model that fails ends only
   * its own run. The user's text is stored once, before the runs. `onEvent` receives the events of all runs, one at a
   * time.
   */
  readonly generateSeveral: (
    parent: NodeId,
    models: ReadonlyArray<LanguageModel.Service>,
    options?: Omit<GenerateOptions, "model">,
  ) => Stream.Stream<readonly [model: ModelId, event: GenerateEvent], ForestError>
  /** The tools of runs that name no others: those of the `ToolRegistry` that the loop was built with. */
  readonly defaultTools: ToolRegistry.Service
}

export const make = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const defaultModel = yield* LanguageModel.LanguageModel
  const defaultTools = yield* ToolRegistry.ToolRegistry
  const append = StoreNodes.append(forest)
  const openPath = OpenPath.make(forest, append, defaultModel)
  const complete = makeComplete(append, defaultModel)

  /** A run is one operation of the forest. */
  const run = Effect.fn("LoomEngine.run")(function* (parent: NodeId, options: GenerateOptions, deliver: Sink) {
    const { n = 1, onEvent = ignore, toolChoice } = options
    const flaw = flawOf(options)
    if (flaw !== undefined) return yield* new InvalidOptionError({ flaw })
    const tools = yield* ToolRegistry.latestTools(options.tools ?? ToolRegistry.none)
    if (n > 1 && tools.length > 0) return yield* new ToolsOnlySupportNSingletonError({})
    if (typeof toolChoice === "object" && !tools.some(({ name }) => name === toolChoice.tool)) {
      return yield* new ToolNotFoundError({ name: toolChoice.tool })
    }
    if (options.summarizes === true && n === 1) return [yield* completeInRoom(parent, options, deliver)]
    const path = yield* openPath(parent, options, onEvent)
    const final: Array<Node> = []
    while (final.length < n) final.push(yield* complete(path, options, deliver))
    return final
  }, forest.operation)

  /**
   * Replies to a path, which is summarised if it is too long: before the request, or after the provider has refused it.
   */
  const completeInRoom = (parent: NodeId, options: GenerateOptions, deliver: Sink) =>
    Effect.gen(function* () {
      const { onEvent = ignore } = options
      let cursor = parent
      const follow: Sink = (event) => {
        if (event._tag === "NodeStored") cursor = event.node.id
        return onEvent(event)
      }
      const following = { ...options, onEvent: follow }
      const path = yield* openPath(parent, following, follow)
      return yield* Effect.catchIf(complete(path, following, deliver), isOverflow, (error) =>
        Effect.gen(function* () {
          // The user's text is stored with the first reply.
          const rest = cursor === path.state.cursor ? following : { ...following, text: undefined }
          const shorter = yield* openPath(cursor, rest, follow, true)
          return shorter.hasMadeRoom ? yield* complete(shorter, rest, deliver) : yield* error
        }),
      )
    })

  /** Makes the whole run. Each event is passed to `onEvent`, then to `deliver`. */
  const runAndReport = (parent: NodeId, given: GenerateOptions, deliver: Sink) => {
    const { n = 1, onEvent = ignore, tools = n === 1 ? defaultTools : undefined } = given
    const options = { ...given, tools }
    return abortable(options.signal, deliver, (deliver) => run(parent, options, deliver)).pipe(
      Effect.tapBoth({
        onFailure: (error) => onEvent(TurnEvent.RunFailed({ error })),
        onSuccess: (final) => onEvent(TurnEvent.RunCompleted({ final })),
      }),
    )
  }

  const generateStream: Service["generateStream"] = (parent, options = {}) =>
    rendezvous((emit) => {
      const deliver: Sink = (event) => {
        const specified = fromTurnEvent(event)
        return specified === undefined ? Effect.void : emit(specified)
      }
      return runAndReport(parent, options, deliver).pipe(
        Effect.matchEffect({
          onFailure: (error) => deliver(TurnEvent.RunFailed({ error })),
          onSuccess: (final) => deliver(TurnEvent.RunCompleted({ final })),
        }),
      )
    })

  const generate: Service["generate"] = (parent, options = {}) => runAndReport(parent, options, ignore)

  const generateSeveral: Service["generateSeveral"] = (parent, models, { text, onEvent = ignore, ...options } = {}) => {
    const exclusively = makeMutex()
    const oneAtATime: Sink = onEvent === ignore ? ignore : (event) => exclusively(onEvent(event))
    const stored =
      text === undefined || flawOf(options) !== undefined
        ? Effect.succeed([])
        : append(parent, [StoreNodes.userDraft(text)], () => "input", oneAtATime)
    return Stream.unwrap(
      Effect.map(stored, (added) => {
        const cursor = added.at(-1)?.node.id ?? parent
        return rendezvous<readonly [ModelId, GenerateEvent], never, never>((emit) =>
          inParallel(
            models.map((model) =>
              Stream.runForEach(generateStream(cursor, { ...options, model, onEvent: oneAtATime }), (event) =>
                emit([model.id, event]),
              ),
            ),
          ),
        )
      }),
    )
  }

  return LoomEngine.of({ generateStream, generate, generateSeveral, defaultTools })
})

/**
 * Needs a `Forest`, and the `LanguageModel` of runs that name no other. The default tools are those of the
 * `ToolRegistry`, if there is one.
 */
export const layer: Layer.Layer<LoomEngine, never, Forest.Forest | LanguageModel.LanguageModel> = Layer.effect(
  LoomEngine,
  make,
)

const isOverflow = (error: GenerateError): error is ModelError =>
  error._tag === "ModelError" && error.reason._tag === "ContextOverflow"
