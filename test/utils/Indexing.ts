/** The main job over a repository in memory and a model of the test's own: no disk, no network. */
import { Layer } from "effect"
import * as Indexing from "../../src/app/Indexing.ts"
import * as IndexObserver from "../../src/explore/IndexObserver.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import * as SharedSymbols from "./SharedSymbols.ts"

export const layer = <E>(
  files: Readonly<Record<string, string>>,
  model: Layer.Layer<LanguageModel.LanguageModel, E>,
  observer: Layer.Layer<IndexObserver.IndexObserver> = IndexObserver.layerSilent,
) => Indexing.layerMemory(files, SharedSymbols.layer).pipe(Layer.provide([model, observer]))
