/** The layer of `vibe wiki`: that of the commands that read an index, with the store of the wiki. */
import * as Layer from "effect/Layer"
import * as WikiFolder from "../../wiki/WikiStore/Folder.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"

export const layer = Layer.provideMerge(WikiFolder.layer, CodeLayer.layer)
