/** The model of `--model`, for commands that need none: `vibe query` and `vibe check`. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ModelId } from "../../message/ModelId.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { lazily } from "../Table.ts"
import type { Options } from "./openedModel.ts"

/** `None` without `--model`. */
export class OptionalModel extends Context.Tag("vibe/cli/layers/OptionalModel")<
  OptionalModel,
  Option.Option<LanguageModel.Service>
>() {}

/** Nothing that models need is loaded without one. The model is opened before the command does its work. */
export const layer = (model: Option.Option<ModelId>, options: Options) =>
  Option.match(model, {
    onNone: () => Layer.succeed(OptionalModel, Option.none()),
    onSome: (model) =>
      lazily(
        () => import("./openedModel.ts"),
        (opened) =>
          Layer.provideMerge(
            Layer.effect(OptionalModel, Effect.map(opened.Service, Option.some)),
            opened.layer(model, options),
          ),
      ),
  })
