/** Code and the index over it, for explorations and for programs that embed vibe, which read no settings of the user. */
import * as Layer from "effect/Layer"
import * as NodeFiles from "../code/Files/Node.ts"
import * as Sqlite from "../index/IndexStore/Sqlite.ts"
import * as SymbolsLayer from "./SymbolsLayer.ts"

/** The files of this machine, and the index beside them, with searches by words only. */
export const layerWords = Sqlite.layer.pipe(Layer.provideMerge(SymbolsLayer.layer), Layer.provideMerge(NodeFiles.layer))
