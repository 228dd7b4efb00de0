/** What compares states of a repository: files, the outliner, the index, and the program git. */
import * as Layer from "effect/Layer"
import * as Program from "../review/Git/Program.ts"
import * as CodeLayer from "./CodeLayer.ts"
import { processEnvironment } from "./processEnvironment.ts"

export const layer = CodeLayer.layer.pipe(Layer.provideMerge(Layer.suspend(() => Program.layer(processEnvironment()))))
