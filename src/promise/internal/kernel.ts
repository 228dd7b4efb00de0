/** The services that conversations run on, and their default: everything in memory. */
import * as Layer from "effect/Layer"
import * as LoomEngine from "../../agent/LoomEngine.ts"
import * as Forest from "../../forest/Forest.ts"
import * as SqliteForestStore from "../../forest/ForestStore/Sqlite.ts"
import * as Ids from "../../message/Ids.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"

export type Kernel = Forest.Forest | LoomEngine.LoomEngine

/** Makes the services. `model` is only a default: each turn names its own. */
export const makeKernel = (model: LanguageModel.Service): Layer.Layer<Kernel> =>
  LoomEngine.layer.pipe(
    Layer.provideMerge(Forest.layer),
    Layer.provide(SqliteForestStore.layerMemory),
    Layer.provide(Ids.layer),
    Layer.provide(Layer.succeed(LanguageModel.LanguageModel, model)),
  )
