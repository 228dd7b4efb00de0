/** The orchestrator of an index, composed: for programs that embed it, for tests, and for `vibe index` itself. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LoomEngine from "../agent/LoomEngine.ts"
import * as NodeFiles from "../code/Files/Node.ts"
import * as Files from "../code/Files.ts"
import * as Scanner from "../code/Symbols/Scanner.ts"
import type { Symbols } from "../code/Symbols.ts"
import type { AfterRun } from "../explore/IndexingOrchestrator.ts"
import * as IndexingOrchestrator from "../explore/IndexingOrchestrator.ts"
import * as Forest from "../forest/Forest.ts"
import * as SqliteForestStore from "../forest/ForestStore/Sqlite.ts"
import type * as ForestStore from "../forest/ForestStore.ts"
import * as Sqlite from "../index/IndexStore/Sqlite.ts"
import * as Ids from "../message/Ids.ts"
import * as IndexTools from "../toolbox/IndexTools.ts"
import * as WikiFolder from "../wiki/WikiStore/Folder.ts"
import * as WikiStore from "../wiki/WikiStore.ts"
import * as writeAfterRun from "../wiki/writeAfterRun.ts"
import * as WikiRun from "../wiki/writing/WikiRun.ts"
import * as SymbolsLayer from "./SymbolsLayer.ts"

/** The files of this machine, and the index beside them, with searches by words only. */
export const layerWords = Sqlite.layer.pipe(Layer.provideMerge(SymbolsLayer.layer), Layer.provideMerge(NodeFiles.layer))

const orchestrator = <E, R>(store: Layer.Layer<ForestStore.ForestStore, E, R>) =>
  IndexingOrchestrator.layer.pipe(
    Layer.provide(LoomEngine.layer),
    Layer.provide(IndexTools.layer),
    Layer.provide(Forest.layer),
    Layer.provide(Ids.layer),
    Layer.provide(store),
  )

/** The orchestrator over this machine's files, with its conversations in a `ForestStore`. */
export const layerWith = <E, R>(store: Layer.Layer<ForestStore.ForestStore, E, R>) =>
  orchestrator(store).pipe(Layer.provideMerge(layerWords))

/** The same, with conversations in memory. Needs a `LanguageModel` and an `IndexObserver`. */
export const layer = layerWith(SqliteForestStore.layerMemory)

/**
 * The same over files in memory, by absolute path, with an index in memory, which ends with the layer. `symbols`
 * outlines the files: programs that make many such layers can share one, since each loads grammars of its own.
 */
export const layerMemory = (
  files: Parameters<typeof Files.layerMemory>[0],
  symbols: Layer.Layer<Symbols> = Scanner.layer,
) =>
  orchestrator(SqliteForestStore.layerMemory).pipe(
    Layer.provideMerge(Sqlite.layerMemory),
    Layer.provideMerge(symbols),
    Layer.provideMerge(Files.layerMemory(files)),
  )

/**
 * Makes the function that writes the wiki at the end of a run, for `IndexingOrchestrator.Options.afterRun`. The model
 * of the run writes pages too, unless `asksModel` is false.
 */
export const wikiAfterRun = ({ asksModel = true } = {}): Effect.Effect<AfterRun, never, Files.Files> =>
  Effect.map(WikiStore.WikiStore, (store) =>
    writeAfterRun.make(store, { writerOf: asksModel ? WikiRun.writerOf : undefined }),
  ).pipe(Effect.provide(WikiFolder.layer))
