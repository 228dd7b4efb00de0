/** The main job, wired: for programs that embed it, for tests, and for `vibe index` itself. */
import * as Layer from "effect/Layer"
import * as Files from "../code/Files.ts"
import * as Scanner from "../code/Symbols/Scanner.ts"
import * as Forest from "../forest/Forest.ts"
import * as SqliteForestStore from "../forest/ForestStore/Sqlite.ts"
import type * as ForestStore from "../forest/ForestStore.ts"
import * as IndexingOrchestrator from "../indexing/IndexingOrchestrator.ts"
import * as Sqlite from "../indexing/IndexStore/Sqlite.ts"
import * as LoomEngine from "../loom/LoomEngine.ts"
import * as Ids from "../message/Ids.ts"
import * as IndexTools from "../toolbox/IndexTools.ts"
import * as Code from "./Code.ts"

const orchestrator = <E, R>(conversations: Layer.Layer<ForestStore.ForestStore, E, R>) =>
  IndexingOrchestrator.layer.pipe(
    Layer.provide([LoomEngine.layer, IndexTools.layer]),
    Layer.provide(Forest.layer),
    Layer.provide([conversations, Ids.layer]),
  )

/** The orchestrator over this machine's files, with its conversations kept where it is told. */
export const layerWith = <E, R>(conversations: Layer.Layer<ForestStore.ForestStore, E, R>) =>
  orchestrator(conversations).pipe(Layer.provideMerge(Code.layer))

/** The same, its conversations gone with the layer. Needs a `LanguageModel`, and somebody to tell: an `IndexObserver`. */
export const layer = layerWith(SqliteForestStore.layerMemory)

/** The same over files in memory, by absolute path, with an index that lives as long as the layer: touches no disk. */
export const layerMemory = (files: Parameters<typeof Files.layerMemory>[0]) =>
  orchestrator(SqliteForestStore.layerMemory).pipe(
    Layer.provideMerge(Sqlite.layerMemory),
    Layer.provideMerge(Layer.merge(Files.layerMemory(files), Scanner.layer)),
  )
