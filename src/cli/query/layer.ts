/** The layer of `vibe query`: the index, and the model of `--model`, which is opened before the index is. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { lazily } from "../../app/Lazy.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"
import * as GitLayer from "../layers/GitLayer.ts"
import type { Input } from "./command.ts"
import { RankingModel } from "./RankingModel.ts"

const noModel = Layer.succeed(RankingModel, Option.none())

export const layer = (input: Input) =>
  Layer.provideMerge(
    Layer.provideMerge(CodeLayer.layer, GitLayer.layer),
    Option.match(input.model, {
      onNone: () => noModel,
      onSome: (model) =>
        lazily(
          () => import("./rankingLayer.ts"),
          ({ layer }) => layer(model, input),
        ),
    }),
  )
