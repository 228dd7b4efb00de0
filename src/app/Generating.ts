/** What `vibe loom generate` runs on: the forest, and the models there are. */
import * as Layer from "effect/Layer"
import * as Sources from "../config/Sources.ts"
import * as Conversing from "./Conversing.ts"
import * as Models from "./Models.ts"
import * as Pulled from "./Pulled.ts"
import * as Waiting from "./Waiting.ts"

/** With the settings of the project that is here, also where the models are chosen later. */
export const layer = (options: Conversing.Options) =>
  Layer.mergeAll(Conversing.layer(options), Models.layer, Pulled.layer, Waiting.layer()).pipe(
    Layer.provideMerge(Sources.layer(".")),
  )
