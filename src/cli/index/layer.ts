/** The layer of `vibe index`: that of the commands that read an index, with the loop, its tools and the models. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Embedders from "../../app/Embedders.ts"
import * as Indexing from "../../app/Indexing.ts"
import * as Models from "../../app/Models.ts"
import * as RequestPolicy from "../../app/RequestPolicy.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import type * as AppConfig from "../../config/AppConfig.ts"
import * as KnownProviders from "../../config/KnownProviders.ts"
import * as Sources from "../../config/Sources.ts"
import * as UserFiles from "../../config/UserFiles.ts"
import * as Sqlite from "../../forest/ForestStore/Sqlite.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as ModelCatalog from "../../model/ModelCatalog.ts"
import * as ChosenModel from "../conversation/ChosenModel.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"
import * as ForestLayer from "../layers/ForestLayer.ts"
import { lazily } from "../Table.ts"
import * as IndexDisplay from "./IndexDisplay.ts"
import { Cluster } from "./run.ts"

/** The forest of this user. If it cannot be opened, the run goes on with one in memory. */
const forest = Layer.unwrapEffect(Effect.map(UserFiles.forestFile, Sqlite.layer)).pipe(
  Layer.catchAll((error) => Layer.unwrapEffect(Effect.as(ForestLayer.warnNotPersisted(error), Sqlite.layerMemory))),
)

const catalog = lazily(
  () => import("../../app/Catalog.ts"),
  ({ layer }) => layer,
)

const none: ChosenModel.Choice = { id: KnownProviders.offline, notice: undefined }

export interface Options extends AppConfig.RequestPolicy {
  /** The folder to index. The settings are those of its project. */
  readonly path: string
  readonly json: boolean
  readonly model: Option.Option<ModelId>
  /** True for an estimate, which asks no model and needs neither a key nor a conversation. */
  readonly estimate: boolean
  /** True if workers answer in place of this process. */
  readonly cluster: boolean
  /** The run of the cluster that is followed or cancelled, for which no model is asked. */
  readonly status: Option.Option<string>
  readonly cancel: Option.Option<string>
}

const clusterLayer = <A, E, R>(layer: (module: typeof import("./clusterLayer.ts")) => Layer.Layer<A, E, R>) =>
  lazily(() => import("./clusterLayer.ts"), layer)

const withoutModel = new UsageError({
  message:
    "--cluster needs a language model, the offline guide has nothing for workers to answer: name one with --model",
  command: "index",
})

const noCluster = Layer.succeed(Cluster, Option.none())

const indexing = ({ cancel, cluster, estimate: isEstimate, json, model, path, status, ...policy }: Options) => {
  const isOfRun = Option.isSome(status) || Option.isSome(cancel)
  const estimate = isEstimate || isOfRun
  const chosen = estimate
    ? Effect.succeed(none)
    : Effect.tap(ChosenModel.choose(model), ({ id }) =>
        cluster ? Effect.mapError(ChosenModel.requireAnswering(id), () => withoutModel) : Effect.void,
      )
  return Layer.unwrapEffect(
    Effect.map(chosen, ({ id, notice }) => {
      const display = IndexDisplay.layer({ json, notice })
      return Indexing.layerWith(estimate ? Sqlite.layerMemory : forest).pipe(
        Layer.provide(ChosenModel.layer(id)),
        Layer.provideMerge(display),
      )
    }),
  ).pipe(
    // The command itself opens the second model of a run, and the one that embeds symbols.
    Layer.provideMerge(Models.layer),
    Layer.provideMerge(Embedders.layer),
    // Prices are looked up only for an estimate.
    Layer.provideMerge(estimate ? catalog : ModelCatalog.layer),
    Layer.provideMerge(isOfRun ? clusterLayer(({ runs }) => runs) : noCluster),
    Layer.provideMerge(
      cluster && !estimate ? clusterLayer(({ explorer }) => explorer(path, policy.maxCost)) : Layer.empty,
    ),
    Layer.provideMerge(RequestPolicy.layer(policy)),
    Layer.provide(Sources.layer(path)),
    Layer.provide(NodeFiles.layer),
  )
}

/** Git says which files a sparse checkout leaves out. */
export const layer = (options: Options) => Layer.provideMerge(indexing(options), CodeLayer.git)
