/** The layer of `vibe check --model`: the model, opened before anything is compared, and how it is requested. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Models from "../../app/Models.ts"
import * as RequestPolicy from "../../app/RequestPolicy.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import type * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as ChosenModel from "../conversation/ChosenModel.ts"
import { JudgingModel } from "./JudgingModel.ts"

export interface Options extends AppConfig.RequestPolicy {
  readonly root: Option.Option<string>
}

const offline = new UsageError({
  message: "the offline guide judges no statements: name another model with --model, or none",
  command: "check",
})

export const layer = (model: ModelId, options: Options) =>
  Layer.effect(
    JudgingModel,
    Effect.gen(function* () {
      const registry = yield* ModelRegistry.ModelRegistry
      yield* Effect.mapError(ChosenModel.requireAnswering(model), () => offline)
      return Option.some(yield* registry.open(model))
    }),
  ).pipe(
    Layer.provide(Models.layer),
    // The policy is an output too: retries are read with each request.
    Layer.provideMerge(RequestPolicy.layer(options)),
    Layer.provide(Sources.layer(Option.getOrElse(options.root, () => "."))),
    Layer.provide(NodeFiles.layer),
  )
