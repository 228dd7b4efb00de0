/** Code and the index over it, for commands that read an index. It has neither providers nor the agent loop. */
import * as Layer from "effect/Layer"
import * as SymbolsLayer from "../../app/SymbolsLayer.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as Sqlite from "../../index/IndexStore/Sqlite.ts"
import * as VectorSearch from "./VectorSearch.ts"

/** The files of this machine, and the index beside them. Searches use vectors if the user has set a model for them. */
export const layer = VectorSearch.layer(Sqlite.layer).pipe(
  Layer.provideMerge(SymbolsLayer.layer),
  Layer.provideMerge(NodeFiles.layer),
)
