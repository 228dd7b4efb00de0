/** The layer of `vibe query`: the index, and the model of `--model`, which is opened before the index is. */
import * as Layer from "effect/Layer"
import * as CodeLayer from "../layers/CodeLayer.ts"
import * as OptionalModel from "../layers/OptionalModel.ts"
import type { Input } from "./command.ts"

export const layer = (input: Input) =>
  Layer.provideMerge(
    CodeLayer.withGit,
    OptionalModel.layer(input.model, { ...input, command: "query", offline: "puts no results in order" }),
  )
