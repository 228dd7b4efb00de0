/** What `vibe index` runs on: what reading commands have, and on it the kernel, the tools and the models. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as ChosenModel from "../cli/ChosenModel.ts"
import * as IndexDisplay from "../cli/IndexDisplay.ts"
import * as Unkept from "../cli/Unkept.ts"
import * as FilesOfThisMachine from "../code/Files/Node.ts"
import type * as AppConfig from "../config/AppConfig.ts"
import * as Sources from "../config/Sources.ts"
import * as UserFiles from "../config/UserFiles.ts"
import * as Sqlite from "../forest/ForestStore/Sqlite.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as Indexing from "./Indexing.ts"
import * as Models from "./Models.ts"
import * as Pulled from "./Pulled.ts"
import * as Terms from "./Terms.ts"

/** The forest of this user. Where it cannot be kept the run goes on without (FAULTS I7). */
const conversations = Layer.unwrapEffect(Effect.map(UserFiles.forestFile, Sqlite.layer)).pipe(
  Layer.catchAll((error) => Layer.unwrapEffect(Effect.as(Unkept.warn(error), Sqlite.layerMemory))),
)

export interface Options extends AppConfig.RequestPolicy {
  /** The folder that is explored: its settings hold. */
  readonly path: string
  readonly json: boolean
  readonly model: Option.Option<ModelId>
}

export const layer = ({ json, model, path, ...terms }: Options) =>
  Layer.unwrapEffect(
    Effect.map(ChosenModel.choose(model), ({ id, notice }) =>
      Indexing.layerWith(conversations).pipe(
        Layer.provide([IndexDisplay.layer({ json, notice }), ChosenModel.layer(id)]),
        Layer.provide(Models.layer),
      ),
    ),
  ).pipe(
    Layer.provide(Pulled.layer),
    Layer.provideMerge(Terms.layer(terms)),
    Layer.provide(Sources.layer(path)),
    Layer.provide(FilesOfThisMachine.layer),
  )
