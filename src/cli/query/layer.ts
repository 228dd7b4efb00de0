/** The layer of `vibe query`: the index, and the model of `--model`, which is opened before the index is. */
import { inOrder } from "../../base/inOrder.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"
import * as OptionalModel from "../layers/OptionalModel.ts"
import type { Input } from "./command.ts"

export const layer = (input: Input) =>
  inOrder(
    OptionalModel.layer(input.model, { ...input, command: "query", offline: "puts no results in order" }),
    CodeLayer.withGit,
  )
