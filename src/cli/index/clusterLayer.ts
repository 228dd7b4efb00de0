/**
 * The cluster of VIBE_CLUSTER_URL: its runs, and for `vibe index --cluster` the client that has workers explain
 * symbols.
 */
import * as os from "node:os"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { processEnvironment } from "../../app/OwnProcess.ts"
import { withoutSecrets } from "../../base/Url.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as ClusterExplorer from "../../cluster/ClusterExplorer.ts"
import * as Database from "../../cluster/Database.ts"
import * as PostgresRunStore from "../../cluster/RunStore/Postgres.ts"
import * as RunStore from "../../cluster/RunStore.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as Program from "../../review/Git/Program.ts"
import * as Git from "../../review/Git.ts"
import { Version } from "../Table.ts"
import { Cluster } from "./run.ts"

const missing = (command: string) =>
  new UsageError({
    message:
      "VIBE_CLUSTER_URL is not set: it names the Postgres that the machines share, postgres://USER:PASSWORD@HOST/DATABASE",
    command,
  })

/** The store of runs. Needs the settings. */
export const store = (command: string) =>
  PostgresRunStore.layer.pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(
        Effect.flatMap(
          AppConfig.clusterUrl,
          Option.match({
            onNone: () => Effect.fail(missing(command)),
            onSome: (url) => Effect.succeed(Database.layer({ url, name: `vibe ${command}` })),
          }),
        ),
      ),
    ),
  )

/** The layer for `--status` and `--cancel`. */
export const runs = Layer.effect(Cluster, Effect.map(RunStore.RunStore, Option.some)).pipe(
  Layer.provide(store("index")),
)

/** `path` is the folder that is explored. */
export const explorer = (path: string, maxCost: Option.Option<number>) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { maxCost: configured } = yield* Effect.provide(AppConfig.requestPolicy, Sources.layer(path))
      return ClusterExplorer.layer({
        ...(yield* identify(path)),
        version: yield* Version,
        maxCost: Option.getOrUndefined(Option.orElse(maxCost, () => configured)),
      })
    }),
  ).pipe(Layer.provide(store("index")), Layer.provide(Layer.suspend(() => Program.layer(processEnvironment()))))

/**
 * Finds the repository of a folder, by a name that other checkouts have too, and its commit. A folder without a
 * repository is named after this machine.
 */
const identify = Effect.fnUntraced(function* (path: string) {
  const asked = yield* Effect.either(
    Effect.all([
      Git.ask(path, ["config", "--get", "remote.origin.url"]),
      Git.ask(path, ["rev-list", "--max-parents=0", "--first-parent", "HEAD"]),
      Git.ask(path, ["rev-parse", "--show-prefix"]),
      Git.ask(path, ["rev-parse", "HEAD"]),
    ]),
  )
  const [remote, first, prefix = "", commit] = asked._tag === "Right" ? asked.right : []
  const name = remote === undefined || remote === "" ? first : withoutSecrets(remote).replace(/\.git$/, "")
  return name === undefined
    ? { repository: `${os.hostname()}:${resolve(path)}`, commit: "" }
    : { repository: `${name}${prefix === "" ? "" : `#${prefix}`}`, commit: commit ?? "" }
})
