/** The layers of `vibe ask` and `vibe loom generate`, which answer one question. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Models from "../../app/Models.ts"
import * as RequestPolicy from "../../app/RequestPolicy.ts"
import * as ToolServers from "../../app/ToolServers.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import type * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as SqliteForestStore from "../../forest/ForestStore/Sqlite.ts"
import * as ForestLayer from "../layers/ForestLayer.ts"
import * as OfferedToolsLayer from "../layers/OfferedToolsLayer.ts"

interface GenerateOptions extends ForestLayer.Options, AppConfig.RequestPolicy {}

export interface Options extends GenerateOptions {
  /** The node that the question continues from. */
  readonly continued: Option.Option<string>
}

/** Sources, files and the request policy are outputs too: a command may choose another model by them later. */
const withSettings =
  (options: AppConfig.RequestPolicy) =>
  <A, E, R>(layer: Layer.Layer<A, E, R>) =>
    layer.pipe(
      Layer.provideMerge(RequestPolicy.layer(options)),
      Layer.provideMerge(Sources.layer(".")),
      Layer.provideMerge(NodeFiles.layer),
    )

export const layer = (options: Options) =>
  Models.layer.pipe(
    Layer.provideMerge(SqliteForestStore.layerFallback),
    Layer.provideMerge(OfferedToolsLayer.layer),
    Layer.provideMerge(ForestLayer.layerOrMemory(options, Option.isSome(options.continued))),
    withSettings(options),
  )

export const layerGenerate = (options: GenerateOptions) =>
  Models.layer.pipe(
    Layer.provideMerge(ToolServers.layer),
    Layer.provideMerge(ForestLayer.layer(options)),
    withSettings(options),
  )
