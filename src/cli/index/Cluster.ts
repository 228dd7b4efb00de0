/** The runs of the cluster, for `vibe index --status` and `--cancel`; `None` if neither is asked for. */
import * as Context from "effect/Context"
import type * as Option from "effect/Option"
import type * as RunStore from "../../cluster/RunStore.ts"

export class Cluster extends Context.Tag("vibe/cli/index/Cluster")<Cluster, Option.Option<RunStore.Service>>() {}
