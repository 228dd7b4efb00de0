/** The layer of `vibe check`: what compares states of a repository, the wiki of its project, and the model of `--model`. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { lazily } from "../../app/Lazy.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as WikiFolder from "../../wiki/WikiStore/Folder.ts"
import * as ReviewLayer from "../layers/ReviewLayer.ts"
import type { Input } from "./command.ts"
import { JudgingModel } from "./JudgingModel.ts"

const noModel = Layer.succeed(JudgingModel, Option.none())

export const layer = (input: Input) =>
  Layer.provideMerge(
    Layer.provideMerge(Layer.provide(WikiFolder.layer, NodeFiles.layer), ReviewLayer.layer),
    Option.match(input.model, {
      onNone: () => noModel,
      onSome: (model) =>
        lazily(
          () => import("./judgingLayer.ts"),
          ({ layer }) => layer(model, input),
        ),
    }),
  )
