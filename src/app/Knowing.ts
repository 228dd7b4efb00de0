/** What `vibe models` runs on: the providers there are, and what is known of their models. */
import * as Layer from "effect/Layer"
import * as FilesOfThisMachine from "../code/Files/Node.ts"
import * as Sources from "../config/Sources.ts"
import * as Catalog from "./Catalog.ts"
import * as Models from "./Models.ts"
import * as Pulled from "./Pulled.ts"

export const layer = Layer.mergeAll(Models.layer, Catalog.layer, Pulled.layer).pipe(
  Layer.provideMerge(Sources.layer(".")),
  Layer.provide(FilesOfThisMachine.layer),
)
