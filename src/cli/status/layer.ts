/** The layer of `vibe status`: the index, and Git, which says what a sparse checkout leaves out. */
import * as Layer from "effect/Layer"
import * as CodeLayer from "../layers/CodeLayer.ts"
import * as GitLayer from "../layers/GitLayer.ts"

export const layer = Layer.provideMerge(CodeLayer.layer, GitLayer.layer)
