/** The layer of `vibe check`: what compares states of a repository, the wiki of its project, and the model of `--model`. */
import * as Layer from "effect/Layer"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as WikiFolder from "../../wiki/WikiStore/Folder.ts"
import * as OptionalModel from "../layers/OptionalModel.ts"
import * as ReviewLayer from "../layers/ReviewLayer.ts"
import type { Input } from "./command.ts"

export const layer = (input: Input) =>
  Layer.provideMerge(
    Layer.provideMerge(Layer.provide(WikiFolder.layer, NodeFiles.layer), ReviewLayer.layer),
    OptionalModel.layer(input.model, { ...input, command: "check", offline: "judges no statements" }),
  )
