/** Opens the model of `OptionalModel`, with the policy of its requests. Loaded only if a model is named. */
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
import * as LanguageModel from "../../model/LanguageModel.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as ChosenModel from "../conversation/ChosenModel.ts"

export interface Options extends AppConfig.RequestPolicy {
  readonly root: Option.Option<string>
  /** The command, and what the offline guide cannot do for it, such as "puts no results in order". */
  readonly command: string
  readonly offline: string
}

/** The tag is here too, since a command that names no model does not load it. */
export const { LanguageModel: Service } = LanguageModel

export const layer = (model: ModelId, options: Options) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.gen(function* () {
      const registry = yield* ModelRegistry.ModelRegistry
      yield* Effect.mapError(
        ChosenModel.requireAnswering(model),
        () =>
          new UsageError({
            message: `the offline guide ${options.offline}: name another model with --model, or none`,
            command: options.command,
          }),
      )
      return yield* registry.open(model)
    }),
  ).pipe(
    Layer.provide(Models.layer),
    // The policy is an output too: retries are read with each request.
    Layer.provideMerge(RequestPolicy.layer(options)),
    Layer.provide(Sources.layer(Option.getOrElse(options.root, () => "."))),
    Layer.provide(NodeFiles.layer),
  )
