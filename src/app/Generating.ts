/** What `vibe loom generate` runs on: the forest, and the models there are. */
import * as Layer from "effect/Layer"
import * as FilesOfThisMachine from "../code/Files/Node.ts"
import type * as AppConfig from "../config/AppConfig.ts"
import * as Sources from "../config/Sources.ts"
import * as Conversing from "./Conversing.ts"
import * as Models from "./Models.ts"
import * as Pulled from "./Pulled.ts"
import * as Terms from "./Terms.ts"

export interface Options extends Conversing.Options, AppConfig.RequestPolicy {}

/** With the settings of the project that is here, also where the models are chosen later. */
export const layer = (options: Options) =>
  Layer.mergeAll(Conversing.layer(options), Models.layer, Pulled.layer).pipe(
    Layer.provideMerge(Terms.layer(options)),
    Layer.provideMerge(Sources.layer(".")),
    Layer.provideMerge(FilesOfThisMachine.layer),
  )
