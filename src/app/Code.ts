/** Code and the index over it, wired. No provider, no loop: what reading an index needs. */
import * as Layer from "effect/Layer"
import * as FilesOfThisMachine from "../code/Files/Node.ts"
import * as Sqlite from "../indexing/IndexStore/Sqlite.ts"
import * as Outlining from "./Outlining.ts"

/** The files of this machine, and the index that lies beside them. */
export const layer = Sqlite.layer.pipe(Layer.provideMerge(Layer.merge(FilesOfThisMachine.layer, Outlining.layer)))
