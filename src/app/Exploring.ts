/** What `vibe index` runs on: what reading commands have, and on it the kernel, the tools and the models. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as ChosenModel from "../cli/ChosenModel.ts"
import * as IndexDisplay from "../cli/IndexDisplay.ts"
import * as Sources from "../config/Sources.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as Indexing from "./Indexing.ts"
import * as Models from "./Models.ts"
import "./Grammars.ts"

export interface Options {
  /** The folder that is explored: its settings hold. */
  readonly path: string
  readonly json: boolean
  readonly model: Option.Option<ModelId>
}

export const layer = ({ json, model, path }: Options) =>
  Layer.unwrapEffect(
    Effect.map(ChosenModel.choose(model), ({ id, notice }) =>
      Indexing.layer.pipe(
        Layer.provide([IndexDisplay.layer({ json, notice }), ChosenModel.layer(id)]),
        Layer.provide(Models.layer),
      ),
    ),
  ).pipe(Layer.provide(Sources.layer(path)))
