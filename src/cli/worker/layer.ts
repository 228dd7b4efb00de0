/** The layer of `vibe worker`: the models, with their prices, and the runs of the cluster. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Models from "../../app/Models.ts"
import * as RequestPolicy from "../../app/RequestPolicy.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import type * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as ClusterLayer from "../index/clusterLayer.ts"

export type Options = Pick<AppConfig.RequestPolicy, "maxRetries" | "maxWait">

const none = { maxCost: Option.none(), maxRunTokens: Option.none(), record: Option.none(), replay: Option.none() }

export const layer = (options: Options) =>
  ClusterLayer.store("worker").pipe(
    Layer.provideMerge(Models.layer),
    Layer.provideMerge(RequestPolicy.layer({ ...none, ...options })),
    Layer.provide(Sources.layer(".")),
    Layer.provide(NodeFiles.layer),
  )
