/** The kernel over a script, in memory, with ids that can be foretold. */
import { Effect, Layer, Stream } from "effect"
import type { GenerateEvent } from "../../src/agent/GenerateEvent.ts"
import type { GenerateOptions } from "../../src/agent/GenerateOptions.ts"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as SqliteForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import * as Ids from "../../src/message/Ids.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"

export const layerOf = <E>(model: Layer.Layer<LanguageModel.LanguageModel, E>, forest = Forest.layer) =>
  LoomEngine.layer.pipe(
    Layer.provideMerge(forest),
    Layer.provide([SqliteForestStore.layerMemory, Ids.layerSequence, model]),
  )

/** A forest that writes down how many nodes of a path are read at a time. */
export const countedInto = (reads: Array<number>) =>
  Layer.effect(
    Forest.Forest,
    Effect.map(Forest.make, (forest) => ({
      ...forest,
      path: (...asked: Parameters<Forest.Service["path"]>) =>
        Effect.tap(forest.path(...asked), ({ nodes }) => Effect.sync(() => reads.push(nodes.length))),
    })),
  )

export const withScript = (script: Scripted.Script) => Effect.provide(layerOf(Scripted.layer(script)))

/** A tree for a conversation. */
export const root = Effect.flatMap(Forest.Forest, (forest) =>
  forest.root({ owner: "test", systemPrompt: "You are a test." }),
)

/** All events of a run under `parent`, or under a fresh root. */
export const events = (options: GenerateOptions) =>
  Effect.gen(function* () {
    const engine = yield* LoomEngine.LoomEngine
    const { id } = yield* root
    return Array.from(yield* Stream.runCollect(engine.generateStream(id, options)))
  })

export const types = (events: ReadonlyArray<GenerateEvent>) => events.map((event) => event.type)
