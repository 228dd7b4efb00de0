/** The layer of `vibe check`: what compares states of a repository, and the wiki of its project. */
import * as Layer from "effect/Layer"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as WikiFolder from "../../wiki/WikiStore/Folder.ts"
import * as ReviewLayer from "../layers/ReviewLayer.ts"

export const layer = Layer.provideMerge(Layer.provide(WikiFolder.layer, NodeFiles.layer), ReviewLayer.layer)
