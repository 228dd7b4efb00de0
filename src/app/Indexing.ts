/** The main job, wired: for programs that embed it, for tests, and for `vibe index` itself. */
import * as Layer from "effect/Layer"
import type * as Files from "../code/Files.ts"
import * as Forest from "../forest/Forest.ts"
import * as ForestStore from "../forest/ForestStore.ts"
import * as IndexingOrchestrator from "../indexing/IndexingOrchestrator.ts"
import * as LoomEngine from "../loom/LoomEngine.ts"
import * as Ids from "../message/Ids.ts"
import * as IndexTools from "../toolbox/IndexTools.ts"
import * as Code from "./Code.ts"

const orchestrator = IndexingOrchestrator.layer.pipe(
  Layer.provide([LoomEngine.layer, IndexTools.layer]),
  Layer.provide(Forest.layer),
  Layer.provide([ForestStore.layerMemory, Ids.layer]),
)

/** The orchestrator over this machine's files. Needs a `LanguageModel`, and somebody to tell: an `IndexObserver`. */
export const layer = orchestrator.pipe(Layer.provideMerge(Code.layer))

/** The same over files in memory, by absolute path. */
export const layerMemory = (files: Parameters<typeof Files.layerMemory>[0]) =>
  orchestrator.pipe(Layer.provideMerge(Code.layerMemory(files)))
