/** The layer of `vibe models`: the providers, and the catalogue of their models. */
import * as Layer from "effect/Layer"
import * as Catalog from "../../app/Catalog.ts"
import * as Models from "../../app/Models.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as Sources from "../../config/Sources.ts"

export const layer = Models.layer.pipe(
  Layer.provideMerge(Catalog.layer),
  Layer.provideMerge(Sources.layer(".")),
  Layer.provide(NodeFiles.layer),
)
