/** Code and the index over it, wired. No provider, no loop: what reading an index needs. */
import * as Layer from "effect/Layer"
import * as FilesOfThisMachine from "../code/Files/Node.ts"
import * as Files from "../code/Files.ts"
import * as Threads from "../code/Symbols/Threads.ts"
import * as TreeSitter from "../code/Symbols/TreeSitter.ts"
import * as Sqlite from "../indexing/IndexStore/Sqlite.ts"

/** The files of this machine, and the index that lies beside them. */
export const layer = Sqlite.layer.pipe(Layer.provideMerge(Layer.mergeAll(FilesOfThisMachine.layer, Threads.layer)))

/** Files in memory, by absolute path, and an index that lives as long as the layer: touches no disk. */
export const layerMemory = (files: Parameters<typeof Files.layerMemory>[0]) =>
  Sqlite.layerMemory.pipe(Layer.provideMerge(Layer.mergeAll(Files.layerMemory(files), TreeSitter.layer)))
