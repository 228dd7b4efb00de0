/** What `vibe ask` runs on: the forest, the models there are, files to show, and tools where they are wanted. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as FilesOfThisMachine from "../code/Files/Node.ts"
import type * as AppConfig from "../config/AppConfig.ts"
import * as Sources from "../config/Sources.ts"
import * as SqliteForestStore from "../forest/ForestStore/Sqlite.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as App from "./App.ts"
import * as Conversing from "./Conversing.ts"
import * as Models from "./Models.ts"
import * as Pulled from "./Pulled.ts"
import * as Terms from "./Terms.ts"

export interface Options extends Conversing.Options, AppConfig.RequestPolicy {
  /** A conversation to go on with. */
  readonly continued: Option.Option<string>
  readonly tools: boolean
}

const looking = App.lazily(
  () => import("./Looking.ts"),
  ({ layer }) => layer,
)

export const layer = (options: Options) =>
  Layer.mergeAll(
    Conversing.layerIfKept(options, Option.isSome(options.continued)),
    options.tools ? looking : ToolRegistry.layer([]),
    Models.layer,
    Pulled.layer,
    SqliteForestStore.layerFallback,
  ).pipe(
    Layer.provideMerge(Terms.layer(options)),
    Layer.provideMerge(Sources.layer(".")),
    Layer.provideMerge(FilesOfThisMachine.layer),
  )
