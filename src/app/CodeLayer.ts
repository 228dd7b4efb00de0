/** Code and the index over it, for commands that read an index: without providers, and without the loop over a model. */
import * as Layer from "effect/Layer"
import * as NodeFiles from "../code/Files/Node.ts"
import * as Sqlite from "../indexing/IndexStore/Sqlite.ts"
import * as SymbolsLayer from "./SymbolsLayer.ts"
import * as VectorSearch from "./VectorSearch.ts"

/** The files of this machine, and the index beside them. Searches use vectors if the user has set a model for them. */
export const layer = VectorSearch.layer(Sqlite.layer).pipe(
  Layer.provideMerge(SymbolsLayer.layer),
  Layer.provideMerge(NodeFiles.layer),
)

/** The same by words alone: for explorations, and for programs that embed vibe, which read no settings of the user. */
export const layerWords = Sqlite.layer.pipe(Layer.provideMerge(SymbolsLayer.layer), Layer.provideMerge(NodeFiles.layer))
