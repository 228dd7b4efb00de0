/** What models cost, for `vibe loom log`: by the catalogue that this user has, and for those of one's own machine nothing. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FilesOfThisMachine from "../code/Files/Node.ts"
import * as Sources from "../config/Sources.ts"
import * as ModelCatalog from "../model/ModelCatalog.ts"
import * as Catalog from "./Catalog.ts"
import * as Providers from "./Providers.ts"

const make = Effect.map(Catalog.make, (catalog) =>
  ModelCatalog.ModelCatalog.of({
    ...catalog,
    find: (id) =>
      Effect.map(catalog.find(id), (entry) => ({ price: Providers.providers.get(id.provider)?.price, ...entry })),
  }),
)

/** A conversation can be read whatever is wrong with the settings: then by what came with the program. */
export const layer = Layer.effect(ModelCatalog.ModelCatalog, make).pipe(
  Layer.provide(Sources.layer(".")),
  Layer.provide(FilesOfThisMachine.layer),
  Layer.orElse(() => ModelCatalog.layer),
)
